"""A power loss at any moment: ``sync`` keeps all promises, ``relaxed`` may lose last commits."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from tests.durability import power
from tests.durability.batches import make_tables, note_result, open_store, whole_batches

MOMENTS = int(os.environ.get("LEXIGRAPH_POWER_LOSSES", "60"))
"""How many power losses are simulated for each durability."""

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="writes are noted by preloading, on Linux"),
    pytest.mark.skipif(power.compiler() is None, reason="no C compiler to build what notes writes"),
]


@pytest.mark.parametrize("durability", ["sync", "relaxed"])
def test_power_loss_keeps_the_store_whole(tmp_path: Path, durability: str) -> None:
    notes = power.record(tmp_path, durability, batches=120)
    first = next(place for place, note in enumerate(notes) if note.kind == "m")
    chance = random.Random(7)
    lost: list[int] = []
    for number in range(MOMENTS):
        moment = chance.randrange(first + 1, len(notes) + 1)
        content, promised = power.surviving(notes, moment, chance)
        path = tmp_path / f"lost-{number}"
        path.mkdir()
        (path / "data.mdb").write_bytes(content)
        with open_store(path) as engine:
            make_tables(engine)
            held = whole_batches(engine)
            engine.verify()
        if durability == "sync":
            assert held >= promised, f"{promised} batches were promised, {held} are there"
        lost.append(max(0, promised - held))
    if durability == "sync":
        assert not any(lost)
    # What is not flushed can be lost; otherwise this test would see nothing.
    assert {"w", "f"} <= {note.kind for note in notes}
    result = {
        "losses_simulated": len(lost),
        "writes_and_flushes_noted": len(notes),
        "commits_lost_at_most": max(lost),
        "broken_stores": 0,
    }
    note_result(f"power-loss-{durability}", result)
