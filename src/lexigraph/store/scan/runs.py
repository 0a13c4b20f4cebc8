"""Runs: sorted, immutable lists of cells, and their merge.

Layer ``store``. At fully equal keys the cell written later comes first: within a run by how it is
built, between runs because newer ones are merged first.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import pairwise

from lexigraph.cells.cell import Cell, Key, order
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidKey
from lexigraph.store.stages.base import Families

_EVERY = Families()


class Run:
    """Sorted cells that never change.

    >>> run = Run.written([Cell(b"b", timestamp=1), Cell(b"a", timestamp=1)])
    >>> [cell.row for cell in run.cells], run.touches(Range.row(b"c"))
    ([b'a', b'b'], False)
    """

    __slots__ = ("cells",)

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.cells = cells

    @staticmethod
    def written(cells: Iterable[Cell]) -> Run:
        """Make a run of cells in the order of their writing."""
        latest_first = list(cells)[::-1]
        return Run(sorted(latest_first, key=order))

    @staticmethod
    def sorted_already(cells: Iterable[Cell]) -> Run:
        """Make a run of cells that must be in order; the first that is not is named."""
        listed = list(cells)
        check_sorted(listed)
        return Run(listed)

    def scan(self, range: Range, families: Families = _EVERY) -> Iterator[Cell]:
        """Give the cells of a range."""
        first, last = self._span(range)
        for cell in _between(self.cells, first, last):
            if families.wanted(cell.family):
                yield cell

    def touches(self, range: Range) -> bool:
        """Tell whether any cell lies in a range."""
        first, last = self._span(range)
        return first < last

    def inside(self, range: Range) -> Run:
        """Return the cells of a range as a run."""
        first, last = self._span(range)
        return Run(self.cells[first:last])

    def outside(self, range: Range) -> Run:
        """Return the cells that are not in a range as a run."""
        first, last = self._span(range)
        return Run([*self.cells[:first], *self.cells[last:]])

    def without(self, columns: Iterable[tuple[bytes, bytes, bytes, bytes, bool]]) -> Run:
        """Return the cells without those of columns; a column says whether its cells delete."""
        gone: set[int] = set()
        for *key, deleted in columns:
            column = tuple(key)
            place = bisect_left(self.cells, column, key=_column)
            while place < len(self.cells) and _column(self.cells[place]) == column:
                if self.cells[place].deleted == deleted:
                    gone.add(place)
                place += 1
        if not gone:
            return self
        return Run([cell for place, cell in enumerate(self.cells) if place not in gone])

    def _span(self, item: Range) -> tuple[int, int]:
        first, last = 0, len(self.cells)
        if item.start is not None:
            first = self._place(item.start, behind=not item.start_inclusive)
        if item.end is not None:
            last = self._place(item.end, behind=item.end_inclusive)
        return first, last

    def _place(self, key: Key, *, behind: bool) -> int:
        bisect = bisect_right if behind else bisect_left
        return bisect(self.cells, order(key), key=order)

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.cells)

    def __repr__(self) -> str:
        """Show how much it holds."""
        return f"Run({len(self)} cells)"


def check_sorted(cells: Sequence[Cell]) -> None:
    """Refuse cells that are not in order, naming the first that is not."""
    for number, (left, right) in enumerate(pairwise(cells), 1):
        if order(left) > order(right):
            raise InvalidKey(
                f"cell {number} is out of order: {right.key} comes after {left.key}",
                hint="Sort the cells by key, timestamps descending, or use write().",
                cell=number,
            )


def _column(cell: Cell) -> tuple[bytes, ...]:
    return cell[:4]


def _between(cells: Sequence[Cell], first: int, last: int) -> Iterator[Cell]:
    # A slice would copy the whole range before the first cell is asked for.
    return (cells[index] for index in range(first, last))


class MergedRuns:
    """Several runs, given oldest first, as one source."""

    __slots__ = ("runs",)

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = runs

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Give the cells of a range in order."""
        parts = [run.scan(range, families) for run in reversed(self.runs)]
        return parts[0] if len(parts) == 1 else merge(*parts, key=order)

    def touches(self, range: Range) -> bool:
        """Return whether any cell lies in a range."""
        return any(run.touches(range) for run in self.runs)

    def rows(self, range: Range) -> list[bytes]:
        """Return the rows of a range that have cells, in order."""
        return sorted({cell.row for run in self.runs for cell in run.inside(range).cells})


def join_small(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Join the newest runs while the older is at most twice as long, without any stage.

    Readers see no difference; a table of n cells then has about log n runs.
    """
    joined = list(runs)
    while len(joined) > 1 and len(joined[-2]) <= 2 * len(joined[-1]):
        newer, older = joined.pop(), joined.pop()
        joined.append(Run(sorted([*newer.cells, *older.cells], key=order)))
    return tuple(joined)
