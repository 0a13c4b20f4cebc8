"""Keys put together from pieces, each of which is made once for an element.

Layer ``keyplan``. A piece is a const, or a field in one of its forms. The parts of a key become
places in the list of pieces, so that putting a key together is one join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

from lexigraph.keyplan.model import Const, FieldPart, Parts
from lexigraph.keyplan.parts import compile_encoder

KeyPieces = bytes | Callable[[list[bytes]], tuple[bytes, ...]]
"""The bytes of a key that is always the same, or what picks its pieces."""


class Pieces:
    """The pieces of all keys of one group.

    >>> pieces = Pieces({"group": "calls"})
    >>> row = pieces.join((FieldPart("host", "str", "escaped"), Const(b"\\0")))
    >>> pieces.join((FieldPart("group", "str", "rest"),))
    b'calls'
    >>> b"".join(row(pieces.encode({"host": "a"})))
    b'a\\x00'
    """

    def __init__(self, fixed: Mapping[str, Any]) -> None:
        self._fixed = fixed
        self._consts: list[bytes] = []
        self._encoders: list[tuple[str, Callable[[Any], bytes]]] = []
        self._places: dict[tuple[str, FieldPart], int] = {}
        self._names: Mapping[str, str] = {}

    def encode(self, fields: Mapping[str, Any]) -> list[bytes]:
        """Make the pieces of one element; a field that is not there is null."""
        made = [encode(fields.get(name)) for name, encode in self._encoders]
        made += self._consts
        return made

    def join(self, parts: Parts) -> KeyPieces:
        """Give what puts parts together."""
        pieces = [self._constant(part) for part in parts]
        if None not in pieces:
            return b"".join(piece for piece in pieces if piece is not None)
        places = [
            self._place(part) if isinstance(part, FieldPart) and piece is None else self._add(piece)
            for part, piece in zip(parts, pieces, strict=True)
        ]
        if len(places) == 1:
            # One place alone would be picked as it is, not as a tuple.
            places.append(self._add(b""))
        return itemgetter(*places)

    @contextmanager
    def renamed(self, names: Mapping[str, str]) -> Iterator[None]:
        """Let some fields stand for others meanwhile."""
        self._names = names
        try:
            yield
        finally:
            self._names = {}

    def _constant(self, part: Const | FieldPart) -> bytes | None:
        if isinstance(part, Const):
            return part.data
        if part.field in self._fixed:
            return compile_encoder(part)(self._fixed[part.field])
        return None

    def _place(self, part: FieldPart) -> int:
        name = self._names.get(part.field, part.field)
        key = (name, FieldPart("", part.codec, part.form, part.descending, part.nulls))
        if key not in self._places:
            self._places[key] = len(self._encoders)
            self._encoders.append((name, compile_encoder(part)))
        return self._places[key]

    def _add(self, const: bytes | None) -> int:
        # Behind all others, counted from the end: how many fields there will be is not known yet.
        assert const is not None
        if const not in self._consts:
            self._consts.insert(0, const)
        return self._consts.index(const) - len(self._consts)
