"""Rows of the layout ``records``: of vertices, edges, references, and of tables under elements.

Layer ``layout``. References of a vertex follow its own row, sorted by label, sort key, neighbour
and edge id; rows of tables under an element come last. Reading accepts exactly what writing gives
and raises nothing but InvalidBytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lexigraph.codec import Codec, codec_for, part_codec
from lexigraph.codec.escape import escape, split_terminated
from lexigraph.codec.kinds.basics import STR
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidBytes, InvalidValue
from lexigraph.layout.records.subjects import (
    EITHER,
    IN,
    OUT,
    EdgeSubject,
    ReferenceSubject,
    RowSubject,
    Subject,
    VertexSubject,
)

VERTICES: Final = "vertices"
EDGES: Final = "edges"

_OWN: Final = 0x01
_MARKS: Final = {OUT: 0x02, IN: 0x03, EITHER: 0x04}
_UNDER: Final = 0x05
_DIRECTIONS: Final = {mark: direction for direction, mark in _MARKS.items()}
_END: Final = b"\x00"


@dataclass(frozen=True, slots=True)
class SortField:
    """One part of the sort key of a label."""

    name: str
    codec: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class RecordRows:
    """Where records lie: the codec of vertex ids, and the sort keys that labels of edges declare.

    >>> rows = RecordRows("str")
    >>> rows.row_of(ReferenceSubject("ann", OUT, "KNOWS", (), "bob", 7))
    b'ann\\x00\\x02KNOWS\\x00bob\\x000\\x81\\x07'
    """

    vertex_codec: str = "any"
    sort_keys: Mapping[str, tuple[SortField, ...]] = field(default_factory=dict)
    plan: str = field(init=False, repr=False, compare=False)
    """Their key plan as JSON text, made once: the core gets it with every question."""
    _vertex: Codec[Any] = field(init=False, repr=False, compare=False)
    _parts: Mapping[str, list[Codec[Any]]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find the codecs."""
        parts = {
            label: [part_codec(one.codec, descending=one.descending, nulls="last") for one in key]
            for label, key in self.sort_keys.items()
        }
        object.__setattr__(self, "_vertex", codec_for(self.vertex_codec))
        object.__setattr__(self, "_parts", parts)
        object.__setattr__(self, "plan", json.dumps(self.to_plan()))

    def to_plan(self) -> dict[str, Any]:
        """Return what these rows consist of, as a key plan of facts."""
        labels = {label: [_shown(one) for one in key] for label, key in self.sort_keys.items()}
        return {"version": 1, "facts": {"vertex": self.vertex_codec, "labels": labels}}

    @staticmethod
    def table_of(subject: Subject) -> str:
        """Return the table that has the row of a subject."""
        of = subject.element if isinstance(subject, RowSubject) else subject
        return EDGES if isinstance(of, EdgeSubject) else VERTICES

    def row_of(self, subject: Subject) -> bytes:
        """Return the row of a subject."""
        if isinstance(subject, EdgeSubject):
            return ANY.encode(subject.id)
        if isinstance(subject, VertexSubject):
            return self._escaped(subject.id) + bytes((0, _OWN))
        if isinstance(subject, RowSubject):
            return self.under_prefix(subject.element, subject.table) + ANY.encode(subject.row)
        parts = self._parts.get(subject.label, [])
        if len(parts) != len(subject.sort_key):
            raise InvalidValue(
                f"the sort key of {subject.label!r} has {len(parts)} parts, "
                f"not {len(subject.sort_key)}"
            )
        pairs = zip(parts, subject.sort_key, strict=True)
        return b"".join(
            (
                self._escaped(subject.vertex),
                bytes((0, _MARKS[subject.direction])),
                escape(STR.encode(subject.label)),
                _END,
                *(part.encode_part(value) for part, value in pairs),
                self._escaped(subject.other),
                _END,
                ANY.encode(subject.edge),
            )
        )

    def vertex_key(self, vertex: Any) -> bytes:
        """Return the key form of the id of a vertex, which says how ids are ordered."""
        return self._vertex.encode(vertex)

    def reference_prefix(self, vertex: Any, direction: str, label: str | None = None) -> bytes:
        """Return what the rows of the references of a vertex start with, in one direction.

        >>> RecordRows("str").reference_prefix("ann", OUT, "KNOWS")
        b'ann\\x00\\x02KNOWS\\x00'
        """
        return self._escaped(vertex) + self.reference_start(direction, label)

    @staticmethod
    def reference_start(direction: str, label: str | None = None) -> bytes:
        """Return what follows the id of a vertex in the rows of its references."""
        start = bytes((0, _MARKS[direction]))
        return start if label is None else start + escape(STR.encode(label)) + _END

    def under_prefix(self, element: VertexSubject | EdgeSubject, table: str | None = None) -> bytes:
        """Return what the rows of the tables under an element start with, or those of one table.

        >>> RecordRows("str").under_prefix(VertexSubject("ann"), "visits")
        b'ann\\x00\\x05visits\\x00'
        """
        vertex = isinstance(element, VertexSubject)
        own = self._escaped(element.id) if vertex else element.key
        start = own + bytes((0, _UNDER))
        return start if table is None else start + escape(STR.encode(table)) + _END

    def vertex_part(self, vertex: Any) -> bytes:
        """Return the id of a vertex as rows have it, with its end."""
        return self._escaped(vertex) + _END

    def own_row(self, vertex: Any) -> bytes:
        """Return the row of a vertex itself."""
        return self.vertex_part(vertex) + bytes((_OWN,))

    def sort_codecs(self, label: str) -> list[Codec[Any]]:
        """Return the codecs of the parts of a label's sort key."""
        return self._parts.get(label, [])

    def subject_of(self, table: str, row: bytes) -> Subject:
        """Return the subject of a row."""
        if table == EDGES:
            edge, offset = ANY.decode_part(row)
            if offset == len(row):
                return EdgeSubject(edge)
            if row[offset : offset + 2] != bytes((0, _UNDER)):
                raise InvalidBytes(f"{len(row) - offset} bytes follow the row of an edge")
            return _row_under(EdgeSubject(edge), row, offset + 2)
        vertex, offset = self._read_id(row, 0)
        mark = row[offset] if offset < len(row) else None
        if mark == _OWN:
            if offset + 1 != len(row):
                raise InvalidBytes(f"{len(row) - offset - 1} bytes follow the row of a vertex")
            return VertexSubject(vertex)
        if mark == _UNDER:
            return _row_under(VertexSubject(vertex), row, offset + 1)
        if mark not in _DIRECTIONS:
            raise InvalidBytes(f"byte {offset} of the row is not 01, 02, 03, 04 or 05")
        text, offset = split_terminated(row, offset + 1)
        label = STR.decode(text)
        values = []
        for part in self._parts.get(label, []):
            value, offset = part.decode_part(row, offset)
            values.append(value)
        other, offset = self._read_id(row, offset)
        edge = ANY.decode(row[offset:])
        return ReferenceSubject(vertex, _DIRECTIONS[mark], label, tuple(values), other, edge)

    def _escaped(self, vertex: Any) -> bytes:
        return escape(self._vertex.encode(vertex))

    def _read_id(self, row: bytes, offset: int) -> tuple[Any, int]:
        data, offset = split_terminated(row, offset)
        return self._vertex.decode(data), offset


def _row_under(element: VertexSubject | EdgeSubject, row: bytes, offset: int) -> RowSubject:
    name, offset = split_terminated(row, offset)
    return RowSubject(element, STR.decode(name), ANY.decode(row[offset:]))


def _shown(part: SortField) -> dict[str, Any]:
    data: dict[str, Any] = {"field": part.name, "codec": part.codec}
    return data | {"descending": True} if part.descending else data
