"""Making and removing indexes of a graph that others read and write meanwhile.

Layer ``index``. From the moment that the catalogue has an index, every commit writes its entries;
building adds those of the elements that were there before, batch by batch, and only then questions
use it. A build that was cut short leaves an index that is not used; building it again is the same
as building it for the first time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Key
from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.mutations import MutationBatch
from lexigraph.errors import Conflict, InvalidName
from lexigraph.index.defining import added_index, check_definition, find_index
from lexigraph.index.entries import IndexEntries
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.indexes import BUILDING, REMOVING, UNGUARDED, USABLE, StoredIndex
from lexigraph.layout.stored.loads import forget_buffering
from lexigraph.store import Range, ScanSpec, TableSettings
from lexigraph.store.snapshot import Snapshot

BATCH_CELLS = 50_000
"""How many cells are read for one commit of a build."""
_TRIES = 50
_WAIT = "Call graph.index.create again once it is done; until then questions do not use the index."


def create_index(stored: StoredGraph, name: str, group: str, field: str) -> StoredGraph:
    """Declare an index and build it; return the graph that has it."""
    check_definition(stored, name, group, field)
    with suppress(InvalidName):
        # It is there if the graph has or had an index.
        stored.engine.create_table(stored.index_table, TableSettings(max_versions=1))
    made = stored.change_indexes(lambda now, free: added_index(now, free, name, group, field))
    index = find_index(made.indexes.now(made).indexes, name)
    if index.state == USABLE:
        return made
    _wait_for_writers(made)
    _Build(made, index).run()
    return made.change_indexes(lambda now, _: _with_state(now, index, USABLE))


def drop_index(stored: StoredGraph, name: str) -> StoredGraph:
    """Remove an index and its entries; return the graph without it."""
    index = find_index(stored.indexes.now(stored).indexes, name)
    dropping = stored.change_indexes(lambda now, _: _with_state(now, index, REMOVING))
    entries = IndexEntries(stored, index)
    spec = ScanSpec(ranges=[Range.prefix(entries.start)], authorizations=stored.engine.grants)
    with stored.engine.scan(entries.table, spec, batch_cells=BATCH_CELLS) as batches:
        for batch in batches:
            stored.engine.write(
                {entries.table: markers(batch)}, authorizations=stored.engine.grants
            )
    return dropping.change_indexes(lambda now, _: [one for one in now if one.name != name])


def markers(batch: CellBatch) -> MutationBatch:
    """Return a delete marker for each cell."""
    count = len(batch)
    nothing = BytesColumn.of([b""] * count)
    keys = batch.row, batch.family, batch.qualifier, batch.visibility
    return MutationBatch(CellBatch(*keys, [0] * count, b"\1" * count, nothing), bytes(count))


def _with_state(now: Sequence[StoredIndex], index: StoredIndex, state: str) -> list[StoredIndex]:
    if index.number not in {one.number for one in now}:
        raise Conflict(
            f"index {index.name!r} was dropped while it was built",
            hint="Call graph.index.create to build it again.",
        )
    return [replace(one, state=state) if one.number == index.number else one for one in now]


def _wait_for_writers(stored: StoredGraph) -> None:
    """Raise Conflict while writers may store elements that do not know of the index."""
    with UNGUARDED:
        # No commit of this process is under way that looked at the catalogue before.
        pass
    declared = stored.indexes.now(stored)
    if declared.loading:
        raise Conflict("a bulk load runs, or was killed less than 10 minutes ago", hint=_WAIT)
    others = stored.indexes.other_buffering(declared)
    if others:
        # Commits in the memory of other processes: there are none if there is nobody else.
        stored.engine.check_alone()
        forget_buffering(stored.engine, stored.indexes.row, others)


class _Build:
    """Writes the entries of all elements that are stored."""

    def __init__(self, stored: StoredGraph, index: StoredIndex) -> None:
        self._stored, self._index, self._engine = stored, index, stored.engine
        self._entries = IndexEntries(stored, index)
        self._table = stored.table_of(index.group)

    def run(self) -> None:
        """Write them, some at a time."""
        after: Key | None = None
        size, tries = BATCH_CELLS, 0
        while True:
            try:
                after = self._batch(after, size)
            except Conflict:
                # Others write there. Fewer rows are touched less often.
                tries += 1
                if tries > _TRIES:
                    raise
                size = max(size // 2, 1)
                continue
            if after is None:
                return
            size, tries = min(2 * size, BATCH_CELLS), 0

    def _batch(self, after: Key | None, size: int) -> Key | None:
        """Write the entries of the next cells; return the last key, ``None`` at the end."""
        engine = self._engine
        checks = engine.capabilities.transactions
        with engine.snapshot() if checks else nullcontext() as seen:
            rest = Range() if after is None else Range(after, False)
            cells = self._read(rest, size, seen)
            if not len(cells):
                return None
            last = cells[-1].key
            self._check_kept()
            made = self._entries.of_cells(cells, deleted=False)
            if made is not None:
                read = (self._table, Range(rest.start, rest.start_inclusive, last))
                # An element that is deleted meanwhile must not get an entry after that.
                unchanged = None if seen is None else (seen, [read, self._stored.indexes.range])
                batches = {self._entries.table: made}
                engine.write(batches, if_unchanged=unchanged, authorizations=engine.grants)
        return last

    def _read(self, rest: Range, size: int, seen: Snapshot | None) -> CellBatch:
        # Also what a rule hides: which elements those are may depend on the time of the reader.
        raw = self._engine.read_raw(
            self._table, [rest], snapshot=seen, authorizations=self._engine.grants
        )
        found: list[CellBatch] = []
        for batch in raw:
            found.append(batch[: size - sum(map(len, found))])
            if sum(map(len, found)) >= size:
                break
        return CellBatch.concat(found)

    def _check_kept(self) -> None:
        now = self._stored.indexes.now(self._stored).kept
        if self._index.number not in {one.number for one in now if one.state == BUILDING}:
            raise Conflict(
                f"index {self._index.name!r} was dropped or built by others meanwhile",
                hint="Look at graph.index.list().",
            )
