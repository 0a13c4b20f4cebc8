"""Rows leave out what their class has a default for, and mean what instances mean."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import UsageError, ValidationError
from lexigraph.keyplan.columns import encoder

DAY = date(2026, 1, 2)
ROWS = {"source": ["a", "a", "b"], "destination": ["b", "b", "c"], "paid": [1.0, 2.0, 4.0]}


class Pays(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by(default=DAY)
    times: int = lg.sum(name="count", default=1)
    paid: float = lg.sum()
    price: Decimal = lg.max(default=Decimal("1.5"))
    tags: set[str] | str = lg.set_of(default=frozenset({"x"}))
    none: set[str] | str = lg.set_of(default=frozenset())
    label: str | None = lg.visibility(default="secret")


class Account(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum(default=7)


def expected() -> list[Pays]:
    rows = zip(*ROWS.values(), strict=True)
    return [Pays(source, destination, paid=paid) for source, destination, paid in rows]  # type: ignore[arg-type]


def dicts(_: Any = None) -> list[dict[str, Any]]:
    return [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]


WAYS = [
    (how, frame)
    for how in ("add", "load", "transaction")
    for frame in (pa.table, pl.DataFrame, pd.DataFrame, dicts)
    if how != "load" or frame is not dicts
]


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("group", [Pays, "Pays"])
@pytest.mark.parametrize(("how", "frame"), WAYS)
def test_rows_mean_what_instances_mean(
    how: str, frame: Any, group: Any, *, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not native:
        monkeypatch.setattr(encoder, "find_native", lambda: None)
    schema = [Pays, Account]
    one = lg.open(":memory:", schema, authorizations=["secret"])
    other = lg.open(":memory:", schema, authorizations=["secret"])
    with one, other:
        other.add(expected())
        if how == "transaction":
            with one.transaction() as both:
                both.add(frame(ROWS), group=group)
        else:
            getattr(one, how)(frame(ROWS), group=group)
        assert one.all(Pays).to_list() == other.all(Pays).to_list()
        assert [pays.times for pays in one.all(Pays)] == [2, 1]
        assert one.session().count() == 0


@pytest.mark.parametrize("where", ["memory", "directory"])
def test_a_null_in_a_column_is_absent_whatever_the_default(where: str, tmp_path: Path) -> None:
    frame = pa.table({"vertex": ["a", "b"], "seen": pa.array([None, 3], pa.int64())})
    path = ":memory:" if where == "memory" else tmp_path
    with lg.open(path, [Account]) as graph:
        graph.add(frame)
        assert [one.get("seen") for one in graph.all().elements()] == [None, 3]
        graph.add(frame.drop_columns(["seen"]))
        assert [one.get("seen") for one in graph.all().elements()] == [7, 10]


def test_the_default_of_one_group_is_not_that_of_another() -> None:
    with lg.open(":memory:", [Pays, Account]) as graph:
        graph.add([{"group": "Account", "vertex": "a"}, {"vertex": "b"}], group=Account)
        assert [one.get("seen") for one in graph.all().elements()] == [None, 7]
        graph.add([{"group": "Account", "vertex": "c"}], group=Pays)
        with pytest.raises(ValidationError, match="does not name its group"):
            graph.add([{"vertex": "d"}])


def test_a_default_that_arrow_cannot_hold_has_to_be_a_column() -> None:
    class Thing(lg.Vertex, summary=True):
        id: str
        where: lg.GeoPoint = lg.last(default=lg.GeoPoint(1.0, 2.0))

    with lg.open(":memory:", [Thing]) as graph:
        with pytest.raises(UsageError, match="no column 'where'"):
            graph.add(pa.table({"vertex": ["a"]}))
        graph.add([{"vertex": "a"}])
        assert graph.get("a").first() == Thing("a")


FRAMES: list[Any] = [pa.table, pl.DataFrame, pd.DataFrame]


@pytest.mark.parametrize("how", ["add", "load"])
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("group", [Account, "Account"])
def test_columns_may_have_the_names_of_the_class(how: str, frame: Any, group: Any) -> None:
    with lg.open(":memory:", [Account, Pays], authorizations=lg.ALL) as graph:
        getattr(graph, how)(frame({"id": ["a", "b"], "seen": [1, 2]}), group=group)
        getattr(graph, how)(frame({"vertex": ["a"]}), group=group)
        assert graph.all(Account).to_list() == [Account("a", seen=8), Account("b", seen=2)]
        times = frame({**ROWS, "times": [2, 3, 4]})
        getattr(graph, how)(times, group=Pays)
        assert [one.times for one in graph.all(Pays)] == [5, 4]


def test_rows_of_both_names_are_refused_and_nothing_is_lost() -> None:
    with lg.open(":memory:", [Account]) as graph:
        with pytest.raises(UsageError, match="'id' and 'vertex' are the same field"):
            graph.add(pa.table({"id": ["a"], "vertex": ["b"]}))
        graph.add([{"id": "a"}, {"vertex": "b"}], group=Account)
        given = [{"id": "c"}, {"id": "c", "vertex": "d"}]
        report = graph.add(given, group=Account, skip_invalid=True)
        assert (report.added, report.skipped[0].property) == (1, "id")
        assert [one.id for one in graph.all(Account)] == ["a", "b", "c"]


def test_a_property_of_the_graph_goes_before_a_name_of_the_class() -> None:
    class Older(lg.Vertex, summary=True, group="Account"):
        name: str = lg.id()
        seen: int = lg.sum(default=7)
        id: int | None = lg.max()

    with lg.MemoryEngine() as engine:
        lg.open(engine, [Older]).close()
        with lg.open(engine, [Account]) as graph:
            with pytest.raises(UsageError, match="no column for 'vertex'"):
                graph.add(pa.table({"id": [5]}))
            graph.add(pa.table({"vertex": ["a"], "id": [5]}))
        with lg.open(engine, [Older]) as graph:
            assert graph.all().to_list() == [Older("a", seen=7, id=5)]
