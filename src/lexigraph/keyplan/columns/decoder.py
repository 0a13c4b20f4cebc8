"""Cells by column in, elements by column out.

Layer ``keyplan``. Written twice: what is here is the meaning, the native core is the speed. Which
of them runs is decided when a decoder is made and can be read from it. What nobody asks for is not
looked at, so what is wrong in it is not found.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.native import ABSENT, find_native
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan.columns.assemble import Assembler, RowColumn
from lexigraph.keyplan.columns.ends import EndCheck
from lexigraph.keyplan.columns.frames import Frame, FrameColumn, FrameEnds
from lexigraph.keyplan.columns.kinds import Kind
from lexigraph.keyplan.columns.native import columns_text, ends_parts, frame_of
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.fields import Get
from lexigraph.keyplan.key_plan import KeyPlan
from lexigraph.keyplan.model import ENDS, fields_in

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Decoder:
    """Reads cells as one plan says, for the columns that it was made for.

    ``native`` chooses the native core or Python; by default the core, where it is installed and
    knows all codecs of the plan. ``declined`` says why it is not the core.

    >>> from lexigraph.keyplan import StoredElement
    >>> plan = KeyPlan.parse({
    ...     "version": 1,
    ...     "rows": [{"kind": "vertex", "group": "page",
    ...               "parts": [{"field": "vertex", "codec": "str", "form": "rest"}]}],
    ...     "family": [],
    ...     "groups": {"page": {"kind": "vertex", "qualifier": [], "value": {
    ...         "form": "single", "property": {"id": 1, "field": "hits", "codec": "int",
    ...                                        "aggregate": {"name": "sum"}}}}},
    ... })
    >>> cells = plan.encode(StoredElement("vertex", "page", {"hits": 3}, vertex="/index"))
    >>> decoder = Decoder(plan, [FrameColumn("id", "text", {"page": "vertex"})])
    >>> [frame] = decoder.frames([CellBatch.from_cells(cells)])
    >>> frame.rows, frame.columns[0].data
    (1, b'/index')
    """

    def __init__(
        self,
        plan: KeyPlan,
        columns: Sequence[FrameColumn],
        ends: FrameEnds | None = None,
        *,
        native: bool | None = None,
    ) -> None:
        self.plan, self.columns, self.ends = plan, columns, ends
        self.declined: str | None = None if native is not False else "Python was asked for"
        # Mistakes raise, whichever of the two runs.
        self._row_columns()
        self._native: Any = None
        if self.declined is None:
            self._native, self.declined = _prepare(plan, columns, ends)
        if native and self.declined is not None:
            raise UnsupportedError(f"the native core does not decode these cells: {self.declined}")

    @property
    def is_native(self) -> bool:
        """Whether the native core decodes."""
        return self._native is not None

    def frames(self, batches: Iterable[CellBatch]) -> Iterator[Frame]:
        """Yield the rows of a scan, whose cells come in key order and in batches of any size.

        All rows together do not depend on where the scan was cut. No frame is empty.
        """
        if self._native is not None:
            for batch in batches:
                found = self._native.decode(batch.to_buffers())
                if found is not None:
                    yield frame_of(found)
            return
        assembler = Assembler(self._row_columns())
        for batch in batches:
            for element in self._elements(batch):
                assembler.add(element)
            frame = assembler.take()
            if frame is not None:
                yield frame
        rest = assembler.finish()
        if rest is not None:
            yield rest

    def _elements(self, cells: Iterable[Cell]) -> Iterator[StoredElement]:
        model, decode = self.plan.model, self.plan.decoder.decode
        asked = {field for one in self.columns for field in one.fields.values()}
        in_qualifiers = {
            part.field for group in model.groups for part in fields_in(group.qualifier)
        }
        in_values = {one.field for group in model.groups for one in group.value.properties}
        qualifier = not in_qualifiers.isdisjoint({*asked, *ENDS})
        value = not in_values.isdisjoint(asked)
        keep = None if self.ends is None else EndCheck(self.plan, self.ends).keep
        for cell in cells:
            element = decode(cell, qualifier=qualifier, value=value)
            if element is not None and (keep is None or keep(element)):
                yield element

    def _row_columns(self) -> list[RowColumn]:
        made = []
        for one in self.columns:
            kind = Kind.named(one.kind)
            getters = {
                group: self._getter(group, field, kind, is_moment=group in one.moments)
                for group, field in one.fields.items()
            }
            made.append(RowColumn(one.name, kind, getters))
        return made

    def _getter(self, group: str, name: str, kind: Kind, *, is_moment: bool) -> Get:
        fields = self.plan.fields(group)
        get = fields.find(name).get
        if kind.word == "key":
            return fields.key_of(name)
        if is_moment:
            return lambda element: _EPOCH + timedelta(microseconds=element.timestamp)
        if name == "visibility" and kind.word in ("text", "any"):
            return lambda element: element.visibility.decode("utf-8", "backslashreplace") or None
        return get


def _prepare(
    plan: KeyPlan, columns: Sequence[FrameColumn], ends: FrameEnds | None
) -> tuple[Any, str | None]:
    native = find_native()
    if native is None:
        return None, ABSENT
    found: tuple[Any, str | None] = native.CellDecoder.prepare(
        json.dumps(plan.to_json()), columns_text(columns), ends_parts(ends)
    )
    return found
