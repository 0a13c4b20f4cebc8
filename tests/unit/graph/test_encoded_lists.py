"""Columns of lists and of decimals: the core stores what reading row by row stores."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import ValidationError
from lexigraph.graph.write.checking import Checking
from lexigraph.keyplan.columns import encoder


class Seen(lg.Vertex, summary=True):
    id: str
    tags: set[str] | None = lg.set_of()
    marks: list[Decimal] | None = lg.list_of()
    days: dict[date, int] | None = lg.time_series(bucket="month")
    words: dict[str, int] | None = lg.frequencies()
    best: list[int] | None = lg.top(n=2)
    sample: list[int] | None = lg.reservoir(size=2)
    people: set[UUID] | None = lg.set_of()
    about: str | None = lg.hll()
    rough: str | None = lg.theta()
    spread: float | None = lg.quantiles()
    often: str | None = lg.frequent()
    numbers: int | None = lg.bitmap()
    paid: Decimal | None = lg.sum()
    named: dict[str, int] | None = lg.frequencies()
    weeks: dict[date, int] | None = lg.time_series(bucket="week")
    most: dict[str, int] | None = lg.frequent()


TEXTS = [["b", "a", "b"], [], None, ["c"]]
NUMBERS = [[3, 1, 2**40], [], None, [7]]
DAYS = [[date(2026, 1, 2), date(2026, 1, 30)], [], None, [date(2025, 3, 1)]]
DECIMALS = [[Decimal("1.50"), Decimal("-3.00")], [], None, [Decimal("0.00")]]
COUNTS = [[("b", 2), ("a", -1)], [], None, [("b", 5)]]
WEEKS = [[(date(2026, 1, 2), 2), (date(2026, 1, 1), 3)], [], None, [(date(2025, 3, 1), 1)]]
IDS = [[UUID(int=5).bytes, UUID(int=3).bytes], [], None, [UUID(int=4).bytes]]


def uuids() -> pa.Array:
    stored = pa.array(IDS, pa.list_(pa.binary(16)))
    entries = pa.ExtensionArray.from_storage(pa.uuid(), stored.values)
    return pa.ListArray.from_arrays(stored.offsets, entries, mask=stored.is_null())


def seen_table() -> pa.Table:
    numbers = pa.array(NUMBERS, pa.large_list(pa.int64()))
    return pa.table(
        {
            "vertex": ["a", "b", "c", "a"],
            "tags": pa.array(TEXTS),
            "marks": pa.array(DECIMALS, pa.list_(pa.decimal128(10, 2))),
            "days": pa.array(DAYS, pa.list_(pa.date32())),
            "words": pa.array(TEXTS, pa.large_list(pa.large_string())),
            "best": numbers,
            "sample": numbers,
            "people": uuids(),
            "about": pa.array(TEXTS),
            "rough": pa.array(TEXTS),
            "spread": pa.array([[0.5, 2.0], [], None, [7.25]], pa.list_(pa.float32())),
            "often": pa.array(TEXTS),
            "numbers": numbers,
            "paid": pa.array(
                [Decimal("1.25"), None, Decimal(-2), Decimal(0)], pa.decimal256(60, 2)
            ),
            "named": pa.array(COUNTS, pa.map_(pa.string(), pa.int32())),
            "weeks": pa.array(WEEKS, pa.map_(pa.date32(), pa.int64())),
        }
    )


def refuse(*_: Any) -> Any:
    raise AssertionError("a row was read in Python")


@pytest.mark.parametrize("how", ["add", "load"])
@pytest.mark.parametrize("cut", [lambda table: table, lambda table: table.slice(1)])
def test_lists_and_decimals_are_stored_by_the_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, cut: Callable[[Any], Any]
) -> None:
    table = cut(seen_table())
    with lg.open(tmp_path / "db", [Seen]) as graph, lg.open(":memory:", [Seen]) as slow:
        with monkeypatch.context() as patch:
            patch.setattr(Checking, "fit", refuse)
            assert getattr(graph, how)(table, group=Seen).added == len(table)
        monkeypatch.setattr(encoder, "find_native", lambda: None)
        slow.add(table, group=Seen)
        found = [{one.vertex: one.properties for one in g.all().elements()} for g in (graph, slow)]
        assert found[0] == found[1]
        assert found[0]["b"]["tags"] == ()
        assert "tags" not in found[0]["c"]


def test_what_the_core_does_not_take_as_a_map_is_read_row_by_row(tmp_path: Path) -> None:
    most = pa.array([[("b", 2), ("a", 7)]], pa.map_(pa.string(), pa.int64()))
    with lg.open(tmp_path / "db", [Seen]) as graph:
        graph.add(pa.table({"vertex": ["v"], "most": most}), group=Seen)
        [one] = graph.all(Seen)
        assert one.most == {"a": 7, "b": 2}


def test_a_table_of_an_answer_can_be_stored_again(tmp_path: Path) -> None:
    names = ["vertex", "tags", "marks", "days", "words", "best", "sample", "paid", "named", "weeks"]
    with lg.open(tmp_path / "a", [Seen]) as graph, lg.open(tmp_path / "b", [Seen]) as copy:
        graph.add(seen_table(), group=Seen)
        found = graph.all(Seen).to_arrow().select(names)
        copy.load(found, group=Seen)
        assert copy.all(Seen).to_arrow().select(names).equals(found)


def test_a_list_with_a_null_or_of_another_type_is_refused_in_the_same_words(tmp_path: Path) -> None:
    wrong = {
        "tags": pa.array([["a", None]]),
        "best": pa.array([["1"]]),
        "spread": pa.array([[1, 2]]),
        "paid": pa.array([[Decimal(1)]]),
        "days": pa.array([[date(2026, 1, 1), None]]),
        "named": pa.array([[("a", None)]], pa.map_(pa.string(), pa.int64())),
        "words": pa.array([[("a", 1), ("a", 2)]], pa.map_(pa.string(), pa.int64())),
    }
    for name, column in wrong.items():
        said = []
        for path in (":memory:", tmp_path / name):
            with lg.open(path, [Seen]) as graph:
                with pytest.raises(ValidationError, match=name) as caught:
                    graph.add(pa.table({"vertex": ["v"], name: column}), group=Seen)
                said.append(str(caught.value))
        assert said[0] == said[1]


@pytest.mark.parametrize("text", ["0", "-0.01", "12.34", "1E+33", "-99999999999999999999999999.99"])
@pytest.mark.parametrize(
    "kind", [pa.decimal128(38, 2), pa.decimal256(76, 2), pa.decimal256(70, 20)]
)
def test_a_decimal_keeps_its_number_on_the_way(
    tmp_path: Path, kind: pa.DataType, text: str
) -> None:
    with lg.open(tmp_path / "db", [Seen]) as graph:
        paid = pa.array([Decimal(text)], kind)
        graph.add(pa.table({"vertex": ["v"], "paid": paid}), group=Seen)
        [one] = graph.all(Seen)
        # With as many digits after the point as its column has.
        assert one.paid.as_tuple() == paid[0].as_py().as_tuple()
