"""Questions as sets of cells: all rows of all elements that they find, with no element for each.

Layer ``graph``. A question about everything reads both rows of every edge anyway. If its conditions
hold for both rows or for neither, the cells that it lets through are what a delete has to remove.
A question around vertices reads one row of an edge, which says what the other is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.functions import Predicate, parse_predicate
from lexigraph.graph.element import Classes
from lexigraph.graph.read.query import Query
from lexigraph.keyplan.all_rows import AllRows, can_find_all_rows
from lexigraph.plan import Around, Elements, Everything, Filter, Keys, Scope, Steps, count_elements
from lexigraph.plan.execute import read_batches
from lexigraph.plan.frames import GivesFrames
from lexigraph.plan.optimise import branches
from lexigraph.plan.scans import BranchScans, TableScan
from lexigraph.plan.sources import FindEverything
from lexigraph.plan.sources import finder as make_finder
from lexigraph.schema import Group
from lexigraph.schema.keys import plan_field

BATCH_CELLS = 65_536
"""How many cells are held at once while a set is read."""

_KINDS = frozenset({"group", "kind", "directed"})


class FindAllRows(FindEverything):
    """Reads all, both rows of each edge."""

    once = False


@dataclass(frozen=True, slots=True)
class CellSet:
    """The elements of one group that a question finds, as their cells."""

    group: Group
    _asked: Elements

    __hash__ = None  # type: ignore[assignment]

    def count(self, scope: Scope) -> int:
        """Count the elements."""
        return count_elements(self._asked, scope)

    def scans(self, scope: Scope) -> list[TableScan]:
        """Return the scans that hold every element, in one of its rows or in all."""
        return self._scans(self._filters, scope)

    def batches(self, scope: Scope) -> Iterator[CellBatch]:
        """Yield the cells of all rows of the elements, under all labels that the reader sees."""
        if isinstance(self._asked.source, Everything):
            yield from self._read(scope)
            return
        plan = scope.keys.plan
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
        if self.group.visibility is None or len(on_keys) == len(self._filters):
            yield from chosen
            return
        keys = (key for key, _ in groupby(key for batch in chosen for key in _keys(batch)))
        wanted, last = next(keys, None), None
        for batch in _cells(self._scans(on_keys, scope), scope):
            flags = bytearray()
            for key in _keys(batch):
                # Both scans give their keys in one order, and these have all of those.
                if key != last:
                    wanted = next(keys, None) if last is not None and last == wanted else wanted
                    last = key
                flags.append(wanted == key)
            yield batch.chosen(flags)

    @property
    def _filters(self) -> tuple[Filter, ...]:
        return self._asked.view[self.group.name].before

    def _scans(self, filters: Iterable[Filter], scope: Scope) -> list[TableScan]:
        steps = Steps(before=tuple(filters))
        asked = replace(self._asked, view={self.group.name: steps}, by_visibility=True)
        found: list[TableScan] = []
        for branch in branches(asked, scope.keys):
            is_all = isinstance(asked.source, Everything)
            finder = FindAllRows(asked, scope.keys) if is_all else make_finder(asked, scope.keys)
            finder.batch = scope.engine.preferences.seeds_per_scan
            found += BranchScans(asked, branch, finder, scope).scans()
        return found


def cell_sets(elements: Any, scope: Scope) -> list[CellSet] | None:
    """Return what is to be deleted in a scope as sets of cells; ``None`` to read each element.

    A set is a question of the same graph and reader, about everything or around vertices, that
    shows whole keys.
    """
    if not isinstance(elements, Query) or not _is_of(elements._reading.scope(), scope):
        return None
    asked, keys = elements._asked, scope.keys
    if not isinstance(scope.engine, GivesFrames) or asked.limit is not None:
        return None
    groups = {name: keys.group(name) for name in asked.view}
    if not _finds_all_rows(asked, keys):
        return None
    if not all(_is_whole(groups[name], steps) for name, steps in asked.view.items()):
        return None
    if any(_may_lack_key(one, elements._reading.classes) for one in groups.values()):
        return None
    # Refuses what is wrong with the question, as reading it would.
    branches(asked, keys)
    alone = replace(asked, by_visibility=False)
    return [
        CellSet(groups[name], replace(alone, view={name: Steps(before=steps.before)}))
        for name, steps in asked.view.items()
    ]


def _is_of(asked: Scope, scope: Scope) -> bool:
    """Return whether a question reads, now, what is read in the scope."""
    same = asked.engine is scope.engine and asked.keys is scope.keys
    if not same or asked.tables != scope.tables or asked.authorizations != scope.authorizations:
        return False
    return asked.snapshot is None and asked.record is None


def _finds_all_rows(asked: Elements, keys: Keys) -> bool:
    """Return whether all rows of the elements are read, or follow from those that are."""
    source = asked.source
    if isinstance(source, Everything):
        return keys.layout.everything_has_all_rows
    model = keys.plan.model
    # Edges by their two ends are few, and no engine counts them.
    return (
        isinstance(source, Around)
        and not source.edges
        and all(can_find_all_rows(model, model.group(name)) for name in asked.view)
    )


def _may_lack_key(group: Group, classes: Classes) -> bool:
    """Return whether an element may leave out a part of its key, which then may be anything."""
    optional = any(group.property(one).type.optional for one in group.group_by)
    return optional and group.name not in classes


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


def _reads(one: Filter) -> frozenset[str] | None:
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


def _columns(batch: CellBatch) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    return zip(batch.row, batch.family, batch.qualifier, batch.visibility, strict=True)


def _keys(batch: CellBatch) -> Iterator[tuple[bytes, bytes, bytes]]:
    return zip(batch.row, batch.family, batch.qualifier, strict=True)
