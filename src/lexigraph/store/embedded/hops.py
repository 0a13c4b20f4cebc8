"""Edges of the embedded engine to follow: seeds as values of their codec, vertices back.

Layer ``store``, only for ``embedded``. The core follows edges frontier by frontier, with labels and
stages applied at every hop; here values become key forms and key forms values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.jsonfields import read_bool
from lexigraph.codec import codec_for
from lexigraph.codec.base import Codec
from lexigraph.errors import InvalidOption, show
from lexigraph.keyplan import KeyPlan
from lexigraph.keyplan.model import ENDS, fields_in
from lexigraph.keyplan.vertices import Vertices
from lexigraph.store.arguments import read_count, read_timeout
from lexigraph.store.embedded.native import load_native
from lexigraph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from lexigraph.store.embedded.engine import EmbeddedEngine

DIRECTIONS = ("out", "in", "both")


class EdgeReader:
    """Follows edges of one table as one reader, prepared; each call sees what is there then.

    Made by :meth:`EmbeddedEngine.edge_reader`. Vertices are values of their codec.
    """

    __slots__ = ("_codec", "_encode", "_engine", "_is_text", "_native")

    def __init__(self, engine: EmbeddedEngine, native: Any, codec: Codec[Any]) -> None:
        self._engine, self._native = engine, native
        self._codec, self._encode = codec, codec.encode
        self._is_text = is_text(codec)

    def expand(
        self,
        seeds: Iterable[Any],
        *,
        steps: int = 1,
        within: bool = False,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> Vertices:
        """Return the vertices that lie ``steps`` hops from the seeds, or ``within`` so many.

        A vertex counts with the fewest hops that reach it, seeds with none.
        """
        at, clock = self._engine.moment(snapshot)
        offsets, data, expanded = self._native.expand(
            list(map(self._encode, seeds)),
            read_count(steps, "steps"),
            read_bool(within, "within"),
            at,
            read_timeout(timeout_s),
            clock,
        )
        read_all = _texts if self._is_text else None
        return Vertices(_column(offsets, data), self._codec, expanded=expanded, read_all=read_all)

    def neighbours(
        self,
        vertices: Iterable[Any],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> list[Any]:
        """Return the other ends of the edges at some vertices, each once, in key order."""
        at, clock = self._engine.moment(snapshot)
        found: list[Any] = self._native.neighbours(
            list(map(self._encode, vertices)), at, timeout_s, clock
        )
        return found if self._is_text else list(map(self._codec.decode, found))

    def neighbours_of(
        self, vertex: Any, *, snapshot: Snapshot | None = None, timeout_s: float | None = None
    ) -> list[Any]:
        """Return the other ends of the edges at one vertex, each once, in key order."""
        if type(vertex) is not str or not self._is_text:
            return self.neighbours([vertex], snapshot=snapshot, timeout_s=timeout_s)
        at, clock = self._engine.moment(snapshot)
        try:
            found: list[Any] = self._native.neighbours_of(vertex, at, timeout_s, clock)
        except UnicodeEncodeError:
            # The codec says what is wrong with such text.
            self._encode(vertex)
            raise
        return found

    def pairs(
        self,
        vertices: Iterable[Any],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> tuple[BytesColumn, BytesColumn]:
        """Return each vertex with each of its neighbours, both in key form, sorted, each once."""
        at, clock = self._engine.moment(snapshot)
        keys = list(map(self._encode, vertices))
        near, far = self._native.pairs(keys, at, timeout_s, clock)
        return _column(*near), _column(*far)

    def __repr__(self) -> str:
        """Show the engine."""
        return f"<edge reader of {self._engine!r}>"


def _texts(keys: BytesColumn) -> list[str]:
    found: list[str] = load_native().texts(keys.offsets, keys.data)
    return found


def _column(offsets: bytes, data: bytes) -> BytesColumn:
    return BytesColumn.trusted(memoryview(offsets).cast("q"), memoryview(data))


def is_text(codec: Codec[Any]) -> bool:
    """Tell whether the native module can give vertices of a codec by itself."""
    return codec.name == "str"


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
