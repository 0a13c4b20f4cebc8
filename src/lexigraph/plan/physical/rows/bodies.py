"""Operators that follow edges or run a body: expand, optional, repeat.

Layer ``plan``. Edges are read for a batch of rows at a time, each vertex once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lexigraph.errors import LexigraphError, QueryError
from lexigraph.plan.logical.elements import Around, Elements
from lexigraph.plan.logical.expressions import Expression
from lexigraph.plan.physical.execute import Branched
from lexigraph.plan.physical.rows.batch import Batch, BatchColumn, HeldName, as_list
from lexigraph.plan.physical.rows.evaluate import evaluator
from lexigraph.plan.physical.rows.operator import ROWS, Operator, Running, read_all
from lexigraph.plan.physical.rows.simple import hidden
from lexigraph.plan.physical.trails import edges_from, end_of, start_of
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.seeds import SeedSet

MOST_INSIDE = 1_000_000
"""How many rows a repeat holds at most."""
ROW = "#row"
"""The number of the row that a body makes rows of."""


class ExpandRows(Operator):
    """Each row once for each edge at one of its vertices."""

    what = "expand"

    def __init__(
        self, of: Operator, scope: Scope, from_column: str, edges: Elements, new: tuple[str, str]
    ) -> None:
        super().__init__(of, columns=(*of.columns, *new))
        schema = scope.schema
        view = {n: one for n, one in edges.view.items() if schema.group(n).kind == "edge"}
        self._from, self._new = from_column, new
        self._edges = replace(edges, source=Around(()), view=view, limit=None)
        self._codec = scope.keys.vertex_codec
        # Mistakes raise here, before anything is read.
        Branched(self._edges, scope)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Follow the edges of a batch together."""
        for batch in read_all(self.parts[0], run):
            for start in range(0, batch.rows, ROWS):
                yield self._expanded(batch.slice(start, start + ROWS), run)

    def _expanded(self, batch: Batch, run: Running) -> Batch:
        keys = [self._key(value) for value in batch.values(self._from)]
        wanted = [self._codec.decode(key) for key in {key for key in keys if key is not None}]
        near: dict[bytes, list[Any]] = {}
        encode = self._codec.encode
        for edge in edges_from(SeedSet(wanted, self._codec), self._edges, run.reading()):
            near.setdefault(encode(start_of(edge)), []).append(edge)
        pairs = [
            (at, edge)
            for at, key in enumerate(keys)
            if key is not None
            for edge in near.get(key, ())
        ]
        found = batch.take([at for at, _ in pairs])
        edge_as, vertex_as = self._new
        edges = [edge for _, edge in pairs]
        return found.with_columns({edge_as: edges, vertex_as: list(map(end_of, edges))})

    def _key(self, value: Any) -> bytes | None:
        if value is None:
            return None
        try:
            return self._codec.encode(value)
        except LexigraphError:
            # What cannot be a vertex of this graph has no edges in it.
            return None

    def facts(self) -> dict[str, Any]:
        """Return where from, and along what."""
        facts: dict[str, Any] = {"from": self._from, "along": list(self._edges.view)}
        return {**facts, "direction": self._edges.direction}

    def reads(self) -> int:
        """Return two: every batch is a scan."""
        return 2


class OptionalRows(Operator):
    """Rows with what a body makes of each, or with null."""

    what = "optional"

    def __init__(self, of: Operator, body: Operator, *, together: bool) -> None:
        added = tuple(name for name in body.columns if name not in of.columns)
        super().__init__(of, body, columns=(*of.columns, *added))
        self._added = added
        self._together = together

    def batches(self, run: Running) -> Iterator[Batch]:
        """Run the body for a batch if it treats each row by itself, otherwise row by row."""
        for batch in read_all(self.parts[0], run):
            if self._together:
                yield self._filled(batch, run)
                continue
            for at in range(batch.rows):
                yield self._filled(batch.slice(at, at + 1), run)

    def _filled(self, batch: Batch, run: Running) -> Batch:
        number = f"{ROW}{id(self)}"
        given = batch.with_columns({number: list(range(batch.rows))})
        made: dict[int, list[tuple[Batch, int]]] = {}
        for found in read_all(self.parts[1], run.given(given)):
            rows = found.values(number) if number in found.columns else [0] * found.rows
            for at, row in enumerate(rows):
                made.setdefault(row, []).append((found, at))
        numbers: list[int] = []
        columns: dict[str, list[Any]] = {name: [] for name in self._added}
        lists: dict[tuple[int, str], list[Any]] = {}
        for row in range(batch.rows):
            if row not in made:
                numbers.append(row)
                for values in columns.values():
                    values.append(None)
            for found, at in made.get(row, ()):
                numbers.append(row)
                for name, values in columns.items():
                    held = lists.get((id(found), name))
                    if held is None:
                        held = lists[id(found), name] = as_list(found.columns[name])
                    values.append(held[at])
        return batch.take(numbers).with_columns(dict(columns.items()))

    def reads(self) -> int:
        """Return two: the body reads again and again."""
        return 2


class RepeatRows(Operator):
    """Rows that go through a body again and again."""

    what = "repeat"

    def __init__(
        self,
        of: Operator,
        body: Operator,
        times: tuple[int, int],
        until: Expression | None,
        emit: Expression | None,
    ) -> None:
        super().__init__(of, body, columns=of.columns)
        self._least, self._most = times
        self._until = None if until is None else evaluator(until)
        self._emit = None if emit is None else evaluator(emit)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield the rows that leave after each time."""
        inside = list(read_all(self.parts[0], run))
        for times in range(self._most + 1):
            if times:
                inside = list(self._through(run.given(*inside)))
            if times >= self._least:
                staying = []
                for batch in inside:
                    leaving, left = self._divided(batch, last=times == self._most)
                    yield leaving
                    staying.append(left)
                inside = [one for one in staying if one.rows]
            if not inside:
                return

    def _through(self, run: Running) -> Iterator[Batch]:
        rows = 0
        for batch in read_all(self.parts[1], run):
            rows += batch.rows
            if rows > MOST_INSIDE:
                raise QueryError(
                    f"more than {MOST_INSIDE:,} rows are inside a repeat, which holds them",
                    hint="Leave rows out in its body (Filter, Distinct), or repeat fewer times.",
                )
            yield self._own(batch)

    def _own(self, batch: Batch) -> Batch:
        own: dict[HeldName, BatchColumn] = {name: batch.columns[name] for name in self.columns}
        return Batch(batch.rows, own | hidden(batch))

    def _divided(self, batch: Batch, *, last: bool) -> tuple[Batch, Batch]:
        nothing = [False] * batch.rows
        done = nothing if self._until is None else as_list(self._until(batch))
        shown = nothing if self._emit is None else as_list(self._emit(batch))
        leaving = [at for at in range(batch.rows) if last or done[at] is True or shown[at] is True]
        staying = [at for at in range(batch.rows) if not (last or done[at] is True)]
        return batch.take(leaving), batch.take(staying)

    def facts(self) -> dict[str, Any]:
        """Return how often."""
        return {"least": self._least, "most": self._most}

    def reads(self) -> int:
        """Return two: the body reads again and again."""
        return 2
