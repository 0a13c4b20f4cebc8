"""Cells to elements, one by one, compiled once from a key plan.

Layer ``keyplan``. The first shape that fits the whole row is the row's shape. A group that the plan
does not list gives no element; everything else that does not fit is InvalidBytes, which names the
part of the cell and why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.codec import codec_for
from lexigraph.errors import InvalidBytes, show
from lexigraph.keyplan.check import ends_of
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.model import (
    DESTINATION,
    EDGE,
    EITHER,
    ENDS,
    GROUP,
    ORDERED,
    SOURCE,
    VERTEX,
    GroupPlan,
    Model,
    Shape,
)
from lexigraph.keyplan.parts import compile_reader
from lexigraph.keyplan.values import States, ValueCodec


class GroupReader:
    """How cells of one listed group are read, apart from row and family."""

    def __init__(self, group: GroupPlan) -> None:
        self.name = group.name
        self.kind = group.kind
        self.group = group
        self.read_qualifier = compile_reader(group.qualifier)
        self.value = ValueCodec(group.value)


class _ShapeReader:
    def __init__(self, shape: Shape, model: Model) -> None:
        self.shape = shape
        self.read = compile_reader(shape.parts)
        self.read_family = None if shape.family is None else compile_reader(shape.family)
        self._orders = {
            group.name: _EndOrder(shape, group)
            for group in model.groups
            if shape.kind == EDGE and shape in model.shapes_of(group)
        }

    def order(self, group: str) -> _EndOrder:
        return self._orders[group]


class _EndOrder:
    """Which end of an edge comes first, and what that means."""

    def __init__(self, shape: Shape, group: GroupPlan) -> None:
        first, second = ends_of(shape, group)
        self.shape = shape
        self.first, self.second = first.field, second.field
        self._encode = codec_for(first.codec).encode
        self._compares = shape.matched == EITHER or shape.once == ORDERED

    def arrange(self, fields: dict[str, Any]) -> tuple[Any, Any, str, bool]:
        """Return source, destination, matched and once."""
        first, second = fields[self.first], fields[self.second]
        smaller = not self._compares or self._encode(first) <= self._encode(second)
        shape = self.shape
        once = smaller if shape.once == ORDERED else shape.once == "always"
        if shape.matched == EITHER:
            if smaller:
                return first, second, SOURCE, once
            return second, first, DESTINATION, once
        return fields[SOURCE], fields[DESTINATION], str(shape.matched), once


@dataclass(frozen=True, slots=True)
class Match:
    """What row and family of a cell say."""

    group: GroupReader
    shape: _ShapeReader
    fields: dict[str, Any]


class CellReader:
    """Reads cells as one plan says."""

    def __init__(self, model: Model) -> None:
        self.groups = {group.name: GroupReader(group) for group in model.groups}
        shapes = [_ShapeReader(shape, model) for shape in model.rows]
        self._own_families = [shape for shape in shapes if shape.read_family is not None]
        self._shapes = [shape for shape in shapes if shape.read_family is None]
        self._read_family = compile_reader(model.family)
        # Cells of one row come together: the last row and family are remembered.
        self._last: tuple[bytes, bytes, Match | None] | None = None

    def place(self, row: bytes, family: bytes) -> Match | None:
        """Read row and family; ``None`` for a group that the plan does not list."""
        last = self._last
        if last is not None and last[0] == row and last[1] == family:
            return last[2]
        found = self._find_place(row, family)
        self._last = (row, family, found)
        return found

    def decode(
        self, cell: Cell, *, qualifier: bool = True, value: bool = True
    ) -> StoredElement | None:
        """Read a cell; ``None`` for a group that the plan does not list.

        Without ``qualifier`` or ``value`` what they hold is not looked at, and absent.
        """
        place = self.place(cell.row, cell.family)
        if place is None:
            return None
        fields = place.fields
        if qualifier:
            fields = fields | self.read_qualifier(place, cell)
        properties = {
            name: item
            for name, item in fields.items()
            if item is not None and name != VERTEX and name not in ENDS
        }
        held: dict[str, Any] = {}
        if value:
            states, codec = self.read_value(place.group, cell), place.group.value
            properties |= codec.finish(states)
            held = dict(zip(codec.names, states, strict=True))
        if place.group.kind == VERTEX:
            return StoredElement(
                VERTEX,
                place.group.name,
                properties,
                vertex=fields[VERTEX],
                visibility=cell.visibility,
                timestamp=cell.timestamp,
                states=held,
            )
        source, destination, matched, once = place.shape.order(place.group.name).arrange(fields)
        return StoredElement(
            EDGE,
            place.group.name,
            properties,
            source=source,
            destination=destination,
            directed=place.shape.shape.directed,
            matched=matched,
            once=once,
            visibility=cell.visibility,
            timestamp=cell.timestamp,
            states=held,
        )

    def read_key(self, cell: Cell) -> dict[str, Any] | None:
        """Read the fields of a key; ``None`` if this is not the row that counts once."""
        place = self.place(cell.row, cell.family)
        if place is None:
            return None
        fields = place.fields | self.read_qualifier(place, cell)
        if place.group.kind == VERTEX:
            return fields
        source, destination, _, once = place.shape.order(place.group.name).arrange(fields)
        return {**fields, SOURCE: source, DESTINATION: destination} if once else None

    def read_qualifier(self, place: Match, cell: Cell) -> dict[str, Any]:
        """Read the fields of the qualifier."""
        try:
            return place.group.read_qualifier(cell.qualifier)
        except InvalidBytes as error:
            raise _misfit("qualifier", cell.qualifier, place.group.name, str(error)) from error

    def read_value(self, group: GroupReader, cell: Cell) -> States:
        """Read the states in the value."""
        try:
            return group.value.read(cell.value, cell.timestamp)
        except InvalidBytes as error:
            raise InvalidBytes(
                f"the value of a cell of group {group.name!r} in row {show(cell.row)} "
                f"does not fit the plan: {error}"
            ) from error

    def _find_place(self, row: bytes, family: bytes) -> Match | None:
        return self._find_own(row, family) or self._find_shared(row, family)

    def _find_own(self, row: bytes, family: bytes) -> Match | None:
        reasons = []
        for shape in self._own_families:
            group = self.groups.get(str(shape.shape.group))
            if group is None or shape.read_family is None:
                continue
            try:
                fields = shape.read_family(family)
            except InvalidBytes:
                continue
            try:
                fields = fields | shape.read(row)
            except InvalidBytes as error:
                reasons.append(f"as a row of {group.name!r}, {error}")
                continue
            return self._placed(group, shape, fields, row)
        if reasons and not self._shapes:
            raise InvalidBytes(
                f"row {show(row)} does not fit any shape of its family: {'; '.join(reasons)}"
            )
        return None

    def _find_shared(self, row: bytes, family: bytes) -> Match | None:
        if not self._shapes:
            return None
        try:
            fields = self._read_family(family)
        except InvalidBytes as error:
            raise InvalidBytes(f"family {show(family)} does not fit the plan: {error}") from error
        name = fields.pop(GROUP, None)
        if name is not None and name not in self.groups:
            return None
        shape, row_fields = self._find_shape(row)
        group = self.groups.get(str(shape.shape.group) if name is None else name)
        if group is None:
            return None
        return self._placed(group, shape, fields | row_fields, row)

    def _placed(
        self, group: GroupReader, shape: _ShapeReader, fields: dict[str, Any], row: bytes
    ) -> Match:
        if group.kind != shape.shape.kind:
            raise _misfit("row", row, group.name, f"it is the row of a {shape.shape.kind}")
        return Match(group, shape, fields)

    def _find_shape(self, row: bytes) -> tuple[_ShapeReader, dict[str, Any]]:
        reasons = []
        for shape in self._shapes:
            try:
                return shape, shape.read(row)
            except InvalidBytes as error:
                reasons.append(str(error))
        raise InvalidBytes(
            f"row {show(row)} does not fit any of the plan's {len(self._shapes)} shapes: "
            + "; ".join(reasons)
        )


def _misfit(what: str, data: bytes, group: str, why: str) -> InvalidBytes:
    return InvalidBytes(f"{what} {show(data)} does not fit group {group!r} of the plan: {why}")
