"""Elements of the embedded engine by column: a scan that the core decodes itself.

Layer ``store``, only for ``embedded``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lexigraph.arguments import read_count, read_timeout
from lexigraph.keyplan.columns.frames import Frame
from lexigraph.keyplan.columns.native import frame_of
from lexigraph.store.operators import BATCH_ROWS
from lexigraph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from lexigraph.store.embedded.engine import EmbeddedEngine


class EmbeddedFrameReader:
    """Runs one scan that the core has taken; each run reads what is there then."""

    __slots__ = ("_engine", "_ready")

    def __init__(self, engine: EmbeddedEngine, ready: Any) -> None:
        self._engine, self._ready = engine, ready

    def frames(
        self,
        *,
        snapshot: Snapshot | None = None,
        batch_rows: int = BATCH_ROWS,
        timeout_s: float | None = None,
    ) -> Iterator[Frame]:
        """Yield the elements of the scan by column, some rows at a time."""
        read_count(batch_rows, "batch_rows")
        at, clock = self._engine.moment(snapshot)
        timeout, threads = read_timeout(timeout_s), self._engine.threads
        return _read_frames(self._ready.open(at, timeout, clock, threads, batch_rows))


def _read_frames(scan: Any) -> Iterator[Frame]:
    """Yield the frames of a native scan and close it, however its reading ends."""
    try:
        while (found := scan.next()) is not None:
            yield frame_of(found)
    finally:
        scan.close()
