"""How the things of a graph show themselves in a notebook and in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UsageError
from lexigraph.graph.read.following import walks

EVIL = "<script>"


class Knows(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)
    note: str | None = lg.last()


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    with lg.open(":memory:" if request.param == "memory" else tmp_path / "db", [Knows]) as graph:
        graph.add([Knows("a", f"b{at:02}") for at in range(30)])
        graph.add([Knows("b00", "c", note=EVIL), Knows("b01", EVIL)])
        yield graph


def test_a_schema_shows_as_a_table(graph: lg.Graph) -> None:
    lines = repr(graph.schema).splitlines()
    assert lines[0].split(" | ")[0].strip() == "group"
    assert any("count" in line and "sum" in line for line in lines)
    assert graph.schema._repr_html_().startswith("<table")
    assert graph._repr_html_() == graph.schema._repr_html_()


def test_stats_show_as_a_table_and_stay_a_dict(graph: lg.Graph) -> None:
    stats = graph.admin.stats()
    assert isinstance(stats, dict)
    assert set(stats) == set(graph.admin.stats())
    header, _, line, *_ = repr(stats).splitlines()
    assert header.split("|")[0].strip() == "table"
    assert "cells" in header
    assert str(next(iter(stats.values())).cells) in line
    assert stats._repr_html_().count("<tr>") == 1 + len(stats)


def test_walks_are_read_as_they_are_iterated_over(graph: lg.Graph) -> None:
    found = graph.walk("a", Knows, Knows)
    assert isinstance(found, Iterator)
    first = next(found)
    assert first.vertices[0] == "a"
    rest = list(found)
    assert sorted([first.vertices, *(one.vertices for one in rest)]) == [
        ("a", "b00", "c"),
        ("a", "b01", EVIL),
    ]
    assert next(found, None) is None


def test_showing_walks_reads_a_few_and_leaves_all_to_be_read(graph: lg.Graph) -> None:
    found = graph.walk("a", Knows)
    assert repr(found) == "<walks from 'a' along Knows>"
    shown, text = found._repr_html_(), str(found)
    assert shown.count("<tr>") == 1 + walks.PREVIEW
    assert "and more" in shown
    assert text.splitlines()[0].split(" | ")[0] == "start"
    assert len(text.splitlines()) == 2 + walks.PREVIEW + 1
    assert len(list(found)) == 30
    few = graph.walk("a", Knows, limit=3)
    assert few._repr_html_().count("<tr>") == 4
    assert "and more" not in str(few)
    assert str(graph.walk("nobody", Knows)) == "nothing found"


def test_walks_escape_what_they_show(graph: lg.Graph) -> None:
    shown = graph.walk("a", Knows, Knows)._repr_html_()
    assert "note=&lt;script&gt;" in shown
    assert EVIL not in shown
    assert EVIL not in graph.get("b01", "b00")._repr_html_()


def test_mistakes_of_walks_are_raised_before_anything_is_read(graph: lg.Graph) -> None:
    with pytest.raises(UsageError, match="a hop is a group"):
        graph.walk("a", Knows, 5)
