"""A process is ended by SIGKILL while it changes records: each commit is whole or absent."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path

import lexigraph as lg
from tests.durability.batches import note_result
from tests.durability.recorder import CLASSES, SPOKES, Hub, Spoke, hub

ROUNDS = 6


def run(path: Path, first: int, seconds: float) -> list[list[str]]:
    """Run the writer, end it so long after it has opened the graph, and return what it said."""
    command = [sys.executable, "-m", "tests.durability.recorder", str(path), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        # A line that has no end was being written when the process ended.
        said = [line.split() for line in process.stdout if line.endswith("\n")]
    assert process.returncode == -9
    return said


def is_there(graph: lg.Graph, number: int) -> bool:
    """Return whether a hub is there; it has all its edges, from either end, or none."""
    there = graph.vertex(hub(number)).exists()
    edges = graph.get(hub(number)).edges(Spoke).to_list()
    assert [one.rank for one in edges] == (list(range(SPOKES)) if there else [])
    assert {one.note for one in edges} <= {"x"}
    for at in range(SPOKES):
        assert graph.edge(f"{number}.{at}").exists() == there
        ends = [one.source for one in graph.get(f"rim-{at}").edges(Spoke)]
        assert ends.count(hub(number)) == there
    if there:
        [one] = graph.get(hub(number)).vertices(Hub)
        assert one.name == f"n{number}"
    return there


def test_every_commit_of_records_is_whole_or_absent(tmp_path: Path) -> None:
    path, chance = tmp_path / "g", random.Random(15)
    lg.open(path, CLASSES).close()
    first = commits = 0
    for _ in range(ROUNDS):
        said = run(path, first, chance.uniform(0.05, 0.6))
        commits += len(said)
        added = {int(number) for kind, number in said if kind == "add"}
        deleted = {int(number) for kind, number in said if kind == "delete"}
        last = max(added, default=first - 1) + 1
        with lg.open(path, CLASSES, authorizations=lg.ALL) as graph:
            there = {number for number in range(first, last + 1) if is_there(graph, number)}
            assert there <= added | {last}
            # The delete after the last one that was acknowledged may have come through.
            unsure = {last - 1, last - 2}
            assert added - deleted - unsure <= there <= (added | {last}) - deleted
            assert list(graph.admin.find_half_edges()) == []
        first = (last + 2) // 2 * 2
    assert commits, "no commit was acknowledged"
    note_result("killed-records", {"commits": commits, "half_written": 0})
