"""Snapshots: what all tables of an engine held at one moment.

Layer ``store``. A snapshot never changes; it is closed when no longer needed, because what it
holds cannot be freed before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from lexigraph.closing import Closing


class Snapshot(Closing, ABC):
    """The state of an engine at one moment, for scans and for conditional writes."""

    @property
    @abstractmethod
    def timestamp(self) -> int | None:
        """The newest commit that it holds, in microseconds; ``None`` before the first."""

    @abstractmethod
    def close(self) -> None:
        """Release the snapshot."""
