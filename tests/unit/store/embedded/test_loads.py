"""Loads while others write: what is loaded is newer, as in memory."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lexigraph.store import EmbeddedEngine, MemoryEngine, MutationBatch, Mutations, TableSettings


@pytest.mark.parametrize("durability", ["relaxed", "buffered"])
@pytest.mark.parametrize("unit", ["micros", "millis", "logical"])
def test_a_load_is_newer_than_what_is_written_while_it_reads(
    tmp_path: Path, durability: str, unit: Any
) -> None:
    with EmbeddedEngine(tmp_path, durability=durability) as engine:
        for each in (engine, MemoryEngine()):
            each.create_table("t", TableSettings(time_unit=unit))

            def batches(each: Any = each) -> Iterator[MutationBatch]:
                yield Mutations().put("x", "f", value="loaded").batch()
                each.write({"t": Mutations().put("x", "f", value="written").delete("y", "f")})
                yield Mutations().put("y", "f", value="loaded").batch()

            before = each.write({"t": Mutations().put("y", "f", value="before")})
            report = each.load("t", batches())
            assert report.timestamp > before
            found = [(cell.row, cell.value) for batch in each.scan("t") for cell in batch]
            assert found == [(b"x", b"loaded"), (b"y", b"loaded")]
            assert each.write({"t": Mutations().delete("x", "f")}) > report.timestamp
            assert [cell.row for batch in each.scan("t") for cell in batch] == [b"y"]


def test_loads_are_merged_as_writes_are(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path, merge_cells=100, durability="relaxed") as engine:
        engine.create_table("t")
        rounds, cells, end = 0, 0, time.monotonic() + 120
        # A merge keeps the newest version of each row.
        while cells == 100 * rounds and time.monotonic() < end:
            loaded = Mutations()
            for row in range(100):
                loaded.put(f"{row}", "f", value=f"{rounds}")
            engine.load("t", loaded.batch())
            rounds, cells = rounds + 1, engine.stats("t").cells
        assert cells < 100 * rounds
