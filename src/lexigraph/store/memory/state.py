"""What the memory engine holds: the state of a table, snapshots, and which commits came since.

Layer ``store``, only for ``memory``. States are immutable. The log keeps the commits that some
open snapshot has not seen, as they were written: a merge is no change, so it must not be asked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from weakref import WeakSet

from lexigraph.cells.ranges import Range
from lexigraph.errors import Closed, Conflict, UsageError, show
from lexigraph.store.clock import in_unit
from lexigraph.store.names import missing_table
from lexigraph.store.reports import TableStats
from lexigraph.store.scan.runs import Run
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot

_identities = count()


@dataclass(frozen=True, slots=True)
class TableState:
    """A table at one moment. ``identity`` tells it from another one of the same name."""

    settings: TableSettings
    runs: tuple[Run, ...] = ()
    last: int | None = None
    """The newest commit, in the table's time unit."""
    client_timed: bool = False
    """Whether any cell was ever written with a timestamp of its own."""
    identity: int = field(default_factory=lambda: next(_identities))

    def next_time(self, micros: int) -> int:
        """Return the timestamp of a commit in the table's unit."""
        return in_unit(micros, self.settings.time_unit, self.last)

    def now(self, micros: int) -> int:
        """Return a reading of the clock in the table's unit; a counter stands where it is."""
        unit = self.settings.time_unit
        if unit == "logical":
            return self.last or 0
        now = in_unit(micros, unit, None)
        # Commits within a millisecond run ahead of the clock; further than a second they do not.
        ahead = unit == "millis" and self.last is not None and 0 < self.last - now <= 1000
        return self.last if ahead and self.last is not None else now

    def split(self, rows: Iterable[bytes]) -> TableState:
        """Return the table with more splits."""
        splits = (*self.settings.splits, *rows)
        return replace(self, settings=replace(self.settings, splits=splits))

    def clone(self) -> TableState:
        """Return the same table as another one."""
        return replace(self, identity=next(_identities))

    def stats(self, name: str) -> TableStats:
        """Count what is stored."""
        cells = [cell for run in self.runs for cell in run.cells]
        return TableStats(
            table=name,
            cells=len(cells),
            delete_markers=sum(cell.deleted for cell in cells),
            size_bytes=sum(sum(map(len, cell.column)) + len(cell.value) for cell in cells),
            runs=len(self.runs),
            splits=len(self.settings.splits),
            newest=self.last,
        )


class MemorySnapshot(Snapshot):
    """The states of all tables at one moment."""

    def __init__(
        self, log: CommitLog, tables: Mapping[str, TableState], timestamp: int | None
    ) -> None:
        self._timestamp = timestamp
        self._tables: Mapping[str, TableState] | None = tables
        self.log = log
        self.commit = log.commit

    @property
    def timestamp(self) -> int | None:
        """The newest commit that it holds."""
        return self._timestamp

    @property
    def tables(self) -> Mapping[str, TableState]:
        """The states by name."""
        if self._tables is None:
            raise Closed("this snapshot was closed")
        return self._tables

    def close(self) -> None:
        """Let go of the states."""
        self._tables = None

    @property
    def is_open(self) -> bool:
        """Whether it can still be read and written against."""
        return self._tables is not None

    def __repr__(self) -> str:
        """Show when it was taken."""
        return f"MemorySnapshot(timestamp={self._timestamp})"


class CommitLog:
    """Commits in order, for as long as an open snapshot may ask for them."""

    def __init__(self) -> None:
        self.commit = 0
        self._entries: deque[tuple[int, int, Run]] = deque()
        self._open: WeakSet[MemorySnapshot] = WeakSet()
        self._forgotten = 0

    def __len__(self) -> int:
        """Return how many runs are remembered."""
        return len(self._entries)

    def add(self, written: Iterable[tuple[int, Run]]) -> None:
        """Note what one commit wrote, by table identity."""
        self.commit += 1
        self._entries.extend((self.commit, identity, run) for identity, run in written)
        waiting = (snapshot.commit for snapshot in self._open if snapshot.is_open)
        oldest = min(waiting, default=self.commit)
        while self._entries and self._entries[0][0] <= oldest:
            self._entries.popleft()

    def forget(self) -> None:
        """Forget all commits: what snapshots of before depend on is a Conflict from now on."""
        self._entries.clear()
        self._forgotten = self.commit

    def open_snapshot(
        self, tables: Mapping[str, TableState], timestamp: int | None
    ) -> MemorySnapshot:
        """Take a snapshot that the log remembers commits for."""
        snapshot = MemorySnapshot(self, tables, timestamp)
        self._open.add(snapshot)
        return snapshot

    def check_own(self, snapshot: Snapshot) -> MemorySnapshot:
        """Refuse a snapshot of another engine."""
        if not isinstance(snapshot, MemorySnapshot) or snapshot.log is not self:
            raise UsageError(f"{show(snapshot)} is not a snapshot of this engine")
        return snapshot

    def check_unchanged(
        self,
        snapshot: MemorySnapshot,
        ranges: Sequence[tuple[str, Range]],
        tables: Mapping[str, TableState],
    ) -> None:
        """Raise Conflict when anything was written to the ranges since the snapshot."""
        if snapshot.commit < self._forgotten:
            raise Conflict("the snapshot is too old to tell what was written since: read again")
        for name, item in ranges:
            before, now = snapshot.tables.get(name), tables.get(name)
            if before is None and now is None:
                raise missing_table(name, tables)
            if before is None or now is None or before.identity != now.identity:
                raise Conflict(f"table {name!r} was created, dropped or renamed since the snapshot")
            for commit, identity, run in self._entries:
                if commit > snapshot.commit and identity == now.identity and run.touches(item):
                    raise Conflict(
                        f"table {name!r} was written to since the snapshot, in a range that was "
                        "read from it",
                        table=name,
                    )
