"""The Accumulo engine without its cells: connecting, tables, their settings, merges.

Layer ``store``, only for ``accumulo``. ``engine`` adds writing and reading.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from threading import Lock
from typing import Any

from lexigraph.arguments import read_bool, read_timeout
from lexigraph.cells.ranges import Range
from lexigraph.errors import (
    Authorization,
    InvalidName,
    InvalidOption,
    TableNotFound,
    UnsupportedError,
)
from lexigraph.security import ALL, All
from lexigraph.store.accumulo import permissions
from lexigraph.store.accumulo.bridge.connecting import (
    CAPABILITIES,
    connect,
    find_zookeeper,
    server_stages,
)
from lexigraph.store.accumulo.bridge.jvm import check_process, translated
from lexigraph.store.accumulo.checks.access import ClusterAccess
from lexigraph.store.accumulo.checks.table_report import reported_properties
from lexigraph.store.accumulo.names import check_namespace, from_remote, to_remote
from lexigraph.store.accumulo.properties import read_properties
from lexigraph.store.accumulo.stages import merge_problem
from lexigraph.store.accumulo.table_properties import (
    MARKED,
    from_properties,
    is_ours,
    to_properties,
    to_remove,
)
from lexigraph.store.arguments import (
    read_new_settings,
    read_now,
    read_row_range,
    read_rows,
    read_settings,
)
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.checking import check_settings, note_unused
from lexigraph.store.clock import Clock, HybridClock
from lexigraph.store.names import check_name, missing_table, name_taken
from lexigraph.store.reports import MergeReport, TableStats
from lexigraph.store.scan.merging import check_merge_clock
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.table import Table


class AccumuloBase(ClusterAccess):
    """A cluster and the tables of one of its namespaces."""

    grants_users = True
    upkeep = (
        "Accumulo looks after its own files: use exporttable or clonetable of its shell for a "
        "backup, and compact, or graph.admin.compact(), to free space."
    )

    def __init__(
        self,
        where: str | os.PathLike[str] | Mapping[str, Any],
        *,
        user: str | None = None,
        password: str | None = None,
        namespace: str = "",
        timeout_s: float = 60.0,
        grants: Iterable[str | bytes] | All = ALL,
        clock: Clock | None = None,
        counts: bool = False,
    ) -> None:
        super().__init__(grants=grants)
        self.counted: list[dict[str, Any]] | None = [] if read_bool(counts, "counts") else None
        self._properties = read_properties(where, user=user, password=password)
        self.preferences = self._properties.preferences
        self._namespace = check_namespace(namespace)
        self._timeout_s = read_timeout(timeout_s) or 60.0
        self._clock = HybridClock(clock)
        self._last: dict[str, int] = {}
        self._lock = Lock()
        find_zookeeper(self._properties.zookeepers, self._timeout_s)
        self._bridge: Any = self._connect()
        self._admin: Any = self._bridge.admin()
        self._capabilities = replace(CAPABILITIES, stages=server_stages())

    def check_open(self) -> None:
        """Refuse to work when closed, and in a fork of the process that opened it."""
        super().check_open()
        check_process()

    def _connect(self) -> Any:
        return connect(self._properties, self._timeout_s)

    def now(self) -> int:
        """Return the time of the engine's own clock."""
        return self._clock.reading()

    def follow(self, timestamp: int) -> None:
        """Commit no earlier than this from now on: another client's clock is ahead."""
        with self._lock:
            self._clock.follow(timestamp)

    @property
    def capabilities(self) -> Capabilities:
        """What this engine guarantees: each row is atomic, and there are no snapshots."""
        return self._capabilities

    def tables(self) -> list[str]:
        """Return the names of all tables of ours in the namespace, sorted."""
        self.check_open()
        with translated():
            found = [str(name) for name in self._admin.tables()]
        names = [name for remote in found if (name := self._local(remote))]
        return sorted(name for name in names if self._is_ours(name))

    def check_readable(self, name: str) -> None:
        """Refuse to go on where Accumulo has such a table and does not let the user read it."""
        self.check_open()
        with translated():
            there = {str(one) for one in self._admin.tables()}
        if self._remote(name) in there:
            self.check_permitted([name], permissions.READ)

    def create_table(self, name: str, settings: TableSettings | None = None) -> Table:
        """Make an empty table."""
        self.check_open()
        settings = read_settings(settings)
        check_settings(settings)
        check_name(name)
        properties = {**to_properties(settings), **self._properties.for_tables}
        if settings.merge_stages:
            # A flush through a class that is not there fails again and again, and blocks the table.
            self.check_jar()
        try:
            with translated(needs=self.permit_creating()):
                self._make(name, properties, list(settings.splits))
        except (InvalidName, Authorization) as refused:
            self.check_readable(name)
            if isinstance(refused, InvalidName):
                raise name_taken(name) from None
            raise
        note_unused(name, settings, self.capabilities)
        return Table(self, name)

    def drop_table(self, name: str) -> None:
        """Remove a table and its cells."""
        self._raw_properties(name)
        with self._permitted(name, permissions.DROP):
            self._admin.drop(self._remote(name))
        self._last.pop(name, None)

    def drop_tables(self, names: Iterable[str]) -> None:
        """Remove several tables, all of which the user may remove, or none."""
        listed = list(names)
        self.check_permitted(listed, permissions.DROP)
        super().drop_tables(listed)

    def clear_table(self, name: str) -> None:
        """Remove all cells of a table, which stays as it is."""
        self._raw_properties(name)
        with self._permitted(name, permissions.WRITE):
            self._admin.clear(self._remote(name))

    def rename_table(self, name: str, new_name: str) -> None:
        """Rename a table."""
        self._raw_properties(name)
        check_name(new_name)
        try:
            with translated():
                self._admin.rename(self._remote(name), self._remote(new_name))
        except InvalidName:
            raise name_taken(new_name) from None
        if name in self._last:
            self._last[new_name] = self._last.pop(name)

    def clone_table(self, name: str, new_name: str) -> Table:
        """Make a table that shares the files of another."""
        self._raw_properties(name)
        check_name(new_name)
        try:
            with translated():
                self._admin.clone(self._remote(name), self._remote(new_name))
        except InvalidName:
            raise name_taken(new_name) from None
        return Table(self, new_name)

    def settings(self, name: str) -> TableSettings:
        """Return a table's settings."""
        # Plans and options are plain dicts, which their holder may change.
        return deepcopy(from_properties(name, self._raw_properties(name), tuple(self.splits(name))))

    def merge_problem(self, settings: TableSettings) -> UnsupportedError | None:
        """Return what is wrong with merge stages that the jar does not know."""
        return merge_problem(settings)

    def configure_table(self, name: str, settings: TableSettings) -> None:
        """Replace a table's settings, all but its time unit; splits are added."""
        settings = read_new_settings(settings)
        check_settings(settings)
        before = self._settings(name)
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
        present = self._raw_properties(name)
        wanted = to_properties(settings, marked=MARKED in present)
        removed = to_remove(present, wanted)
        with self._permitted(name, permissions.ALTER):
            self._admin.changeProperties(self._remote(name), json.dumps(wanted), removed)
        if settings.splits:
            self.add_splits(name, settings.splits)

    def snapshot(self) -> Snapshot:
        """Raise UnsupportedError: Accumulo has none."""
        self.check_open()
        raise UnsupportedError(
            "Accumulo has no snapshots: a scan reads the table while it changes",
            hint="Read a time range, read as of an earlier time, or use the embedded engine.",
        )

    def add_splits(self, table: str, rows: Iterable[bytes]) -> None:
        """Divide a table into tablets behind these rows."""
        added = read_rows(rows)
        self._raw_properties(table)
        if added:
            with self._permitted(table, permissions.ALTER):
                self._admin.addSplits(self._remote(table), added)

    def splits(self, table: str) -> list[bytes]:
        """Return the rows behind which a table is divided, those that Accumulo chose among them."""
        self._raw_properties(table)
        with translated():
            return sorted(bytes(row) for row in self._admin.splits(self._remote(table)))

    def compact(
        self, table: str, *, range: Range | None = None, now: int | None = None
    ) -> MergeReport:
        """Rewrite all tablets that have rows of the range, through the table's merge stages.

        Without ``now`` the merge stages take the time of the servers. Memory is written to files
        first, which is a merge at the servers' time.
        """
        rows, now = read_row_range(range), read_now(now)
        settings = self._settings(table)
        stages = settings.stages("merge") if settings.merge_stages else ()
        if now is not None:
            # Of commits by others nothing is known here.
            check_merge_clock(table, settings, stages, now, self._last.get(table))
        before = self.stats(table)
        start = end = None
        if rows is not None:
            start, end = rows.start and _row_before(rows.start.row), rows.end and rows.end.row
        given = str(now) if stages and now is not None else None
        with self._permitted(table, permissions.WRITE):
            self._admin.compact(self._remote(table), start, end, given)
        after = self.stats(table)
        return MergeReport(
            table,
            full=True,
            combined=True,
            now=self._now(settings, table) if now is None else now,
            runs=before.runs,
            cells_in=before.cells,
            cells_out=after.cells,
        )

    def stats(self, table: str) -> TableStats:
        """Count what a table holds; what is in memory goes to files first."""
        splits = len(self.splits(table))
        with self._permitted(table, permissions.WRITE, permissions.SUMMARIES):
            found = json.loads(str(self._admin.stats(self._remote(table))))
        return TableStats(
            table=table,
            cells=found.get("total", 0),
            delete_markers=found.get("deletes", 0),
            size_bytes=found.get("bytes", 0),
            runs=found.get("files", 0),
            splits=splits,
            newest=self._last.get(table),
            stored_bytes=found.get("bytes", 0),
        )

    def close(self) -> None:
        """Let go of the cluster; the JVM stays."""
        if not self.closed:
            self.closed = True
            with suppress(UnsupportedError):
                check_process()
                self._bridge.close()

    def remote(self, name: str) -> str:
        """Return what Accumulo calls a table."""
        return self._remote(name)

    def properties_of(self, name: str) -> dict[str, str]:
        """Return the properties that Accumulo has of a table."""
        return self._raw_properties(name)

    def _make(self, name: str, properties: dict[str, str], splits: list[bytes]) -> None:
        if self._namespace:
            self._admin.makeNamespace(self._namespace)
        self._admin.create(self._remote(name), json.dumps(properties), splits)

    def _settings(self, name: str) -> TableSettings:
        return from_properties(name, self._raw_properties(name), ())

    def _raw_properties(self, name: Any) -> dict[str, str]:
        self.check_open()
        if not isinstance(name, str):
            raise missing_table(name, self.tables())
        with suppress(InvalidName, TableNotFound):
            check_name(name)
            found = self._all_properties(name)
            if is_ours(found):
                return found
        raise missing_table(name, self.tables())

    def _is_ours(self, name: str) -> bool:
        # A table that the user may not look at is none of theirs.
        with suppress(TableNotFound, Authorization):
            return is_ours(self._all_properties(name))
        return False

    def _all_properties(self, name: str) -> dict[str, str]:
        try:
            with translated():
                found: dict[str, str] = json.loads(str(self._admin.properties(self._remote(name))))
                return found
        except Authorization:
            # Whoever may only read is not shown them, but learns from a server what is ours.
            return reported_properties(self, name)

    def _remote(self, name: str) -> str:
        return to_remote(name, self._namespace)

    def _local(self, remote: str) -> str | None:
        return from_remote(remote, self._namespace)

    def _now(self, settings: TableSettings, table: str) -> int:
        micros = self._clock.reading()
        if settings.time_unit == "micros":
            return micros
        now, last = micros // 1000, self._last.get(table)
        # Commits within a millisecond run ahead of the clock; further than a second they do not.
        return last if last is not None and 0 < last - now <= 1000 else now

    def __repr__(self) -> str:
        """Show the cluster, and neither user nor password."""
        state = ", closed" if self.closed else ""
        inside = f", namespace={self._namespace!r}" if self._namespace else ""
        return f"AccumuloEngine({self._properties.url!r}{inside}{state})"


def _row_before(row: bytes) -> bytes | None:
    # Accumulo compacts what lies behind a row; tablets are whole, so a shorter row is enough.
    return row[:-1] or None
