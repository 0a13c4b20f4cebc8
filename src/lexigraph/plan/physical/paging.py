"""Part of an answer at a time: elements in key order, from behind a cursor.

Layer ``plan``. Elements merge within a row, so a page begins with the row in which the last one
ended, and leaves out what was given of it. Indexes are not used: their order is not that of keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from lexigraph.cells.cell import order
from lexigraph.cells.ranges import Range
from lexigraph.errors import UsageError
from lexigraph.keyplan.element import StoredElement
from lexigraph.layout.records.subjects import Subject
from lexigraph.plan.branches.aggregators import kept_by
from lexigraph.plan.branches.present import plain_field
from lexigraph.plan.branches.scans import TableScan
from lexigraph.plan.cursor import Cursor, question_mark, short_hash
from lexigraph.plan.element import Element
from lexigraph.plan.logical.elements import Elements
from lexigraph.plan.logical.rows import SortKey
from lexigraph.plan.physical.execute import Branched, Way
from lexigraph.plan.records.branch import RecordBranch
from lexigraph.plan.records.ordering import is_sorted
from lexigraph.plan.scope import Scope


class Placed(NamedTuple):
    """An element of an answer, and where it stands."""

    element: Element
    stored: StoredElement | None
    """As cells gave it; records have none."""
    scan: tuple[int, int]
    row: bytes | Subject
    """Its row, or that of a record, which is made if a page ends there."""
    passed: int


def read_page(asked: Elements, scope: Scope, size: int) -> tuple[list[Element], Cursor | None]:
    """Return so many elements behind the cursor of the scope, and where they end.

    The cursor is ``None`` if there are no more.
    """
    question = question_mark(asked, scope)
    given = 0 if scope.cursor is None else scope.cursor.given
    left = size if asked.limit is None else min(size, asked.limit - given)
    found: list[Placed] = []
    placed: Any = iter_placed(asked, scope, wanted=left + 1)
    with closing(placed):
        for one in placed if left > 0 else ():
            if len(found) == left:
                # There is more, so the next page begins behind the last.
                cursor = _cursor(found[-1], question, given + left, asked, scope)
                return [one.element for one in found], cursor
            found.append(one)
            if len(found) == left and asked.limit == given + left:
                break
    return [one.element for one in found], None


def comes_in_order(asked: Elements, keys: Sequence[SortKey], scope: Scope) -> bool:
    """Return whether key order is this order too, so that pages of it can be read."""
    plain = replace(scope, indexes=None, cursor=None)
    return is_in_order(Branched(replace(asked, limit=None), plain), keys)


def is_in_order(branched: Branched, keys: Sequence[SortKey]) -> bool:
    """Return whether the elements of a question lie in this order."""
    records = branched.records
    return records is not None and not branched.ways and is_sorted(records, keys)


def _cursor(last: Placed, question: str, given: int, asked: Elements, scope: Scope) -> Cursor:
    mark, row = _mark(last.stored, asked, scope), last.row
    if not isinstance(row, bytes):
        row = scope.keys.record_tables.rows.row_of(row)
    return Cursor(question, last.scan, row, last.passed, mark, given)


def iter_placed(asked: Elements, scope: Scope, *, wanted: int | None = None) -> Iterator[Placed]:
    """Yield the elements behind the cursor of the scope, without a limit; mistakes raise here.

    ``wanted`` is how many are read at once, because the reader will take no more.
    """
    after = scope.cursor
    if after is not None and after.question != question_mark(asked, scope):
        raise UsageError(
            "this cursor is of another question, or of other authorizations",
            hint="Ask the same question of the same session again, and pass on its own cursor.",
        )
    plain = replace(scope, indexes=None, cursor=None)
    branched = Branched(replace(asked, limit=None), plain)
    branched.wanted = wanted
    if branched.records is not None:
        branched.records.wanted = wanted
    return _placed(branched, after)


def _placed(branched: Branched, after: Cursor | None) -> Iterator[Placed]:
    ways = branched.plan_scans()
    with branched.scanning(ways) as moment:
        for branch, way in enumerate(ways):
            for number, scan in enumerate(way.planned):
                place = (branch, number)
                if after is None or place > after.scan:
                    yield from _of_scan(branched, way, scan, place, moment, None)
                elif place == after.scan:
                    rest = [cut for one in scan.spec.ranges if (cut := _from_row(one, after.row))]
                    if rest:
                        part = TableScan(scan.table, replace(scan.spec, ranges=rest))
                        yield from _of_scan(branched, way, part, place, moment, after)
        if branched.records is not None:
            yield from _records(branched.records, len(ways), moment, after)


def _records(
    records: RecordBranch, branch: int, moment: Scope, after: Cursor | None
) -> Iterator[Placed]:
    """Yield the records, which come after all else; each has a row of its own."""
    begun = after is not None and after.scan[0] == branch
    start = (after.scan[1], after.row) if after is not None and begun else None
    for element, number, subject in records.placed(moment, start):
        yield Placed(element, None, (branch, number), subject, 1)


def _of_scan(
    branched: Branched,
    way: Way,
    scan: TableScan,
    place: tuple[int, int],
    moment: Scope,
    after: Cursor | None,
) -> Iterator[Placed]:
    cells = branched.decoded(way.scans, scan, moment)
    for row, found in groupby(cells, lambda one: one[0]):
        elements = enumerate(way.steps.merged(found), 1)
        if after is not None and row == after.row:
            elements = _behind(elements, after, branched.asked, branched.scope)
        for passed, stored in elements:
            for element in way.steps.present([stored]):
                yield Placed(element, stored, place, row, passed)


def _behind(
    elements: Iterator[tuple[int, StoredElement]], after: Cursor, asked: Elements, scope: Scope
) -> Any:
    """Yield what comes behind the last element of a page, in the row of that element."""
    before: list[tuple[int, StoredElement]] = []
    for one in elements:
        before.append(one)
        if after.mark and _mark(one[1], asked, scope) == after.mark:
            break
    else:
        # It is gone, or cannot be told from others: then as many are left out.
        yield from before[after.passed :]
        return
    yield from elements


def _mark(stored: StoredElement | None, asked: Elements, scope: Scope) -> str:
    """Return the identity of an element within its row; nothing if several may have it."""
    if stored is None:
        return ""
    group, steps = scope.keys.group(stored.group), asked.view[stored.group]
    if not group.aggregates:
        return ""
    fields = [scope.keys.field(group.name, name) for name in kept_by(group, steps)]
    fields += [plain_field(name) for one in steps.derived_by for name in one.into]
    label = stored.visibility if asked.by_visibility else b""
    ids = (stored.group, stored.vertex, stored.source, stored.destination)
    held = [stored.properties.get(name) for name in fields]
    return short_hash(repr((ids, stored.directed, stored.matched, held, label)))


def _from_row(one: Range, row: bytes) -> Range | None:
    """Return the part of a range from a row on; ``None`` if it has none."""
    first = Range.rows(row).start
    assert first is not None
    if one.end is not None and order(one.end) < order(first):
        return None
    if one.start is not None and order(one.start) >= order(first):
        return one
    return replace(one, start=first, start_inclusive=True)
