"""Batches: some rows as columns, which is what operators pass on.

Layer ``plan``. A column is a list of values, or values as an engine packed them
(:class:`PackedColumn`); null is ``None``. The field of an element column may stand beside it, or in
place of it, under the pair of their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lexigraph.plan.physical.rows.packed import PackedColumn, as_numbers

HeldName = str | tuple[str, str]
"""A column, or a column and the field of its elements."""
BatchColumn = list[Any] | PackedColumn


@dataclass(frozen=True, slots=True)
class Batch:
    """So many rows; every column has so many values."""

    rows: int
    columns: Mapping[HeldName, BatchColumn]

    __hash__ = None  # type: ignore[assignment]

    def values(self, name: HeldName) -> list[Any]:
        """Return the values of a column."""
        return as_list(self.columns[name])

    def take(self, rows: Any) -> Batch:
        """Return some rows, in this order; numbers are a list, or an array of Arrow."""
        packed = any(isinstance(one, PackedColumn) for one in self.columns.values())
        listed = rows if isinstance(rows, list) else None
        if listed is None and not all(
            isinstance(one, PackedColumn) for one in self.columns.values()
        ):
            listed = rows.to_pylist()
        numbers = as_numbers(rows) if packed else None
        taken: dict[HeldName, BatchColumn] = {}
        for name, column in self.columns.items():
            if isinstance(column, list):
                assert listed is not None
                taken[name] = [column[at] for at in listed]
            else:
                taken[name] = column.take(numbers)
        return Batch(len(rows), taken)

    def slice(self, start: int, stop: int) -> Batch:
        """Return rows that follow each other."""
        stop = min(stop, self.rows)
        cut = {name: column[start:stop] for name, column in self.columns.items()}
        return Batch(stop - start, cut)

    def with_columns(self, added: Mapping[Any, BatchColumn]) -> Batch:
        """Return the rows with more columns."""
        return Batch(self.rows, {**self.columns, **added})


def as_list(column: BatchColumn) -> list[Any]:
    """Return the values of a column."""
    return column if isinstance(column, list) else column.to_list()


def joined(batches: Iterable[Batch]) -> Batch | None:
    """Make one batch of several; ``None`` if there are none."""
    found = list(batches)
    if len(found) < 2:
        return found[0] if found else None
    columns: dict[HeldName, BatchColumn] = {}
    for name in found[0].columns:
        parts = [one.columns[name] for one in found]
        packed = [one for one in parts if isinstance(one, PackedColumn)]
        if len(packed) == len(parts):
            columns[name] = PackedColumn.joined(packed)
        else:
            columns[name] = [value for part in parts for value in as_list(part)]
    return Batch(sum(one.rows for one in found), columns)


def cut(batch: Batch | None, size: int) -> Iterator[Batch]:
    """Yield a batch in parts of at most so many rows."""
    rows = 0 if batch is None else batch.rows
    for start in range(0, rows, size):
        assert batch is not None
        yield batch.slice(start, start + size)
