"""The engine: the one contract between tables of cells and everything above them.

Layer ``store``. ``spec/cells.md`` and ``spec/scan.md`` say what the answers are; ``memory``
executes them and every other engine must agree. Checks that are the same for all engines live
here: closed engines, grants, placement of stages.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING, Any, overload

from lexigraph.arguments import read_bool, read_count, read_timeout
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.mutations import MutationBatch, Writable
from lexigraph.cells.ranges import Range
from lexigraph.closing import Closing
from lexigraph.errors import Closed, InvalidBytes, InvalidValue, UnsupportedError, UsageError
from lexigraph.security import ALL, All, Authorizations, check_granted
from lexigraph.store.arguments import (
    ReadSince,
    read_batches,
    read_cell_batches,
    read_columns,
    read_durability,
    read_loadable,
    read_progress,
    read_spec,
    read_unchanged,
)
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.checks import CheckReport
from lexigraph.store.clock import SystemClock
from lexigraph.store.conditions import ConditionalMutation, Outcome
from lexigraph.store.files.spi import Files
from lexigraph.store.load_files import LOAD_MEMORY_BYTES, LoadFiles, Loading, read_files
from lexigraph.store.operators import (
    AnyOperator,
    AssembledReader,
    Declined,
    EdgeReader,
    FollowEdges,
    FollowReferences,
    FrameReader,
    ReadFrames,
    ReadRecords,
    ReadRows,
    RowReader,
)
from lexigraph.store.preferences import Preferences
from lexigraph.store.readers import ScanningRowReader
from lexigraph.store.reports import (
    LoadReport,
    MergeReport,
    Purged,
    StagePlacement,
    TableStats,
)
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.results import Scan, Watch
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.stages.spec import StageSpec

if TYPE_CHECKING:
    from lexigraph.store.table import Table

Unchanged = tuple[Snapshot, Sequence[tuple[str, Range]]]
"""A snapshot, and what was read from it: a write that depends on both."""


class Engine(Closing, ABC):
    """Holds tables. Opened once, used by any number of threads, closed once."""

    preferences = Preferences()
    """What graphs on this engine follow."""
    upkeep = "Use the tools of the system that holds the data."
    """What to do instead, on an engine without backup, verify and vacuum."""

    grants_users = False
    """Whether it knows by itself what its user may read, whatever ``grants`` are."""

    def __init__(self, *, grants: Iterable[str | bytes] | All = ALL) -> None:
        self.grants = grants if isinstance(grants, All) else Authorizations(grants)
        self.closed = False

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities:
        """What this engine guarantees."""

    def now(self) -> int:
        """Return the engine's current time, in microseconds since 1970; ages are computed from it.

        An engine with its own clock returns the time of that clock.
        """
        return SystemClock().now()

    def tick(self) -> int:
        """Return a time for cells that several calls write as one commit.

        For engines whose atomic unit is the row; others give the time in ``write_made``.
        """
        return self.now() + 1

    def follow(self, timestamp: int) -> None:
        """Commit no earlier than this time, because a writer with a clock ahead has used it."""

    @abstractmethod
    def tables(self) -> list[str]:
        """Return the names of all tables, sorted."""

    def check_readable(self, name: str) -> None:
        """Raise an error if the table exists but ``tables`` hides it from this user."""

    @abstractmethod
    def create_table(self, name: str, settings: TableSettings | None = None) -> Table:
        """Create an empty table; InvalidName if the name is taken."""

    @abstractmethod
    def drop_table(self, name: str) -> None:
        """Remove a table and its cells. Snapshots taken before still read it."""

    def drop_tables(self, names: Iterable[str]) -> None:
        """Remove several tables; if it is known that one cannot be removed, none is removed."""
        for name in names:
            self.drop_table(name)

    def clear_table(self, name: str) -> None:
        """Remove all cells of a table and keep its settings."""
        settings = self.settings(name)
        self.drop_table(name)
        self.create_table(name, settings)

    @abstractmethod
    def rename_table(self, name: str, new_name: str) -> None:
        """Rename a table."""

    @abstractmethod
    def clone_table(self, name: str, new_name: str) -> Table:
        """Create a table with the same cells and settings; later changes affect only one."""

    @abstractmethod
    def settings(self, name: str) -> TableSettings:
        """Return a table's settings."""

    @abstractmethod
    def configure_table(self, name: str, settings: TableSettings) -> None:
        """Replace a table's settings; its time unit cannot change.

        Splits are added to those that the table has, as in ``add_splits``; none is removed.
        """

    def merge_problem(self, settings: TableSettings) -> UnsupportedError | None:
        """Return what is wrong with merge stages that this engine cannot run, not raised."""
        return None

    def check_merges(self, settings: TableSettings) -> None:
        """Refuse merge stages that this engine cannot run, with UnsupportedError."""
        problem = self.merge_problem(settings)
        if problem is not None:
            raise problem

    def write(
        self,
        batches: Mapping[str, Writable],
        *,
        if_unchanged: Unchanged | None = None,
        durability: str | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Write to one or more tables at once and return the commit timestamp.

        With ``if_unchanged`` nothing is written, and Conflict is raised, if anything was written to
        one of the ranges since the snapshot. ``authorizations`` are the writer's, for tables in
        which a writer may only use labels that it can read; the default is none, as for a reader.
        """
        self.check_open()
        read_durability(durability)
        unchanged = read_unchanged(if_unchanged)
        writer = self.check_granted(authorizations)
        return self._write(read_batches(batches), writer, unchanged, durability)

    def write_made(
        self,
        tables: Iterable[str],
        make: Callable[[int], Mapping[str, Writable]],
        *,
        if_unchanged: Unchanged | None = None,
        durability: str | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Write what a function makes of the timestamp of the commit, and return the timestamp.

        For cells that have the time of their commit in their bytes. ``make`` may write to
        ``tables`` only. It is called once, when the turn to write has come, and not at all if what
        was read has changed: all other writers wait for it, so it must be quick and must not write
        itself. What it raises is raised, and nothing is written.
        """
        self.check_open()
        read_durability(durability)
        unchanged = read_unchanged(if_unchanged)
        writer = self.check_granted(authorizations)
        named = list(tables)

        def made(timestamp: int) -> dict[str, MutationBatch]:
            batches = read_batches(make(timestamp))
            for name in batches:
                if name not in named:
                    raise UsageError(f"table {name!r} was not named before")
            return batches

        return self._write_made(named, made, writer, unchanged, durability)

    @abstractmethod
    def _write_made(
        self,
        tables: list[str],
        make: Callable[[int], Mapping[str, MutationBatch]],
        writer: Authorizations | All,
        unchanged: ReadSince | None,
        durability: str | None,
    ) -> int:
        """Check and write what a function makes; the arguments have been read."""

    @abstractmethod
    def _write(
        self,
        batches: Mapping[str, MutationBatch],
        writer: Authorizations | All,
        unchanged: ReadSince | None,
        durability: str | None,
    ) -> int:
        """Check and write batches whose arguments have been read."""

    @abstractmethod
    def conditional_write(
        self,
        table: str,
        mutations: ConditionalMutation | Iterable[ConditionalMutation],
        *,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> list[Outcome]:
        """Write rows whose conditions hold, one after another, each atomically."""

    def import_sorted(
        self,
        table: str,
        batches: CellBatch | Iterable[CellBatch],
        *,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Write cells that are already sorted; a cell out of order raises InvalidKey."""
        cells = read_cell_batches(batches)
        return self.load(table, cells, sorted=True, authorizations=authorizations).timestamp

    def load(
        self,
        table: str,
        batches: Any,
        *,
        sorted: bool = False,
        memory_limit_bytes: int = LOAD_MEMORY_BYTES,
        files: LoadFiles | None = None,
        progress: Callable[[int, int], object] | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> LoadReport:
        """Write many cells in one commit: batches of mutations, cells or Arrow, or an iterator.

        ``sorted`` promises cells in key order, which is checked. ``files`` sets how many files a
        cluster imports. ``progress`` is called with the number of cells read and written so far. A
        load that fails stores nothing. If ``capabilities.loads_tables``, a batch may also be a
        mapping of tables to batches: all of them are stored in the same commit.
        """
        how = Loading(
            read_bool(sorted, "sorted"),
            read_count(memory_limit_bytes, "memory_limit_bytes"),
            read_files(files),
            read_progress(progress),
            self.check_granted(authorizations),
        )
        return self._load(table, read_loadable(table, batches), how)

    @abstractmethod
    def _load(
        self, table: str, batches: Iterable[tuple[str, MutationBatch]], how: Loading
    ) -> LoadReport:
        """Load batches, each with its table, whose arguments have been read."""

    def scan(
        self,
        table: str,
        spec: ScanSpec | None = None,
        *,
        snapshot: Snapshot | None = None,
        batch_cells: int = 4096,
        timeout_s: float | None = None,
    ) -> Scan:
        """Read a table. Mistakes raise here; what is read is fixed when iteration starts.

        After ``timeout_s`` seconds of iterating it raises QueryTimeout.
        """
        read_count(batch_cells, "batch_cells")
        spec = read_spec(spec)
        watch = Watch(table, read_timeout(timeout_s))
        self.check_granted(spec.authorizations)
        return Scan(self._scan(table, spec, snapshot, batch_cells, watch), watch)

    @abstractmethod
    def _scan(
        self,
        table: str,
        spec: ScanSpec,
        snapshot: Snapshot | None,
        batch_cells: int,
        watch: Watch,
    ) -> Iterator[CellBatch]:
        """Raise what is wrong with a scan; return its batches, read when they are asked for."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """Return a snapshot of all tables, for any number of scans."""

    @abstractmethod
    def add_splits(self, table: str, rows: Iterable[bytes]) -> None:
        """Split a table after these rows; on one machine this is only a hint."""

    @abstractmethod
    def splits(self, table: str) -> list[bytes]:
        """Return the rows after which a table is split, sorted."""

    @abstractmethod
    def compact(
        self, table: str, *, range: Range | None = None, now: int | None = None
    ) -> MergeReport:
        """Merge all cells of a table, or of a range of its rows, through its merge stages."""

    @abstractmethod
    def stats(self, table: str) -> TableStats:
        """Count what a table holds, under all labels. For owners."""

    @abstractmethod
    def close(self) -> None:
        """Release everything. Closing twice is fine, using it afterwards raises Closed."""

    def flush(self) -> None:
        """Make every commit so far as safe as the engine can make it."""
        self.check_open()

    def read_raw(
        self,
        table: str,
        ranges: Sequence[Range],
        stages: Sequence[StageSpec] = (),
        *,
        snapshot: Snapshot | None = None,
        authorizations: Authorizations | All = ALL,
    ) -> Iterable[CellBatch]:
        """Read cells without the table's own stages, including what a rule hides.

        ``stages`` take their place. An engine that cannot leave them out reads through them, and
        raises UnsupportedError if others are to take their place.
        """
        if stages:
            raise UnsupportedError(
                f"the {self.capabilities.engine} engine always reads through a table's own stages",
                hint="Use an embedded directory, or the memory engine.",
            )
        spec = ScanSpec(ranges=ranges, authorizations=authorizations)
        return self.scan(table, spec, snapshot=snapshot)

    def check_alone(self) -> None:
        """Raise Locked if another process has the store open, if the engine can find out."""
        self.check_open()

    def purge(self, tables: Iterable[str], patterns: Iterable[bytes]) -> Purged:
        """Remove what deleted cells left behind in these tables, as far as the engine can.

        Split points that contain one of the patterns are removed too. Merge the tables first.
        """
        self.check_open()
        return Purged(whole=False)

    @overload
    def prepare(self, operator: ReadRows, *, snapshot: Snapshot | None = None) -> RowReader: ...
    @overload
    def prepare(
        self, operator: ReadFrames, *, snapshot: Snapshot | None = None
    ) -> FrameReader | Declined: ...
    @overload
    def prepare(
        self, operator: FollowEdges, *, snapshot: Snapshot | None = None
    ) -> EdgeReader | Declined: ...
    @overload
    def prepare(
        self, operator: ReadRecords, *, snapshot: Snapshot | None = None
    ) -> AssembledReader | Declined: ...
    @overload
    def prepare(
        self, operator: FollowReferences, *, snapshot: Snapshot | None = None
    ) -> EdgeReader | Declined: ...
    def prepare(self, operator: AnyOperator, *, snapshot: Snapshot | None = None) -> Any:
        """Return what runs an operator, or why this engine does not run it.

        Mistakes raise here: a table that does not exist, authorizations that are not granted, a
        spec that no engine takes. ``snapshot`` is the state that it is checked against; each run
        says what it reads.
        """
        self.check_open()
        if operator.name not in self.capabilities.operators:
            return Declined(f"the {self.capabilities.engine} engine {operator.instead}")
        if isinstance(operator, ReadRows):
            return self._prepare_rows(operator)
        if isinstance(operator, ReadFrames):
            return self._prepare_frames(operator, snapshot)
        if isinstance(operator, ReadRecords):
            return self._prepare_records(operator, snapshot)
        if isinstance(operator, FollowReferences):
            return self._prepare_references(operator, snapshot)
        return self._prepare_edges(operator, snapshot)

    def _prepare_rows(self, operator: ReadRows) -> RowReader:
        self.settings(operator.table)
        asked = self.check_granted(operator.authorizations)
        return ScanningRowReader(self, operator.table, asked, read_columns(operator.columns))

    def _prepare_frames(
        self, operator: ReadFrames, snapshot: Snapshot | None
    ) -> FrameReader | Declined:
        raise NotImplementedError  # an engine that declares the operator prepares it

    def _prepare_edges(
        self, operator: FollowEdges, snapshot: Snapshot | None
    ) -> EdgeReader | Declined:
        raise NotImplementedError

    def _prepare_records(
        self, operator: ReadRecords, snapshot: Snapshot | None
    ) -> AssembledReader | Declined:
        raise NotImplementedError

    def _prepare_references(
        self, operator: FollowReferences, snapshot: Snapshot | None
    ) -> EdgeReader | Declined:
        raise NotImplementedError

    def row_reader(
        self,
        table: str,
        *,
        authorizations: Iterable[str | bytes] | All = (),
        columns: Sequence[tuple[bytes, bytes | None]] = (),
    ) -> RowReader:
        """Prepare to read single rows of a table as they are now, many times."""
        return self.prepare(ReadRows(table, authorizations, columns))

    def placement(self, table: str, spec: ScanSpec | None = None) -> list[StagePlacement]:
        """Return for each stage of a scan whether it runs in the engine or in the client."""
        plan = ScanPlan(read_spec(spec), self.settings(table))
        count = self.count_run(plan)
        return [StagePlacement(stage, place < count) for place, stage in enumerate(plan.stages)]

    def count_run(self, plan: ScanPlan) -> int:
        """Return how many stages of a scan, from the bottom, run in the engine.

        Decided by their names, unless an engine must also check their options.
        """
        runs = (self.capabilities.runs(stage.name) for stage in plan.stages)
        return sum(1 for _ in takewhile(bool, runs))

    def table(self, name: str) -> Table:
        """Return a handle for people to read and write one table."""
        from lexigraph.store.table import Table

        self.settings(name)
        return Table(self, name)

    def check(
        self,
        tables: Iterable[str] = (),
        *,
        authorizations: Iterable[str | bytes] | All = (),
        read_only: bool = False,
    ) -> CheckReport:
        """Check that these tables have everything they need, and report what to do if not.

        ``authorizations`` are those that readers will ask for. With ``read_only`` nothing is
        written, and permissions to write are not checked.
        """
        self.check_open()
        return CheckReport(())

    @property
    def files(self) -> Files | None:
        """Where values that are too large for tables are kept; ``None`` for nowhere."""
        return None

    def backup(self, path: str | os.PathLike[str]) -> int:
        """Copy everything into a new directory and return the bytes written."""
        raise self._no_upkeep("backup")

    def verify(self) -> object:
        """Read and check everything that is stored; damage raises Corruption."""
        raise self._no_upkeep("verify")

    def vacuum(self) -> int:
        """Release free space to the file system and return how many bytes."""
        raise self._no_upkeep("vacuum")

    def _no_upkeep(self, what: str) -> UnsupportedError:
        self.check_open()
        kind = self.capabilities.engine
        return UnsupportedError(f"the {kind} engine does not have {what}", hint=self.upkeep)

    def check_open(self) -> None:
        """Raise Closed if the engine was closed."""
        if self.closed:
            raise Closed(f"this {type(self).__name__} was closed")

    def check_granted(self, asked: Iterable[str | bytes] | All) -> Authorizations | All:
        """Return these authorizations; raise NotGranted if one is not granted."""
        wanted = asked if isinstance(asked, All) else Authorizations(asked)
        check_granted(wanted, self.grants)
        return wanted

    @contextmanager
    def hiding_cells(self) -> Iterator[None]:
        """Hide the cells that the errors of a merge name from users who may not see them.

        A merge reads all cells, whatever the caller may see, and its errors name rows and values.
        """
        try:
            yield
        except (InvalidBytes, InvalidValue):
            if isinstance(self.grants, All):
                raise
            raise InvalidBytes(
                "a merge of the table met a cell that it cannot read",
                hint="Open the engine without grants, as the owner, to see which cell it is.",
            ) from None

    def __reduce__(self) -> Any:
        """Refuse to be sent to another process."""
        raise UsageError(
            f"a {type(self).__name__} cannot be copied or sent to another process",
            hint="Open the same directory or cluster in the other process.",
        )
