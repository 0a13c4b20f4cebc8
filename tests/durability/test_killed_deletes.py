"""A process is ended by SIGKILL while it deletes many edges: all of them are gone, or none."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pyarrow as pa

import lexigraph as lg
from tests.durability.batches import note_result
from tests.durability.deleter import Calls
from tests.durability.killed import run_killed

EDGES = int(os.environ.get("LEXIGRAPH_DELETED_EDGES", "20000"))
"""How many edges a delete is about."""
ROUNDS = 6


def fill(graph: lg.Graph) -> None:
    """Add the edges that are to be deleted, and as many that are not."""
    for count in (1, 2):
        ids = pa.array([f"{count}-{at:06}" for at in range(EDGES)])
        far = pa.array([f"hub-{at % 97}" for at in range(EDGES)])
        counts = pa.array([count] * EDGES)
        graph.load(pa.table({"source": ids, "destination": far, "count": counts}), group=Calls)


def test_a_killed_delete_is_whole_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "g"
    with lg.open(path, [Calls]) as graph:
        fill(graph)
    chosen = random.Random(14)
    inside, longest = 0, 0.4
    for _ in range(ROUNDS):
        was_inside, done = run_killed(
            "deleter", str(path), begun="found", seconds=chosen.uniform(0, longest)
        )
        inside += was_inside
        if done:
            longest = longest / 2
        with lg.open(path, [Calls], authorizations=lg.ALL) as graph:
            left = graph.all(Calls).where(Calls.count == 2).count()
            assert left in (0, EDGES)
            assert not (done and left)
            assert graph.all(Calls).where(Calls.count == 1).count() == EDGES
            assert not list(graph.admin.find_half_edges())
            if not left:
                fill_again(graph)
    assert inside, "no deleter was ended inside its delete"
    note_result("killed-deletes", {"edges": EDGES, "killed_inside": inside, "half_deleted": 0})


def fill_again(graph: lg.Graph) -> None:
    """Delete everything and add it again: a delete has come through."""
    graph.admin.clear()
    fill(graph)
