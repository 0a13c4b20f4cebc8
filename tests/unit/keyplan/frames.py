"""Random plans with cells and columns of all kinds, and frames as lists of values."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from lexigraph.cells.cell import Cell
from lexigraph.functions import Aggregator
from lexigraph.graph.read.column_types import frame_kind, held_by
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.keyplan.columns.frames import Frame, FrameBuffers, FrameColumn, FrameEnds
from lexigraph.keyplan.columns.kinds import Kind
from lexigraph.schema.model import Aggregate
from tests.unit.codec.samples import VALUES

_CATALOGUE = json.loads((Path(__file__).parents[3] / "spec" / "catalogue.json").read_bytes())
_CODECS = [name for name in VALUES if name not in ("null", "any")]
KINDS = (
    *("text", "binary", "flag", "int8", "int16", "int32", "int64", "uint64", "float", "date"),
    *("micros", "uuid", "ip", "point", "any", "key", "decimal:38:18", "decimal:50:25"),
    *("decimal:38:0", "list:text", "list:int64", "map:text:int64"),
)
_SAFE = {"sum", "product", "min", "max", "first", "last", "set", "list", "top-n", "concat"}
"""Aggregators whose states follow from their values alone, in every language."""
_SAFE |= {"and", "or", "reservoir", "frequency-map", "time-series", "hll", "theta", "bitmap"}


@st.composite
def properties(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """Draw a property of a plan."""
    codec = draw(st.sampled_from(_CODECS))
    made: dict[str, Any] = {"id": number, "field": f"p{number}", "codec": codec}
    fitting = [
        name
        for name, one in _CATALOGUE["aggregators"].items()
        if name in _SAFE and (one["codecs"] == "all" or codec in one["codecs"])
    ]
    aggregate = draw(st.none() | st.sampled_from(fitting))
    return made if aggregate is None else made | {"aggregate": {"name": aggregate}}


@st.composite
def plans(draw: st.DrawFn) -> KeyPlan:
    """Draw a plan of vertices and edges, with fields in rows, qualifiers and values."""
    ids = draw(st.sampled_from(_CODECS))

    def end(name: str) -> dict[str, Any]:
        return {"field": name, "codec": ids, "form": "escaped"}

    def row(kind: str, *parts: Any, **more: Any) -> dict[str, Any]:
        return {"kind": kind, "parts": list(parts), **more}

    def edge(first: str, second: str, mark: str, **more: Any) -> dict[str, Any]:
        return row("edge", end(first), mark_of(mark), end(second), mark_of(mark), **more)

    def mark_of(mark: str) -> dict[str, Any]:
        return {"const": {"hex": mark}}

    fields = [draw(properties(number)) for number in range(1, draw(st.integers(0, 3)) + 1)]
    form = draw(st.sampled_from(["rest", "part"]))
    field = {"field": "q", "codec": draw(st.sampled_from(_CODECS)), "form": form}
    if form == "part" and draw(st.booleans()):
        field |= {"descending": True}
    if form == "part" and draw(st.booleans()):
        field |= {"nulls": draw(st.sampled_from(["first", "last"]))}
    qualifier = [field] if draw(st.booleans()) else []
    value = {"form": "tagged", "properties": fields} if fields else {"form": "none"}
    return KeyPlan.parse(
        {
            "version": 1,
            "rows": [
                row("vertex", end("vertex"), mark_of("0001")),
                edge(
                    "source", "destination", "0002", directed=True, matched="source", once="always"
                ),
                edge(
                    "destination",
                    "source",
                    "0003",
                    directed=True,
                    matched="destination",
                    once="never",
                ),
                edge(
                    "source",
                    "destination",
                    "0004",
                    directed=False,
                    matched="either",
                    once="ordered",
                ),
            ],
            "family": [{"field": "group", "codec": "str", "form": "rest"}],
            "groups": {
                "v": {"kind": "vertex", "qualifier": qualifier, "value": value},
                "e": {"kind": "edge", "qualifier": qualifier, "value": value},
                "plain": {"kind": "edge", "qualifier": [], "value": {"form": "none"}},
            },
        }
    )


@st.composite
def cells(draw: st.DrawFn, plan: KeyPlan) -> list[Cell]:
    """Draw cells of some elements of a plan."""
    ids = VALUES[_codec(plan, "v", "vertex")]
    made: list[Cell] = []
    for _ in range(draw(st.integers(0, 4))):
        group = draw(st.sampled_from(["v", "e", "plain"]))
        fields = plan.fields(group)._groups[0]
        time = draw(st.integers(-5, 5))
        held = {}
        if "q" in fields:
            held["q"] = draw(VALUES[fields["q"].codec.name])
        if group == "v":
            element = StoredElement("vertex", group, held, vertex=draw(ids))
        else:
            element = StoredElement(
                "edge",
                group,
                held,
                source=draw(ids),
                destination=draw(ids),
                directed=draw(st.booleans()),
            )
        codec = plan.decoder.groups[group].value
        states = [
            one.start(draw(_taken(one)), time) if draw(st.integers(0, 4)) else None
            for one in codec.aggregators
        ]
        label = draw(st.sampled_from([b"", b"A", b"\xff"]))
        more = {"value": codec.write(states), "timestamp": time, "visibility": label}
        made += [cell._replace(**more) for cell in plan.encode(element)]
    return made


def damaged(cells: list[Cell]) -> st.SearchStrategy[list[Cell]]:
    """Draw the same cells with a byte of one of them changed, or a part cut."""

    def change(at: int, part: str, place: int, byte: int | None) -> list[Cell]:
        cell = cells[at]
        data = bytearray(getattr(cell, part) or b"\0")
        place %= len(data)
        if byte is None:
            del data[place:]
        else:
            data[place] = byte
        return [*cells[:at], cell._replace(**{part: bytes(data)}), *cells[at + 1 :]]

    return st.builds(
        change,
        st.integers(0, len(cells) - 1),
        st.sampled_from(["row", "family", "qualifier", "value"]),
        st.integers(0, 30),
        st.none() | st.integers(0, 255),
    )


@st.composite
def columns(draw: st.DrawFn, plan: KeyPlan) -> list[FrameColumn]:
    """Draw columns, mostly of the kinds that their fields have."""
    names = ["vertex", "source", "destination", "q", "p1", "p2", "p3", "group", "kind", "matched"]
    made = []
    for name in draw(st.lists(st.sampled_from([*names, "directed", "visibility", "timestamp"]))):
        having = [one for one in ("v", "e", "plain") if name in plan.fields(one)._groups[0]]
        if having:
            kind = draw(st.sampled_from([natural(plan, having[0], name)] * 4 + list(KINDS)))
            moments = frozenset(having if name == "timestamp" and kind == "micros" else ())
            made.append(FrameColumn(name, kind, dict.fromkeys(having, name), moments))
    return made


def ends(plan: KeyPlan, found: list[Cell]) -> st.SearchStrategy[FrameEnds | None]:
    """Draw a check of ends among the vertices of some cells."""
    encode = plan.fields("v").find("vertex").codec.encode
    elements = [one for cell in found if (one := plan.decode(cell)) is not None]
    known = [one.vertex if one.kind == "vertex" else one.source for one in elements]
    some = st.none() | st.lists(st.sampled_from(sorted(map(encode, known)) or [b""]))
    ranges = some.map(lambda keys: keys and [(min(keys), max(keys))])
    return st.none() | st.builds(FrameEnds, st.booleans(), some, some, ranges, some)


def natural(plan: KeyPlan, group: str, name: str) -> str:
    """Return the kind of column that a field has in an answer."""
    if name == "visibility":
        return "text"
    field = plan.fields(group).find(name)
    how = None if field.aggregator is None else Aggregate(field.aggregator.name)
    return frame_kind(held_by(field.codec.name, how))


def entries(frames: list[Frame], columns: list[FrameColumn]) -> list[list[Any]]:
    """Return the columns of some frames one behind the other, as lists."""
    found: list[list[Any]] = [[] for _ in columns]
    for frame in frames:
        for at, one in enumerate(columns):
            found[at] += _entries(frame.columns[at], Kind.named(one.kind))
    return found


def _entries(made: FrameBuffers, kind: Kind) -> list[Any]:
    inside = [_entries(*one) for one in zip(made.children, kind.inside, strict=True)]
    out: list[Any] = []
    for at in range(made.length):
        if made.present is not None and not made.present[at // 8] >> at % 8 & 1:
            out.append(None)
        elif made.offsets is not None:
            start, end = struct.unpack_from("=ii", made.offsets, 4 * at)
            out.append(inside[0][start:end] if inside else made.data[start:end])
        elif inside:
            out.append(tuple(one[at] for one in inside))
        elif kind.word == "flag":
            out.append(made.data[at // 8] >> at % 8 & 1)
        else:
            out.append(made.data[kind.width * at : kind.width * (at + 1)])
    return out


def _taken(aggregator: Aggregator) -> st.SearchStrategy[Any]:
    values = VALUES[aggregator.codec.name]
    return values.map(lambda one: max(0, one)) if aggregator.name == "bitmap" else values


def _codec(plan: KeyPlan, group: str, name: str) -> str:
    return plan.fields(group).find(name).codec.name
