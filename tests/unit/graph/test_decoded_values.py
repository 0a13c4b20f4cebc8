"""Columns of every kind of value: the core makes those that elements of Python make."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import InvalidValue
from lexigraph.graph.read import frames
from lexigraph.keyplan import KeyPlan
from lexigraph.schema import Aggregate, Group, Property, Schema, ValueType
from lexigraph.types import GeoPoint

SEED, ROWS = 14, 24
ZONE = timezone(timedelta(hours=2))

Draw = Callable[[random.Random], Any]
DRAWN: dict[str, Draw] = {
    "bool": lambda draw: draw.random() < 0.5,
    "int": lambda draw: draw.randrange(-(2**40), 2**40),
    "int8": lambda draw: draw.randrange(-128, 128),
    "int16": lambda draw: draw.randrange(-(2**15), 2**15),
    "int32": lambda draw: draw.randrange(-(2**31), 2**31),
    "int64": lambda draw: draw.randrange(-(2**63), 2**63),
    "float": lambda draw: draw.choice([-0.0, 1.5, float("inf"), draw.gauss(0, 1e6)]),
    "float32": lambda draw: draw.randrange(-1000, 1000) / 8,
    "decimal": lambda draw: Decimal(draw.randrange(-(10**9), 10**9)).scaleb(draw.randrange(-9, 9)),
    "str": lambda draw: draw.choice(["", "a", "é\x00", "longer text"]) + str(draw.randrange(9)),
    "bytes": lambda draw: draw.randbytes(draw.randrange(4)),
    "date": lambda draw: date(2026, 1, 1) + timedelta(days=draw.randrange(-9999, 9999)),
    "time": lambda draw: time(draw.randrange(24), draw.randrange(60), 1, draw.randrange(10**6)),
    "naive_datetime": lambda draw: datetime(1969, 1, 1) + timedelta(seconds=draw.random() * 1e9),
    "datetime": lambda draw: datetime(
        2026, 1, 1, draw.randrange(24), tzinfo=draw.choice([UTC, ZONE])
    ),
    "timedelta": lambda draw: timedelta(
        days=draw.randrange(-99, 99), microseconds=draw.randrange(9)
    ),
    "uuid": lambda draw: UUID(int=draw.getrandbits(128)),
    "ip": lambda draw: draw.choice(
        [
            IPv4Address(draw.getrandbits(32)),
            IPv6Address(draw.getrandbits(128)),
            IPv6Address(draw.getrandbits(16)),
            IPv6Address(f"::ffff:1.2.3.{draw.randrange(256)}"),
        ]
    ),
    "geo": lambda draw: GeoPoint(draw.uniform(-90, 90), draw.uniform(-180, 180)),
    "any": lambda draw: draw.randrange(9),
}
FIGURES = {
    None: None,
    "sum": ("int", "float", "decimal"),
    "product": ("int", "float", "decimal"),
    "and": ("bool",),
    "concat": ("str",),
    "time-series": ("datetime", "naive_datetime", "date"),
    "bitmap": ("int", "int8", "int16", "int32", "int64"),
    **dict.fromkeys(("min", "max", "first", "last", "set", "list", "top-n", "reservoir")),
    **dict.fromkeys(("frequency-map", "frequent-items", "hll", "theta", "quantiles")),
}
PAIRS = [
    (codec, name)
    for name, codecs in FIGURES.items()
    for codec in DRAWN
    if (codecs is None or codec in codecs)
    and not (codec == "any" and name in ("frequency-map", "frequent-items"))
]


def property_name(codec: str, aggregate: str | None) -> str:
    return f"{codec}_{aggregate}".replace("-", "_")


def wide_schema() -> Schema:
    """Make a schema of two groups with a property for each codec and aggregator."""
    text = ValueType("str")

    def values(*, merged: bool) -> tuple[Property, ...]:
        return tuple(
            Property(
                property_name(codec, name),
                ValueType(codec, optional=True),
                aggregate=None if name is None else Aggregate(name),
            )
            for codec, name in PAIRS
            if (name is not None) == merged
        )

    merged = Group("merged", "vertex", {"vertex": text}, values(merged=True))
    kept = Group("kept", "vertex", {"vertex": text}, values(merged=False), aggregates=False)
    return Schema({"merged": merged, "kept": kept})


def drawn(draw: random.Random, codec: str, aggregate: str | None) -> Any:
    """Draw what a property is given: a value, or for those that collect also several."""
    one = DRAWN[codec]
    if aggregate == "bitmap":
        return [draw.randrange(128) for _ in range(draw.randrange(5))]
    if aggregate == "product":
        return {"int": int, "float": float, "decimal": Decimal}[codec](draw.randrange(-9, 9))
    collects = aggregate in ("set", "list", "top-n", "reservoir", "frequency-map")
    if collects and draw.random() < 0.7:
        return [one(draw) for _ in range(draw.randrange(5))]
    return one(draw)


def fill(graph: lg.Graph, seed: int = SEED, rows: int = ROWS) -> None:
    draw = random.Random(seed)
    made: list[dict[str, Any]] = []
    for at in range(rows):
        for group, merged in (("merged", True), ("kept", False)):
            values = {
                property_name(codec, name): drawn(draw, codec, name)
                for codec, name in PAIRS
                if (name is not None) == merged and draw.random() < 0.8
            }
            made.append({"group": group, "vertex": f"v{at % (rows // 2)}", **values})
        if at % 8 == 7:
            graph.add(made)
            made.clear()


def by_elements(question: Any, digits: int | None = None) -> Any:
    return frames.to_arrow(question._rows(), question._columns(), digits)


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with lg.open(tmp_path_factory.mktemp("wide") / "db", wide_schema()) as graph:
        fill(graph)
        yield graph


@pytest.mark.parametrize("digits", [None, 38, 76])
def test_columns_of_every_codec_and_aggregator_are_those_of_the_elements(
    wide: lg.Graph, digits: int | None
) -> None:
    for group in ("merged", "kept"):
        found = wide.all(group)
        expected = by_elements(found, digits)
        made = found.to_arrow(decimals=digits or False)
        for name in expected.column_names:
            assert made.column(name).type == expected.column(name).type, name
            assert made.column(name).to_pylist() == expected.column(name).to_pylist(), name
        made.validate(full=True)
        assert pa.Table.from_batches(found.to_batches(rows=7, decimals=digits or False)).equals(
            made
        )


def test_an_empty_answer_has_the_types_of_a_full_one(wide: lg.Graph) -> None:
    for group in ("merged", "kept"):
        full = wide.all(group).to_arrow().schema
        empty = wide.all(group).where(lg.field("vertex") == "nobody").to_arrow().schema
        for name in full.names:
            # Values of any type have none until there are some; estimates are numbers always.
            varies = name.startswith("any") and not name.endswith(("hll", "theta"))
            assert empty.field(name).type == (pa.null() if varies else full.field(name).type), name


def test_no_value_is_decoded_in_python(wide: lg.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a cell was decoded in Python")

    expected = {group: wide.all(group).to_arrow() for group in ("merged", "kept")}
    monkeypatch.setattr(KeyPlan, "decode", refuse)
    monkeypatch.setattr("lexigraph.cells.batch.CellBatch.__iter__", refuse)
    for group, table in expected.items():
        assert wide.all(group).to_arrow().equals(table)
        assert wide.all(group).limit(3).to_arrow().equals(table.slice(0, 3))
    with pytest.raises(AssertionError):
        wide.all("merged").to_list()


class Held(lg.Vertex, summary=True):
    id: str
    price: Decimal | None = lg.last()
    at: time | None = lg.last()
    took: timedelta | None = lg.last()
    many: int | None = lg.last()


@pytest.fixture(params=["memory", "embedded"])
def held(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    with lg.open(":memory:" if request.param == "memory" else tmp_path / "db", [Held]) as graph:
        yield graph


@pytest.mark.parametrize(
    "value",
    [
        {"price": Decimal("1E+20")},
        {"price": Decimal("1E-19")},
        {"price": Decimal("NaN")},
        {"price": Decimal("-Infinity")},
        {"price": Decimal("1E-900000000")},
        {"at": time(1, tzinfo=ZONE)},
        {"took": timedelta.max},
        {"many": 2**63},
    ],
    ids=str,
)
def test_what_a_column_cannot_hold_exactly_is_named(held: lg.Graph, value: dict[str, Any]) -> None:
    held.add([Held("fine"), Held("wrong", **value)])
    [name] = value
    for take in (lambda found: found.to_arrow(), lambda found: list(found.to_batches(rows=1))):
        with pytest.raises(InvalidValue, match=rf"'{name}'.*Held\(vertex='wrong'\)"):
            take(held.all(Held))


@pytest.mark.parametrize(
    "text",
    ["0", "-0", "0E+99", "1.50", "1E+19", "-1E-18", "1." + "0" * 40, "9" * 20 + "." + "9" * 18],
)
def test_decimals_keep_their_number(held: lg.Graph, text: str) -> None:
    held.add([Held("a", price=Decimal(text))])
    table = held.all(Held).to_arrow()
    assert table.schema.field("price").type == pa.decimal128(38, 18)
    assert table.column("price").to_pylist() == [Decimal(text)]


def test_more_digits_hold_more_of_a_decimal(held: lg.Graph) -> None:
    held.add([Held("a", price=Decimal("1E-30")), Held("b", price=Decimal("1E+37"))])
    with pytest.raises(InvalidValue) as caught:
        held.all(Held).to_arrow()
    assert "decimals=76" in caught.value.hint
    table = held.all(Held).to_arrow(decimals=76)
    assert table.schema.field("price").type == pa.decimal256(76, 38)
    assert sorted(table.column("price").to_pylist()) == [Decimal("1E-30"), Decimal("1E+37")]


class Tagged(lg.Vertex, summary=True):
    id: str
    mixed: set[str] = lg.set_of()
    mark: str | None = lg.visibility()


class Counted(lg.Vertex, summary=True):
    id: str
    mixed: dict[str, int] = lg.frequencies()
    mark: int | None = lg.max()


class Moved(lg.Vertex, summary=True):
    id: str
    mixed: datetime = lg.timestamp()


@pytest.mark.parametrize("classes", [[Tagged, Counted], [Tagged, Counted, Moved]])
def test_columns_of_groups_that_differ(tmp_path: Path, classes: list[Any]) -> None:
    with lg.open(tmp_path / "db", classes, authorizations=["s"]) as graph:
        graph.add([Tagged("a", mixed={"x", "y"}, mark="s"), Counted("b", mixed={"x": 2}, mark=7)])
        if Moved in classes:
            moved = datetime(2026, 1, 1, tzinfo=UTC)
            graph.add([Moved("c", mixed=moved)])
            assert graph.all(Moved).to_arrow().column("mixed").to_pylist() == [moved]
        found = graph.all()
        table = found.to_arrow()
        assert table.equals(by_elements(found))
        assert {"7", "s"} <= set(table.column("mark").to_pylist())
        shown = str(datetime(2026, 1, 1, tzinfo=UTC))
        assert (shown in table.column("mixed").to_pylist()) == (Moved in classes)
        assert found._decoded() is not None


def test_an_empty_summary_has_the_types_of_its_figures(tmp_path: Path) -> None:
    with lg.open(tmp_path / "db", [Tagged]) as graph:
        figures = {
            "tags": lg.set_of("mixed"),
            "about": lg.hll("id"),
            "marks": lg.frequencies("id"),
        }
        found = graph.all(Tagged).summarise(by=["id"], **figures)
        kinds = dict(zip(found.to_arrow().schema.names, found.to_arrow().schema.types, strict=True))
        assert kinds == {
            "id": pa.string(),
            "tags": pa.list_(pa.string()),
            "about": pa.float64(),
            "marks": pa.map_(pa.string(), pa.int64()),
        }
