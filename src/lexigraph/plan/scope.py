"""Where and as whom a plan is run: one graph, one reader, one moment.

Layer ``plan``. Every scan of a plan takes its authorizations from here; nothing else in this layer
knows any, so no step can read more than its reader may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lexigraph.errors import SemanticProblem, UnsupportedError
from lexigraph.index.looking_up import GraphIndexes
from lexigraph.layout.records.reading import EVERYTHING, FetchHints
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.plan.cursor import Cursor
from lexigraph.plan.keys import Keys
from lexigraph.schema import Group, Schema
from lexigraph.security import All, Authorizations, Visibility
from lexigraph.store import Engine, Range, Snapshot
from lexigraph.store.scan.overlay import Overlay
from lexigraph.streaming import StreamingValue

__all__ = ["FetchHints", "Scope"]


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
    as_of: int | None = None
    """Cells that are newer, in the unit of the table's timestamps, are not there. Groups whose
    elements merge refuse it: what has merged no longer has the times of its parts."""
    indexes: GraphIndexes | None = None
    """The indexes of the graph; without them, everything is read where they could be used."""
    fetch: FetchHints = EVERYTHING
    """What elements have with them. Those of summary groups have the properties that it names;
    filters and merging see all properties in any case."""
    visibilities: tuple[Visibility, ...] = ()
    """Expressions that the reader must satisfy besides labels: if not all of them, there is
    nothing to see."""
    bind_stream: Callable[[StreamingValue], StreamingValue] | None = None
    """Makes a streaming value that was read ready to be opened by its reader."""
    cursor: Cursor | None = None
    """Elements up to here are left out. For a plan that is one leaf of elements."""

    __hash__ = None  # type: ignore[assignment]

    def check_fetched(self, name: str) -> None:
        """Refuse a property that elements do not have with them."""
        if self.fetch.wants_property(name):
            return
        groups = self.schema.groups.values()
        if any(one.name == name for group in groups for one in group.properties):
            hints = self.fetch.properties
            names = ", ".join(sorted(hints)) if isinstance(hints, frozenset) else ""
            raise SemanticProblem(
                f"property {name!r} was not fetched: the fetch hints of the scope name "
                f"{names or 'none'}",
                hint="Add it to FetchHints(properties=...).",
            )

    def check_times(self, group: Group) -> None:
        """Refuse an as-of time for elements that merge."""
        if self.as_of is not None and group.aggregates:
            raise UnsupportedError(
                f"group {group.name!r} cannot be read as of an earlier time: its elements merge, "
                "and what has merged no longer has the times of its parts",
                hint="Group by a time to keep earlier totals apart, and ask for those.",
            )

    def bound(self, value: Any) -> Any:
        """Return a value as its reader gets it: a streaming one is ready to be opened."""
        if type(value) is StreamingValue and self.bind_stream is not None:
            return self.bind_stream(value)
        return value

    @property
    def sees_nothing(self) -> bool:
        """Whether the reader fails one of the visibilities."""
        held = self.authorizations
        if not self.visibilities or isinstance(held, All):
            return False
        return not all(one.evaluate(held) for one in self.visibilities)

    @staticmethod
    def over(
        stored: StoredGraph, authorizations: Authorizations | All, snapshot: Snapshot | None = None
    ) -> Scope:
        """Return a graph as somebody sees it, without defaults of classes."""
        keys, tables = Keys.over(stored), stored.tables
        return Scope(stored.engine, keys, tables, authorizations, snapshot, name=stored.layout_name)

    @property
    def time(self) -> int:
        """The time that conditions about age go by where no engine runs them."""
        return self.engine.now() if self.now is None else self.now

    @property
    def schema(self) -> Schema:
        """The schema of the graph."""
        return self.keys.schema
