"""The embedded engine without its cells: opening, tables, snapshots, merges, looking after it.

Layer ``store``, only for ``embedded``. ``embedded`` adds writing and reading.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from time import sleep
from typing import Any

from lexigraph.arguments import read_bool, read_count, read_int
from lexigraph.cells.jsonbytes import bytes_to_json
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidOption, Locked, UnsupportedError, UsageError, show
from lexigraph.security import ALL, All
from lexigraph.store.arguments import (
    read_new_settings,
    read_now,
    read_row_range,
    read_rows,
    read_settings,
)
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.checking import check_settings, note_unused
from lexigraph.store.checks import CheckReport
from lexigraph.store.clock import Clock, check_clock
from lexigraph.store.embedded.admin import OpenReader, Verified, verify_directory
from lexigraph.store.embedded.arguments import (
    DURABILITIES,
    MOST_MAP_BYTES,
    read_level,
    read_path,
    read_span,
    read_threads,
    settings_text,
)
from lexigraph.store.embedded.check import check_directory
from lexigraph.store.embedded.native import load_native
from lexigraph.store.embedded.scan import merge_problem
from lexigraph.store.embedded.snapshot import EmbeddedSnapshot
from lexigraph.store.files.local import LocalFiles
from lexigraph.store.names import check_name, missing_table
from lexigraph.store.reports import MergeReport, Purged, StageCount, TableStats
from lexigraph.store.scan.merging import log_removed
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine
from lexigraph.store.table import Table

STREAMS = "streams"
"""The folder of large values; it is made with the first of them."""
_READER_CHECKS = 100
"""How often to look, 10 ms apart, whether the last reader has ended."""


class EmbeddedBase(Engine):
    """A directory and its tables."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        read_only: bool = False,
        durability: str = "sync",
        lock_timeout_s: float = 30.0,
        max_snapshot_age_s: float = 3600.0,
        map_size_bytes: int = 1 << 40,
        merge_cells: int | None = 100_000,
        threads: int | None = None,
        force: bool = False,
        grants: Iterable[str | bytes] | All = ALL,
        clock: Clock | None = None,
        cut_every: int | None = None,
    ) -> None:
        super().__init__(grants=grants)
        self.path = read_path(path)
        self.read_only = read_bool(read_only, "read_only")
        self.map_size_bytes = read_count(map_size_bytes, "map_size_bytes", most=MOST_MAP_BYTES)
        self._clock = check_clock(clock)
        self.threads = read_threads(threads)
        self._cut_every = None if cut_every is None else read_int(cut_every, "cut_every", least=1)
        native = load_native()
        self._capabilities = Capabilities(
            "embedded",
            durabilities=DURABILITIES,
            persistent=True,
            many_processes=True,
            buffers=read_level(durability) == "buffered",
            locality_groups=True,
            loads_tables=True,
            stages=frozenset(native.stage_names()),
            operators=frozenset({"rows", "frames", "edges", "records", "references"}),
        )
        self._native: Any = native.Engine(
            str(self.path),
            create=read_bool(create, "create"),
            read_only=self.read_only,
            force=read_bool(force, "force"),
            durability=read_level(durability) or "sync",
            lock_timeout_s=read_span(lock_timeout_s, "lock_timeout_s"),
            max_snapshot_age_s=read_span(max_snapshot_age_s, "max_snapshot_age_s"),
            map_size_bytes=self.map_size_bytes,
            merge_cells=None if merge_cells is None else read_count(merge_cells, "merge_cells"),
        )

    @property
    def capabilities(self) -> Capabilities:
        """What this engine guarantees."""
        return self._capabilities

    def tables(self) -> list[str]:
        """Return the names of all tables, sorted."""
        self.check_open()
        names: list[str] = self._native.tables()
        return names

    def create_table(self, name: str, settings: TableSettings | None = None) -> Table:
        """Make an empty table."""
        self.check_open()
        settings = read_settings(settings)
        check_settings(settings)
        self.check_merges(settings)
        self._native.create_table(check_name(name), settings_text(settings), list(settings.splits))
        note_unused(name, settings, self.capabilities)
        return Table(self, name)

    def drop_table(self, name: str) -> None:
        """Remove a table; snapshots taken before still read it."""
        self._native.drop_table(self._name(name))

    def rename_table(self, name: str, new_name: str) -> None:
        """Rename a table."""
        self._native.rename_table(self._name(name), check_name(new_name))

    def clone_table(self, name: str, new_name: str) -> Table:
        """Copy a table."""
        self._native.clone_table(self._name(name), check_name(new_name))
        return Table(self, new_name)

    def settings(self, name: str) -> TableSettings:
        """Return a table's settings."""
        # Plans and options are plain dicts, which their holder may change.
        return deepcopy(self._settings(name, None))

    def merge_problem(self, settings: TableSettings) -> UnsupportedError | None:
        """Return what is wrong with merge stages that only Python can run."""
        return merge_problem(settings)

    def configure_table(self, name: str, settings: TableSettings) -> None:
        """Replace a table's settings, all but its time unit; splits are added."""
        settings = read_new_settings(settings)
        check_settings(settings)
        self.check_merges(settings)
        before = self.settings(name)
        if settings.time_unit != before.time_unit:
            raise InvalidOption(
                f"table {name!r} was created with time unit {before.time_unit!r}, "
                f"which cannot become {settings.time_unit!r}",
                hint="Create another table with that unit and copy the cells.",
            )
        if settings.append_only and self.stats(name).delete_markers:
            raise InvalidOption(
                f"table {name!r} holds delete markers and cannot become append-only",
                hint="Compact the table first: a full merge removes its delete markers.",
            )
        with self.hiding_cells():
            self._native.configure_table(name, settings_text(settings))
        if settings.splits:
            self._native.add_splits(name, list(settings.splits))

    def snapshot(self) -> EmbeddedSnapshot:
        """Return a snapshot of all tables."""
        self.check_open()
        return EmbeddedSnapshot(self, self._native.snapshot())

    def add_splits(self, table: str, rows: Iterable[bytes]) -> None:
        """Keep these rows as hints where scans may be divided among threads."""
        self._native.add_splits(self._name(table), read_rows(rows))

    def splits(self, table: str) -> list[bytes]:
        """Return the splits, sorted."""
        return list(self.settings(table).splits)

    def compact(
        self, table: str, *, range: Range | None = None, now: int | None = None
    ) -> MergeReport:
        """Merge all cells of a table, or of a range of its rows, range by range."""
        rows = read_row_range(range)
        now = read_now(now)
        bounds = None
        if rows is not None:
            bounds = (rows.start and rows.start.row, rows.end and rows.end.row)
        with self.hiding_cells():
            found = self._native.compact(self._name(table), bounds, now, self._now())
        stages = tuple(StageCount(*counted) for counted in found.pop("stages"))
        report = MergeReport(table=table, stages=stages, **found)
        log_removed(report)
        return report

    def stats(self, table: str, *, count_labels: bool = False) -> TableStats:
        """Count what a table holds; labels only when asked, because that reads every block.

        They are for owners, as :meth:`labels` are.
        """
        stats = TableStats(table=table, **self._native.stats(self._name(table)))
        if stats.merge_failure is not None and not isinstance(self.grants, All):
            # It names the row of a value that this reader may not see.
            stats = replace(stats, merge_failure="a merge failed; the owner's statistics say why")
        return replace(stats, labels=len(self.labels(table))) if count_labels else stats

    def labels(self, table: str, *, limit: int = 10_000) -> list[bytes]:
        """Return the distinct labels of a table's cells, sorted, at most ``limit``.

        For owners: with ``grants`` it is NotGranted, because labels tell what others may see.
        """
        self.check_granted(ALL)
        found: list[bytes] = self._native.labels(self._name(table), read_count(limit, "limit"))
        return found

    def flush(self) -> None:
        """Put every commit so far on disk."""
        self.check_open()
        self._native.flush()

    def close(self) -> None:
        """Put every commit on disk and let go of the directory.

        Where buffered commits cannot be stored, ``Full`` say, the engine stays open with them.
        """
        self._native.close()
        self.closed = True

    def readers(self) -> list[OpenReader]:
        """Return who reads the directory now, in any process, the oldest first."""
        self.check_open()
        return [OpenReader(*found) for found in self._native.readers()]

    def check(
        self,
        tables: Iterable[str] = (),
        *,
        authorizations: Iterable[str | bytes] | All = (),
        read_only: bool = False,
    ) -> CheckReport:
        """Look at the directory and these tables, or all: format, counts, readers, clock, space.

        Reads no cells; :meth:`verify` does. ``authorizations`` and ``read_only`` change nothing
        here: a directory has no users, and no step writes.
        """
        self.check_open()
        # For owners, as the counts are.
        self.check_granted(ALL)
        return CheckReport(check_directory(self, tables))

    def verify(self) -> Verified:
        """Read and check every block of the directory, in a process of its own.

        Damage raises Corruption; a damaged page may end the process that reads it, which then is
        not this one.
        """
        if not self.read_only:
            self.flush()
        self.check_open()
        return verify_directory(self.path)

    def backup(self, path: str | os.PathLike[str]) -> int:
        """Copy the directory, as it is now, into a new one; return the bytes written.

        Readers and writers go on meanwhile.
        """
        self.check_open()
        target = read_path(path)
        if Path(self.path).resolve() in Path(target).resolve().parents:
            raise UsageError(
                f"a backup of {self.path} cannot lie inside it: {target}",
                hint="Choose a directory outside of the one that is copied.",
            )
        with self.files.linked() as linked:
            written: int = self._native.backup(str(target))
            # What the copy refers to was there before it, or came while it was made.
            for files in (linked, self.files):
                written += files.copy_to(Path(target) / STREAMS)
        return written

    @property
    def files(self) -> LocalFiles:
        """A folder beside the file of the tables, for values that are too large for them."""
        return LocalFiles(self.path / STREAMS)

    def check_alone(self) -> None:
        """Raise Locked if another process, or another engine here, has the directory open."""
        self.check_open()
        self._native.check_alone()
        # Scans of other threads end by themselves; a snapshot may be held for long.
        for _ in range(_READER_CHECKS):
            if not self.readers():
                return
            sleep(0.01)
        raise Locked(
            f"snapshots or scans of {self.path} are held", hint="Close them, then try again."
        )

    def purge(self, tables: Iterable[str], patterns: Iterable[bytes]) -> Purged:
        """Write tables anew, without bytes of deleted cells, and everything to a new file.

        Nobody else may have the directory open, and no snapshot or scan may be held. A purge that
        ends half-way has changed no answer: call it again.
        """
        self.check_open()
        _, splits, _, after = self._native.purge(list(tables), list(patterns))
        return Purged(whole=True, splits=splits, size_bytes=after)

    def vacuum(self) -> int:
        """Release free space to the file system and return how many bytes.

        Nobody else may have the directory open, and no snapshot or scan may be held.
        """
        self.check_open()
        before, after = self._native.vacuum()
        return int(before - after)

    def _settings(self, name: str, at: Any) -> TableSettings:
        text, splits = self._native.table(self._name(name), at)
        return _settings_of(text, tuple(splits))

    def _name(self, name: Any) -> str:
        self.check_open()
        if not isinstance(name, str):
            raise missing_table(name, self.tables())
        return name

    def _own(self, snapshot: Snapshot) -> Any:
        if not isinstance(snapshot, EmbeddedSnapshot) or snapshot.engine is not self:
            raise UsageError(f"{show(snapshot)} is not a snapshot of this engine")
        return snapshot.native

    def now(self) -> int:
        """Return the time of its own clock, or else the system's."""
        return super().now() if self._clock is None else self._clock.now()

    def _now(self) -> int | None:
        return None if self._clock is None else self._clock.now()

    def __repr__(self) -> str:
        """Show the directory."""
        state = ", closed" if self.closed else ", read-only" if self.read_only else ""
        return f"EmbeddedEngine({str(self.path)!r}{state})"


@lru_cache(maxsize=64)
def _settings_of(text: str, splits: tuple[bytes, ...]) -> TableSettings:
    # Every question asks for them, and they hardly ever change.
    return TableSettings.from_json({**json.loads(text), "splits": list(map(bytes_to_json, splits))})
