"""Columns that say what is not so, or hold what Python cannot: a clear error, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import UsageError, ValidationError


class Seen(lg.Vertex, summary=True):
    id: str
    day: date | None = lg.last()
    at: datetime | None = lg.last()
    clock: time | None = lg.last()
    naive: Annotated[datetime, "naive_datetime"] | None = lg.last()
    took: timedelta | None = lg.last()
    label: str | None = lg.visibility()


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    where = ":memory:" if request.param == "memory" else tmp_path / "g"
    with lg.open(where, [Seen]) as opened:
        yield opened


def table(name: str, values: Any) -> pa.Table:
    columns = {"vertex": pa.array(["a", "b"]), name: values}
    return pa.table(columns)


def text(*values: bytes) -> pa.Array:
    return pa.Array.from_buffers(pa.string(), len(values), pa.array(values, pa.binary()).buffers())


def wild_text() -> pa.Array:
    offsets = pa.array([0, 100_000, 3], pa.int32()).buffers()[1]
    return pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"abc")])


def wild_dictionary() -> pa.Array:
    indices = pa.array([0, 9], pa.int32())
    return pa.DictionaryArray.from_arrays(indices, pa.array(["x"]), safe=False)


BAD: dict[str, tuple[str, Callable[[], pa.Array], int]] = {
    "text that is not UTF-8": ("vertex", lambda: text(b"ok", b"\xff"), 1),
    "a label that is not UTF-8": ("label", lambda: text(b"", b"\xff"), 1),
    "text outside of its memory": ("vertex", wild_text, 0),
    "a dictionary without that value": ("vertex", wild_dictionary, 1),
    "a day after the year 9999": ("day", lambda: pa.array([1, 2**31 - 1], pa.date32()), 1),
    "a moment after the year 9999": (
        "at",
        lambda: pa.array([1, 2**62], pa.timestamp("us", "UTC")),
        1,
    ),
    "seconds that overflow": ("at", lambda: pa.array([1, 2**62], pa.timestamp("s", "UTC")), 1),
    "a zone that is none": ("at", lambda: pa.array([1, 2], pa.timestamp("us", "No/Where")), 0),
    "nanoseconds of a moment": ("naive", lambda: pa.array([1000, 1001], pa.timestamp("ns")), 1),
    "nanoseconds of a day": ("clock", lambda: pa.array([1000, 1001], pa.time64("ns")), 1),
    "nanoseconds of a while": ("took", lambda: pa.array([1000, 1001], pa.duration("ns")), 1),
}


@pytest.mark.parametrize("what", BAD)
def test_a_value_that_cannot_be_read_is_the_error_of_its_row(graph: lg.Graph, what: str) -> None:
    name, make, at = BAD[what]
    for store in (graph.add, graph.load):
        with pytest.raises(ValidationError, match=f"element {at}, .*'{name}'.*unreadable"):
            store(table(name, make()), group=Seen)
    assert graph.count() == 0


@pytest.mark.parametrize("what", BAD)
def test_the_other_rows_are_added_where_bad_ones_are_skipped(graph: lg.Graph, what: str) -> None:
    name, make, at = BAD[what]
    report = graph.add(table(name, make()), group=Seen, skip_invalid=True)
    assert at in [one.number for one in report.skipped]
    assert report.added == graph.count() == 2 - report.skipped_count


def test_whole_microseconds_need_no_pandas(graph: lg.Graph) -> None:
    moment = pa.array([1_000, 5_000], pa.timestamp("ns", "Europe/Berlin"))
    assert graph.add(table("at", moment), group=Seen).added == 2
    assert {one.at.microsecond for one in graph.all(Seen)} == {1, 5}


def test_two_columns_of_one_name_are_refused(graph: lg.Graph) -> None:
    names = pa.array(["a", "b"])
    twice = pa.table([names, names], names=["vertex", "vertex"])
    for store in (graph.add, graph.load):
        with pytest.raises(UsageError, match="two columns called 'vertex'"):
            store(twice, group=Seen)


def test_rows_without_columns_are_refused(graph: lg.Graph) -> None:
    nothing = pa.table({"vertex": ["a", "b"]}).select([])
    for store in (graph.add, graph.load):
        with pytest.raises(UsageError, match="no columns"):
            store(nothing, group=Seen)
    assert graph.add(pa.table({}), group=Seen).added == 0
