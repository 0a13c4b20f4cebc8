"""Bulk loads: whole or not at all, and the same graph as adding gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import (
    NotGranted,
    ReadOnly,
    UnsupportedError,
    UsageError,
    ValidationError,
)
from lexigraph.graph.write import load
from lexigraph.keyplan.columns import encoder


class Link(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    weight: int = lg.sum()
    label: str | None = lg.visibility()


TABLE = pa.table(
    {
        "source": ["a", "b", "a", "c"],
        "destination": ["b", "b", "b", "a"],
        "weight": [1, 2, 4, 8],
        "label": ["x", None, "x", "y&x"],
    }
)
EXPECTED = [("a", "b", 5, "x"), ("b", "b", 2, ""), ("c", "a", 8, "x&y")]


def opened(where: Any) -> lg.Graph:
    return lg.open(where, schema=[Link], authorizations=lg.ALL)


def shown(graph: lg.Session) -> list[Any]:
    found = graph.all(Link).by_visibility()
    return sorted((one.source, one.destination, one.weight, one.label or "") for one in found)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("embedded", [True, False])
@pytest.mark.parametrize(
    "frames",
    [
        lambda: TABLE,
        lambda: TABLE.to_batches()[0],
        lambda: TABLE.to_reader(max_chunksize=1),
        lambda: iter([TABLE.slice(0, 1), pl.from_arrow(TABLE.slice(1, 2)), TABLE.slice(3)]),
        lambda: pl.from_arrow(TABLE),
        lambda: pd.DataFrame(TABLE.to_pydict()),
    ],
    ids=["table", "batch", "reader", "iterator", "polars", "pandas"],
)
def test_every_kind_of_frame_is_loaded(
    frames: Any, *, native: bool, embedded: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not native:
        monkeypatch.setattr(encoder, "find_native", lambda: None)
    monkeypatch.setattr(load, "LOAD_ROWS", 2)
    with opened(tmp_path if embedded else ":memory:") as graph:
        report = graph.load(frames())
        assert (report.added, report.commits) == (4, 1)
        assert report.timestamp is not None
        assert shown(graph) == EXPECTED


def test_a_load_comes_on_top_of_what_is_there(tmp_path: Path) -> None:
    with opened(tmp_path) as graph:
        graph.add(TABLE)
        graph.load(TABLE, group=Link)
        assert shown(graph) == [(a, b, 2 * weight, label) for a, b, weight, label in EXPECTED]


def test_a_row_that_does_not_fit_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "LOAD_ROWS", 2)
    wrong = TABLE.set_column(3, "label", pa.array(["x", None, "x", "y&"]))
    with opened(tmp_path) as graph:
        with pytest.raises(ValidationError, match=r"element 3, .*a term is missing") as caught:
            graph.load([TABLE.slice(0, 0), wrong])
        assert "Nothing of this load is stored" in str(caught.value.hint)
        assert shown(graph) == []


def test_what_a_stream_raises_ends_the_load(tmp_path: Path) -> None:
    def broken() -> Any:
        yield TABLE
        raise KeyError("gone")

    with opened(tmp_path) as graph:
        with pytest.raises(KeyError, match="gone"):
            graph.load(broken())
        assert shown(graph) == []


def test_nothing_is_loaded_from_no_frames(tmp_path: Path) -> None:
    with opened(tmp_path) as graph:
        assert graph.load([]).added == 0
        assert graph.load(TABLE.slice(0, 0)).added == 0
        for given in (5, b"x", {"source": ["a"]}, [{"source": "a"}], [Link("a", "b", weight=1)]):
            with pytest.raises(UsageError, match="a load takes data frames"):
                graph.load(given)


@pytest.mark.parametrize(
    "given", [pa.chunked_array([["a"]]), pl.Series(["a"]), pd.DataFrame({"source": [1, "a"]})]
)
def test_columns_without_a_table_are_no_frame(given: Any) -> None:
    with opened(":memory:") as graph:
        for take in (graph.add, graph.load):
            with pytest.raises(UsageError, match="cannot be read as a table"):
                take(given, group=Link)


def test_only_writers_load_and_only_under_labels_that_they_may_use(tmp_path: Path) -> None:
    with opened(tmp_path) as graph:
        with pytest.raises(ReadOnly):
            graph.session(["x"]).load(TABLE)
        with pytest.raises(ReadOnly), graph.snapshot() as moment:
            moment.load(TABLE)
        with (
            pytest.raises(UnsupportedError, match="bulk loads do not work"),
            graph.transaction() as some,
        ):
            some.load(TABLE)
        careful = graph.session(["x"], role="writer", own_labels=True)
        with pytest.raises(NotGranted, match="'x&y'"):
            careful.load(TABLE)
        assert shown(graph) == []
        assert careful.load(TABLE.slice(0, 3)).added == 3
        assert shown(graph) == EXPECTED[:2]


def test_progress_is_told_in_cells(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with opened(tmp_path) as graph:
        graph.load(TABLE, progress=lambda read, written: told.append((read, written)))
    # One edge goes from a vertex to itself and has one cell; two are equal and become one.
    assert told[0][0] == 5
    assert told[-1] == (5, 5)


@pytest.mark.parametrize("memory_limit_bytes", [1 << 16, 1 << 26], ids=["files", "memory"])
def test_many_rows_are_loaded_as_they_are_added(tmp_path: Path, memory_limit_bytes: int) -> None:
    """They are encoded by several threads; each vertex has edges in many parts of the table."""
    count = 40_000
    numbers = range(count)
    table = pa.table(
        {
            "source": [f"a{number % 700}" for number in numbers],
            "destination": [f"b{number % 900}" for number in numbers],
            "weight": [number % 11 for number in numbers],
            "label": [("x", "y&x", None)[number % 3] for number in numbers],
        }
    )
    with opened(tmp_path / "added") as added, opened(tmp_path / "loaded") as loaded:
        added.add(table)
        report = loaded.load([table], group=Link, memory_limit_bytes=memory_limit_bytes)
        assert report.added == count
        assert shown(loaded) == shown(added)
        assert sum(one[2] for one in shown(loaded)) == sum(table["weight"].to_pylist())
