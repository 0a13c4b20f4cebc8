"""Reading in odd ways: idle readers, errors behind a limit, very many snapshots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexigraph.errors import InvalidBytes, StoreError
from lexigraph.store import EmbeddedEngine, MemoryEngine, Mutations, ScanSpec, TableSettings


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    with EmbeddedEngine(tmp_path, durability="relaxed") as engine:
        engine.create_table("t")
        yield engine


def test_an_idle_reader_of_rows_holds_nothing(engine: EmbeddedEngine) -> None:
    engine.write({"t": Mutations().put("a", "f", value="1")})
    reader = engine.row_reader("t")
    assert [cell.value for cell in reader.row(b"a")] == [b"1"]
    engine.write({"t": Mutations().put("a", "f", value="2")})
    assert engine.stats("t").oldest_reader_s is None
    assert [cell.value for cell in reader.row(b"a")] == [b"2"]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_is_reached_before_an_error(tmp_path: Path, threads: int) -> None:
    puts = Mutations()
    for row in range(6):
        puts.put(f"{row}", "f", value="1" if row < 5 else "no number")
        puts.put(f"{row}", "f", value="1", timestamp=1)

    def spec(cells: int) -> ScanSpec:
        summed = ("sum", {"encoding": "text", "columns": None})
        return ScanSpec(stages=[summed, ("limit", {"cells": cells})])

    with EmbeddedEngine(tmp_path, threads=threads) as embedded:
        for engine in (embedded, MemoryEngine()):
            engine.create_table("t", TableSettings(max_versions=None))
            engine.write({"t": puts})
            for cells in (1, 2, 5):
                found = [cell for batch in engine.scan("t", spec(cells)) for cell in batch]
                assert len(found) == cells
            with pytest.raises(InvalidBytes):
                list(engine.scan("t", spec(6)))


def test_too_many_snapshots_are_refused_in_words(engine: EmbeddedEngine) -> None:
    with pytest.raises(StoreError, match="close those that are no longer needed"):
        [engine.snapshot() for _ in range(2000)]
    assert engine.stats("t").cells == 0
