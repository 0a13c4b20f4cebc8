"""Tables of rows under an element: which there are, and their rows, as a reader sees them.

Layer ``plan``. The element is judged first; then exactly the rows that are asked for are read. Both
are read at one moment, if the engine has snapshots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any

from lexigraph.cells.ranges import Range, trusted_rows
from lexigraph.codec.prefix import following_prefix, successor
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import show
from lexigraph.layout.records.assembling.retention import Retention
from lexigraph.layout.records.families import CELL, EXISTENCE, HIDE, REQUIRED
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.under.judging import (
    Cover,
    RowJudge,
    SeenCell,
    SeenRow,
    cover_of,
    newest_cell,
)
from lexigraph.plan.branches.cells import BATCH_CELLS
from lexigraph.plan.records.found import FoundValue, shown_moment, shown_visibility
from lexigraph.plan.records.reading import RecordReader
from lexigraph.plan.records.steps import fetched_hints
from lexigraph.plan.scope import Scope

ROWS = "rows of a table"
_FEW = 64
"""How many cells are read to find the first row of a table."""


@dataclass(frozen=True, slots=True)
class TableSpan:
    """Some rows of a table: from ``start`` up to and without ``stop``, by the keys of their ids.

    ``prefix`` is what the ids start with, ``after`` an id that rows come after; ``None`` is no
    bound.
    """

    start: Any = None
    stop: Any = None
    prefix: str | bytes | None = None
    after: Any = None

    def range(self, table: bytes) -> Range | None:
        """Return the range of the rows of a table that start so; ``None`` if there are none."""
        lows, highs = [table], [following_prefix(table) or b""]
        if self.start is not None:
            lows.append(table + ANY.encode(self.start))
        if self.after is not None:
            lows.append(successor(table + ANY.encode(self.after)))
        if self.stop is not None:
            highs.append(table + ANY.encode(self.stop))
        if self.prefix is not None:
            # The key form of text ends with a byte of its own.
            start = table + ANY.encode(self.prefix)[:-1]
            lows.append(start)
            highs.append(following_prefix(start) or b"")
        low, high = max(lows), min(highs)
        return trusted_rows(low, high) if low < high else None


ALL_ROWS = TableSpan()
"""A whole table."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundRow(Mapping[str, Any]):
    """One row of a table: its id, and the newest value of each column, by name."""

    id: Any
    cells: tuple[SeenCell, ...] = field(repr=False)
    _newest: Mapping[str, Any] = field(repr=False)

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Compare the values, and the ids if both are rows."""
        if isinstance(other, FoundRow) and (self.id, type(self.id)) != (other.id, type(other.id)):
            return False
        return isinstance(other, Mapping) and dict(self) == dict(other)

    @staticmethod
    def of(row: SeenRow) -> FoundRow:
        """Return a row as it was judged."""
        named: dict[str, list[SeenCell]] = {}
        for one in row.cells:
            named.setdefault(one.name, []).append(one)
        newest = {name: newest_cell(held).value for name, held in named.items()}
        return FoundRow(row.id, tuple(row.cells), newest)

    def values_of(self, column: str) -> tuple[FoundValue, ...]:
        """Return all values of a column that the reader sees, by key and visibility."""
        return tuple(_shown(one) for one in self.cells if one.name == column)

    def all_values(self) -> tuple[FoundValue, ...]:
        """Return the values of all columns, with who may see them and since when they are there."""
        return tuple(map(_shown, self.cells))

    def __getitem__(self, column: str) -> Any:
        """Return the newest value of a column; KeyError if the row has none."""
        return self._newest[column]

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the columns that have a value."""
        return iter(self._newest)

    def __len__(self) -> int:
        """Return how many columns have a value."""
        return len(self._newest)

    def __repr__(self) -> str:
        """Show id and values."""
        return f"<row {show(self.id)}: {dict(self._newest)!r}>"


@dataclass(frozen=True, slots=True)
class TablesUnder:
    """The tables under one vertex or edge, as a scope reads them."""

    element: VertexSubject | EdgeSubject
    scope: Scope

    @staticmethod
    def of(kind: str, record: Any, scope: Scope) -> TablesUnder:
        """Return those of the vertex or the edge of an id."""
        return TablesUnder(
            VertexSubject(record) if kind == "vertex" else EdgeSubject(record), scope
        )

    def names(self) -> Iterator[str]:
        """Yield the names of the tables that have a row which is seen, in their order."""
        with ExitStack() as opened:
            read = self._opened(opened)
            judge = None if read is None else self._judge(read)
            if read is None or judge is None:
                return
            rows, part = read.tables.rows, read.tables.rows.table_of(self.element)
            start = rows.under_prefix(self.element)
            end = following_prefix(start) or b""
            while start < end:
                # The next table starts after all rows of this one, which need not be read.
                batches = read.batches(ROWS, part, [trusted_rows(start, end)], (CELL,), _FEW)
                name = judge.first_table(chain.from_iterable(batches))
                if name is None:
                    return
                yield name
                start = following_prefix(rows.under_prefix(self.element, name)) or end

    def rows(
        self, table: str, span: TableSpan = ALL_ROWS, limit: int | None = None
    ) -> Iterator[FoundRow]:
        """Yield the rows of a table of which something is seen, in the order of their ids."""
        with ExitStack() as opened:
            read = self._opened(opened)
            if read is None:
                return
            rows = read.tables.rows
            prefix, part = rows.under_prefix(self.element, table), rows.table_of(self.element)
            asked = span.range(prefix)
            judge = None if asked is None or limit == 0 else self._judge(read)
            if judge is None or asked is None:
                return
            size = BATCH_CELLS if limit is None else min(BATCH_CELLS, 16 * (limit + 1))
            ranges = [Range.row(judge.mark), asked]
            cells = chain.from_iterable(read.batches(ROWS, part, ranges, (CELL,), size))
            yield from map(FoundRow.of, islice(judge.rows(cells, len(prefix)), limit))

    def row(self, table: str, id: Any) -> FoundRow | None:  # noqa: A002 - the word for it
        """Return one row, or ``None`` if nothing of it is seen."""
        with ExitStack() as opened:
            read = self._opened(opened)
            judge = None if read is None else self._judge(read)
            if read is None or judge is None:
                return None
            rows = read.tables.rows
            prefix, part = rows.under_prefix(self.element, table), rows.table_of(self.element)
            ranges = [Range.row(judge.mark), Range.row(prefix + ANY.encode(id))]
            cells = chain.from_iterable(read.batches(ROWS, part, ranges, (CELL,)))
            found = next(judge.rows(cells, len(prefix)), None)
            return None if found is None else FoundRow.of(found)

    def _opened(self, opened: ExitStack) -> RecordReader | None:
        """Return what reads at one moment; ``None`` if the reader sees nothing."""
        scope, tables = self.scope, self.scope.keys.record_tables
        tables.check_as_of(scope.as_of, scope.time)
        if scope.sees_nothing:
            return None
        if scope.snapshot is None and scope.engine.capabilities.snapshots:
            scope = replace(scope, snapshot=opened.enter_context(scope.engine.snapshot()))
        return RecordReader(tables, scope)

    def _judge(self, read: RecordReader) -> RowJudge | None:
        """Return what judges rows, if the element is seen."""
        tables, scope, element = read.tables, read.scope, self.element
        vertex = isinstance(element, VertexSubject)
        own = tables.vertices([element.id]) if vertex else tables.edges([element.id])
        part = tables.rows.table_of(element)
        reading = RecordReading(scope.authorizations, scope.as_of, fetched_hints(scope.fetch))
        families = (REQUIRED, EXISTENCE, HIDE)
        cover: Cover | None = cover_of(read.facts("element", part, own, families), reading)
        if cover is None:
            return None
        retention = tables.retentions.get("vertex" if vertex else "edge", Retention())
        return RowJudge(tables.rows, element, retention, reading.as_of, cover, scope.time)


def _shown(cell: SeenCell) -> FoundValue:
    return FoundValue(
        cell.name, cell.value, cell.key, shown_visibility(cell.visibility), shown_moment(cell.time)
    )
