"""Hops along edges in the embedded engine: seeds as values of their codec, vertices back.

Layer ``store``, only for ``embedded``. The core follows edges frontier by frontier, with labels and
stages applied at every hop; here values become key forms and key forms values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from lexigraph.codec import codec_for
from lexigraph.codec.base import Codec
from lexigraph.errors import InvalidOption, show
from lexigraph.store.columns import BytesColumn
from lexigraph.store.plan import KeyPlan
from lexigraph.store.plan.model import ENDS, fields_in

DIRECTIONS = ("out", "in", "both")


class Vertices(Sequence[Any]):
    """Vertices in the order of their key forms, each once; decoded as they are asked for."""

    __slots__ = ("codec", "expanded", "keys")

    def __init__(self, keys: BytesColumn, codec: Codec[Any], expanded: int) -> None:
        self.keys, self.codec, self.expanded = keys, codec, expanded

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
            return Vertices(self.keys[index], self.codec, self.expanded)
        return self.codec.decode(self.keys[index])

    def __iter__(self) -> Iterator[Any]:
        """Give the vertices."""
        return map(self.codec.decode, self.keys)

    def __repr__(self) -> str:
        """Show how many there are."""
        return f"Vertices({len(self)} found, {self.expanded} looked up)"


def vertex_codec(plan: Any, name: str) -> Codec[Any]:
    """Return the codec of the ends of a plan's edges."""
    model = KeyPlan.parse(plan, f"plans.{name}").model
    parts = [part for shape in model.rows for part in fields_in(shape.parts)]
    parts += [part for group in model.groups for part in fields_in(group.qualifier)]
    names = {part.codec for part in parts if part.field in ENDS}
    if len(names) != 1:
        raise InvalidOption(
            f"hops need a plan of edges whose two ends have one codec; plan {name!r} has "
            f"{sorted(names) or 'no edges'}"
        )
    return codec_for(names.pop())


def read_direction(direction: Any) -> str:
    """Return one of the directions."""
    if direction not in DIRECTIONS:
        raise InvalidOption(f"direction is one of {', '.join(DIRECTIONS)}, not {show(direction)}")
    return str(direction)


def read_groups(groups: Any) -> list[str] | None:
    """Return the edge groups to follow, or None for all."""
    if groups is None:
        return None
    listed = [groups] if isinstance(groups, str) else groups
    if not isinstance(listed, Iterable) or not all(isinstance(name, str) for name in listed):
        raise InvalidOption(f"groups are names of edge groups, not {show(groups)}")
    return list(listed)
