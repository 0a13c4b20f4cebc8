"""A process is ended by SIGKILL while it builds an index: no answer is wrong, and it can go on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.security import ALL
from tests.durability.indexer import Calls

EDGES, DAYS = 500, 7


def killed_build(path: Path, commits: int) -> None:
    """Run a build that is ended after some commits."""
    command = [sys.executable, "-m", "tests.durability.indexer", str(path), str(commits)]
    ended = subprocess.run(command, check=False, capture_output=True)
    assert ended.returncode == -9, ended.stderr


def check(graph: lg.Graph) -> None:
    """Compare look-ups with what is there."""
    there = [one.day for one in graph.all(Calls)]
    assert len(there) == EDGES
    for at in range(DAYS):
        assert graph.all(Calls).where(Calls.day == at).count() == there.count(at)


@pytest.mark.parametrize("commits", [(0,), (1, 7, 3)])
def test_killed_builds_give_no_wrong_answer(tmp_path: Path, commits: tuple[int, ...]) -> None:
    path = tmp_path / "g.lexi"
    with lg.open(path, [Calls]) as graph:
        graph.add([Calls(f"a{at}", "b", day=at % DAYS) for at in range(EDGES)])
    for number, each in enumerate(commits):
        killed_build(path, each)
        with lg.open(path, [Calls]) as graph:
            assert [one.state for one in graph.index.list()] == ["building"]
            check(graph)
            # What is written between two builds is in the index too, and what is deleted is not.
            graph.add([Calls(f"n{number}", "b", day=number)])
            graph.delete([Calls(f"a{number}", "b", day=number % DAYS)])
            check(graph)
    with lg.open(path, [Calls]) as graph:
        assert graph.index.create("by_day", Calls.day).state == "ready"
        asked = graph.all(Calls).where(Calls.day == 1)
        assert "by index by_day" in str(asked.explain())
        check(graph)
        held = graph._access.engine.table("graph.indexes").scan(authorizations=ALL)
        assert len(list(held)) == EDGES
