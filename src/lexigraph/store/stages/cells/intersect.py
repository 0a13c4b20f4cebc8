"""The stage that finds documents with several terms, in a table partitioned by document.

Layer ``store``. A row is a partition, a family a term, a qualifier a document. The cursors of all
terms leap to the largest document that any of them has reached; where they agree there is a result.
A document comes once for each cell of the first term.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from lexigraph.cells.cell import Cell, Key, leading_key, order
from lexigraph.cells.ranges import Range, following_key
from lexigraph.store.stages.base import CellSource, Families
from lexigraph.store.stages.cells.cell_stage import CellStage
from lexigraph.store.stages.options import BYTES, StageOption, array

DocumentPlace = tuple[bytes, bytes]
"""A row and a document in it."""


class TermCursor:
    """A position among the cells of one term; it only moves forward."""

    def __init__(self, source: CellSource, term: bytes, family: bytes, within: Range) -> None:
        self.term = term
        self.top: Cell | None = None
        self._source = source
        self._families = Families(frozenset({family}), inclusive=True)
        last = within.end
        # Rows behind the last one of the range are nobody's business.
        self._rows = Range(None, True, None if last is None else following_key(last[:1]), False)
        self._cells: Iterator[Cell] = iter(())

    def seek(self, key: Key | None) -> None:
        """Move to the first cell at or behind ``key``."""
        rows = self._rows if key is None else self._rows.starting(key)
        self._cells = self._source.scan(rows, self._families)
        self.advance()
        # A stage below may answer with keys before the range: a leap must not stand still.
        while key is not None and self.top is not None and order(self.top) < order(key):
            self.advance()

    def advance(self) -> None:
        """Move to the next cell."""
        self.top = next(self._cells, None)


class Intersect(CellStage):
    """Give the documents that have all ``terms`` and none of ``negated``.

    A result has the row, an empty family, the document as qualifier and an empty value. A range
    starts at the qualifier of its first key, whatever the family, and ends with a row.
    """

    name = "intersect"
    ends_with_row = True
    default_priority = 45
    options: ClassVar[tuple[StageOption, ...]] = (
        StageOption("terms", array(BYTES, minimum=1), required=True),
        StageOption("negated", array(BYTES), default=[]),
    )

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the matching documents in the order of rows and documents; families are ignored."""
        terms = [self._cursor(term, range) for term in self.settings["terms"]]
        negated = [self._cursor(term, range) for term in self.settings["negated"]]
        for cursor in (*terms, *negated):
            cursor.seek(None if range.start is None else self.start_key(range.start, cursor.term))
        place = self._agree(terms, (b"", b""), range)
        while place is not None:
            if not any(self._stands_at(cursor, place, range) for cursor in negated):
                yield from self.results(place, range)
            terms[0].advance()
            place = self._agree(terms, place, range)

    def _agree(
        self, cursors: list[TermCursor], place: DocumentPlace, range: Range
    ) -> DocumentPlace | None:
        agreed = 0
        while agreed < len(cursors):
            reached = self._leap(cursors[agreed], place, range)
            if reached is None:
                return None
            agreed = agreed + 1 if reached == place else 0
            place = reached
        return place

    def _leap(self, cursor: TermCursor, place: DocumentPlace, range: Range) -> DocumentPlace | None:
        row, document = place
        while (top := cursor.top) is not None and not _ends_before(range, top.row):
            if top.row < row:
                cursor.seek(self.key(row, cursor.term))
            elif top.row > row:
                row, document = top.row, b""
            elif (term := self.term_of(top)) < cursor.term:
                cursor.seek(self.key(row, cursor.term, document))
            elif term > cursor.term:
                cursor.seek(following_key((row,)))
            elif (found := self.document_of(top)) < document:
                cursor.seek(self.key(row, cursor.term, document))
            else:
                return row, found
        return None

    def _stands_at(self, cursor: TermCursor, place: DocumentPlace, range: Range) -> bool:
        row, document = place
        while (top := cursor.top) is not None and not _ends_before(range, top.row):
            if top.row != row:
                if top.row > row:
                    return False
                cursor.seek(self.key(row, cursor.term))
            elif (term := self.term_of(top)) != cursor.term:
                if term > cursor.term:
                    return False
                cursor.seek(self.key(row, cursor.term, document))
            elif (found := self.document_of(top)) >= document:
                return found == document
            else:
                cursor.seek(self.key(row, cursor.term, document))
        return False

    def _cursor(self, term: bytes, within: Range) -> TermCursor:
        return TermCursor(self.source, term, self.family_of(term), within)

    def family_of(self, term: bytes) -> bytes:
        """Return the family that holds a term's cells."""
        return term

    def key(self, row: bytes, term: bytes, document: bytes = b"") -> Key:
        """Return where a document of a term would be."""
        return leading_key(row, term, document)

    def start_key(self, start: Key, term: bytes) -> Key:
        """Return where a term's cells start in a range that starts at ``start``."""
        return self.key(start.row, term, start.qualifier)

    def term_of(self, cell: Cell) -> bytes:
        """Return the term that a cell is about."""
        return cell.family

    def document_of(self, cell: Cell) -> bytes:
        """Return the document that a cell is about."""
        return cell.qualifier

    def results(self, place: DocumentPlace, range: Range) -> Iterator[Cell]:
        """Yield the result for a document that matches."""
        yield Cell(place[0], b"", place[1])


def _ends_before(range: Range, row: bytes) -> bool:
    if range.end is None:
        return False
    return row > range.end.row or (row == range.end.row and not range.end_inclusive)
