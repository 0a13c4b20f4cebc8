"""Random groups of records with properties of every kind, and random Arrow tables of them."""

from __future__ import annotations

from random import Random
from typing import Any

import pyarrow as pa

from lexigraph.schema import Group, Property, Schema, ValueType
from lexigraph.schema.model import Record, SortPart
from tests.unit.graph.wide_frames import ARROW, LABELS, VALUES

IDS = ["str", "int", "bytes", "date", "any", "datetime", "uuid"]
EDGE_IDS = [None, "str", "uuid", "int"]
BITS = {"int": [None, 8, 16, 32, 64], "float": [None, 32]}
TIMES = [None, 5, 7, 10**15]


def random_records(rng: Random) -> Schema:
    """Return a schema of a group of vertices and two of edges."""
    ids = ValueType(rng.choice(IDS))
    return Schema(
        {
            one.name: one
            for one in (
                _group(rng, "Person", "vertex", ids),
                _group(rng, "Knows", "edge", ids),
                _group(rng, "Owns", "edge", ids),
            )
        }
    )


def random_rows(rng: Random, group: Group, rows: int, *, bad: float = 0.0) -> pa.Table:
    """Return a table of elements with ids of their own; ``bad`` is how often a value is wrong."""
    columns: dict[str, Any] = {}
    for name, kind in group.ids.items():
        few = rows if name == "vertex" else 5
        columns[name] = _column(rng, kind.codec, rows, nulls=bad, pool=few)
    if group.kind == "vertex":
        columns["vertex"] = _distinct(columns["vertex"])
        rows = len(columns["vertex"])
    for one in group.properties:
        if one.name == group.visibility:
            texts = [*LABELS, None, *(["a&"] if bad else [])]
            columns[one.name] = pa.array(rng.choices(texts, k=rows), pa.string())
        elif one.name == group.timestamp:
            columns[one.name] = pa.array(rng.choices(TIMES, k=rows), pa.int64())
        elif one.cardinality != "single":
            columns[one.name] = _lists(rng, one.type.codec, rows)
        elif not one.type.optional or rng.random() < 0.9:
            nulls = 0.3 if one.type.optional else bad
            columns[one.name] = _column(rng, one.type.codec, rows, nulls=nulls)
    record = group.record
    assert record is not None
    if group.kind == "edge":
        # Generated ids are not the same twice, so every edge has one of its own.
        kind = "str" if record.edge_id is None else record.edge_id.codec
        columns["edge"] = _edge_ids(rng, kind, rows)
        if group.directed is None:
            says = [True, False, *([None] if bad else [])]
            columns["directed"] = pa.array(rng.choices(says, k=rows), pa.bool_())
    names = list(columns)
    rng.shuffle(names)
    return pa.table({name: columns[name] for name in names}).slice(min(3, rows - 1))


def _group(rng: Random, name: str, kind: str, ids: ValueType) -> Group:
    edge = kind == "edge"
    properties, sort_key, signature = [], [], []
    for at in range(rng.randrange(6)):
        codec = rng.choice([*VALUES, "any"])
        # A name has one type in all groups of a kind.
        bits = rng.choice(BITS.get(codec, [None]))
        one = Property(f"{name[0]}{at}", ValueType(codec, bits, optional=rng.random() < 0.5))
        role = rng.choice(["value", "value", "list", "set", "sort", "sign"])
        if role in ("list", "set") and codec not in ("any", "uuid"):
            one = Property(one.name, ValueType(codec, bits, optional=True), cardinality=role)
        elif edge and role == "sort" and codec != "any":
            sort_key.append(SortPart(one.name, rng.random() < 0.5))
        elif edge and role == "sign":
            signature.append(one.name)
        properties.append(one)
    labelled, timed = rng.random() < 0.6, rng.random() < 0.4
    label = Property("label", ValueType("str", optional=True))
    stamp = Property("at", ValueType("int", optional=True))
    directed = rng.choice([None, True, False]) if edge else None
    own = rng.choice(EDGE_IDS) if edge else None
    record = Record(
        sort_key=tuple(sort_key),
        signature=tuple(signature),
        unidirected=directed is True and rng.random() < 0.3,
        edge_id=None if own is None else ValueType(own),
        ttl=rng.choice([None, None, None, 700, 10**6]),
        # A name has one time to live in all groups.
        ttls=tuple(
            (one.name, 800 + len(one.name))
            for one in properties
            if one.name not in signature
            and one.name not in (part.name for part in sort_key)
            and sum(one.name.encode()) % 7 == 0
        ),
    )
    return Group(
        name,
        kind,
        dict.fromkeys(("source", "destination") if edge else ("vertex",), ids),
        (*properties, *[label] * labelled, *[stamp] * timed),
        visibility="label" if labelled else None,
        timestamp="at" if timed else None,
        directed=directed,
        summary=False,
        aggregates=False,
        record=record,
    )


def _column(
    rng: Random, codec: str, rows: int, *, nulls: float = 0.0, pool: int | None = None
) -> pa.Array:
    codec = rng.choice(["str", "int", "date"]) if codec == "any" else codec
    values = [VALUES[codec](rng) for _ in range(pool or rows)]
    chosen = values if pool == rows else rng.choices(values, k=rows)
    said = [None if rng.random() < nulls else one for one in chosen]
    return pa.array(said, rng.choice(ARROW[codec]))


def _lists(rng: Random, codec: str, rows: int) -> pa.Array:
    pool = [VALUES[codec](rng) for _ in range(3)]
    held = [
        None if rng.random() < 0.3 else rng.choices([*pool, None], k=rng.randrange(4))
        for _ in range(rows)
    ]
    kinds = [one for one in ARROW[codec] if not pa.types.is_dictionary(one)]
    return pa.array(held, pa.list_(rng.choice(kinds)))


def _distinct(column: pa.Array) -> pa.Array:
    kept: dict[Any, int] = {}
    for at, value in enumerate(column.to_pylist()):
        kept.setdefault(value, at)
    return pa.concat_arrays([column.slice(at, 1) for at in kept.values()])


def _edge_ids(rng: Random, codec: str, rows: int) -> pa.Array:
    numbers = rng.sample(range(10**6), rows)
    if codec == "uuid":
        return pa.array([one.to_bytes(16, "big") for one in numbers], pa.uuid())
    return pa.array(numbers if codec == "int" else [f"e{one}" for one in numbers])
