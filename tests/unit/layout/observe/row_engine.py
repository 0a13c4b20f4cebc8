"""An engine like a cluster: one row is atomic, nothing else is, and there are no snapshots."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lexigraph.store import Capabilities, MemoryEngine


class RowEngine(MemoryEngine):
    """A memory engine that promises no more than a cluster does; it notes what is written when."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.written: list[dict[str, int]] = []

    @property
    def capabilities(self) -> Capabilities:
        """What a cluster guarantees."""
        return replace(
            super().capabilities,
            engine="rows",
            atomic_unit="row",
            transactions=False,
            snapshots=False,
            loads_tables=False,
        )

    def write(self, batches: Any, **options: Any) -> int:
        """Note which tables are written together."""
        self.written.append({table: len(batch) for table, batch in batches.items()})
        assert options.get("if_unchanged") is None
        return super().write(batches, **options)
