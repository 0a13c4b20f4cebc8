"""Several processes on one directory: readers see a prefix of the batches, writers lose nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import lexigraph as lg
from tests.durability.batches import batch, make_tables, open_store, whole_batches

SECONDS = float(os.environ.get("LEXIGRAPH_READERS_S", "60"))

READ = """
import sys, time
from pathlib import Path
from tests.durability.batches import open_store, whole_batches
engine = open_store(Path(sys.argv[1]))
end, seen, rounds = time.monotonic() + float(sys.argv[2]), 0, 0
while rounds < 2 or time.monotonic() < end:
    now = whole_batches(engine)
    assert now >= seen, f"{seen} batches were there, then {now}"
    seen, rounds = now, rounds + 1
print(seen)
"""

WRITE = """
import sys
from pathlib import Path
from lexigraph.store import Mutations
from tests.durability.batches import open_store
engine = open_store(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    row = f"{sys.argv[2]}-{number}"
    one = Mutations().put("all", "n", "", "1")
    engine.write({"cells": Mutations().put(row, "f", "q", row), "counts": one})
"""

ADD = """
import sys
import lexigraph as lg
class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()
with lg.open(sys.argv[1], [Calls]) as graph:
    for line in sys.stdin:
        _ = graph.add([Calls("ann", line.strip(), count=1)])
        print("added", flush=True)
"""


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    count: int = lg.sum()


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out


def test_four_readers_see_a_prefix_while_one_writes(tmp_path: Path) -> None:
    path = tmp_path / "store.lexi"
    with open_store(path) as engine:
        make_tables(engine)
        readers = [run(READ, path, SECONDS) for _ in range(4)]
        end, number = time.monotonic() + SECONDS, 0
        while time.monotonic() < end:
            engine.write(batch(number), durability="relaxed" if number % 2 else "sync")
            number += 1
            if number % 100 == 0:
                engine.compact("cells")
            if number > 400:
                time.sleep(0.05)
        for reader in readers:
            assert 0 < int(finish(reader)) <= number
        assert whole_batches(engine) == number
        engine.verify()


def test_two_writing_processes_lose_nothing(tmp_path: Path) -> None:
    path, count = tmp_path / "store.lexi", 300
    with open_store(path) as engine:
        make_tables(engine)
        for writer in [run(WRITE, path, name, count) for name in ("a", "b")]:
            finish(writer)
        rows = {cell.row for part in engine.scan("cells") for cell in part}
        assert rows == {f"{name}-{number}".encode() for name in "ab" for number in range(count)}
        assert [cell.value for part in engine.scan("counts") for cell in part] == [b"600"]


def test_a_prepared_question_sees_what_another_process_just_added(tmp_path: Path) -> None:
    path = tmp_path / "calls.lexi"
    with lg.open(path, [Calls]) as graph:
        near = graph.get().edges(Calls).prepare()
        writer = run(ADD, path)
        assert writer.stdin is not None
        assert writer.stdout is not None
        expected = []
        for number in range(200):
            expected.append(f"to {number:03}")
            print(expected[-1], file=writer.stdin, flush=True)
            assert writer.stdout.readline() == "added\n"
            assert near.adjacent("ann") == expected
            assert near.adjacent("ann") == expected
        finish(writer)
