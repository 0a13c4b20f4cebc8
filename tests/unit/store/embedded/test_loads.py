"""Loads while others write: what is loaded is newer, as in memory."""

from __future__ import annotations

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
