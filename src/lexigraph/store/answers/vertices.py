"""Many vertices as one column of key forms, which become values only when they are looked at.

Layer ``store``. A question about hops may find a million vertices, and often only their number is
wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, overload

from lexigraph.cells.columns import BytesColumn
from lexigraph.codec.base import Codec

_SHOWN = 5


class Vertices(Sequence[Any]):
    """Vertices in one column; of hops in key order, each once. Equal to a list of the same ones.

    >>> from lexigraph.codec import codec_for
    >>> found = Vertices(BytesColumn.of([b"ann", b"bob"]), codec_for("str"))
    >>> found, len(found), found[1], found == ["ann", "bob"]
    (Vertices(['ann', 'bob']), 2, 'bob', True)
    """

    __slots__ = ("_read_all", "codec", "expanded", "keys")

    def __init__(
        self,
        keys: BytesColumn,
        codec: Codec[Any],
        *,
        expanded: int = 0,
        read_all: Callable[[BytesColumn], Iterable[Any]] | None = None,
    ) -> None:
        """Take key forms; ``expanded`` says how many vertices were looked up to find them."""
        self.keys, self.codec, self.expanded, self._read_all = keys, codec, expanded, read_all

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.keys)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Vertices: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Return one vertex, or some of them."""
        if isinstance(index, slice):
            return Vertices(
                self.keys[index], self.codec, expanded=self.expanded, read_all=self._read_all
            )
        return self.codec.decode(self.keys[index])

    def __iter__(self) -> Iterator[Any]:
        """Give the vertices."""
        if self._read_all is not None:
            return iter(self._read_all(self.keys))
        return map(self.codec.decode, self.keys)

    @property
    def texts(self) -> tuple[memoryview, memoryview] | None:
        """Offsets of 64 bits and UTF-8, as Arrow has them; ``None`` if vertices are no texts."""
        return (self.keys.offsets, self.keys.data) if self.codec.name == "str" else None

    def __eq__(self, other: object) -> bool:
        """Tell whether the other has the same vertices in the same order."""
        if not isinstance(other, Vertices | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    # It is equal to lists, which have none either.
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show the first few, and how many there are."""
        first = ", ".join(map(repr, islice(self[:_SHOWN], _SHOWN)))
        more = f", ... {len(self)} in all" if len(self) > _SHOWN else ""
        return f"Vertices([{first}{more}])"
