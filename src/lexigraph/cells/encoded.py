"""Cells that the native module made and keeps.

Layer ``cells``. They pass through Python untouched on their way from the encoder to a load.
"""

from __future__ import annotations

from typing import Any

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.mutations import MutationBatch


class EncodedBatch(MutationBatch):
    """Cells that the native module made and keeps: columns for Python once somebody looks at them.

    A load of the embedded engine takes them as they are.
    """

    __slots__ = ("_looked_at", "native")

    def __init__(self, native: Any) -> None:
        self.native = native
        """What the native module keeps; None once the cells were looked at."""
        self._looked_at: tuple[CellBatch, bytes] | None = None

    @property
    def cells(self) -> CellBatch:  # type: ignore[override]
        """The cells."""
        return self._look()[0]

    @property
    def timed(self) -> bytes:  # type: ignore[override]
        """A flag for each cell: whether it has a time of its own."""
        return self._look()[1]

    def labels(self) -> set[bytes]:
        """Return the labels of the cells, each once."""
        native = self.native
        return super().labels() if native is None else set(native.labels())

    def _look(self) -> tuple[CellBatch, bytes]:
        native = self.native
        if native is not None:
            parts = native.parts()
            self._looked_at = CellBatch.from_buffers(parts), parts[12]
            # Held once, not twice.
            self.native = None
        assert self._looked_at is not None
        return self._looked_at

    def __len__(self) -> int:
        """Return the number of cells."""
        native = self.native
        return len(self.timed if native is None else native)
