"""A consumer and a writer are ended by SIGKILL: a feed loses nothing and gives nothing twice.

Nothing twice means behind the cursor: what was not acknowledged comes again.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path

import lexigraph as lg
from tests.durability.recorder import CLASSES

ROUNDS = 3


def start(
    module: str, *given: str, seconds: float
) -> tuple[subprocess.Popen[str], threading.Timer]:
    """Run a module, to be ended so long after it has opened the graph."""
    command = [sys.executable, "-m", f"tests.durability.{module}", *given]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    return process, timer


def read_notes(notes: Path) -> tuple[dict[str, str], list[str]]:
    """Return what was told, by its cursor; fail if something acknowledged came again.

    A line that has no end was being written when the process ended.
    """
    told: dict[str, str] = {}
    acknowledged: set[str] = set()
    order: list[str] = []
    places: dict[str, int] = {}
    passed = 0
    for line in notes.read_text().splitlines(keepends=True):
        if not line.endswith("\n") or not line.strip():
            continue
        cursor, _, said = line.strip().partition(" ")
        if cursor == "done":
            acknowledged.update(order[passed:])
            passed = len(order)
            continue
        assert cursor not in acknowledged, f"{said} came again"
        assert told.setdefault(cursor, said) == said
        if cursor in places:
            # It was told and not acknowledged: from here on it is told again.
            gone = order[places[cursor] :]
            del order[places[cursor] :]
            for one in gone:
                del places[one]
        places[cursor] = len(order)
        order.append(cursor)
    return told, order


def test_a_killed_consumer_loses_nothing(tmp_path: Path) -> None:
    path, notes, chance = tmp_path / "g", tmp_path / "notes", random.Random(21)
    with lg.open(path, CLASSES) as graph:
        graph.changes("follower")
        graph.changes("all")
    notes.touch()
    for number in range(ROUNDS):
        writer, first = start("recorder", str(path), str(1000 * number), seconds=0.5)
        reader, second = start("follower", str(path), str(notes), seconds=chance.uniform(0.1, 0.7))
        writer.communicate()
        reader.communicate()
        first.cancel()
        second.cancel()
        assert (writer.returncode, reader.returncode) == (-9, -9)
        # What a killed process wrote may end in the middle of a line.
        text = notes.read_text()
        notes.write_text(text[: text.rfind("\n") + 1])
    with lg.open(path, CLASSES) as graph:
        rest = {f"{one.cursor}": f"{one.kind} {one.id}" for one in graph.changes("follower")}
        expected = [f"{one.kind} {one.id}" for one in graph.changes("all")]
    told, order = read_notes(notes)
    assert len(told) > ROUNDS
    found = [told[cursor] for cursor in order if cursor not in rest] + list(rest.values())
    assert found == expected
