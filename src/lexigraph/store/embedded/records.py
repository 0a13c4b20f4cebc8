"""Records of the embedded engine: their cells are assembled where they are read.

Layer ``store``, only for ``embedded``. What the elements are is not known here: the layout prepares
the core for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lexigraph.arguments import read_timeout
from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.ranges import Range
from lexigraph.store.answers.references import ReferenceColumns, VertexValues
from lexigraph.store.embedded.native import range_parts
from lexigraph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from lexigraph.store.embedded.engine import EmbeddedEngine

_BATCH_CELLS = 4096


class EmbeddedRecordReader:
    """Reads the records of one table as one reader; each run reads what is there then."""

    __slots__ = ("_engine", "_native")

    def __init__(self, engine: EmbeddedEngine, native: Any) -> None:
        self._engine, self._native = engine, native

    def rows(self, rows: Iterable[bytes], *, snapshot: Snapshot | None = None) -> list[Any]:
        """Return the elements of some rows, in their order."""
        return list(self._native.rows(list(rows), *self._engine.moment(snapshot)))

    def vertex_values(
        self,
        keys: BytesColumn,
        label: str,
        names: Sequence[str],
        *,
        snapshot: Snapshot | None = None,
    ) -> VertexValues:
        """Return the values of vertices of a label by column; keys are sorted, each once."""
        wanted = [name.encode() for name in names]
        return VertexValues(
            *self._native.vertex_values(
                keys.offsets, keys.data, label.encode(), wanted, *self._engine.moment(snapshot)
            )
        )

    def elements(
        self,
        ranges: Iterable[Range],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> Iterator[Any]:
        """Yield the elements of all rows in some ranges."""
        scan = self._open(ranges, snapshot, timeout_s)
        try:
            while (found := scan.next(_BATCH_CELLS)) is not None:
                yield from found
        finally:
            scan.close()

    def references(
        self,
        ranges: Iterable[Range],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> Iterator[ReferenceColumns]:
        """Yield the references in some ranges by column."""
        scan = self._open(ranges, snapshot, timeout_s)
        try:
            while (found := scan.next_columns(_BATCH_CELLS)) is not None:
                yield ReferenceColumns(*found)
        finally:
            scan.close()

    def _open(
        self,
        ranges: Iterable[Range],
        snapshot: Snapshot | None,
        timeout_s: float | None,
    ) -> Any:
        at, clock = self._engine.moment(snapshot)
        timeout, threads = read_timeout(timeout_s), self._engine.threads
        return self._native.scan(list(map(range_parts, ranges)), at, timeout, clock, threads)
