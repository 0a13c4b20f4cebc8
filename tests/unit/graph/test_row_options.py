"""Rows with names and times of their own: renamed, left out and converted on request alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import UsageError, ValidationError


class Pays(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date | None = lg.last()
    at: datetime | None = lg.last()
    count: int = lg.sum(default=1)


class Person(lg.Vertex, summary=True):
    name: str = lg.id()
    born: date | None = lg.last()


def as_dicts(graph: lg.Graph, table: pa.Table, **how: Any) -> Any:
    return graph.add(table.to_pylist(), **how)


def as_csv(graph: lg.Graph, table: pa.Table, **how: Any) -> Any:
    path = Path(graph._scratch) / "rows.csv"  # type: ignore[attr-defined]
    pl.from_arrow(table).write_csv(path)
    return graph.load(path, **how)


WAYS: dict[str, Callable[..., Any]] = {
    "add": lambda graph, table, **how: graph.add(table, **how),
    "load": lambda graph, table, **how: graph.load(table, **how),
    "polars": lambda graph, table, **how: graph.load(pl.from_arrow(table).lazy(), **how),
    "pandas": lambda graph, table, **how: graph.add(table.to_pandas(), **how),
    "dicts": as_dicts,
    "csv": as_csv,
}


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    where = ":memory:" if request.param == "memory" else tmp_path / "db"
    with lg.open(where, [Pays, Person]) as graph:
        graph._scratch = tmp_path
        yield graph


@pytest.mark.parametrize("way", WAYS)
def test_columns_are_mapped_and_extra_ones_left_out_on_request(graph: lg.Graph, way: str) -> None:
    table = pa.table(
        {"payer": ["a"], "destination": ["b"], "n": [3], "source": ["CRM"], "extra": [1]}
    )
    columns = {"payer": "source", "n": "count"}
    report = WAYS[way](graph, table, group=Pays, columns=columns, ignore_extra=True)
    assert report.added == 1
    assert graph.all(Pays).to_list() == [Pays("a", "b", count=3)]


@pytest.mark.parametrize("way", [one for one in WAYS if one != "dicts"])
def test_columns_that_are_not_fields_are_named_with_both_fixes(graph: lg.Graph, way: str) -> None:
    table = pa.table({"source": ["a"], "destination": ["b"], "cuont": [3], "x": [1]})
    for skips in (False, True):
        with pytest.raises(UsageError, match=r"columns 'cuont', 'x' are not .*count") as caught:
            WAYS[way](graph, table, group=Pays, skip_invalid=skips)
        assert "columns={'cuont': \"count\"}" in caught.value.hint
        assert "ignore_extra=True" in caught.value.hint
    assert graph.count() == 0


def test_a_dict_with_a_name_that_is_not_a_field_is_told_both_fixes(graph: lg.Graph) -> None:
    rows = [{"source": "a", "destination": "b", "cuont": 1}]
    with pytest.raises(ValidationError, match="count") as caught:
        graph.add(rows, group=Pays)
    assert "columns=" in caught.value.hint
    assert "ignore_extra=True" in caught.value.hint


def test_names_that_are_nothing_are_errors_with_the_nearest(graph: lg.Graph) -> None:
    table = pa.table({"payer": ["a"], "destination": ["b"], "source": ["c"]})
    for columns, words in [
        ({"payer": "suorce"}, "'suorce', which is not a field.*source"),
        ({"payre": "source"}, "'payre', which is not a column.*payer"),
        ({"payer": "source"}, "both have a column|two columns"),
        ({"payer": "day", "source": "day"}, "two columns|both"),
        ({"payer": 5}, "maps names of columns to names of fields"),
        (["payer"], "maps names of columns to names of fields"),
    ]:
        with pytest.raises(UsageError, match=words):
            graph.add(table, group=Pays, columns=columns)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no column for 'source'") as caught:
        graph.add(table.drop_columns(["source"]), group=Pays, ignore_extra=True)
    assert "columns=" in caught.value.hint
    for how in ({"ignore_extra": 1}, {"truncate_to_date": "yes"}, {"assume_timezone": "Mars"}):
        with pytest.raises(UsageError, match=next(iter(how))):
            graph.add(table, group=Pays, **how)


@pytest.mark.parametrize("way", WAYS)
def test_the_name_that_the_class_has_for_its_id_can_be_mapped_to(graph: lg.Graph, way: str) -> None:
    table = pa.table({"who": ["a"]})
    WAYS[way](graph, table, group=Person, columns={"who": "name"})
    WAYS[way](graph, table, group=Person, columns={"who": "vertex"})
    assert graph.all(Person).to_list() == [Person("a")]


NAIVE = datetime(2026, 7, 1, 12, 30, 0, 250)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_times_without_a_zone_are_taken_in_one_on_request(
    graph: lg.Graph, way: str, zone: str
) -> None:
    table = pa.table({"source": ["a", "b"], "destination": ["b", "b"], "at": [NAIVE, None]})
    with pytest.raises((UsageError, ValidationError), match="'at'") as caught:
        WAYS[way](graph, table, group=Pays)
    assert "assume_timezone=" in f"{caught.value} {caught.value.hint}"  # type: ignore[attr-defined]
    assert WAYS[way](graph, table, group=Pays, assume_timezone=zone).added == 2
    expected = NAIVE.replace(tzinfo=UTC) - (timedelta(hours=2) if zone != "UTC" else timedelta())
    assert [one.at for one in graph.all(Pays)] == [expected, None]


@pytest.mark.parametrize("way", WAYS)
def test_a_time_that_comes_twice_is_the_first_and_a_skipped_one_does_not_fit(
    graph: lg.Graph, way: str
) -> None:
    twice, never = datetime(2026, 10, 25, 2, 30), datetime(2026, 3, 29, 2, 30)
    table = pa.table({"source": ["a", "b"], "destination": ["b", "b"], "at": [twice, never]})
    how = {"group": Pays, "assume_timezone": "Europe/Berlin"}
    with pytest.raises(ValidationError, match="element 1"):
        WAYS[way](graph, table, **how)
    report = WAYS[way](graph, table, skip_invalid=True, **how)
    assert [(one.number, one.property) for one in report.skipped] == [(1, "at")]
    assert [one.at for one in graph.all(Pays)] == [datetime(2026, 10, 25, 0, 30, tzinfo=UTC)]


@pytest.mark.parametrize("way", WAYS)
def test_times_become_dates_on_request(graph: lg.Graph, way: str) -> None:
    table = pa.table({"source": ["a", "b"], "destination": ["b", "b"], "day": [NAIVE, None]})
    with pytest.raises((UsageError, ValidationError), match="'day'") as caught:
        WAYS[way](graph, table, group=Pays)
    assert "truncate_to_date=True" in f"{caught.value} {caught.value.hint}"  # type: ignore[attr-defined]
    assert WAYS[way](graph, table, group=Pays, truncate_to_date=True).added == 2
    assert [one.day for one in graph.all(Pays)] == [NAIVE.date(), None]


def test_the_day_of_a_moment_is_that_of_its_own_zone(graph: lg.Graph) -> None:
    tokyo = timezone(timedelta(hours=9))
    late = datetime(2026, 1, 2, 1, tzinfo=tokyo)
    column = pa.array([late], pa.timestamp("us", "Asia/Tokyo"))
    table = pa.table({"source": ["a"], "destination": ["b"], "day": column})
    for given in (table, [{"source": "b", "destination": "b", "day": late}]):
        graph.add(given, group=Pays, truncate_to_date=True)
    assert [one.day for one in graph.all(Pays)] == [date(2026, 1, 2)] * 2


def test_pandas_times_of_nanoseconds_are_taken(graph: lg.Graph) -> None:
    frame = pd.DataFrame(
        {"source": ["a"], "destination": ["b"], "at": pd.to_datetime(["2026-01-02"])}
    )
    graph.add(frame, group=Pays, assume_timezone=UTC)
    assert graph.all(Pays).first().at == datetime(2026, 1, 2, tzinfo=UTC)  # type: ignore[union-attr]


def test_the_one_group_of_a_graph_need_not_be_named() -> None:
    with lg.open(":memory:", [Person]) as graph:
        graph.add([{"who": "a"}], columns={"who": "vertex"})
        assert graph.count() == 1
