"""Odd arguments of what changes records are refused with our errors."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import LexigraphError
from tests.unit.graph.records.graphs import CLASSES, Knows, Person
from tests.unit.graph.test_mistakes import calls_of

DAY = date(2026, 1, 2)
FACES: dict[str, Callable[[lg.Graph], Any]] = {
    "graph": lambda graph: graph,
    "vertex": lambda graph: graph.vertex("a"),
    "edge": lambda graph: graph.edge("k"),
    "metadata": lambda graph: graph.metadata,
    "table": lambda graph: graph.vertex("a").table("t"),
}
CHANGES = {
    *("add", "add_vertex", "add_edge", "vertex", "edge", "delete", "set", "append", "unset"),
    *("set_metadata", "set_visibility", "hide", "show", "require", "release"),
    *("add_label", "remove_label", "relabel"),
    *("table", "tables", "add_rows", "rows", "drop"),
}


@pytest.mark.parametrize("schema", [CLASSES, None])
@pytest.mark.parametrize("face", FACES)
def test_odd_arguments_are_taken_or_refused_by_us(face: str, schema: Any) -> None:
    with lg.open(":memory:", schema, authorizations=lg.ALL) as graph:
        make, asked = FACES[face], 0
        for name in sorted(CHANGES & set(dir(make(graph)))):
            if schema is not None:
                graph.add([Person("a", name="a"), Knows("k", "a", "b", since=DAY)])
            else:
                graph.add_vertex("a")
                graph.add_edge("a", "KNOWS", "b", id="k")
            for positional, named in calls_of(make(graph), name):
                asked += 1
                with suppress(LexigraphError):
                    repr(getattr(make(graph), name)(*positional, **named))
        assert asked > 10 or face == "metadata"
