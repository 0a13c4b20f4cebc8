"""Elements to cells, compiled once from a key plan.

Layer ``store``. Gives every cell of an element: an edge has a cell for each shape of its group and
direction, an undirected one starts from both ends, an edge from a vertex to itself has one cell,
and so has a vertex, in its group's first shape.
"""

from __future__ import annotations

from typing import Any

from lexigraph.codec import codec_for
from lexigraph.errors import GroupNotFound, InvalidValue, nearest
from lexigraph.store.cells import Cell
from lexigraph.store.plan.check import ends_of
from lexigraph.store.plan.element import Element
from lexigraph.store.plan.model import (
    DESTINATION,
    EITHER,
    ENDS,
    GROUP,
    NEVER,
    SOURCE,
    VERTEX,
    Group,
    Model,
    Shape,
    fields_in,
)
from lexigraph.store.plan.parts import compile_writer, nullable_fields
from lexigraph.store.plan.values import ValueCodec


class _GroupWriter:
    def __init__(self, group: Group, model: Model) -> None:
        self.group = group
        counting_first = sorted(model.shapes_of(group), key=lambda shape: shape.once == NEVER)
        self.shapes = [
            (shape, compile_writer(shape.parts), compile_writer(model.family_of(shape)))
            for shape in counting_first
        ]
        self.write_qualifier = compile_writer(group.qualifier)
        self.value = ValueCodec(group.value)
        first = self.shapes[0][0]
        keys = (*first.parts, *model.family_of(first), *group.qualifier)
        optional = nullable_fields(keys)
        self.in_key = {part.field: part.field in optional for part in fields_in(keys)}
        self.known = {*self.in_key, *self.value.names} - {VERTEX, *ENDS, GROUP}
        self.ends = {} if group.kind == VERTEX else {p.field: p for p in ends_of(first, group)}


class Encoder:
    """Writes elements as one plan says."""

    def __init__(self, model: Model) -> None:
        self._groups = {group.name: _GroupWriter(group, model) for group in model.groups}

    def encode(self, element: Element) -> list[Cell]:
        """Give the cells of an element, the one that counts once first."""
        writer = self._groups.get(element.group)
        if writer is None:
            raise GroupNotFound(
                f"the plan has no group {element.group!r}",
                near=nearest(element.group, self._groups),
            )
        fields = self._gather(element, writer)
        if element.kind == VERTEX:
            _, write_row, write_family = writer.shapes[0]
            variants = [(write_row(fields), write_family(fields), fields)]
        else:
            variants = self._edge_rows(element, writer, fields)
        value = writer.value.write_results(element.properties)
        return [
            Cell(
                row,
                family,
                writer.write_qualifier(named),
                element.visibility,
                element.timestamp,
                value=value,
            )
            for row, family, named in variants
        ]

    def _gather(self, element: Element, writer: _GroupWriter) -> dict[str, Any]:
        if element.kind != writer.group.kind:
            raise InvalidValue(
                f"group {element.group!r} holds elements of kind {writer.group.kind!r}, "
                f"not {element.kind!r}"
            )
        for name in element.properties:
            if name not in writer.known:
                raise InvalidValue(
                    f"group {element.group!r} has no property {name!r}",
                    near=nearest(name, writer.known),
                )
        fields: dict[str, Any] = dict.fromkeys(writer.in_key) | {
            name: item for name, item in element.properties.items() if name in writer.in_key
        }
        fields[GROUP] = element.group
        for name in (VERTEX,) if element.kind == VERTEX else ENDS:
            fields[name] = getattr(element, name)
        for name, optional in writer.in_key.items():
            if fields[name] is None and not optional:
                raise InvalidValue(f"an element of group {element.group!r} lacks {name!r}")
        return fields

    def _edge_rows(
        self, element: Element, writer: _GroupWriter, fields: dict[str, Any]
    ) -> list[tuple[bytes, bytes, dict[str, Any]]]:
        source, destination = (
            codec_for(writer.ends[name].codec).encode(fields[name]) for name in ENDS
        )
        itself = source == destination
        rows: list[tuple[bytes, bytes, dict[str, Any]]] = []
        shapes = [one for one in writer.shapes if one[0].directed == element.directed]
        if not shapes:
            raise InvalidValue(
                f"the plan has no shape for edges of group {element.group!r} with "
                f"directed={element.directed}"
            )
        for shape, write, write_family in shapes[:1] if itself else shapes:
            turned = fields | {SOURCE: fields[DESTINATION], DESTINATION: fields[SOURCE]}
            ordered = [fields, turned] if source <= destination else [turned, fields]
            if shape.directed:
                ordered = [fields]
            elif itself or shape.matched != EITHER:
                ordered = ordered[:1]
            if shape.matched == EITHER and _starts_with_destination(shape, writer.group):
                ordered.reverse()
            rows += [(write(named), write_family(named), named) for named in ordered]
        return rows


def _starts_with_destination(shape: Shape, group: Group) -> bool:
    return ends_of(shape, group)[0].field == DESTINATION
