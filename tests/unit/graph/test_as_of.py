"""A scope may have an as-of time: groups that keep every element are read as they were then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError
from lexigraph.plan import ELEMENT, Adjacent, Scope, count, run
from lexigraph.plan.logical.rows import VERTEX
from lexigraph.testing.duplicates import open_keeping


class Seen(lg.Edge, summary=True, aggregates=False, directed=True):
    source: str
    destination: str
    at: lg.Int64 = lg.timestamp()


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum(default=1)


@pytest.fixture(params=["memory", "embedded"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return ":memory:" if request.param == "memory" else str(tmp_path / "g.lexi")


def scope_at(graph: Any, as_of: int | None) -> Scope:
    return replace(graph._scope(), as_of=as_of)


def test_what_is_newer_is_not_there(where: str) -> None:
    with open_keeping(where, [Seen]) as graph:
        graph.add([Seen("a", "b", at=5), Seen("a", "c", at=9)])
        asked = graph.all(Seen)._asked
        near = Adjacent(graph.get("a").edges(Seen)._asked)
        for as_of, found in ((None, ["b", "c"]), (9, ["b", "c"]), (8, ["b"]), (4, [])):
            scope = scope_at(graph, as_of)
            assert [one.destination for one in run(asked, scope).values(ELEMENT)] == found
            assert count(asked, scope) == len(found)
            assert list(run(near, scope).values(VERTEX)) == found


def test_groups_that_merge_refuse_it(where: str) -> None:
    with lg.open(where, [Calls]) as graph:
        graph.add([Calls("a", "b")])
        for node in (graph.all(Calls)._asked, Adjacent(graph.get("a")._asked)):
            with pytest.raises(UnsupportedError, match="'Calls' cannot be read as of an earlier"):
                run(node, scope_at(graph, 5))
