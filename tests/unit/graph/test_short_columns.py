"""Graphs with short columns answer as all others do, and nothing of it is left to the client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.testing.duplicates import open_keeping
from tests.unit.graph.random_graphs import CLASSES, NAMES, READERS, Calls, fill, layout_name
from tests.unit.graph.test_decoded import questions

SHORT: list[Layout] = [ByteEntity(short_columns=True), Classic(short_columns=True)]


def rows(question: Any) -> list[str]:
    return sorted(map(repr, question))


@pytest.mark.parametrize("layout", SHORT, ids=layout_name)
@pytest.mark.parametrize("engine", ["memory", "embedded"])
def test_short_columns_answer_as_names_do(tmp_path: Path, layout: Layout, engine: str) -> None:
    home: Any = ":memory:" if engine == "memory" else tmp_path / "g.lexi"
    with (
        open_keeping(home, CLASSES, layout=layout) as graph,
        open_keeping(":memory:", CLASSES, layout=ByteEntity()) as plain,
    ):
        fill(graph, seed=11)
        fill(plain, seed=11)
        for reader in READERS:
            session, same = graph.session(reader), plain.session(reader)
            expected = questions(same)
            for name, question in questions(session).items():
                if not name.startswith("limited"):
                    assert rows(question) == rows(expected[name]), name
                    assert question.count() == expected[name].count(), name
            totals = {"total": lg.sum("count"), "calls": lg.count()}
            figures = [one.all(Calls).summarise(by=["day"], **totals) for one in (session, same)]
            assert rows(figures[0]) == rows(figures[1])
            for steps in (1, 2):
                reached = [set(one.hops(NAMES[:2], steps=steps)) for one in (session, same)]
                assert reached[0] == reached[1]


@pytest.mark.parametrize("layout", SHORT, ids=layout_name)
def test_every_stage_of_short_columns_runs_in_the_core(tmp_path: Path, layout: Layout) -> None:
    with open_keeping(tmp_path / "g.lexi", CLASSES, layout=layout) as graph:
        fill(graph, seed=12)
        asked = graph.get(NAMES).edges(Calls).where(Calls.count > 5).roll_up("day")
        found = asked.explain(run=True)
        stages = [one for name in ("aggregate", "filter", "roll-up") for one in _all(found, name)]
        assert {one.facts["where"] for one in stages} == {"engine"}
        assert len(stages) == 3


def _all(found: Any, name: str) -> list[Any]:
    return list(found.find(f"stage {name}"))
