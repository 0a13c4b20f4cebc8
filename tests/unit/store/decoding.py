"""An engine in memory whose client decodes packed batches, as that of a cluster does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lexigraph.store import MemoryEngine
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.operators import Declined, FollowEdges, ReadFrames
from lexigraph.store.scan.columns import prepare_decoded
from lexigraph.store.scan.edges import prepare_followed
from lexigraph.store.snapshot import Snapshot


class DecodingMemory(MemoryEngine):
    """``native`` chooses whether the core decodes; ``None`` leaves it to the plan."""

    native: bool | None = None

    @property
    def capabilities(self) -> Capabilities:
        return replace(super().capabilities, operators=frozenset({"rows", "frames", "edges"}))

    def _prepare_frames(self, operator: ReadFrames, snapshot: Snapshot | None) -> Any:
        return prepare_decoded(self, operator, self.settings(operator.table), native=self.native)

    def _prepare_edges(self, operator: FollowEdges, snapshot: Snapshot | None) -> Any | Declined:
        return prepare_followed(self, operator, self.settings(operator.table))
