"""A writing process is ended by SIGKILL at random moments; what it was promised is there, whole."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.durability.batches import make_tables, note_result, open_store, whole_batches

ROUNDS = int(os.environ.get("LEXIGRAPH_CRASHES", "54"))
"""How often a writer is ended, over all durabilities; ``make soak`` asks for 1,000."""

DURABILITIES = ("sync", "relaxed", "buffered")


def killed_writer(path: Path, first: int, durability: str, seconds: float) -> int:
    """Run a writer for so long, end it, and return the last batch that it was promised, or -1."""
    command = [sys.executable, "-m", "tests.durability.writer", str(path), str(first), durability]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        promised = first - 1
        timer: threading.Timer | None = None
        for line in process.stdout:
            if timer is None:
                timer = threading.Timer(seconds, process.kill)
                timer.start()
            if line.endswith("\n"):
                promised = int(line)
        process.wait()
    assert timer is not None, "the writer ended before it wrote anything"
    timer.cancel()
    assert process.returncode == -9, f"the writer ended by itself: {process.returncode}"
    return promised


@pytest.mark.parametrize("durability", DURABILITIES)
def test_killed_writer_loses_no_promise(tmp_path: Path, durability: str) -> None:
    chosen = random.Random(durability)
    path = tmp_path / "store.lexi"
    held = 0
    rounds = ROUNDS // len(DURABILITIES)
    for number in range(rounds):
        promised = killed_writer(path, held, durability, chosen.uniform(0, 0.25))
        with open_store(path) as engine:
            make_tables(engine)
            held = whole_batches(engine)
            assert held >= promised + 1, f"batch {promised} was promised, {held} are there"
            if number % 6 == 0 or number == rounds - 1:
                engine.verify()
    assert held > rounds, "the writers hardly wrote anything"
    note_result(f"crash-{durability}", {"writers_killed": rounds, "batches_kept": held, "lost": 0})
