"""Leaves: rows that are given, and elements of a graph, whole or by column.

Layer ``plan``. Where only fields of elements are needed and the engine reads columns by itself, no
element is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Any

from lexigraph.errors import InvalidValue
from lexigraph.plan.branches.present import reader_of
from lexigraph.plan.element import Element
from lexigraph.plan.logical.elements import Elements
from lexigraph.plan.logical.rows import ELEMENT
from lexigraph.plan.physical.execute import Branched
from lexigraph.plan.physical.frames import iter_frames
from lexigraph.plan.physical.paging import iter_placed
from lexigraph.plan.physical.rows.batch import Batch, HeldName
from lexigraph.plan.physical.rows.columns import ReadColumn, element_columns
from lexigraph.plan.physical.rows.operator import ENGINE, ROWS, Operator, Running
from lexigraph.plan.scope import Scope
from lexigraph.store.answers.frames import Frame, FrameColumn
from lexigraph.store.operators import BATCH_ROWS

FIRST_ROWS = 64
"""How many elements of a stream are decoded by the client: most questions have fewer."""
STREAMED_ROWS = 1024
"""How many elements are decoded at a time for a reader who takes them one by one."""


class GivenRows(Operator):
    """Rows of a plan itself."""

    what = "values"

    def __init__(self, columns: tuple[str, ...], rows: tuple[tuple[Any, ...], ...]) -> None:
        super().__init__(columns=columns)
        self._rows = rows

    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield all of them."""
        columns = list(zip(*self._rows, strict=True)) if self._rows else [()] * len(self.columns)
        yield Batch(
            len(self._rows),
            {name: list(held) for name, held in zip(self.columns, columns, strict=True)},
        )

    def facts(self) -> dict[str, Any]:
        """Return how many rows there are."""
        return {"rows": len(self._rows)}


class ArgumentRows(Operator):
    """The rows that a body is run for."""

    what = "argument"

    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield what the run was given."""
        yield from run.argument


class ReadElements(Operator):
    """The leaf of a graph: one column of elements."""

    what, where = "elements", ENGINE

    def __init__(self, asked: Elements, scope: Scope) -> None:
        super().__init__(columns=(ELEMENT,))
        self.asked = asked
        # Mistakes raise here, before anything is read.
        self.branched = Branched(asked, scope)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield elements, at first in small batches: a reader may want a few only."""
        found = self.elements(run)
        size = 16
        while batch := list(islice(found, size)):
            yield Batch(len(batch), {ELEMENT: batch})
            size = min(size * 4, ROWS)

    def elements(self, run: Running) -> Iterator[Element]:
        """Yield elements one by one."""
        if run.scope.cursor is None:
            return self._stream(run)
        given = run.scope.cursor.given
        left = None if self.asked.limit is None else max(0, self.asked.limit - given)
        return islice((one.element for one in iter_placed(self.asked, run.scope)), left)

    def _stream(self, run: Running) -> Iterator[Element]:
        """Yield elements: the first of cells, which starts sooner; many of columns, if it can.

        Both come in the same order, and from one moment.
        """
        branched, done = self._branched(run), 0
        with branched.at_one_moment() as fixed:
            of_cells = fixed.elements()
            for element in islice(of_cells, FIRST_ROWS):
                yield element
                done += 1
            if done < FIRST_ROWS:
                return
            shows = branched.finder.shows_matched
            read = element_columns(self.asked, run.scope, shows_matched=shows)
            of_columns = unpacked(fixed, read, STREAMED_ROWS)
            if read is None or of_columns is None:
                yield from of_cells
                return
            del of_cells
            skip = done
            try:
                for batch in of_columns:
                    for element in make_elements(batch, read)[skip:]:
                        yield element
                        done += 1
                    skip = max(0, skip - batch.rows)
            except InvalidValue:
                # A number that no column holds: elements hold it.
                yield from islice(fixed.elements(), done, None)

    def values(self, column: str, run: Running) -> Any:
        """Yield elements one by one: a reader who stops early reads no more than it takes."""
        return self.elements(run) if type(self) is ReadElements else None

    def frames(
        self, run: Running, columns: Sequence[FrameColumn], batch_rows: int
    ) -> Iterator[Frame] | None:
        """Return the elements as columns that the engine fills; ``None`` if it cannot."""
        if run.scope.cursor is not None:
            return None
        return iter_frames(self._branched(run), columns, batch_rows=batch_rows)

    def _branched(self, run: Running) -> Branched:
        same = run.scope is self.branched.scope
        return self.branched if same else Branched(self.asked, run.scope)

    def reads(self) -> int:
        """Return one: what a leaf reads is of one moment anyway."""
        return 1


class ReadFields(ReadElements):
    """Fields of elements as columns, without whole elements."""

    def __init__(self, asked: Elements, scope: Scope, fields: tuple[str, ...]) -> None:
        super().__init__(asked, scope)
        self.columns = ()
        self.fields = fields
        shows_matched = self.branched.finder.shows_matched
        self.read = element_columns(asked, scope, fields, shows_matched=shows_matched)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield columns as the engine packs them, or made of elements if it cannot."""
        done = 0
        try:
            found = iter_packed(self.asked, run.scope, self.read)
            for batch in found or ():
                yield batch
                done += batch.rows
            if found is not None:
                return
        except InvalidValue:
            # A number that no column holds: elements come in the same order, and hold it.
            pass
        names: list[HeldName] = [(ELEMENT, name) for name in self.fields]
        readers = [reader_of(name) for name in self.fields]
        for batch in super().batches(run):
            elements = batch.values(ELEMENT)[max(0, done) :]
            done -= batch.rows
            columns: list[list[Any]] = [[read(one) for one in elements] for read in readers]
            yield Batch(len(elements), dict(zip(names, columns, strict=True)))

    def facts(self) -> dict[str, Any]:
        """Return which fields are read."""
        return {"fields": list(self.fields)}

    def reads(self) -> int:
        """Return two: what columns cannot hold is read again, from the same moment."""
        return 2


def make_elements(batch: Batch, read: list[ReadColumn]) -> list[Element]:
    """Make elements of all that they are made of."""
    held = {one.at: batch.values((ELEMENT, one.at)) for one in read}
    shown = [(one.property, held[one.at]) for one in read if one.property is not None]
    nothing = [None] * batch.rows
    ids = [held.get(f"@{name}", nothing) for name in _IDS]
    found = []
    for at, (group, vertex, source, destination, directed, matched) in enumerate(
        zip(*ids, strict=True)
    ):
        properties = {name: values[at] for name, values in shown if values[at] is not None}
        kind = "edge" if vertex is None else "vertex"
        ends = (vertex, source, destination)
        found.append(Element(kind, group, properties, *ends, directed, matched))
    return found


_IDS = ("group", "vertex", "source", "destination", "directed", "matched")


def iter_packed(
    asked: Elements, scope: Scope, read: list[ReadColumn] | None
) -> Iterator[Batch] | None:
    """Yield an answer by column; ``None`` if the engine cannot.

    A value that no column holds raises InvalidValue, maybe after many rows.
    """
    return None if read is None else unpacked(Branched(asked, scope), read, BATCH_ROWS)


def unpacked(
    branched: Branched, read: list[ReadColumn] | None, most: int
) -> Iterator[Batch] | None:
    """Yield an answer by column, up to ``most`` rows at a time; ``None`` if the engine cannot."""
    if read is None:
        return None
    limit = branched.asked.limit
    size = most if limit is None else max(1, min(most, limit))
    frames: Any = iter_frames(branched, [one.frame for one in read], batch_rows=size)
    return None if frames is None else _unpacked(frames, read, limit)


def _unpacked(frames: Any, read: list[ReadColumn], limit: int | None) -> Iterator[Batch]:
    names: list[HeldName] = [(ELEMENT, one.at) for one in read]
    with closing(frames):
        left, frame = limit, next(frames, None)
        while frame is not None and (left is None or left > 0):
            rows = frame.rows if left is None else min(left, frame.rows)
            held = [one.unpack(made, rows) for one, made in zip(read, frame.columns, strict=True)]
            yield Batch(rows, dict(zip(names, held, strict=True)))
            left = None if left is None else left - rows
            frame = next(frames, None)
