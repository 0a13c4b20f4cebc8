"""Accumulo as it is, where Lexigraph answers otherwise on purpose.

A deviation is allowed only when one of these models gives exactly what Accumulo gave: so the tests
know not just that an answer differs but why. Each is described in ``docs/reference/deviations.md``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from lexigraph.cells.cell import Cell, Key, order
from lexigraph.cells.ranges import Range, following_key
from lexigraph.store.stages.base import CellSource, Families, Stage
from lexigraph.store.stages.cells.documents import IntersectDocuments
from lexigraph.store.stages.cells.intersect import Intersect, TermCursor
from lexigraph.store.stages.cells.matches import Regex
from lexigraph.store.stages.cells.rows import DELETED_ROW, RowDelete, is_row_marker
from lexigraph.store.stages.cells.slices import ColumnSlice


class JumpingSlice(ColumnSlice):
    """CfCqSliceSeekingFilter jumps from the first cell of the last qualifier, from every cell that
    ``negate`` lets through, and over delete markers.

    It jumps forwards only: a stage below may return keys before the start of a range, as whole rows
    do, and jumping to the same place again would never end.
    """

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        if not self.settings["seek"]:
            yield from super().scan(range, families)
            return
        rest: Range | None = range
        reached: Key | None = None
        while rest is not None:
            cells, rest = self.source.scan(rest, families), None
            for cell in cells:
                if cell.deleted:
                    yield cell
                    continue
                if self.accepts(cell) is not self.settings["negate"]:
                    yield cell
                target = self._target(cell)
                if target is not None and (reached is None or order(target) > order(reached)):
                    rest, reached = range.starting(target), target
                    break

    def _target(self, cell: Cell) -> Key | None:
        given = self.settings
        low_family, high_family = given["min_family"], given["max_family"]
        low, high = given["min_qualifier"], given["max_qualifier"]
        if low_family is not None and cell.family <= low_family:
            if cell.family < low_family:
                parts = (cell.row, low_family)
                return Key(*parts) if given["min_inclusive"] else following_key(parts)
            if not given["min_inclusive"]:
                return None
        if high_family is not None and (
            cell.family > high_family or (cell.family == high_family and not given["max_inclusive"])
        ):
            return following_key(cell[:1])
        if low is not None and cell.qualifier <= low:
            if cell.qualifier < low:
                columns = (cell.row, cell.family, low)
                return Key(*columns) if given["min_inclusive"] else following_key(columns)
            if not given["min_inclusive"]:
                return None
        return following_key(cell[:2]) if high is not None and cell.qualifier >= high else None


class PreviousBody(IntersectDocuments):
    """IndexedDocIterator gives a missing document the body of the one before, of any row."""

    _last = b""

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        self._last = b""
        yield from super().scan(range, families)

    def _body(self, row: bytes, document: bytes) -> bytes:
        kind, _, name = document.partition(b"\0")
        family = self.settings["document_family"] + b"\0" + kind
        wanted = Families(frozenset({family}), inclusive=True)
        for cell in self.source.scan(Range.exact(row, family, name), wanted):
            self._last = cell.value
            break
        return self._last


class ForgetfulIntersect(Intersect):
    """RegExFilter copied for the second and later terms forgets ``substring`` and ``encoding``."""

    _cursors = 0

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        self._cursors = 0
        yield from super().scan(range, families)

    def _cursor(self, term: bytes, within: Range) -> TermCursor:
        self._cursors += 1
        source = self.source if self._cursors == 1 else _forget(self.source)
        return TermCursor(source, term, self.family_of(term), within)


class EnteredRowDelete(RowDelete):
    """RowDeletingIterator, entering a row behind its start, looks at the first cell of it only."""

    def _marker_before(self, range: Range, wide: Families) -> tuple[bytes | None, int]:
        found = super()._marker_before(range, wide)
        if range.start is None or found[0] is None:
            return found
        start = range.starting(Key(range.start.row))
        first = next(iter(self.source.scan(start, wide)), None)
        return found if first is not None and is_row_marker(first, DELETED_ROW) else (None, 0)


def _forget(source: Any) -> CellSource:
    if isinstance(source, Regex):
        options = {**source.settings, "substring": False, "encoding": "UTF-8"}
        return Regex(_forget(source.source), options, source.context)
    if not hasattr(source, "source"):
        return source  # type: ignore[no-any-return]
    copied = copy.copy(source)
    copied.source = _forget(source.source)
    return copied  # type: ignore[no-any-return]


MODELS: dict[str, type[Stage]] = {
    "seeking slice jumps over cells": JumpingSlice,
    "missing document has another's body": PreviousBody,
    "copied regex forgets its options": ForgetfulIntersect,
    "row marker behind a newer cell is missed": EnteredRowDelete,
}
