"""Running a plan of rows: ``run(node, scope)``.

Layer ``plan``. All scans of one run read one snapshot, if the engine has snapshots. Nothing is read
before the first row is asked for; closing the iterator closes the scans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

from lexigraph.plan.logical.rows import Figure, GroupRows, Node
from lexigraph.plan.physical.rows.batch import Batch
from lexigraph.plan.physical.rows.leaves import ReadElements
from lexigraph.plan.physical.rows.lower import lower
from lexigraph.plan.physical.rows.operator import Deadline, Operator, Running, read_all
from lexigraph.plan.scope import Scope
from lexigraph.schema.model import Aggregate
from lexigraph.store.answers.frames import Frame, FrameColumn


class RowStream:
    """The rows of a plan, read each time they are iterated over."""

    def __init__(self, operator: Operator, scope: Scope) -> None:
        self.operator, self._scope = operator, scope

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return self.operator.columns

    def batches(self) -> Iterator[Batch]:
        """Yield the rows as batches of columns."""
        with self._moment() as scope:
            deadline = Deadline(scope.timeout_s)
            yield from read_all(self.operator, Running(scope, deadline=deadline))

    def values(self, column: str) -> Iterator[Any]:
        """Yield the values of one column; a reader who stops early reads no more than it takes."""
        deadline = Deadline(self._scope.timeout_s)
        found = self.operator.values(column, Running(self._scope, deadline=deadline))
        if found is not None:
            yield from found
            return
        for batch in self._closing():
            yield from batch.values(column)

    def packed(self) -> Any:
        """Return all rows as an engine packed them; ``None`` if the plan is not such a leaf."""
        return self.operator.packed(Running(self._scope))

    def frames(self, columns: Sequence[FrameColumn], batch_rows: int) -> Iterator[Frame] | None:
        """Return elements as columns that the engine fills; ``None`` if it cannot.

        A limit may be passed by the last frame.
        """
        if type(self.operator) is not ReadElements:
            return None
        return self.operator.frames(Running(self._scope), columns, batch_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield each row by the names of its columns."""
        names = self.columns
        for batch in self._closing():
            if not names:
                yield from ({} for _ in range(batch.rows))
                continue
            for row in zip(*(batch.values(name) for name in names), strict=True):
                yield dict(zip(names, row, strict=True))

    def _closing(self) -> Iterator[Batch]:
        found: Any = self.batches()
        with closing(found):
            yield from found

    @contextmanager
    def _moment(self) -> Iterator[Scope]:
        scope = self._scope
        # What makes one scan reads one moment anyway.
        once = self.operator.reads() <= 1
        if once or scope.snapshot is not None or not scope.engine.capabilities.snapshots:
            yield scope
            return
        with scope.engine.snapshot() as taken:
            yield replace(scope, snapshot=taken)


def run(node: Node, scope: Scope) -> RowStream:
    """Return the rows of a plan; mistakes raise here, before anything is read."""
    return RowStream(lower(node, scope), scope)


def count(node: Node, scope: Scope) -> int:
    """Count the rows of a plan, without making them if that can be done."""
    counted = GroupRows(node, {}, (Figure("count", Aggregate("count")),))
    return sum(run(counted, scope).values("count"))
