"""Questions as sets of cells: all rows of all elements that they find, with no element for each.

Layer ``plan``. A question about everything reads both rows of every edge anyway. If its conditions
hold for both rows or for neither, the cells that it lets through are what a delete has to remove.
A question around, within or between vertices, or that an index answers, reads one row of an edge at
least, which says what the other is.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.cells.key_sets import KeySet
from lexigraph.functions import Predicate, parse_predicate
from lexigraph.keyplan.all_rows import AllRows, can_find_all_rows
from lexigraph.layout.write.removal.doomed_cells import DoomedCells
from lexigraph.layout.write.writer import Writer
from lexigraph.plan.branches.branch import branches
from lexigraph.plan.branches.cells import read_batches
from lexigraph.plan.branches.scans import BranchScans, TableScan
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import (
    Around,
    Between,
    Elements,
    Everything,
    Steps,
    Where,
    Within,
)
from lexigraph.plan.physical.rows.run import count
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.find import FindBetween, FindEverything
from lexigraph.plan.sources.finder import Finder
from lexigraph.plan.sources.indexed import choose_finder
from lexigraph.plan.targets.stored import Found
from lexigraph.schema import Group
from lexigraph.schema.keys import plan_field
from lexigraph.store.operators import ReadFrames
from lexigraph.store.preferences import Preferences

BATCH_CELLS = 65_536
"""How many cells are held at once while a set is read."""

_CellKey = tuple[bytes, bytes, bytes]
"""Row, family and qualifier."""
_KINDS = frozenset({"group", "kind", "directed"})


class FindAllRows(FindEverything):
    """Reads all, both rows of each edge."""

    once = False


class FindExactly(FindBetween):
    """Hands over the whole second set: nothing after the scan looks at the other ends."""

    def other_in(self, preferences: Preferences) -> KeySet:
        """Return the second set, however large."""
        return KeySet.sorted(self.second.keys)


@dataclass(frozen=True, slots=True)
class CellSet:
    """The elements of one group that a question finds, as their cells."""

    group: Group
    _asked: Elements

    __hash__ = None  # type: ignore[assignment]

    def count(self, scope: Scope) -> int:
        """Count the elements."""
        return count(self._asked, scope)

    def scans(self, scope: Scope) -> list[TableScan]:
        """Return the scans that hold every element, in one of its rows or in all."""
        return self._scans(self._filters, scope)

    def batches(self, scope: Scope) -> Iterator[CellBatch]:
        """Yield the cells of all rows of the elements, under all labels that the reader sees."""
        if isinstance(self._finder(scope), FindAllRows):
            yield from self._read(scope)
            return
        plan = scope.keys.plan_of(self.group.name)
        rows_of = AllRows(plan.model, plan.model.group(self.group.name)).of
        seen: set[tuple[bytes, ...]] = set()
        for batch in self._read(scope):
            # An edge may be found by both of its ends.
            cells = dict.fromkeys(
                (*place, qualifier, label)
                for row, family, qualifier, label in _columns(batch)
                for place in rows_of(row, family)
            )
            new = [one for one in cells if one not in seen]
            seen.update(new)
            newest = max(batch.timestamp, default=0)
            yield CellBatch.from_cells(Cell(*one, timestamp=newest) for one in new)

    def _read(self, scope: Scope) -> Iterator[CellBatch]:
        """Yield the cells that the question's scans find, under all labels of their elements.

        A condition on values or labels may hold for some labels of an element only; then the keys
        that it lets through choose among all cells.
        """
        chosen = _cells(self._scans(self._filters, scope), scope)
        keyed = _key_fields(self.group)
        on_keys = [one for one in self._filters if keyed.issuperset(_reads(one) or ())]
        every = self.group.visibility is None or len(on_keys) == len(self._filters)
        # By an index few are read; counting them would not follow it without its condition.
        by_index = self._finder(scope).reads
        if every or (not by_index and self._have_one_label(on_keys, scope)):
            yield from chosen
            return
        yield from _with_keys(_cells(self._scans(on_keys, scope), scope), chosen)

    def _have_one_label(self, filters: Iterable[Where], scope: Scope) -> bool:
        """Return whether each element is stored under one label: engines count that by columns."""
        asked = replace(self._asked, view={self.group.name: Steps(before=tuple(filters))})
        by_label = count(replace(asked, by_visibility=True), scope)
        return by_label == count(asked, scope)

    @property
    def _filters(self) -> tuple[Where, ...]:
        return self._asked.view[self.group.name].before

    def _scans(self, filters: Iterable[Where], scope: Scope) -> list[TableScan]:
        steps = Steps(before=tuple(filters))
        asked = replace(self._asked, view={self.group.name: steps}, by_visibility=True)
        found: list[TableScan] = []
        for branch in branches(asked, scope.keys):
            finder = self._finder(scope)
            finder.batch = scope.engine.preferences.seeds_per_scan
            found += BranchScans(asked, branch, finder, scope).scans()
        return found

    def _finder(self, scope: Scope) -> Finder:
        """Return what finds rows: all of them, or one of each element, which says the others.

        All labels of an element have one key, so an index finds them all.
        """
        asked, group = self._asked, self.group.name
        if isinstance(asked.source, Within | Between):
            return FindExactly(asked, scope.keys)
        finder = choose_finder(asked, scope)
        if not isinstance(asked.source, Everything):
            return finder
        model = scope.keys.plan_of(group).model
        if finder.reads and can_find_all_rows(model, model.group(group)):
            finder.start(scope)
            return finder
        return FindAllRows(asked, scope.keys)


def cell_sets(asked: Elements, scope: Scope, *, whole: Container[str]) -> list[CellSet] | None:
    """Return what a question finds in a scope as sets of cells; ``None`` to read each element.

    A set is a question about everything, or around, within or between vertices, that shows whole
    keys. ``whole`` are the groups whose elements say of all parts of their keys what they are.
    """
    if any(map(scope.keys.is_record, asked.view)):
        # A record is deleted by its facts, one by one.
        return None
    keys, can = scope.keys, scope.engine.capabilities
    # Elements that the client decodes anyway are deleted one by one: what sets are compared with.
    if not can.transactions or ReadFrames.name not in can.operators or asked.limit is not None:
        return None
    groups = {name: keys.group(name) for name in asked.view}
    if not _finds_all_rows(asked, keys):
        return None
    if not all(_is_whole(groups[name], steps) for name, steps in asked.view.items()):
        return None
    if any(_may_lack_key(one) and one.name not in whole for one in groups.values()):
        return None
    # Refuses what is wrong with the question, as reading it would.
    branches(asked, keys)
    alone = replace(asked, by_visibility=False)
    return [
        CellSet(groups[name], replace(alone, view={name: Steps(before=steps.before)}))
        for name, steps in asked.view.items()
    ]


def find_sets(
    sets: Sequence[CellSet], scope: Scope, writer: Writer, *, each_row: bool
) -> Found[DoomedCells]:
    """Give a writer the elements of sets; with ``each_row``, all rows of them count as read."""
    doomed = writer.doomed_cells
    for one in sets:
        for batch in one.batches(scope):
            writer.delete_cells(one.group, batch)
        doomed.groups[one.group.name] = one.count(scope)
    if each_row:
        return Found(doomed, list(doomed.rows()))
    scans = [scan for one in sets for scan in one.scans(scope)]
    return Found(doomed, [(scan.table, item) for scan in scans for item in scan.spec.ranges])


def is_asked_in(asked: Scope, scope: Scope) -> bool:
    """Return whether a question reads, now, what is read in a scope."""
    same = asked.engine is scope.engine and asked.keys is scope.keys
    if not same or asked.tables != scope.tables or asked.authorizations != scope.authorizations:
        return False
    return asked.snapshot is None and asked.record is None and asked.as_of is None


def _finds_all_rows(asked: Elements, keys: Keys) -> bool:
    """Return whether all rows of the elements are read, or follow from those that are."""
    source = asked.source
    if isinstance(source, Everything):
        return keys.layout.everything_has_all_rows
    models = {name: keys.plan_of(name).model for name in asked.view}
    # Edges by their two ends are few, and no engine counts them.
    around = isinstance(source, Around) and not source.edges
    return (around or isinstance(source, Within | Between)) and all(
        can_find_all_rows(model, model.group(name)) for name, model in models.items()
    )


def _may_lack_key(group: Group) -> bool:
    """Return whether an element may leave out a part of its key, which then may be anything."""
    return any(group.property(one).type.optional for one in group.group_by)


def _is_whole(group: Group, steps: Steps) -> bool:
    """Tell whether elements show their whole key, and conditions hold for all rows or for none."""
    if not group.aggregates or steps.by is not None or steps.aggregators or steps.after:
        return False
    if steps.transforms or steps.last or any(one.call is not None for one in steps.before):
        return False
    shown = set(group.group_by) if steps.keep is None else set(steps.keep)
    if not set(group.group_by) <= shown - set(steps.drop):
        return False
    # Only by which end an edge was found differs between its rows.
    read = [_reads(one) for one in steps.before]
    return all(fields is not None and "matched" not in fields for fields in read)


def is_about_label(one: Where) -> bool:
    """Return whether a condition looks at the label of elements, as far as it says."""
    return "visibility" in (_reads(one) or ())


def _reads(one: Where) -> frozenset[str] | None:
    """Return the fields that a condition looks at; ``None`` if it does not say."""
    if one.where is None:
        return frozenset()
    found = parse_predicate(one.where, bytes_from_json)
    return frozenset(found.fields()) if _names_fields(found) else None


def _names_fields(one: Predicate) -> bool:
    inner = getattr(one, "of", ())
    listed = (inner,) if isinstance(inner, Predicate) else inner
    return type(one).fields is not Predicate.fields and all(map(_names_fields, listed))


def _key_fields(group: Group) -> frozenset[str]:
    """Return the fields in which an element is the same under all its labels."""
    return _KINDS | {plan_field(group, name) for name in (*group.ids, *group.group_by)}


def _cells(scans: Iterable[TableScan], scope: Scope) -> Iterator[CellBatch]:
    for scan in scans:
        yield from read_batches(scan, scope, BATCH_CELLS)


def _with_keys(batches: Iterable[CellBatch], chosen: Iterable[CellBatch]) -> Iterator[CellBatch]:
    """Yield the cells that have the key of a chosen one, which all come in the same order."""
    keys = (key for key, _ in groupby(key for batch in chosen for key in _keys(batch)))
    wanted, last = next(keys, None), None
    for batch in batches:
        flags = bytearray()
        for key in _keys(batch):
            if key != last:
                wanted = next(keys, None) if last is not None and last == wanted else wanted
                last = key
            flags.append(wanted == key)
        yield batch.chosen(flags)


def _columns(batch: CellBatch) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    return zip(batch.row, batch.family, batch.qualifier, batch.visibility, strict=True)


def _keys(batch: CellBatch) -> Iterator[_CellKey]:
    return zip(batch.row, batch.family, batch.qualifier, strict=True)
