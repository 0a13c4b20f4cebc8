"""Adding elements: read, checked, merged in batches, and written batch by batch.

Layer ``graph``. A batch is stored whole or not at all. Memory does not grow with what is added, so
a generator may go on for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lexigraph.errors import LexigraphError, UnsupportedError
from lexigraph.graph.batching import Batching
from lexigraph.graph.checking import Checking
from lexigraph.graph.encoding import Encoded, TableEncoder
from lexigraph.graph.given import iter_given
from lexigraph.graph.rows_in import (
    RowClass,
    group_of_frame,
    is_frame,
    iter_tables,
    rows_of,
)
from lexigraph.graph.stored import StoredGraph
from lexigraph.store import MutationBatch

BATCH_ELEMENTS = 20_000
BATCH_ROWS = 131_072
"""How many rows of a data frame are written at once: they take less memory than elements do."""
MAX_KEPT = 1000
"""How many skipped elements a report tells of one by one."""

Write = Callable[[Mapping[str, MutationBatch]], int | None]
"""Writes batches by table and gives the commit timestamp; ``None`` where that comes later."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An element that was not added, and why."""

    number: int
    element: Any
    property: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of an add."""

    added: int = 0
    """How many elements were stored, equal ones each counted."""
    skipped_count: int = 0
    skipped: tuple[Skipped, ...] = field(default=(), repr=False)
    """The first of those that were skipped."""
    commits: int = 0
    timestamp: int | None = None
    """The last commit, in microseconds."""

    def __len__(self) -> int:
        """Return how many were stored."""
        return self.added


class Adder:
    """Adds elements to one graph.

    >>> from lexigraph.schema import Vertex, schema_of
    >>> from lexigraph.store import MemoryEngine
    >>> class Person(Vertex, summary=True):
    ...     id: str
    >>> graph = StoredGraph.create(MemoryEngine(), "people", schema_of(Person))
    >>> Adder(graph, graph.engine.write).add([Person("ann"), {"group": "Person", "vertex": "bob"}])
    AddReport(added=2, skipped_count=0, commits=1, timestamp=...)
    """

    def __init__(
        self, stored: StoredGraph, write: Write, *, batch_elements: int | None = None
    ) -> None:
        self.stored, self._write = stored, write
        self._size = batch_elements or BATCH_ELEMENTS
        self._rows = batch_elements or BATCH_ROWS

    def add(self, elements: Any, *, group: Any = None, skip_invalid: bool = False) -> AddReport:
        """Add elements, or the rows of a data frame, or dicts, as elements of ``group``.

        The first that does not fit is a ValidationError, which says which one and why; nothing of
        its batch is stored. With ``skip_invalid`` the others are stored and the report has reasons.
        """
        adding = _Adding(self, skip_invalid=skip_invalid)
        if is_frame(elements):
            named = group_of_frame(elements, group, self.stored.schema)
            encoder = TableEncoder(self.stored, named)
            of = RowClass.of(group, self.stored.schema.group(named))
            for table in iter_tables([elements], self._rows, of):
                adding.take_table(encoder, named, table)
        else:
            rows: RowClass | None = None
            if group is not None:
                named = group_of_frame(elements, group, self.stored.schema)
                rows = RowClass.of(group, self.stored.schema.group(named))
            for item in iter_given(elements):
                is_row = isinstance(item, Mapping) and "group" not in item
                adding.take({**rows.row(item), "group": named} if rows and is_row else item)
        return adding.finish()


class _Adding:
    """One call of ``add``."""

    def __init__(self, adder: Adder, *, skip_invalid: bool) -> None:
        self._adder, self._stored, self._skips = adder, adder.stored, skip_invalid
        self._checking = Checking(adder.stored)
        self._batching = Batching(adder.stored)
        self._number = self._added = self._commits = self._skipped_count = 0
        self._skipped: list[Skipped] = []
        self._timestamp: int | None = None

    def take(self, item: Any) -> None:
        """Check an element and keep it for the next write."""
        number, self._number = self._number, self._number + 1
        try:
            self._checking.take(item, number, self._batching)
        except UnsupportedError:
            raise
        except LexigraphError as error:
            if not self._skips:
                raise self._refused(error) from error
            self._skip(number, item, error)
            return
        if self._batching.elements >= self._adder._size:
            self._flush()

    def take_table(self, encoder: TableEncoder, group: str, table: Any) -> None:
        """Write the rows of an Arrow table as elements of a group."""
        self._flush()
        encoded = encoder.encode(table, now=self._checking.now, skips=self._skips)
        refused = None if encoded is None else self._refuse(encoded, group, table)
        if encoded is None or refused is None:
            for start in range(0, len(table), self._adder._size):
                for row in rows_of(group, table.slice(start, self._adder._size)):
                    self.take(row)
            return
        for number, row, error in refused:
            if not self._skips:
                raise self._refused(error) from error
            self._skip(number, row, error)
        self._number += len(table)
        if encoded.batch is not None:
            self._commit({self._stored.table_of(group): encoded.batch}, encoded.count)

    def finish(self) -> AddReport:
        """Write what is left and report."""
        self._flush()
        return AddReport(
            self._added,
            self._skipped_count,
            tuple(self._skipped),
            self._commits,
            self._timestamp,
        )

    def _refuse(
        self, encoded: Encoded, group: str, table: Any
    ) -> list[tuple[int, Any, LexigraphError]] | None:
        """Say what is wrong with the rows that the core refused; ``None`` if nothing is."""
        refused = []
        for at in encoded.bad:
            [row] = rows_of(group, table.slice(at, 1))
            try:
                self._checking.take(row, self._number + at, Batching(self._stored))
            except UnsupportedError:
                raise
            except LexigraphError as error:
                refused.append((self._number + at, row, error))
            else:
                return None
        return refused

    def _flush(self) -> None:
        if count := self._batching.elements:
            self._commit(self._batching.take(), count)
        # Rules about age look at the clock once for each batch.
        self._checking = Checking(self._stored)

    def _commit(self, batches: Mapping[str, MutationBatch], count: int) -> None:
        self._timestamp = self._adder._write(batches)
        self._added += count
        self._commits += 1

    def _skip(self, number: int, item: Any, error: LexigraphError) -> None:
        self._skipped_count += 1
        if len(self._skipped) < MAX_KEPT:
            reason = getattr(error, "reason", None) or str(error)
            self._skipped.append(Skipped(number, item, getattr(error, "property", None), reason))

    def _refused(self, error: LexigraphError) -> LexigraphError:
        stored = f"{self._added} elements of earlier batches are stored" if self._added else "none"
        hint = f"Mend it and add again, or skip_invalid=True. What was stored before it: {stored}."
        error.context["stored"] = self._added
        error.hint = hint
        return error
