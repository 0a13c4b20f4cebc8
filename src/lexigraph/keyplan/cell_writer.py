"""Elements to cells, compiled once from a key plan.

Layer ``keyplan``. Gives every cell of an element: an edge has a cell for each shape of its group
and direction, an undirected one starts from both ends, an edge from a vertex to itself has one
cell, and so has a vertex, in its group's first shape. Each field is encoded once, however many
cells and parts of keys it stands in.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from lexigraph.cells.cell import Cell
from lexigraph.codec import codec_for
from lexigraph.errors import GroupNotFound, InvalidValue, nearest
from lexigraph.keyplan.check import ends_of
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.model import (
    DESTINATION,
    EITHER,
    ENDS,
    GROUP,
    NEVER,
    SOURCE,
    VERTEX,
    GroupPlan,
    Model,
    Parts,
    Shape,
    fields_in,
)
from lexigraph.keyplan.parts import nullable_fields
from lexigraph.keyplan.pieces import KeyPieces, Pieces
from lexigraph.keyplan.values import ValueCodec

_TURNED = {SOURCE: DESTINATION, DESTINATION: SOURCE}


class Keyed(Protocol):
    """What keys are put together from: pieces to write, or words for them."""

    def join(self, parts: Parts) -> Any:
        """Give what puts parts together."""
        ...

    def renamed(self, names: Mapping[str, str]) -> AbstractContextManager[None]:
        """Let some fields stand for others meanwhile."""
        ...


class KeyWriter:
    """Row, family and qualifier of one cell of an element."""

    __slots__ = ("family", "qualifier", "row")

    def __init__(self, pieces: Keyed, shape: Shape, model: Model, group: GroupPlan) -> None:
        self.row = pieces.join(shape.parts)
        self.family = pieces.join(model.family_of(shape))
        self.qualifier = pieces.join(group.qualifier)

    @staticmethod
    def turned(pieces: Keyed, shape: Shape, model: Model, group: GroupPlan) -> KeyWriter:
        """Give the key of the edge from the other end: each end in the place of the other."""
        with pieces.renamed(_TURNED):
            return KeyWriter(pieces, shape, model, group)


class EdgeKeys:
    """The keys of edges of one kind, directed or not."""

    def __init__(self, pieces: Keyed, shapes: list[Shape], model: Model, group: GroupPlan) -> None:
        self.of_itself = _keys(pieces, shapes[0], model, group)[0][:1]
        both = [_keys(pieces, shape, model, group) for shape in shapes]
        self.ascending = [key for ascending, _ in both for key in ascending]
        self.descending = [key for _, descending in both for key in descending]


def _keys(
    pieces: Keyed, shape: Shape, model: Model, group: GroupPlan
) -> tuple[list[KeyWriter], list[KeyWriter]]:
    """Give the keys of one shape: if the source is not the larger end, and if it is."""
    plain = KeyWriter(pieces, shape, model, group)
    if shape.directed:
        return [plain], [plain]
    turned = KeyWriter.turned(pieces, shape, model, group)
    ascending, descending = [plain, turned], [turned, plain]
    if shape.matched != EITHER:
        return ascending[:1], descending[:1]
    if ends_of(shape, group)[0].field == DESTINATION:
        return descending, ascending
    return ascending, descending


class GroupKeys:
    """The keys of all elements of a group."""

    def __init__(self, pieces: Keyed, group: GroupPlan, model: Model) -> None:
        shapes = sorted(model.shapes_of(group), key=lambda shape: shape.once == NEVER)
        self.first = shapes[0]
        self.vertex: list[KeyWriter] = []
        self.edges: dict[bool, EdgeKeys] = {}
        if group.kind == VERTEX:
            self.vertex = [KeyWriter(pieces, self.first, model, group)]
            return
        for directed in (True, False):
            fitting = [shape for shape in shapes if shape.directed is directed]
            if fitting:
                self.edges[directed] = EdgeKeys(pieces, fitting, model, group)
        self.ends = {part.field: part for part in ends_of(self.first, group)}


class _GroupWriter:
    def __init__(self, group: GroupPlan, model: Model) -> None:
        self.group = group
        self.pieces = Pieces({GROUP: group.name})
        self.keys = GroupKeys(self.pieces, group, model)
        first = self.keys.first
        self.value = ValueCodec(group.value)
        keys = (*first.parts, *model.family_of(first), *group.qualifier)
        optional = nullable_fields(keys)
        self.in_key = {part.field: part.field in optional for part in fields_in(keys)}
        self.needed = [name for name, absent in self.in_key.items() if not absent and name != GROUP]
        self.known = {*self.in_key, *self.value.names} - {VERTEX, *ENDS, GROUP}
        self.ids = (VERTEX,) if group.kind == VERTEX else ENDS
        if group.kind != VERTEX:
            ends = {name: codec_for(part.codec) for name, part in self.keys.ends.items()}
            self.encode_source = ends[SOURCE].encode
            self.encode_destination = ends[DESTINATION].encode

    def keys_of(self, element: StoredElement) -> list[KeyWriter]:
        """Give the keys of all cells of an element, the one that counts once first."""
        if self.group.kind == VERTEX:
            return self.keys.vertex
        keys = None if element.directed is None else self.keys.edges.get(element.directed)
        if keys is None:
            raise InvalidValue(
                f"the plan has no shape for edges of group {element.group!r} with "
                f"directed={element.directed}"
            )
        source = self.encode_source(element.source)
        destination = self.encode_destination(element.destination)
        if source == destination:
            return keys.of_itself
        return keys.ascending if source < destination else keys.descending


class CellWriter:
    """Writes elements as one plan says."""

    def __init__(self, model: Model) -> None:
        self._groups = {group.name: _GroupWriter(group, model) for group in model.groups}

    def encode(self, element: StoredElement) -> list[Cell]:
        """Give the cells of an element, the one that counts once first."""
        writer = self._groups.get(element.group)
        if writer is None:
            raise GroupNotFound(
                f"the plan has no group {element.group!r}",
                near=nearest(element.group, self._groups),
            )
        fields = _gather(element, writer)
        keys = writer.keys_of(element)
        pieces = writer.pieces.encode(fields)
        value = writer.value.write_results(element.properties)
        label, time = element.visibility, element.timestamp
        return [
            Cell(
                _joined(key.row, pieces),
                _joined(key.family, pieces),
                _joined(key.qualifier, pieces),
                label,
                time,
                False,
                value,
            )
            for key in keys
        ]


def _joined(join: KeyPieces, pieces: list[bytes]) -> bytes:
    return join if isinstance(join, bytes) else b"".join(join(pieces))


def _gather(element: StoredElement, writer: _GroupWriter) -> dict[str, Any]:
    properties = element.properties
    if element.kind != writer.group.kind:
        raise InvalidValue(
            f"group {element.group!r} holds elements of kind {writer.group.kind!r}, "
            f"not {element.kind!r}"
        )
    if not properties.keys() <= writer.known:
        wrong = next(name for name in properties if name not in writer.known)
        raise InvalidValue(
            f"group {element.group!r} has no property {wrong!r}",
            near=nearest(wrong, writer.known),
        )
    fields = dict(properties)
    for name in writer.ids:
        fields[name] = getattr(element, name)
    for name in writer.needed:
        if fields.get(name) is None:
            raise InvalidValue(f"an element of group {element.group!r} lacks {name!r}")
    return fields
