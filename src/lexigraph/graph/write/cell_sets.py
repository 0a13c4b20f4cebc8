"""Questions as sets of cells: all rows of all elements that they find, with no object for each.

Layer ``graph``. A question about everything reads both rows of every edge anyway. If its conditions
hold for both rows or for neither, the cells that it lets through are what a delete has to remove.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.jsonbytes import bytes_from_json
from lexigraph.functions import Predicate, parse_predicate
from lexigraph.graph.element import Classes
from lexigraph.graph.read.query import Query
from lexigraph.plan import Elements, Everything, Filter, Scope, Steps, count_elements
from lexigraph.plan.execute import read_batches
from lexigraph.plan.frames import GivesFrames
from lexigraph.plan.optimise import branches
from lexigraph.plan.scans import BranchScans, TableScan
from lexigraph.plan.sources import FindEverything
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
        """Return the scans that hold every row of every element."""
        return self._scans(self._filters, scope)

    def batches(self, scope: Scope) -> Iterator[CellBatch]:
        """Yield the cells of all rows of the elements, under all labels that the reader sees.

        A condition on values or labels may hold for some labels of an element only; then the keys
        that it lets through choose among all cells.
        """
        chosen = _cells(self._scans(self._filters, scope), scope)
        keyed = _key_fields(self.group)
        on_keys = [one for one in self._filters if keyed.issuperset(_reads(one) or ())]
        if self.group.visibility is None or len(on_keys) == len(self._filters):
            yield from chosen
            return
        keys = (key for batch in chosen for key in _keys(batch))
        wanted = next(keys, None)
        for batch in _cells(self._scans(on_keys, scope), scope):
            flags = bytearray()
            for key in _keys(batch):
                # Both come in the order of their keys.
                while wanted is not None and wanted < key:
                    wanted = next(keys, None)
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
            finder = FindAllRows(asked, scope.keys)
            found += BranchScans(asked, branch, finder, scope).scans()
        return found


def cell_sets(elements: Any, scope: Scope) -> list[CellSet] | None:
    """Return what is to be deleted in a scope as sets of cells; ``None`` to read each element.

    A set is a question about everything, of the same graph and reader, that shows whole keys.
    """
    if not isinstance(elements, Query) or not _is_of(elements._reading.scope(), scope):
        return None
    asked, keys = elements._asked, scope.keys
    if not isinstance(scope.engine, GivesFrames) or not keys.layout.everything_has_all_rows:
        return None
    if not isinstance(asked.source, Everything) or asked.limit is not None:
        return None
    groups = {name: keys.group(name) for name in asked.view}
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


def _keys(batch: CellBatch) -> Iterator[tuple[bytes, bytes, bytes]]:
    return zip(batch.row, batch.family, batch.qualifier, strict=True)
