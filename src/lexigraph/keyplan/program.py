"""How the rows of a table of one group become cells, in words that the native core reads.

Layer ``keyplan``. The same keys as ``encoder`` writes, described instead of written: which pieces
they consist of, and of which field and form each piece is. Which cells an element has is said there
and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from lexigraph.cells.jsonbytes import bytes_to_json
from lexigraph.keyplan.cell_writer import EdgeKeys, GroupKeys, KeyWriter
from lexigraph.keyplan.key_plan import KeyPlan
from lexigraph.keyplan.model import (
    DESTINATION,
    GROUP,
    REST,
    SOURCE,
    VERTEX,
    Const,
    FieldPart,
    Parts,
)
from lexigraph.keyplan.parts import compile_encoder


class PieceList:
    """The pieces of all keys of one group, by number.

    >>> pieces = PieceList("calls")
    >>> pieces.join((FieldPart("host", "str", "escaped"), Const(b"!")))
    [{'piece': 0}, {'const': '!'}]
    >>> pieces.to_json()
    [{'field': 'host', 'codec': 'str', 'form': 'escaped'}]
    """

    def __init__(self, group: str) -> None:
        self._group = group
        self._pieces: dict[FieldPart, int] = {}
        self._names: Mapping[str, str] = {}

    def join(self, parts: Parts) -> list[dict[str, Any]]:
        """Describe what puts parts together."""
        return [self._item(part) for part in parts]

    @contextmanager
    def renamed(self, names: Mapping[str, str]) -> Iterator[None]:
        """Let some fields stand for others meanwhile."""
        self._names = names
        try:
            yield
        finally:
            self._names = {}

    def number(self, part: FieldPart) -> int:
        """Give the number of a piece."""
        name = self._names.get(part.field, part.field)
        piece = FieldPart(name, part.codec, part.form, part.descending, part.nulls)
        return self._pieces.setdefault(piece, len(self._pieces))

    def to_json(self) -> list[dict[str, Any]]:
        """List the pieces."""
        return [piece.to_json() for piece in self._pieces]

    def _item(self, part: Const | FieldPart) -> dict[str, Any]:
        if isinstance(part, Const):
            return part.to_json()
        if part.field == GROUP:
            return {"const": bytes_to_json(compile_encoder(part)(self._group))}
        return {"piece": self.number(part)}


def describe_keys(plan: KeyPlan, name: str, pieces: PieceList) -> dict[str, Any]:
    """Describe the keys of a group's elements; their pieces go into a list."""
    model = plan.model
    [group] = [one for one in model.groups if one.name == name]
    keys = GroupKeys(pieces, group, model)
    if group.kind == VERTEX:
        return {"vertex": _described(keys.vertex)}
    words = {True: "directed", False: "undirected"}
    found: dict[str, Any] = {words[one]: _by_order(edges) for one, edges in keys.edges.items()}
    found["ends"] = _compared(keys.ends, pieces)
    return found


def describe_value(plan: KeyPlan, name: str) -> dict[str, Any]:
    """Describe the value of a group's cells."""
    [group] = [one for one in plan.model.groups if one.name == name]
    return group.value.to_json()


def _described(keys: list[KeyWriter]) -> list[dict[str, Any]]:
    return [{"row": one.row, "family": one.family, "qualifier": one.qualifier} for one in keys]


def _by_order(edges: EdgeKeys) -> dict[str, Any]:
    return {
        "of_itself": _described(edges.of_itself),
        "ascending": _described(edges.ascending),
        "descending": _described(edges.descending),
    }


def _compared(ends: Mapping[str, FieldPart], pieces: PieceList) -> list[int]:
    source, destination = ends[SOURCE], ends[DESTINATION]
    alike = (source.codec, source.form) == (destination.codec, destination.form)
    turned = any(part.descending or part.nulls for part in (source, destination))
    if not alike or turned:
        # In their plain forms; all others keep the order only among themselves.
        source = FieldPart(SOURCE, source.codec, REST)
        destination = FieldPart(DESTINATION, destination.codec, REST)
    return [pieces.number(source), pieces.number(destination)]
