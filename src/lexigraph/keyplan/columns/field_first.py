"""Cells by column in, cells by column out whose rows start with one field of the key.

Layer ``keyplan``. Entries of an index are such cells. Each has the family, the qualifier and the
label of its element; behind the field comes the element's own row, so either is found from the
other. The field ends by itself, so no value is the start of another. Written twice: what is here is
the meaning, the native core is the speed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.native import ABSENT, find_native
from lexigraph.codec import codec_for
from lexigraph.codec.escape import escape
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan.key_plan import KeyPlan
from lexigraph.keyplan.model import NEVER, PART, REST, FieldPart, fields_in
from lexigraph.keyplan.parts import compile_encoder, compile_skip


class FieldFirst:
    """Makes cells that have a field of one group first; their rows begin with ``start``.

    ``native`` chooses the native core or Python; by default the core, where it is installed and
    knows all codecs of the plan. ``declined`` says why it is not the core.

    >>> from lexigraph.keyplan import StoredElement
    >>> plan = KeyPlan.parse({
    ...     "version": 1,
    ...     "rows": [{"kind": "vertex", "group": "page",
    ...               "parts": [{"field": "vertex", "codec": "str", "form": "rest"}]}],
    ...     "family": [],
    ...     "groups": {"page": {"kind": "vertex", "value": {"form": "none"}, "qualifier": [
    ...         {"field": "day", "codec": "int8", "form": "part"}]}},
    ... })
    >>> cells = plan.encode(StoredElement("vertex", "page", {"day": 3}, vertex="/index"))
    >>> made = FieldFirst(plan, "page", "day", b"x").of(CellBatch.from_cells(cells), deleted=False)
    >>> made[0].row
    b'x\\x83/index'
    """

    def __init__(
        self, plan: KeyPlan, group: str, field: str, start: bytes, *, native: bool | None = None
    ) -> None:
        self.plan, self.group, self.field, self.start = plan, group, field, start
        self._part = part = field_part(plan, group, field)
        self._end = b"" if part.form == PART else b"\0"
        self._encode, self._codec = compile_encoder(part), codec_for(part.codec)
        self.declined: str | None = "Python was asked for"
        self._native: Any = None
        if native is not False:
            self._native, self.declined = _prepare(plan, group, field, start)
        if native and self.declined is not None:
            raise UnsupportedError(f"the native core does not make these cells: {self.declined}")

    def of(self, cells: CellBatch, *, deleted: bool) -> CellBatch:
        """Return one cell for each that stands for an element of the group, or its marker.

        An edge's other row, and what belongs to other groups, has none. Times are 0.
        """
        if self._native is not None:
            return CellBatch.from_buffers(self._native.of(cells.to_buffers(), deleted))
        return CellBatch.from_cells(self._made(cells, deleted=deleted))

    def start_of(self, key_form: bytes) -> bytes:
        """Return what the rows of all cells with a value start with."""
        return self._started(self._codec.decode(key_form))

    def element_row(self, row: bytes) -> bytes | None:
        """Return the row of the element; ``None`` if this row has another start."""
        if not row.startswith(self.start):
            return None
        at = len(self.start)
        end = compile_skip(self._part)(row, at) if self._part.form == PART else row.index(b"\0", at)
        return row[end + len(self._end) :]

    def _made(self, cells: CellBatch, *, deleted: bool) -> Iterator[Cell]:
        decoder = self.plan.decoder
        for cell in cells:
            place = decoder.place(cell.row, cell.family)
            if place is None or place.group.name != self.group or place.shape.shape.once == NEVER:
                continue
            fields = decoder.read_key(cell)
            if fields is not None:
                row = self._started(fields[self.field]) + cell.row
                yield cell._replace(row=row, timestamp=0, deleted=deleted, value=b"")

    def _started(self, value: Any) -> bytes:
        found = self._encode(value)
        if self._part.form == REST:
            found = escape(found)
        return self.start + found + self._end


def field_part(plan: KeyPlan, group: str, field: str) -> FieldPart:
    """Return how keys of a group hold a field; UnsupportedError if not all hold it in one form."""
    model = plan.model
    of = model.group(group)
    found = {
        part
        for parts in (of.qualifier, *(shape.parts for shape in model.shapes_of(of)))
        for part in fields_in(parts)
        if part.field == field
    }
    if len(found) != 1:
        raise UnsupportedError(
            f"the layout of group {group!r} does not hold {field!r} in its keys in one form",
            hint="Use another layout, such as byte-entity.",
        )
    return found.pop()


def _prepare(plan: KeyPlan, group: str, field: str, start: bytes) -> tuple[Any, str | None]:
    native = find_native()
    if native is None:
        return None, ABSENT
    found: tuple[Any, str | None] = native.FieldFirst.prepare(
        json.dumps(plan.to_json()), group, field, start
    )
    return found
