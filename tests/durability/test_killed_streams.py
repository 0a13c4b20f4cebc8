"""A process is ended by SIGKILL while it writes streams: each is whole or absent, none is left."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import lexigraph as lg
from lexigraph.layout.streams.collecting import references
from lexigraph.streaming import FILE
from tests.durability.batches import note_result
from tests.durability.streamer import MOST, NAMES, name_of, value_of

ROUNDS = 4


def run(path: Path, first: int, seconds: float) -> list[int]:
    """Run the writer, end it so long after it has opened the graph, and return what it stored."""
    command = [sys.executable, "-m", "tests.durability.streamer", str(path), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        # A line that has no end was being written when the process ended.
        said = [int(line) for line in process.stdout if line.endswith("\n")]
    assert process.returncode == -9
    return said


def files_below(path: Path) -> list[str]:
    """Return the names of the files of large values."""
    return sorted(one.name for one in (path / "streams").rglob("*") if one.is_file())


def test_every_stream_is_whole_or_absent_and_none_is_left(tmp_path: Path) -> None:
    path, chance = tmp_path / "g", random.Random(28)
    with lg.open(path) as graph:
        graph.add_vertex("v", first=lg.stream(b"first"))
    held: dict[str, int | None] = {name_of(number): None for number in range(NAMES)}
    first = stored = left = 0
    for _ in range(ROUNDS):
        said = run(path, first, chance.uniform(0.1, 0.8))
        stored += len(said)
        last = max(said, default=first - 1) + 1
        # What came after the last value that was acknowledged may have come through.
        may = {name: {number} for name, number in held.items()}
        for number in said:
            may[name_of(number)] = {number if number % 7 < 6 or number == last - 1 else None}
        if said and said[-1] % 7 == 6:
            may[name_of(said[-1])].add(None)
        may[name_of(last)].add(last)
        with lg.open(path, authorizations=lg.ALL, max_streaming_bytes=MOST) as graph:
            record = graph.vertex("v").one()
            for name in held:
                value = record.value(name)
                held[name] = found = None if value is None else value.metadata["number"]
                assert found in may[name]
                if value is not None and found is not None:
                    assert b"".join(value.value.blocks()) == value_of(found)
            graph.admin.verify()
            left += graph.admin.collect_streams(older_than=timedelta(0))
            streams, records = graph._access.stored.streams, graph._access.stored.records
            assert records is not None
            referred = [one.stored_as for one in references(streams, records)]
            assert sorted(head.id for head in streams.heads()) == sorted(one[0] for one in referred)
            assert files_below(path) == sorted(
                own.hex() for own, _, at, _ in referred if at == FILE
            )
            assert graph.admin.check().ok
        first = last + 1
    assert stored, "no stream was acknowledged"
    note_result("killed-streams", {"stored": stored, "orphans collected": left})
