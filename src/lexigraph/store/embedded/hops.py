"""Edges of the embedded engine to follow: seeds as values of their codec, vertices back.

Layer ``store``, only for ``embedded``. The core follows edges frontier by frontier, with labels and
stages applied at every hop; here values become key forms and key forms values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lexigraph.arguments import read_bool, read_count, read_timeout
from lexigraph.cells.columns import BytesColumn
from lexigraph.codec.base import Codec
from lexigraph.store.answers.vertices import Vertices
from lexigraph.store.embedded.native import load_native
from lexigraph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from lexigraph.store.embedded.engine import EmbeddedEngine


class EmbeddedEdgeReader:
    """Follows edges of one table as one reader, prepared; each call sees what is there then.

    Vertices are values of their codec.
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
        return Vertices(
            BytesColumn.from_buffers(offsets, data),
            self._codec,
            expanded=expanded,
            read_all=read_all,
        )

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
        return BytesColumn.from_buffers(*near), BytesColumn.from_buffers(*far)

    def __repr__(self) -> str:
        """Show the engine."""
        return f"<edge reader of {self._engine!r}>"


def _texts(keys: BytesColumn) -> list[str]:
    found: list[str] = load_native().texts(keys.offsets, keys.data)
    return found


def is_text(codec: Codec[Any]) -> bool:
    """Tell whether the native module can give vertices of a codec by itself."""
    return codec.name == "str"
