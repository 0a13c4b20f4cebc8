"""Where and as whom a plan is run: one graph, one reader, one moment.

Layer ``plan``. Every scan of a plan takes its authorizations from here; nothing else in this layer
knows any, so no step can read more than its reader may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lexigraph.plan.keys import Keys
from lexigraph.schema import Schema
from lexigraph.security import All, Authorizations
from lexigraph.store import Engine, Range, Snapshot
from lexigraph.store.scan.overlay import Overlay


@dataclass(frozen=True, slots=True)
class Scope:
    """A graph as one reader sees it.

    ``tables`` gives the engine's name of each table of the layout. Without a ``snapshot`` a plan
    reads what is there when its iteration starts.
    """

    engine: Engine | Overlay
    keys: Keys
    tables: Mapping[str, str]
    authorizations: Authorizations | All
    snapshot: Snapshot | None = None
    now: int | None = None
    timeout_s: float | None = None
    name: str = "layout"
    """The name of the layout, for explain."""
    record: Callable[[str, Sequence[Range]], object] | None = None
    """Told of every table and its ranges that are read, for transactions."""

    __hash__ = None  # type: ignore[assignment]

    @property
    def time(self) -> int:
        """The time that conditions about age go by where no engine runs them."""
        return self.engine.now() if self.now is None else self.now

    @property
    def schema(self) -> Schema:
        """The schema of the graph."""
        return self.keys.schema
