"""Tables of records as facts to write: rows that fit are encoded, the others refused or skipped.

Layer ``graph``. The core encodes a table as a whole and numbers the rows that do not fit; these are
explained by the fitter of records, in the same words for every path. A table that the core does
not take goes row by row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lexigraph.errors import LexigraphError, UnsupportedError
from lexigraph.graph.write.records.fitting import RecordFitter
from lexigraph.graph.write.records.options import RecordOptions
from lexigraph.graph.write.rows.shaping import Shaped, Shaping
from lexigraph.graph.write.rows.sifting import RowProblem, Sifter, placed
from lexigraph.graph.write.rows.skips import Skips
from lexigraph.graph.write.rows_in import gathered, rows_of
from lexigraph.layout.records.write.changes import AddEdge, AddVertex
from lexigraph.layout.write.facts.encoding import EncodedFacts, FactOptions, FactTableEncoder
from lexigraph.layout.write.writer import Writer

Sifted = EncodedFacts | list[AddVertex | AddEdge]
"""What became of some rows: their cells, or the changes that add them."""


class RecordSifter(Sifter):
    """Reads the frames of one call. ``encoder`` ``None`` has all rows come one by one."""

    def __init__(
        self,
        writer: Writer,
        shaping: Shaping,
        skips: Skips | None,
        fitter: RecordFitter,
        how: RecordOptions,
        encoder: FactTableEncoder | None,
    ) -> None:
        super().__init__(writer, shaping, skips)
        self._fitter, self._how, self._encoder = fitter, how, encoder

    def sift(self, shaped: Shaped, stamp: int) -> Sifted:
        """Return what a table adds; ``stamp`` is when rows with a time of their own are written."""
        first, self._first = self._first, self._first + len(shaped.table)
        return self._sift(shaped, first, stamp)

    def _sift(self, shaped: Shaped, first: int, stamp: int) -> Sifted:
        table, places = shaped.table, None
        problems = list(self._unread(shaped))
        if problems and self._skips is None:
            # The first row that does not fit is the one to report, and it may come earlier.
            self._sift(Shaped(table.slice(0, problems[0][0])), first, stamp)
            raise self._error(first, problems[0])
        if problems:
            places = [at for at in range(len(table)) if at not in shaped.bad]
            table = gathered(table, places)
        encoded = self._encoded(table, stamp)
        found = None if encoded is None else self._problems(encoded, table, first)
        if encoded is None or found is None:
            self._skip(first, problems)
            return list(self._changes(table, places, first))
        self._skip(first, problems + placed(found, places))
        return encoded

    def _encoded(self, table: Any, stamp: int) -> EncodedFacts | None:
        how = self._how
        if self._encoder is None or how.replace or how.new:
            return None
        options = FactOptions(how.visibility or b"", how.time, how.note, stamp)
        return self._encoder.encode(table, options, skips=self._skips is not None)

    def _problems(self, encoded: EncodedFacts, table: Any, first: int) -> list[RowProblem] | None:
        """Return what is wrong with the rows that the core refused; ``None`` if nothing is."""
        problems: list[RowProblem] = []
        for at, row in zip(encoded.bad, self._rows(table, encoded.bad), strict=True):
            found = self._fitted(row, self._numbers.place(first + at))
            if not isinstance(found, tuple):
                return None
            problems.append((at, row, *found))
        return problems

    def _changes(
        self, table: Any, places: list[int] | None, first: int
    ) -> Iterator[AddVertex | AddEdge]:
        for at, row in enumerate(rows_of(self._group, table, self._readers)):
            number = self._numbers.place(first + (at if places is None else places[at]))
            found = self._fitted(row, number)
            if not isinstance(found, tuple):
                yield found
            elif self._skips is not None:
                self._skips.add(number, row, *found)

    def _fitted(self, row: Any, number: int) -> AddVertex | AddEdge | tuple[str | None, str]:
        given = {name: one for name, one in row.items() if one is not None}
        try:
            return self._fitter.element(given, self._how, number)
        except UnsupportedError:
            raise
        except LexigraphError as error:
            if self._skips is None:
                raise
            return getattr(error, "property", None), getattr(error, "reason", None) or str(error)
