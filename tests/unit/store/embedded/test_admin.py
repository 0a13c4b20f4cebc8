"""Looking after a directory: verify, back up, vacuum, readers, statistics."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.errors import (
    Corruption,
    InvalidBytes,
    LexigraphError,
    Locked,
    SnapshotExpired,
    UsageError,
)
from lexigraph.security import ALL, Authorizations
from lexigraph.store import (
    CellBatch,
    EmbeddedEngine,
    MemoryEngine,
    Mutations,
    Snapshot,
    TableSettings,
)
from lexigraph.store.embedded import admin as embedded_admin


def fill(engine: EmbeddedEngine, *, rows: int = 2000, value: bytes = b"value") -> None:
    if "t" not in engine.tables():
        engine.create_table("t")
    cells = [Cell(b"row%06d" % number, b"f", value=value, timestamp=1) for number in range(rows)]
    engine.write({"t": CellBatch.from_cells(cells)})


def test_a_sound_directory_is_verified_and_counted(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        fill(engine)
        found = engine.verify()
        assert (found.tables, found.cells) == (1, 2000)
        assert found.blocks == engine.stats("t").blocks
        assert "all sound" in str(found)


def test_what_is_buffered_is_verified_too(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path, durability="buffered") as engine:
        fill(engine, rows=3)
        assert engine.verify().cells == 3


def test_a_flipped_byte_is_found(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        fill(engine, value=b"needle" * 20)
    file = tmp_path / "data.mdb"
    content = bytearray(file.read_bytes())
    content[content.rindex(b"needle") + 2] ^= 1
    file.write_bytes(content)
    with EmbeddedEngine(tmp_path) as engine, pytest.raises(Corruption) as caught:
        engine.verify()
    assert caught.value.context["count"] >= 1
    assert caught.value.context["problems"]


def test_a_child_that_is_ended_by_a_signal_is_corruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGBUS)"
    command = embedded_admin.CHECK
    monkeypatch.setattr(embedded_admin, "CHECK", ["-c", killed])
    with pytest.raises(Corruption, match="SIGBUS"):
        embedded_admin.verify_directory(tmp_path)
    assert command != embedded_admin.CHECK


def test_a_child_that_fails_otherwise_is_no_corruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded_admin, "CHECK", ["-c", "raise SystemExit('out of luck')"])
    with pytest.raises(LexigraphError, match="out of luck") as caught:
        embedded_admin.verify_directory(tmp_path)
    assert not isinstance(caught.value, Corruption)


def test_a_backup_is_a_directory_of_its_own(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path / "store", durability="buffered") as engine:
        fill(engine, rows=10)
        assert engine.backup(tmp_path / "copy") > 0
        engine.table("t").put("later")
        with pytest.raises(UsageError):
            engine.backup(tmp_path / "copy")
    with EmbeddedEngine(tmp_path / "copy") as copy:
        assert len(list(copy.table("t").scan())) == 10


def test_a_vacuum_gives_space_back(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        fill(engine, rows=20000, value=b"x" * 100)
        engine.drop_table("t")
        fill(engine, rows=10)
        # A reader that is prepared and idle holds no state.
        reader = engine.row_reader("t")
        assert len(reader.row(b"row000001")) == 1
        assert engine.vacuum() > 0
        assert len(reader.row(b"row000001")) == 1
        assert len(list(engine.table("t").scan())) == 10


def test_a_vacuum_beside_a_snapshot_says_what_to_let_go(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path, lock_timeout_s=0.1) as engine:
        fill(engine, rows=10)
        with engine.snapshot(), pytest.raises(Locked, match="snapshots") as caught:
            engine.vacuum()
        assert "writer" not in caught.value.hint


def test_statistics_tell_why_a_table_is_not_merged(tmp_path: Path) -> None:
    settings = TableSettings.with_stages(("sum", {"encoding": "text"}), max_versions=None)
    with EmbeddedEngine(tmp_path, merge_cells=10, durability="relaxed") as engine:
        table = engine.create_table("t", settings)
        for value in ("no number", "1"):
            table.put("x", "f", "", value)
        end = time.monotonic() + 120
        while engine.stats("t").merge_failure is None and time.monotonic() < end:
            table.put("y", "f", "", "1")
        assert "row 'x'" in str(engine.stats("t").merge_failure)
        # Others hear that it failed, and nothing of what they may not see.
        engine.grants = Authorizations(["A"])
        assert "row" not in str(engine.stats("t").merge_failure)
        with pytest.raises(InvalidBytes) as caught:
            engine.compact("t")
        assert "row" not in str(caught.value)
        engine.grants = ALL
        table.delete("x", "f")
        engine.compact("t")
        assert engine.stats("t").merge_failure is None


def test_a_damaged_table_holds_up_no_other(tmp_path: Path) -> None:
    def batch(number: int) -> CellBatch:
        rows = (b"row%06d" % row for row in range(1100))
        value = b"needle%04d" % number
        return CellBatch.from_cells(
            [Cell(row, b"f", value=value, timestamp=number) for row in rows]
        )

    with EmbeddedEngine(tmp_path, merge_cells=None, durability="relaxed") as engine:
        for name in ("damaged", "sound"):
            engine.create_table(name)
        for number in range(9):
            engine.write({"damaged": batch(number)})
    file = tmp_path / "data.mdb"
    # Wherever it stands: pages that are free may hold it too.
    data = file.read_bytes()
    assert b"needle0004" in data
    file.write_bytes(data.replace(b"needle0004", b"noodle0004"))
    with EmbeddedEngine(tmp_path, merge_cells=3000, durability="relaxed") as engine:
        merged, number, end = False, 10, time.monotonic() + 120
        while not merged and time.monotonic() < end:
            engine.write({"sound": batch(number)})
            stats, number = engine.stats("sound"), number + 1
            merged = stats.delta_cells < stats.cells
        assert merged
        assert "checksum" in str(engine.stats("damaged").merge_failure)


@pytest.mark.parametrize("kind", ["memory", "embedded"])
def test_merges_tell_those_with_grants_nothing_of_cells(tmp_path: Path, kind: str) -> None:
    settings = TableSettings.with_stages(("sum", {"encoding": "text"}), max_versions=None)
    engine = MemoryEngine() if kind == "memory" else EmbeddedEngine(tmp_path, merge_cells=None)
    with engine:
        table = engine.create_table("t", settings)
        for value in ("pin 1234", "pin 5678"):
            table.put("secret row", "f", "", value, visibility="S")
        merges: list[Callable[[], object]] = [lambda: engine.compact("t")]
        if kind == "embedded":
            engine.configure_table("t", replace(settings, locality_groups={"a": [b"f"]}))
            # The cells have not moved yet, so the next change of groups merges first.
            other = replace(settings, locality_groups={"b": [b"f"]})
            merges.append(lambda: engine.configure_table("t", other))
        for merge in merges:
            engine.grants = ALL
            with pytest.raises(InvalidBytes, match=r"pin|secret row"):
                merge()
            engine.grants = Authorizations(["A"])
            with pytest.raises(InvalidBytes) as caught:
                merge()
            told = f"{caught.value} {caught.value.hint} {caught.value.context}"
            assert "pin" not in told
            assert "secret row" not in told


def test_readers_and_statistics_show_who_holds_old_pages(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        fill(engine, rows=10)
        with engine.snapshot():
            engine.table("t").put("later")
            [reader] = [found for found in engine.readers() if found.behind]
            assert reader.age_s is not None
            assert engine.stats("t").oldest_reader_s >= reader.age_s
        assert [found for found in engine.readers() if found.behind] == []


def test_statistics_tell_blocks_and_what_waits_to_be_merged(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        fill(engine)
        before = engine.stats("t")
        assert (before.cells, before.delta_cells) == (2000, 2000)
        engine.compact("t")
        after = engine.stats("t")
        assert (after.cells, after.delta_cells) == (2000, 0)
        assert after.blocks > 0
        assert after.stored_bytes > 0


def test_labels_are_listed_and_counted_when_asked(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        table = engine.create_table("t")
        for label in ("", "B", "A", "B"):
            table.put("r", label or "none", visibility=label)
        assert engine.labels("t") == [b"", b"A", b"B"]
        assert len(engine.labels("t", limit=1)) == 1
        assert engine.stats("t").labels is None
        assert engine.stats("t", count_labels=True).labels == 3


def test_a_snapshot_past_its_age_says_so(tmp_path: Path) -> None:
    with EmbeddedEngine(tmp_path) as engine:
        engine.create_table("t").write(Mutations().put("a").put("b"))
    with EmbeddedEngine(tmp_path, max_snapshot_age_s=0.5) as engine:
        snapshot = engine.snapshot()
        with pytest.raises(SnapshotExpired):
            read_for_ever(engine, snapshot)


def read_for_ever(engine: EmbeddedEngine, snapshot: Snapshot) -> None:
    while True:
        list(engine.scan("t", snapshot=snapshot))
