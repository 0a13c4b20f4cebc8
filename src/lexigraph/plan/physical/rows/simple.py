"""Operators that look at one row at a time, or at rows that they have seen.

Layer ``plan``. Columns whose names start with ``#`` belong to an operator above (the number of the
row that a body is run for); everything here passes them on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from lexigraph.plan.logical.expressions import Expression
from lexigraph.plan.physical.rows.batch import Batch, BatchColumn, HeldName, as_list, joined
from lexigraph.plan.physical.rows.comparing import RowKeys
from lexigraph.plan.physical.rows.evaluate import evaluator
from lexigraph.plan.physical.rows.operator import Operator, Running, read_all

PAIRS = 16_384
"""How many pairs of a join are a batch."""


def hidden(batch: Batch) -> dict[HeldName, BatchColumn]:
    """Return the columns of a batch that belong to an operator above."""
    return {n: one for n, one in batch.columns.items() if isinstance(n, str) and n[:1] == "#"}


class FilterRows(Operator):
    """The rows for which an expression is true."""

    what = "filter"

    def __init__(self, of: Operator, where: Expression) -> None:
        super().__init__(of, columns=of.columns)
        self._where, self._test = where, evaluator(where)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Leave rows out."""
        for batch in read_all(self.parts[0], run):
            passing = [at for at, value in enumerate(as_list(self._test(batch))) if value is True]
            yield batch if len(passing) == batch.rows else batch.take(passing)

    def facts(self) -> dict[str, Any]:
        """Return the expression."""
        return {"is": str(self._where)}


class ProjectRows(Operator):
    """Rows with other columns."""

    what = "project"

    def __init__(self, of: Operator, columns: Mapping[str, Expression]) -> None:
        super().__init__(of, columns=tuple(columns))
        self._given = dict(columns)
        self._values = {name: evaluator(one) for name, one in columns.items()}

    def batches(self, run: Running) -> Iterator[Batch]:
        """Compute the columns."""
        for batch in read_all(self.parts[0], run):
            made: dict[HeldName, BatchColumn] = dict(hidden(batch))
            for name, value in self._values.items():
                made[name] = value(batch)
            yield Batch(batch.rows, made)

    def facts(self) -> dict[str, Any]:
        """Return the columns and what they are."""
        return {"columns": [f"{name}={one}" for name, one in self._given.items()]}


class FirstRows(Operator):
    """The first rows that come."""

    what = "top"

    def __init__(self, of: Operator, count: int) -> None:
        super().__init__(of, columns=of.columns)
        self._count = count

    def batches(self, run: Running) -> Iterator[Batch]:
        """Stop after so many."""
        left = self._count
        if left <= 0:
            return
        for batch in read_all(self.parts[0], run):
            yield batch if batch.rows <= left else batch.slice(0, left)
            left -= batch.rows
            if left <= 0:
                return

    def facts(self) -> dict[str, Any]:
        """Return how many."""
        return {"count": self._count}


class DistinctRows(Operator):
    """Each combination once, where it first comes."""

    what = "distinct"

    def batches(self, run: Running) -> Iterator[Batch]:
        """Remember the keys of rows."""
        keys, seen = RowKeys(), set[bytes]()
        for batch in read_all(self.parts[0], run):
            own: dict[HeldName, BatchColumn] = {name: batch.columns[name] for name in self.columns}
            own |= hidden(batch)
            new = []
            columns = [as_list(one) for one in own.values()]
            for at, key in enumerate(keys.keys(columns, batch.rows)):
                if key not in seen:
                    seen.add(key)
                    new.append(at)
            yield Batch(batch.rows, own).take(new)

    def facts(self) -> dict[str, Any]:
        """Return the columns."""
        return {"columns": list(self.columns)}


class UnionRows(Operator):
    """The rows of each part."""

    what = "union"

    def batches(self, run: Running) -> Iterator[Batch]:
        """Read one part after another."""
        for part in self.parts:
            for batch in read_all(part, run):
                own: dict[HeldName, BatchColumn] = {
                    name: batch.columns[name] for name in self.columns
                }
                yield Batch(batch.rows, own | hidden(batch))


class JoinRows(Operator):
    """Rows of the left with rows of the right that are equal in pairs of columns."""

    what = "join"

    def __init__(self, left: Operator, right: Operator, on: tuple[tuple[str, str], ...]) -> None:
        self._left = [one for one, _ in on]
        self._right = [one for _, one in on]
        self._added = [one for one in right.columns if one not in left.columns]
        super().__init__(left, right, columns=(*left.columns, *self._added))

    def batches(self, run: Running) -> Iterator[Batch]:
        """Hold the right, then go along the left."""
        keys = RowKeys()
        held = joined(read_all(self.parts[1], run))
        places: dict[bytes, list[int]] = {}
        if held is None:
            return
        for at, key in enumerate(_keys(keys, held, self._right)):
            if key is not None:
                places.setdefault(key, []).append(at)
        added: dict[HeldName, BatchColumn] = {name: held.columns[name] for name in self._added}
        right = Batch(held.rows, added)
        for batch in read_all(self.parts[0], run):
            found = (
                (at, other)
                for at, key in enumerate(_keys(keys, batch, self._left))
                if key is not None
                for other in places.get(key, ())
            )
            while pairs := list(islice(found, PAIRS)):
                mine = batch.take([at for at, _ in pairs])
                yield mine.with_columns(right.take([other for _, other in pairs]).columns)

    def facts(self) -> dict[str, Any]:
        """Return the pairs."""
        pairs = zip(self._left, self._right, strict=True)
        return {"on": [one if one == other else f"{one}={other}" for one, other in pairs]}


def _keys(keys: RowKeys, batch: Batch, names: list[str]) -> list[bytes | None]:
    columns = [batch.values(name) for name in names]
    found = keys.keys(columns, batch.rows)
    if not any(None in column for column in columns):
        return list(found)
    return [
        None if any(column[at] is None for column in columns) else key
        for at, key in enumerate(found)
    ]
