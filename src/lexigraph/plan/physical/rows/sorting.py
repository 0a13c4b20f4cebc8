"""Rows in order: all of them, or the first few.

Layer ``plan``. A sort holds all rows, a top so many as are asked for and a batch. Elements of a
graph are sorted as the columns that an engine packs, if it can, and made of those that are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from lexigraph.errors import InvalidValue
from lexigraph.plan.logical.elements import Elements
from lexigraph.plan.logical.expressions import uses
from lexigraph.plan.logical.rows import ELEMENT, SortKey
from lexigraph.plan.physical.execute import Branched
from lexigraph.plan.physical.paging import is_in_order
from lexigraph.plan.physical.rows.batch import Batch, BatchColumn, HeldName, as_list, cut, joined
from lexigraph.plan.physical.rows.columns import element_columns
from lexigraph.plan.physical.rows.comparing import order_of
from lexigraph.plan.physical.rows.evaluate import evaluator
from lexigraph.plan.physical.rows.leaves import ReadElements, iter_packed, make_elements
from lexigraph.plan.physical.rows.operator import CLIENT, ROWS, Operator, Running, read_all
from lexigraph.plan.physical.rows.packed import PackedColumn, arrow
from lexigraph.plan.records.ordering import field_order
from lexigraph.plan.scope import Scope

_HELD = 65_536
"""How many rows a top collects before it leaves some out."""


class RowOrder:
    """What rows are sorted by, and how many of them are wanted."""

    def __init__(self, keys: Sequence[SortKey], count: int | None = None) -> None:
        self.keys, self.count = tuple(keys), count
        self._values = [evaluator(one.value) for one in keys]
        self._descending = [one.descending for one in keys]

    def sorted(self, batches: Iterable[Batch]) -> Batch | None:
        """Read all rows and return those that are wanted, in order."""
        if self.count is None:
            return self._first(joined(batches))
        kept: list[Batch] = []
        rows = 0
        for batch in batches:
            kept.append(batch)
            rows += batch.rows
            if rows >= self.count + _HELD:
                best = self._first(joined(kept))
                assert best is not None
                kept, rows = [best], best.rows
        return self._first(joined(kept))

    def _first(self, batch: Batch | None) -> Batch | None:
        if batch is None:
            return None
        columns = [value(batch) for value in self._values]
        return batch.take(self.numbers(columns))

    def numbers(self, columns: Sequence[BatchColumn]) -> Any:
        """Return the numbers of the wanted rows, in order, for the values of each key."""
        packed = [one.array for one in columns if isinstance(one, PackedColumn) and one.sorts]
        if len(packed) == len(columns):
            return arrow_order(packed, self._descending)[: self.count]
        return order_of([as_list(one) for one in columns], self._descending)[: self.count]

    def facts(self) -> dict[str, Any]:
        """Return what explanations say of it."""
        return {"by": [str(one) for one in self.keys], "count": self.count}


def arrow_order(arrays: Sequence[Any], descending: Sequence[bool]) -> Any:
    """Return the row numbers in order, as ``order_of`` does; Arrow's sort has the same rules."""
    pa = arrow()
    compute = import_module("pyarrow.compute")
    names = [str(at) for at in range(len(arrays))]
    words = ["descending" if turned else "ascending" for turned in descending]
    table = pa.table(list(arrays), names=names)
    return compute.sort_indices(table, sort_keys=list(zip(names, words, strict=True)))


class SortRows(Operator):
    """Rows in order."""

    def __init__(self, of: Operator, order: RowOrder) -> None:
        super().__init__(of, columns=of.columns)
        self._order = order
        self.what = "sort" if order.count is None else "top"

    def batches(self, run: Running) -> Iterator[Batch]:
        """Read all, then yield."""
        yield from cut(self._order.sorted(read_all(self.parts[0], run)), ROWS)

    def facts(self) -> dict[str, Any]:
        """Return the keys."""
        return self._order.facts()


class SortElements(ReadElements):
    """Elements in order; whole elements are made of the wanted rows only, if the engine packs."""

    where = CLIENT

    def __init__(self, asked: Elements, scope: Scope, order: RowOrder) -> None:
        super().__init__(asked, scope)
        self.what = "sort" if order.count is None else "top"
        self._order = order
        shows_matched = self.branched.finder.shows_matched
        self._read = element_columns(asked, scope, shows_matched=shows_matched)
        named = {one.property or one.at[1:]: one.at for one in reversed(self._read or ())}
        self._names: dict[HeldName, HeldName] = {
            (ELEMENT, n): (ELEMENT, at) for n, at in named.items()
        }
        # A key may be computed (the month of a day): it is, of the columns of the fields it uses.
        used = {pair for one in order.keys for pair in uses(one.value)}
        fields = {name for _, name in used if name is not None}
        of_fields = all(column == ELEMENT and name is not None for column, name in used)
        if not of_fields or not fields <= named.keys() or self._is_split(fields):
            self._read = None
        self._limit_runs(self.branched)

    def _branched(self, run: Running) -> Branched:
        found = super()._branched(run)
        self._limit_runs(found)
        return found

    def _limit_runs(self, branched: Branched) -> None:
        """Read the first references of each vertex only, if they lie in the order that is asked."""
        keys = field_order(self._order.keys)
        records, count = branched.records, self._order.count
        if records is None or count is None or keys is None:
            return
        if self.asked.limit is None and records.sorts_runs(keys):
            records.first_of_runs = count

    def _is_split(self, fields: set[str]) -> bool:
        """Return whether a name is a property of some elements and an id of others."""
        held = {one.property for one in self._read or ()} & fields
        ids = {one.at[1:] for one in self._read or () if one.property is None}
        return bool(held & ids)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Read all, then yield; elements that lie in this order come as they are read."""
        if self._order.count is None and is_in_order(self._branched(run), self._order.keys):
            yield from super().batches(run)
            return
        best = self._packed(run)
        if best is None:
            found = super().batches(run)
            yield from cut(self._order.sorted(found), ROWS)
            return
        assert self._read is not None
        for batch in cut(best, ROWS):
            yield Batch(batch.rows, {ELEMENT: make_elements(batch, self._read)})

    def values(self, column: str, run: Running) -> Any:
        """Yield elements one by one if they lie in this order."""
        ordered = self._order.count is None and is_in_order(self._branched(run), self._order.keys)
        return self.elements(run) if ordered else None

    def _packed(self, run: Running) -> Batch | None:
        found = iter_packed(self.asked, run.scope, self._read)
        try:
            return None if found is None else self._order.sorted(map(self._named, found))
        except InvalidValue:
            return None

    def _named(self, batch: Batch) -> Batch:
        same = {name: batch.columns[at] for name, at in self._names.items() if name != at}
        return batch.with_columns(same)

    def facts(self) -> dict[str, Any]:
        """Return the keys, and whether elements are made of all rows."""
        if self._order.count is None and is_in_order(self.branched, self._order.keys):
            return {**self._order.facts(), "reads": "elements in this order"}
        found = iter_packed(self.asked, self.branched.scope, self._read)
        return {**self._order.facts(), "reads": "elements" if found is None else "columns"}
