"""Stages that replace the versions of a column by one cell: sums, least, greatest, array sums.

Layer ``store``. The result takes the newest timestamp of the versions before the range's end;
nothing is combined across a delete marker. They do at a merge what they are told, safe or not, and
sums stop at the ends of 64 bits, from the newest version to the oldest, as Accumulo's do.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, ClassVar, Generic, TypeVar

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell
from lexigraph.cells.ranges import Range
from lexigraph.codec.accumulo.counters import counter_for
from lexigraph.errors import InvalidBytes, InvalidOption
from lexigraph.store.stages.base import CellSource, Families, StageContext, StageScope
from lexigraph.store.stages.cells.cell_stage import CellStage, from_column_start
from lexigraph.store.stages.options import BOOL, COLUMN, StageOption, array, choice

Combined = TypeVar("Combined")

_ENCODINGS = {"varlen": "VARLEN", "fixed": "FIXEDLEN", "text": "STRING"}
_COMMON = (
    StageOption("columns", array(COLUMN, minimum=1)),
    StageOption("lossy", BOOL, default=False),
    StageOption("full_merge_only", BOOL, default=False),
)


class Combiner(CellStage, Generic[Combined]):
    """What all combiners share: which columns, which scope, what to do with bad values."""

    combines = True
    combines_versions = True
    default_priority = 15
    options: ClassVar[tuple[StageOption, ...]] = _COMMON

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        columns = self.settings["columns"]
        if columns is not None and len(set(columns)) < len(columns):
            raise InvalidOption(f"option 'columns' of stage {self.name!r} names a column twice")
        self._columns = None if columns is None else frozenset(columns)
        if self.settings["full_merge_only"] and context.scope is StageScope.MERGE:
            self._columns = frozenset()

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield one cell for each combined column; other cells and delete markers as they are."""
        cells = self.source.scan(from_column_start(range), families)
        for _, group in groupby(cells, key=lambda cell: (cell[:4], cell.deleted)):
            for cell in self._combined(group):
                if not range.before(cell):
                    yield cell

    def _combined(self, versions: Iterator[Cell]) -> Iterator[Cell]:
        newest = next(versions)
        if newest.deleted or not self._wants(newest):
            yield newest
            yield from versions
            return
        yield newest._replace(value=self.combine(self._items(newest, versions)))

    def _wants(self, cell: Cell) -> bool:
        if self._columns is None:
            return True
        column = cell.family, cell.qualifier
        return column in self._columns or (cell.family, None) in self._columns

    def _items(self, newest: Cell, others: Iterator[Cell]) -> Iterator[Combined]:
        yield from self._decoded(newest)
        for cell in others:
            yield from self._decoded(cell)

    def _decoded(self, cell: Cell) -> Iterator[Combined]:
        try:
            item = self.decode(cell.value)
        except InvalidBytes as error:
            if self.settings["lossy"] and not error.context.get("negative_length"):
                return
            raise InvalidBytes(
                f"stage {self.name!r} cannot read the value of {cell.key}: {error.message}",
                hint="Set lossy to skip such values, or choose other columns.",
            ) from error
        yield item

    @abstractmethod
    def decode(self, value: bytes) -> Combined:
        """Read one value; InvalidBytes when it cannot be read."""

    @abstractmethod
    def combine(self, items: Iterator[Combined]) -> bytes:
        """Combine the items of a column, newest first, into a value."""


class _Counters(Combiner[Combined]):
    options = (StageOption("encoding", choice(*_ENCODINGS), required=True), *_COMMON)

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        self._counter = counter_for(_ENCODINGS[self.settings["encoding"]])


class _Numbers(_Counters[int]):
    def decode(self, value: bytes) -> int:
        """Read a number."""
        return self._counter.decode(value)


class SumStage(_Numbers):
    """Add up the versions; nothing readable gives 0."""

    name = "sum"

    def combine(self, items: Iterator[int]) -> bytes:
        """Add up."""
        total = 0
        for item in items:
            total = saturating_add(total, item)
        return self._counter.encode(total)


class MinStage(_Numbers):
    """Keep the least; nothing readable gives the largest number."""

    name = "min"

    def combine(self, items: Iterator[int]) -> bytes:
        """Choose the least."""
        return self._counter.encode(min(items, default=MAX_TIMESTAMP))


class MaxStage(_Numbers):
    """Keep the greatest; nothing readable gives the smallest number."""

    name = "max"

    def combine(self, items: Iterator[int]) -> bytes:
        """Choose the greatest."""
        return self._counter.encode(max(items, default=MIN_TIMESTAMP))


class SumArray(_Counters[list[int]]):
    """Add up arrays place by place; a shorter one counts as filled up with zeros."""

    name = "sum-array"

    def decode(self, value: bytes) -> list[int]:
        """Read an array."""
        return self._counter.decode_array(value)

    def combine(self, items: Iterator[list[int]]) -> bytes:
        """Add up place by place."""
        totals: list[int] = []
        for item in items:
            totals += [0] * (len(item) - len(totals))
            for place, number in enumerate(item):
                totals[place] = saturating_add(totals[place], number)
        return self._counter.encode_array(totals)


def saturating_add(left: int, right: int) -> int:
    """Add two 64-bit numbers; beyond the ends the end is the answer.

    >>> saturating_add(MAX_TIMESTAMP, 1) == MAX_TIMESTAMP
    True
    """
    return max(MIN_TIMESTAMP, min(MAX_TIMESTAMP, left + right))
