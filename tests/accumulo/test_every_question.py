"""Every kind of question while a graph changes: flushed at each step, with tablets and blooms.

The graph suite compacts; here files with delete markers stay beside those that they hide in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.testing.graph.base import Link, Seen, link, seen
from lexigraph.testing.graph.deletes import DATA, QUESTIONS
from tests.accumulo.engines import fresh_engine
from tests.accumulo.files import Files

pytestmark = pytest.mark.accumulo

MORE = [seen("ab"), link("ab", "c", directed=False, count=4), link("c", "ab"), link("b", "b")]


@pytest.mark.parametrize("layout", ["byte-entity", "classic"])
def test_each_answers_as_in_memory_after_every_step(layout: str) -> None:
    how: dict[str, Any] = {"layout": layout, "authorizations": lg.ALL}
    with (
        fresh_engine() as engine,
        lg.open(engine, [Seen, Link], **how) as ours,
        lg.open(":memory:", [Seen, Link], **how) as memory,
        Files(engine, "graph.elements") as files,
    ):
        # "a" is a prefix of "ab", and a tablet ends between two rows of "b".
        engine.configure_table(
            "graph.elements",
            replace(engine.settings("graph.elements"), bloom="row", splits=[b"a", b"b\x00\x02"]),
        )
        steps = [
            lambda graph: graph.add(DATA + MORE),
            lambda graph: graph.add(DATA[2:]),
            *(lambda graph, one=one: graph.delete([one]) for one in DATA),
            lambda graph: graph.add(DATA[::2]),
            lambda graph: graph.delete(MORE),
            lambda graph: graph.add(DATA + MORE),
        ]
        for number, step in enumerate(steps):
            assert step(ours) is not None
            step(memory)
            files.flush()
            for name, ask in QUESTIONS.items():
                assert ask(ours) == ask(memory), (number, name)
        assert len(files.names()) > len(steps)
        ours.admin.compact()
        for name, ask in QUESTIONS.items():
            assert ask(ours) == ask(memory), name
