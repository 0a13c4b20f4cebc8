"""Tables of one group as cells to write: rows that fit are encoded, the others refused or skipped.

Layer ``graph``. Adding and loading share it. The native core encodes a table as a whole and numbers
the rows that do not fit; these are explained all together by the validator, in the same words for
every path. A table that the core does not know goes row by row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from lexigraph.errors import LexigraphError, UnsupportedError, ValidationError, show
from lexigraph.graph.write.checking import Checking
from lexigraph.graph.write.rows.files import RowNumbers
from lexigraph.graph.write.rows.shaping import Shaped, Shaping
from lexigraph.graph.write.rows.skips import Skips
from lexigraph.graph.write.rows_in import gathered, iter_tables, rows_of
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.write.changes import Add
from lexigraph.layout.write.encoding import Encoded
from lexigraph.layout.write.writer import Writer

FEW_ROWS = 20
"""So few rows are looked at one by one; for more, all are read at once."""
RowProblem = tuple[int, Any, str | None, str]
"""A row of a table, what it holds, the field that does not fit, and why."""


class Sifter:
    """Reads the frames of one call. ``skips`` takes the rows that do not fit, if they may."""

    def __init__(self, writer: Writer, shaping: Shaping, skips: Skips | None) -> None:
        self._writer, self._shaping, self._skips = writer, shaping, skips
        self._group, self._readers = shaping.group.name, shaping.readers
        self._numbers = RowNumbers(skips)
        self._first = 0

    def tables(self, frames: Iterable[Any], rows: int) -> Iterator[Shaped]:
        """Yield frames and files as tables of at most so many rows."""
        for table in iter_tables(frames, rows, self._shaping, self._numbers):
            yield self._shaping.table(table)

    def batches(
        self, shaped: Shaped, checking: Checking, rows_at_once: int
    ) -> Iterator[tuple[Changed, int]]:
        """Yield the changes that a table makes, and how many elements they are.

        All at once where the core encodes them, else of so many rows at a time.
        """
        first, self._first = self._first, self._first + len(shaped.table)
        yield from self._batches(shaped, first, checking, rows_at_once)

    def _batches(
        self, shaped: Shaped, first: int, checking: Checking, rows_at_once: int
    ) -> Iterator[tuple[Changed, int]]:
        table, places = shaped.table, None
        problems = list(self._unread(shaped))
        if problems and self._skips is None:
            # The first row that does not fit is the one to report, and it may come earlier.
            before = Shaped(table.slice(0, problems[0][0]))
            for _ in self._batches(before, first, checking, rows_at_once):
                pass
            raise self._error(first, problems[0])
        if problems:
            places = [at for at in range(len(table)) if at not in shaped.bad]
            table = gathered(table, places)
        skips = self._skips is not None
        encoded = self._writer.encode(self._group, table, now=checking.now, skips=skips)
        found = None if encoded is None else self._explain(encoded, table, first, checking)
        if encoded is None or found is None:
            self._skip(first, problems)
            yield from self._by_row(table, places, first, checking, rows_at_once)
            return
        self._skip(first, problems + placed(found, places))
        if encoded.batch is not None:
            counts = Counter({self._group: encoded.count})
            yield Changed({self._group: encoded.batch}, added_count=counts), encoded.count

    def _by_row(
        self,
        table: Any,
        places: list[int] | None,
        first: int,
        checking: Checking,
        rows_at_once: int,
    ) -> Iterator[tuple[Changed, int]]:
        at = 0
        for start in range(0, len(table), rows_at_once):
            for row in rows_of(self._group, table.slice(start, rows_at_once), self._readers):
                place = at if places is None else places[at]
                at += 1
                number = self._numbers.place(first + place)
                fitted = self._offer(row, number, checking)
                if isinstance(fitted, Add):
                    self._writer.take(fitted)
                elif self._skips is not None:
                    self._skips.add(number, row, *fitted)
            if count := self._writer.held:
                yield self._writer.take_added(), count

    def _unread(self, shaped: Shaped) -> Iterator[RowProblem]:
        if not shaped.bad:
            return
        rows = sorted(shaped.bad)
        for at, row in zip(rows, rows_of(self._group, gathered(shaped.raw, rows)), strict=True):
            name, reason = shaped.bad[at]
            yield at, row, name, reason

    def _explain(
        self, encoded: Encoded, table: Any, first: int, checking: Checking
    ) -> list[RowProblem] | None:
        """Return what is wrong with the rows that the core refused; ``None`` if nothing is."""
        problems: list[RowProblem] = []
        for at, row in zip(encoded.bad, self._rows(table, encoded.bad), strict=True):
            number = self._numbers.place(first + at)
            found = self._offer(row, number, checking)
            if isinstance(found, Add):
                return None
            problems.append((at, row, *found))
        return problems

    def _offer(self, row: Any, number: int, checking: Checking) -> Add | tuple[str | None, str]:
        """Return a row as a change, or what does not fit; raise that if none are skipped."""
        if self._skips is None:
            return checking.fit(row, number)
        try:
            return checking.offer(row)
        except UnsupportedError:
            raise
        except LexigraphError as error:
            return getattr(error, "property", None), getattr(error, "reason", None) or str(error)

    def _rows(self, table: Any, rows: list[int]) -> Iterator[Any]:
        if len(rows) < FEW_ROWS:
            for at in rows:
                yield from rows_of(self._group, table.slice(at, 1), self._readers)
            return
        # Arrow gathers no rows of some types, and none of what does not hold together.
        wanted = set(rows)
        for at, row in enumerate(rows_of(self._group, table, self._readers)):
            if at in wanted:
                yield row

    def _skip(self, first: int, problems: list[RowProblem]) -> None:
        for at, row, name, reason in sorted(problems, key=lambda one: one[0]):
            assert self._skips is not None
            self._skips.add(self._numbers.place(first + at), row, name, reason)

    def _error(self, first: int, problem: RowProblem) -> ValidationError:
        at, row, name, reason = problem
        number = self._numbers.place(first + at)
        column = "" if name is None else f"column {self._shaping.caller_name(name)!r}: "
        return ValidationError(
            f"element {number}, {show(row)}: {column}{reason}",
            element=number,
            property=name,
            reason=reason,
        )


def placed(problems: list[RowProblem], places: list[int] | None) -> list[RowProblem]:
    """Return problems of gathered rows with the places that these rows had before."""
    if places is None:
        return problems
    return [(places[at], row, name, reason) for at, row, name, reason in problems]
