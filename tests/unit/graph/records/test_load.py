"""Bulk loads of records: frames and files, with visibilities, whole or not at all."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import ReadOnly, UsageError, ValidationError
from tests.unit.graph.records.graphs import (
    Calls,
    Knows,
    Meets,
    Owns,
    Person,
    references,
    seen_edge,
    seen_vertex,
    values,
)

DAY = date(2026, 1, 2)
PEOPLE = {"id": ["ann", "bob"], "name": ["Ann", "Bob"], "tags": [["a", "b"], None]}


class Paid(lg.Edge):
    source: str
    destination: str
    day: date = lg.sort_key()
    amount: float = lg.signature()
    label: str | None = lg.visibility(default=None)


class Measured(lg.Edge):
    source: str
    destination: str
    degrees: lg.Int32 = lg.sort_key()


class Account(lg.Vertex):
    id: str
    owner: str
    label: str | None = lg.visibility(default=None)


PAID = {
    "source": ["a", "a", "b"],
    "destination": ["b", "b", "a"],
    "day": [DAY, date(2026, 1, 1), DAY],
    "amount": [1.5, 2.5, 3.5],
    "label": ["x", None, "x&y"],
}


@pytest.mark.parametrize("kind", [pl.DataFrame, pd.DataFrame, pa.table])
def test_a_frame_of_vertices_is_loaded(graph: lg.Graph, kind: Any) -> None:
    report = graph.load(kind(PEOPLE), group=Person)
    assert (report.added, report.commits) == (2, 1)
    found = seen_vertex(graph, "ann")
    assert found is not None
    assert found.labels == ("Person",)
    # Defaults are not stored.
    assert values(found) == {"name": ["Ann"], "tags": ["a", "b"]}
    assert graph.vertex("bob").one().age == 18


def test_files_are_loaded_one_after_the_other(graph: lg.Graph, tmp_path: Path) -> None:
    plain = pl.DataFrame({"id": ["ann", "bob"], "name": ["Ann", "Bob"]})
    plain.write_csv(tmp_path / "a.csv")
    plain.with_columns(id=pl.col("id") + "2").write_parquet(tmp_path / "b.parquet")
    report = graph.load([tmp_path / "a.csv", tmp_path / "b.parquet"], group=Person)
    assert (report.added, report.commits) == (4, 1)
    assert values(seen_vertex(graph, "bob2")) == {"name": ["Bob"]}


def test_edges_get_ids_in_the_order_of_their_rows(graph: lg.Graph) -> None:
    count = 40_000
    rows = {"source": [f"s{at}" for at in range(count)], "destination": ["hub"] * count}
    assert graph.load(pl.DataFrame(rows), group=Meets).added == count
    found = list(graph.get("hub").edges(Meets))
    assert len(found) == count
    ids = {one.source if one.source != "hub" else one.destination: one.id for one in found}
    assert all(isinstance(one, UUID) and one.version == 7 for one in ids.values())
    assert sorted(ids, key=lambda one: ids[one]) == rows["source"]
    assert seen_edge(graph, ids["s7"]) is not None


def test_edges_get_ids_also_where_rows_are_read_one_by_one() -> None:
    rows = {"source": ["a", "a"], "destination": ["b", "c"], "degrees": [7, -3]}
    with lg.open(":memory:", [Measured], authorizations=lg.ALL) as graph:
        assert graph.load(pl.DataFrame(rows), group=Measured).added == 2
        found = [(one.degrees, one.destination) for one in graph.get("a").edges(Measured)]
        assert found == [(-3, "c"), (7, "b")]


def test_edges_get_ids_row_by_row_too(graph: lg.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexigraph.layout.write.facts.encoding.find_native", lambda: None)
    rows = {"source": ["ann", "bob"], "destination": ["hub", "hub"]}
    assert graph.load(pl.DataFrame(rows), group=Meets).added == 2
    assert {one.id.version for one in graph.get("hub").edges(Meets)} == {7}


def test_edges_keep_the_ids_that_are_given(graph: lg.Graph) -> None:
    rows = {
        "id": ["k1", None],
        "source": ["ann", "ann"],
        "destination": ["bob", "cid"],
        "since": [DAY, DAY],
        "note": ["school", None],
    }
    graph.load(pl.DataFrame(rows), group=Knows)
    assert values(seen_edge(graph, "k1")) == {"note": ["school"]}
    assert references(graph, "ann") == [("out", "Knows", "bob"), ("out", "Knows", "cid")]
    [other] = [one for one in graph.get("ann").edges(Knows) if one.destination == "cid"]
    assert UUID(other.id).version == 7


def test_users_see_what_their_authorizations_allow(path: str) -> None:
    with lg.open(path, [Account, Paid], authorizations=lg.ALL) as graph:
        graph.load(
            pl.DataFrame({"id": ["a", "b"], "owner": ["Ann", "Bob"], "label": ["x", "y"]}),
            group=Account,
        )
        graph.load(pl.DataFrame(PAID), group=Paid)
        seen = {
            tokens: (
                sorted(one.id for one in session.all(Account)),
                [one.amount for one in session.get("a").edges(Paid)],
            )
            for tokens in ((), ("x",), ("x", "y"))
            for session in [graph.session(authorizations=tokens)]
        }
        assert seen == {
            (): ([], [2.5]),
            ("x",): (["a"], [2.5, 1.5]),
            ("x", "y"): (["a", "b"], [2.5, 1.5, 3.5]),
        }


def test_visibility_time_and_note_of_a_call_are_those_of_all_rows(graph: lg.Graph) -> None:
    then = datetime(2020, 1, 1, tzinfo=UTC)
    graph.load(pl.DataFrame(PEOPLE), group=Person, visibility="x", time=then, note="import")
    assert seen_vertex(graph, "ann", "y") is None
    assert values(seen_vertex(graph, "ann", "x"))["name"] == ["Ann"]
    found = seen_vertex(graph, "ann", "x")
    assert found is not None
    assert found.time == int(then.timestamp() * 1e6)
    assert {one.note for one in graph.vertex("ann").history()} == {"import"}


@pytest.mark.parametrize("name", [5, None])
def test_a_row_that_does_not_fit_is_named_and_nothing_is_stored(graph: lg.Graph, name: Any) -> None:
    count = 40_000
    rows = [{"id": f"p{at}", "name": f"n{at}"} for at in range(count)]
    rows[35_001]["name"] = name
    frame = pa.Table.from_pylist(
        rows[:35_001], schema=pa.schema([("id", pa.string()), ("name", pa.string())])
    )
    rest = pa.Table.from_pylist(rows[35_001:35_002])
    with pytest.raises(ValidationError) as error:
        graph.load([frame, rest], group=Person)
    assert error.value.property == "name"
    assert "35,001" in str(error.value) or "35001" in str(error.value)
    assert "Nothing of this load is stored" in str(error.value.hint)
    assert seen_vertex(graph, "p0") is None


def test_rows_that_do_not_fit_are_skipped_if_asked(graph: lg.Graph) -> None:
    frame = pl.DataFrame({"id": ["ann", None, "cid"], "name": ["Ann", "Bob", None]})
    report = graph.load(frame, group=Person, skip_invalid=True)
    assert (report.added, report.skipped_count) == (1, 2)
    assert [one.number for one in report.skipped] == [1, 2]
    assert seen_vertex(graph, "ann") is not None
    assert seen_vertex(graph, "cid") is None


def test_a_multiplicity_is_not_loaded_without_a_promise(graph: lg.Graph) -> None:
    frame = pl.DataFrame({"source": ["ann"], "destination": ["car"]})
    with pytest.raises(UsageError, match="one2one"):
        graph.load(frame, group=Owns)
    assert graph.load(frame, group=Owns, blind=True).added == 1
    assert references(graph, "ann") == [("out", "Owns", "car")]


def test_options_of_records_are_refused_for_summaries(graph: lg.Graph) -> None:
    frame = pl.DataFrame({"source": ["ann"], "destination": ["bob"], "count": [1]})
    with pytest.raises(UsageError, match="summary group"):
        graph.load(frame, group=Calls, note="import")


def test_readers_do_not_load(graph: lg.Graph) -> None:
    with pytest.raises(ReadOnly):
        graph.session().load(pl.DataFrame(PEOPLE), group=Person)


def test_a_load_is_found_after_reopening(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", [Account, Paid], authorizations=lg.ALL) as graph:
        graph.load(pl.DataFrame(PAID), group=Paid)
    with lg.open(tmp_path / "g", authorizations=lg.ALL) as graph:
        assert len(list(graph.get("a").edges("Paid"))) == 3
        assert not graph.admin.check().problems
