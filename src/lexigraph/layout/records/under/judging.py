"""What a reader sees of rows of tables under an element, of the cells of the element and of rows.

Layer ``layout``; ``spec/facts.md``, section 11. A cell is seen if its element is, and was dated and
written after the element's last end. Most columns have one version, which says a value: these are
read without making facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from lexigraph.cells.cell import Cell
from lexigraph.codec.escape import split_terminated
from lexigraph.codec.kinds.basics import STR
from lexigraph.codec.selfdescribing import ANY
from lexigraph.layout.records.assembling.assembler import column_of
from lexigraph.layout.records.assembling.retention import Retention, retain
from lexigraph.layout.records.assembling.versions import judge
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    FactState,
    HideFact,
    RequiredFact,
    ValueFact,
)
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.rows import RecordRows
from lexigraph.layout.records.subjects import EdgeSubject, RowSubject, VertexSubject
from lexigraph.layout.records.values import encode_fact_value
from lexigraph.security import LabelCache

_PLAIN = b"\x01\x00"
"""What the value of a cell starts with that says a value and nothing besides."""


class SeenCell(NamedTuple):
    """One value of a row."""

    name: str
    key: bytes
    visibility: bytes
    value: Any
    time: int
    written: int
    raw: bytes
    """The value as it is stored: of equal times the greater one is the newer."""

    @property
    def rank(self) -> tuple[int, int, bytes]:
        """What cells of one name are ordered by."""
        return self.time, self.written, self.raw


def newest_cell(cells: Iterable[SeenCell]) -> SeenCell:
    """Return the newest of some cells; of equal ones that of the smallest key and visibility."""
    # They come by key and visibility, and the first of the greatest is returned.
    return max(cells, key=lambda one: one.rank)


class SeenRow(NamedTuple):
    """A row: its id, and its cells by name, key and visibility."""

    id: Any
    cells: list[SeenCell]


@dataclass(frozen=True, slots=True)
class Cover:
    """Until when the cells of rows ended with their element; ``None`` if none did."""

    end: int | None = None
    before: int | None = None
    """Cells from before this time ended with all existences; of the same commit are new ones."""

    def holds(self, time: int, written: int) -> bool:
        """Return whether a cell is newer than the ends."""
        least = min(time, written)
        if self.before is not None and least < self.before:
            return False
        return self.end is None or least > self.end


def ended_before(facts: Iterable[AnyFact], as_of: int | None) -> int | None:
    """Return the time before which all rows under an element ended, of the versions of its mark."""
    times = (
        one.time
        for one in facts
        if one.state is FactState.REMOVED or as_of is None or one.time <= as_of
    )
    return max(times, default=None)


def cover_of(facts: Iterable[AnyFact], reading: RecordReading) -> Cover | None:
    """Return what covers the rows under an element, of its facts; ``None`` if it is not seen."""
    labels, live, ends = LabelCache(reading.authorizations), False, list[int | None]()
    for _, versions in groupby(facts, key=column_of):
        listed = list(versions)
        first = listed[0]
        if not labels.can_see(first.visibility):
            continue
        judged = judge(listed, None if isinstance(first, RequiredFact) else reading.as_of)
        said = judged.said
        if isinstance(said, RequiredFact) and not labels.can_see(said.expression):
            return None
        if isinstance(said, HideFact) and not reading.hints.hidden:
            return None
        if isinstance(said, ExistenceFact):
            live, ends = True, [*ends, judged.end]
    if not live:
        return None
    return Cover(None if None in ends else min(one for one in ends if one is not None))


class RowJudge:
    """Makes rows of the cells of one table, in the order of cells."""

    def __init__(
        self,
        rows: RecordRows,
        element: VertexSubject | EdgeSubject,
        retention: Retention,
        as_of: int | None,
        cover: Cover,
        now: int,
    ) -> None:
        self._rows, self._part = rows, rows.table_of(element)
        self._retention, self._now = retention, now
        self._as_of, self._cover = as_of, cover
        self.mark = rows.row_of(RowSubject.mark_of(element))
        """The row that comes before all tables; its cells must be among those that are judged."""
        self._names: dict[bytes, tuple[str, bytes]] = {}

    def rows(self, cells: Iterable[Cell], prefix: int) -> Iterator[SeenRow]:
        """Yield the rows of which something is seen; their ids follow ``prefix`` bytes."""
        for row, of_row in groupby(cells, key=lambda cell: cell.row):
            if row == self.mark:
                self._take_mark(of_row)
                continue
            found = list(self._seen(of_row))
            if found:
                yield SeenRow(ANY.decode(row[prefix:]), found)

    def first_table(self, cells: Iterable[Cell]) -> str | None:
        """Return the table of the first row of which something is seen."""
        for row, of_row in groupby(cells, key=lambda cell: cell.row):
            if row == self.mark:
                self._take_mark(of_row)
                continue
            for _ in self._seen(of_row):
                subject = self._rows.subject_of(self._part, row)
                return subject.table if isinstance(subject, RowSubject) else None
        return None

    def _take_mark(self, cells: Iterable[Cell]) -> None:
        facts = read_facts(self._rows, self._part, cells)
        self._cover = replace(self._cover, before=ended_before(facts, self._as_of))

    def _seen(self, cells: Iterator[Cell]) -> Iterator[SeenCell]:
        held: list[Cell] = []
        for cell in cells:
            if held and (cell.qualifier, cell.visibility) != (
                held[0].qualifier,
                held[0].visibility,
            ):
                yield from self._judged(held)
                held = []
            held.append(cell)
        yield from self._judged(held)

    def _judged(self, versions: list[Cell]) -> Iterator[SeenCell]:
        cell = versions[0]
        if len(versions) > 1 or cell.value[:2] != _PLAIN:
            yield from self._of_facts(versions)
            return
        time, as_of = cell.timestamp, self._as_of
        if (as_of is None or time <= as_of) and self._cover.holds(time, time):
            name, key = self._named(cell.qualifier)
            value = ANY.decode_value(cell.value[2:])
            yield SeenCell(name, key, cell.visibility, value, time, time, cell.value)

    def _of_facts(self, versions: list[Cell]) -> Iterator[SeenCell]:
        facts = list(read_facts(self._rows, self._part, versions))
        kept: Iterable[AnyFact] = facts
        if self._retention.keeps_less:
            kept = retain(facts, self._retention, self._now)
        one = judge(kept, self._as_of).said
        if isinstance(one, ValueFact) and self._cover.holds(one.time, one.written):
            raw = encode_fact_value(one)
            yield SeenCell(one.name, one.key, one.visibility, one.value, one.time, one.written, raw)

    def _named(self, qualifier: bytes) -> tuple[str, bytes]:
        found = self._names.get(qualifier)
        if found is None:
            name, end = split_terminated(qualifier, 0)
            found = STR.decode(name), qualifier[end:]
            if len(self._names) < 1000:
                self._names[qualifier] = found
        return found
