"""Random groups with properties of every kind, and random Arrow tables of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID

import pyarrow as pa

from lexigraph.codec import codec_for
from lexigraph.schema import Aggregate, Group, Property, Rule, Schema, ValueType
from lexigraph.schema.keys import plan_field

START = datetime(2026, 1, 1, tzinfo=UTC)
TEXTS = ["", "a", "b", "ab", "a\x00", "a\x00b", "\x01", "é", "日本", "x" * 200]

VALUES: dict[str, Callable[[Random], Any]] = {
    "str": lambda rng: rng.choice(TEXTS),
    "bytes": lambda rng: rng.choice(TEXTS).encode() + rng.choice([b"", b"\xff"]),
    "int": lambda rng: rng.choice([0, 1, -1, 127, 128, -256, 100, rng.randrange(-99, 99)]),
    "float": lambda rng: rng.choice([0.0, -0.0, 1.5, -2.25, float("inf"), float("nan"), 0.1]),
    "bool": lambda rng: rng.random() < 0.5,
    "date": lambda rng: rng.choice([date.min, date.max, date(2026, 1, 1 + rng.randrange(9))]),
    "datetime": lambda rng: START + timedelta(microseconds=rng.randrange(-(10**15), 10**15)),
    "naive_datetime": lambda rng: datetime(2026, 1, 1) + timedelta(seconds=rng.randrange(10**6)),
    "time": lambda rng: time(rng.randrange(24), rng.randrange(60), 5, rng.randrange(10**6)),
    "timedelta": lambda rng: timedelta(seconds=rng.randrange(-(10**6), 10**6)),
    "decimal": lambda rng: Decimal(rng.choice([0, 1, -250, rng.randrange(-(10**9), 10**9)])) / 100,
    "uuid": lambda rng: UUID(int=rng.getrandbits(128)),
}

ARROW: dict[str, list[pa.DataType]] = {
    "str": [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int8(), pa.string()),
    ],
    "bytes": [pa.binary(), pa.large_binary(), pa.binary_view()],
    "int": [pa.int16(), pa.int32(), pa.int64(), pa.dictionary(pa.int16(), pa.int64())],
    "float": [pa.float64(), pa.float32()],
    "bool": [pa.bool_()],
    "date": [pa.date32()],
    "datetime": [pa.timestamp("us", "UTC"), pa.timestamp("us", "Europe/Berlin")],
    "naive_datetime": [pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")],
    "time": [pa.time64("us"), pa.time64("ns")],
    "timedelta": [pa.duration("us"), pa.duration("ms"), pa.duration("ns")],
    "decimal": [pa.decimal128(20, 2), pa.decimal128(38, 5), pa.decimal256(50, 2)],
    "uuid": [pa.uuid()],
}

ANY_CODEC = ["min", "max", "first", "last", "set", "list", "top-n", "reservoir"]
SOME_CODECS = {
    "int": ["sum", "product"],
    "float": ["sum", "product"],
    "decimal": ["sum", "product"],
    "bool": ["and", "or"],
    "str": ["concat", "frequency-map"],
    "date": ["time-series", "frequency-map"],
    "datetime": ["time-series"],
    "naive_datetime": ["time-series"],
}
COUNTING = ["frequency-map", "time-series"]
COLLECTING = ["set", "list", "top-n", "reservoir", "concat", "frequency-map", "time-series"]
LABELS = ["", "a", "b&a", "a&b", "(c|b)&a", '"x y"|a']


def random_schema(rng: Random, *, ids: str | None = None) -> Schema:
    """Give a schema of some groups; ``ids`` is the codec of all ids."""
    shared = ids or rng.choice(["str", "str", "int", "bytes", "date", "any", "datetime"])
    mixed = ids is None and rng.random() < 0.2
    groups = [random_group(rng, f"G{at}", "str" if at and mixed else shared) for at in range(3)]
    return Schema({group.name: group for group in groups})


def random_group(rng: Random, name: str, ids: str) -> Group:
    """Give a group of vertices or edges."""
    kind = rng.choice(["vertex", "edge", "edge"])
    aggregates = rng.random() < 0.7
    bits = 64 if ids == "int" else None
    names = ("vertex",) if kind == "vertex" else ("source", "destination")
    properties, group_by = [], []
    for at in range(rng.randrange(5)):
        codec = rng.choice([*VALUES, "any"])
        how = rng.choice([*ANY_CODEC, *SOME_CODECS.get(codec, ())])
        by = rng.random() < 0.4
        chosen = None if by or not (aggregates or rng.random() < 0.3) else Aggregate(how)
        width = rng.choice([None, 8, 32, 64]) if codec == "int" else None
        width = rng.choice([None, 32]) if codec == "float" else width
        held = ValueType(codec, width, optional=rng.random() < 0.5)
        # Some are called as fields of every plan are.
        one = Property("kind" if at == 3 else f"p{at}", held, aggregate=chosen)
        properties.append(one)
        group_by += [one.name] if by else []
    label = Property("label", ValueType("str", optional=True))
    stamp = Property("at", ValueType("int", optional=True))
    labelled, timed = rng.random() < 0.6, rng.random() < 0.4
    group = Group(
        name,
        kind,
        {one: ValueType(ids, bits) for one in names},
        (*properties, *[label] * labelled, *[stamp] * timed),
        tuple(group_by),
        "label" if labelled else None,
        "at" if timed else None,
        rng.choice([None, True, False]) if kind == "edge" else None,
        aggregates,
        aggregates,
    )
    return group if rng.random() < 0.5 else _ruled(rng, group)


def _ruled(rng: Random, group: Group) -> Group:
    rules = []
    for one in group.properties:
        field = plan_field(group, one.name)
        if field in ("visibility", "timestamp") or one.type.codec not in VALUES:
            continue
        there = {"op": "exists", "field": field}
        rules.append(Rule({"op": "or", "of": [there, {"op": "not", "of": there}]}, (one.name,)))
        one_value = one.aggregate is None or one.aggregate.name in ("min", "max", "first", "last")
        if one_value and rng.random() < 0.4:
            key = codec_for(one.type.codec).encode(VALUES[one.type.codec](rng))
            where = {"op": "ne", "field": field, "value": key}
            rules.append(Rule({"op": "or", "of": [where, {"op": "not", "of": there}]}, (one.name,)))
        elif one.aggregate is not None and one.aggregate.name in ("set", "list"):
            where = {"op": "length", "field": field, "compare": "eq", "size": 1}
            rules.append(Rule({"op": "or", "of": [where, {"op": "not", "of": there}]}, (one.name,)))
        elif one.aggregate is None and one.type.codec == "str":
            where = {"op": "regex", "field": field, "pattern": "[^b]*"}
            rules.append(Rule({"op": "or", "of": [where, {"op": "not", "of": there}]}, (one.name,)))
    if group.kind == "edge" and rng.random() < 0.3:
        where = {"op": "ne", "field": "source", "other": "destination"}
        rules.append(Rule(where, ("source", "destination")))
    if rng.random() < 0.2:
        where = {"op": "ne", "field": "visibility", "value": b"a"}
        rules.append(Rule(where, ("label",) if group.visibility else ()))
    fields = {name: getattr(group, name) for name in Group.__dataclass_fields__}
    return Group(**{**fields, "rules": tuple(rules)})


def random_table(rng: Random, group: Group, rows: int, *, bad: float = 0.0) -> pa.Table:
    """Give a table of elements; ``bad`` is how often a value is null or wide though it must not."""
    columns: dict[str, pa.Array] = {}
    few = rng.random() < 0.7
    for name, kind in group.ids.items():
        columns[name] = _column(rng, kind, rows, nulls=bad, few=few)
    for one in group.properties:
        if one.name == group.visibility:
            texts = [*LABELS, None, *(["a&"] if bad else [])]
            columns[one.name] = pa.array([rng.choice(texts) for _ in range(rows)], pa.string())
        elif one.name == group.timestamp:
            times = [rng.choice([None, 5, 7, 5]) for _ in range(rows)]
            kind = rng.choice([pa.int64(), pa.int8(), pa.timestamp("us", "UTC")])
            columns[one.name] = pa.array(times, kind)
        else:
            nulls = 0.3 if one.type.optional else bad
            collects = one.aggregate is not None and one.aggregate.name in COLLECTING
            make = _lists if collects and rng.random() < 0.5 else _column
            if one.aggregate is not None and one.aggregate.name in COUNTING and rng.random() < 0.3:
                make = _maps
            columns[one.name] = make(rng, one.type, rows, nulls=nulls, few=few, wide=bool(bad))
            if one.type.optional and rng.random() < 0.1:
                columns[one.name] = pa.nulls(rows)
    if group.kind == "edge" and (group.directed is None or rng.random() < 0.2):
        says = [True, False] if group.directed is None else [group.directed, None]
        says += [None, not group.directed] if bad else []
        columns["directed"] = pa.array([rng.choice(says) for _ in range(rows)], pa.bool_())
    if rng.random() < 0.1:
        columns["group"] = pa.array(["ignored"] * rows)
    names = list(columns)
    rng.shuffle(names)
    table = pa.table({name: columns[name] for name in names})
    # A slice, so that columns do not begin where their memory does.
    table = pa.concat_tables([table.slice(0, rows // 2), table.slice(rows // 2)])
    return table.slice(min(3, rows - 1))


def _maps(
    rng: Random, kind: ValueType, rows: int, *, nulls: float, few: bool, wide: bool = False
) -> pa.Array:
    """Give counts by value; some are null where values may be wrong."""
    keys = [one for one in ARROW[kind.codec] if not pa.types.is_dictionary(one)]
    pool = [VALUES[kind.codec](rng) for _ in range(3 if few else rows)]
    counts = [-3, 0, 7, 2**40, *([None] if wide else [])]
    values = [
        None
        if rng.random() < nulls
        else [(key, rng.choice(counts)) for key in {*rng.choices(pool, k=rng.randrange(1, 4))}]
        for _ in range(rows)
    ]
    return pa.array(values, pa.map_(rng.choice(keys), pa.int64()))


def _lists(
    rng: Random, kind: ValueType, rows: int, *, nulls: float, few: bool, wide: bool = False
) -> pa.Array:
    """Give lists of values, some of them empty; a null is in them where values may be wrong."""
    codec = kind.codec if kind.codec in VALUES else rng.choice([*VALUES])
    kinds = [one for one in ARROW[codec] if not pa.types.is_dictionary(one)]
    item, make = rng.choice(kinds), VALUES[codec]
    pool = [make(rng) for _ in range(3 if few else rows)] + [None] * (wide and rng.random() < 0.2)
    if codec == "uuid":
        item = pa.binary(16)
        pool = [None if one is None else one.bytes for one in pool]
    values = [
        None if rng.random() < nulls else [rng.choice(pool) for _ in range(rng.randrange(4))]
        for _ in range(rows)
    ]
    made = pa.array(values, rng.choice([pa.list_, pa.large_list])(item))
    if codec != "uuid":
        return made
    entries = pa.ExtensionArray.from_storage(pa.uuid(), made.values)
    parts = (made.offsets, entries)
    gaps = made.is_null()
    return type(made).from_arrays(*parts, mask=gaps if made.null_count else None)


def _column(
    rng: Random, kind: ValueType, rows: int, *, nulls: float, few: bool, wide: bool = False
) -> pa.Array:
    codec = kind.codec if kind.codec in VALUES else rng.choice([*VALUES])
    arrow = rng.choice(ARROW[codec])
    make = VALUES[codec]
    pool = [make(rng) for _ in range(3 if few else rows)]
    if kind.bits is not None and kind.bits < 64 and codec == "int" and not wide:
        pool = [value % 100 for value in pool]
    values = [None if rng.random() < nulls else rng.choice(pool) for _ in range(rows)]
    if kind.codec == "float" and rng.random() < 0.4:
        whole = [None if one is None else rng.choice([0, -3, 2**53 + 1, 10**18]) for one in values]
        return pa.array(whole, pa.int64())
    if pa.types.is_float32(arrow):
        values = [None if one is None else pa.scalar(one, arrow).as_py() for one in values]
    return pa.array(values, arrow)
