"""Snapshots of the embedded engine.

Layer ``store``, only for ``embedded``. The native snapshot tells of which engine it is.
"""

from __future__ import annotations

from typing import Any

from lexigraph.store.snapshot import Snapshot


class EmbeddedSnapshot(Snapshot):
    """What all tables of a directory held at one moment."""

    def __init__(self, engine: Any, native: Any) -> None:
        self.engine, self.native = engine, native
        self._timestamp: int | None = native.timestamp()

    @property
    def timestamp(self) -> int | None:
        """The newest commit that it holds."""
        return self._timestamp

    def close(self) -> None:
        """Let the space of what was overwritten since be used again."""
        self.native.close()

    def __repr__(self) -> str:
        """Show when it was taken."""
        return f"EmbeddedSnapshot(timestamp={self._timestamp})"
