"""Closing: what was promised is stored, or the engine stays open with it."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from lexigraph.errors import Full, QueryTimeout, UsageError
from lexigraph.store import CellBatch, EmbeddedEngine


def test_buffered_commits_that_do_not_fit_are_kept_until_they_do(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path, map_size_bytes=1 << 20, durability="buffered")
    table = engine.create_table("t")
    for number in range(300):
        table.put(f"row{number}", "f", "", os.urandom(5000))
    with pytest.raises(Full, match="map_size_bytes") as caught:
        engine.close()
    assert "raise map_size_bytes" in caught.value.hint
    assert not engine.closed
    assert len(list(table.scan())) == 300


def read_slowly(scan: Iterable[CellBatch]) -> None:
    for _ in scan:
        time.sleep(0.01)


def test_scan_past_its_time_lets_go_of_what_it_reads(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        table = engine.create_table("t")
        for number in range(50):
            table.put(f"row{number}", "f", "", "v")
        scan = engine.scan("t", batch_cells=1, timeout_s=0.05)
        with pytest.raises(QueryTimeout):
            read_slowly(scan)
        assert engine.readers() == []


def test_engine_is_not_sent_to_another_process(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine, pytest.raises(UsageError, match="another process"):
        copy.copy(engine)
