"""A process is ended by SIGKILL while it loads many edges: all of them are there, or none."""

from __future__ import annotations

import os
import random
from pathlib import Path

import lexigraph as lg
from tests.durability.batches import note_result
from tests.durability.deleter import Calls
from tests.durability.killed import run_killed

EDGES = int(os.environ.get("LEXIGRAPH_LOADED_EDGES", "100000"))
"""How many edges a load has."""
ROUNDS = 8


def test_a_killed_load_is_whole_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "g"
    lg.open(path, [Calls]).close()
    chosen = random.Random(14)
    inside, longest = 0, 1.0
    for _ in range(ROUNDS):
        was_inside, done = run_killed(
            "loader", str(path), str(EDGES), begun="begun", seconds=chosen.uniform(0, longest)
        )
        inside += was_inside
        if done:
            longest = longest / 2
        with lg.open(path, [Calls], authorizations=lg.ALL) as graph:
            there = graph.count(Calls)
            assert there in (0, EDGES)
            assert there or not done
            assert not list(graph.admin.find_half_edges())
            graph.admin.clear()
    assert inside, "no loader was ended inside its load"
    note_result("killed-loads", {"edges": EDGES, "killed_inside": inside, "half_loaded": 0})
