"""Questions about everything that an index answers: entries say which rows are read.

Layer ``plan``. Chosen here alone, before anything is read. A look-up finds the rows of all elements
of the answer, and maybe more; the conditions of the question are checked on the elements as ever,
so the answer is that of reading everything. Entries and elements are read from one snapshot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from itertools import islice

from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.cells.ranges import trusted_rows
from lexigraph.functions import Predicate, parse_predicate
from lexigraph.functions.predicates.comparisons import AnyOf, Equal
from lexigraph.functions.predicates.connectives import Both
from lexigraph.index.looking_up import MOST_FOUND, MOST_VALUES, find_rows, is_usable
from lexigraph.layout import Place, Wanted
from lexigraph.layout.stored.indexes import USABLE, StoredIndex
from lexigraph.plan.logical.elements import Elements, Everything
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.find import FindEverything, finder
from lexigraph.plan.sources.finder import Finder


@dataclass(frozen=True, slots=True)
class IndexLookUp:
    """An index, and the values that the elements of a group must have one of."""

    index: StoredIndex
    values: tuple[bytes, ...]


def choose_finder(asked: Elements, scope: Scope) -> Finder:
    """Return what finds the elements of a question, by an index if one fits."""
    if not isinstance(asked.source, Everything) or scope.indexes is None:
        return finder(asked, scope.keys)
    found: dict[str, IndexLookUp] = {}
    unused: list[tuple[str, str]] = []
    for group in asked.view:
        known = scope.indexes.of_group(group)
        if known:
            chosen = _choose(group, known, asked, scope, unused)
            if chosen is not None:
                found[group] = chosen
    if not found:
        everything = FindEverything(asked, scope.keys)
        everything.unused_indexes = tuple(unused)
        return everything
    return FindIndexed(asked, scope, found, tuple(unused))


def _choose(
    group: str,
    known: list[StoredIndex],
    asked: Elements,
    scope: Scope,
    unused: list[tuple[str, str]],
) -> IndexLookUp | None:
    values = _required_values(group, asked, scope)
    chosen: IndexLookUp | None = None
    for index in known:
        wanted = values.get(scope.keys.field(group, index.field))
        reason = None
        if index.state != USABLE:
            reason = f"it is {index.state}"
        elif wanted is None:
            reason = f"no condition before merging needs {index.field!r} to be one of some values"
        elif len(wanted) > MOST_VALUES:
            reason = f"a look-up takes up to {MOST_VALUES} values"
        elif chosen is not None and len(chosen.values) <= len(wanted):
            reason = f"index {chosen.index.name!r} is used"
        if reason is not None or wanted is None:
            unused.append((index.name, reason or ""))
            continue
        if chosen is not None:
            unused.append((chosen.index.name, f"index {index.name!r} is used"))
        chosen = IndexLookUp(index, wanted)
    return chosen


def _required_values(group: str, asked: Elements, scope: Scope) -> dict[str, tuple[bytes, ...]]:
    """Return the fields that every element of the answer has one of some key forms in."""
    found: dict[str, tuple[bytes, ...]] = {}
    for one in asked.view[group].before:
        if one.where is not None:
            where = scope.keys.predicate(group, one.where, scope.time)
            for field, values in _equalities(parse_predicate(where, bytes_from_json)):
                if field not in found or len(values) < len(found[field]):
                    found[field] = values
    return found


def _equalities(predicate: Predicate) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    if isinstance(predicate, Equal):
        yield predicate.field, (predicate.value,)
    elif isinstance(predicate, AnyOf):
        yield predicate.field, predicate.values
    elif isinstance(predicate, Both):
        for one in predicate.of:
            yield from _equalities(one)


class FindIndexed(FindEverything):
    """Reads what the entries of indexes point to, one row of each edge."""

    reads = True
    _gave_up = False
    """Whether this run could not use an index."""

    def __init__(
        self,
        asked: Elements,
        scope: Scope,
        found: Mapping[str, IndexLookUp],
        unused: tuple[tuple[str, str], ...],
    ) -> None:
        super().__init__(asked, scope.keys)
        self._found, self._scope = found, scope
        self.unused_indexes = unused

    def for_run(self) -> FindIndexed:
        """Return one that belongs to a single run, which says when it starts."""
        mine = copy(self)
        mine.unused_indexes = self.unused_indexes
        return mine

    def start(self, scope: Scope) -> None:
        """Take the moment that is read."""
        self._scope = scope

    def places(self, wanted: Wanted) -> Iterator[list[Place]]:
        """Yield the rows of elements, in their order; all places if an index cannot be used."""
        if not wanted.groups <= self._found.keys():
            yield from super().places(wanted)
            return
        rows: set[bytes] | None = set()
        for group in sorted(wanted.groups):
            more = self._rows(self._found[group])
            rows = None if more is None or rows is None else rows | more
        if rows is None:
            yield from super().places(wanted)
            return
        table = self.keys.layout.table_of(next(iter(wanted.groups)))
        # Whole rows: what a roll-up makes of some columns has another key, in the same row.
        listed = iter(sorted(rows))
        while batch := list(islice(listed, self.batch)):
            yield [Place(table, [trusted_rows(row, row + b"\0") for row in batch])]

    def _rows(self, one: IndexLookUp) -> set[bytes] | None:
        scope, indexes = self._scope, self._scope.indexes
        assert indexes is not None
        if not is_usable(one.index, indexes.at(scope.snapshot)):
            self._note(one, "it was not ready at the moment that is read")
            return None
        rows = find_rows(
            indexes.entries(one.index),
            one.values,
            scope.engine,
            scope.authorizations,
            snapshot=scope.snapshot,
            timeout_s=scope.timeout_s,
            record=scope.record,
        )
        if rows is None:
            self._note(one, f"more than {MOST_FOUND} entries: everything is read")
        return rows

    def _note(self, one: IndexLookUp, reason: str) -> None:
        self._gave_up = True
        self.unused_indexes = (*self.unused_indexes, (one.index.name, reason))

    def describe(self) -> str:
        """Name the indexes that are used."""
        if self._gave_up:
            return super().describe()
        names = " and ".join(one.index.name for one in self._found.values())
        return f"everything by index {names}"
