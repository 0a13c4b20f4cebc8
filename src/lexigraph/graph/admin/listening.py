"""Listening to the commits of a graph: what this process adds and deletes, once it is stored.

Layer ``graph``, for the owner alone: a commit may be about elements under any label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from lexigraph.errors import UnsupportedError, UsageError, show
from lexigraph.graph.changes.change import GraphChange, shown_change
from lexigraph.graph.read.view import AnyGroup, group_names
from lexigraph.layout.log.observing import entry_of
from lexigraph.layout.log.reading import LogReader
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.observe.contract import Observer
from lexigraph.layout.observe.element_keys import read_keys
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.security import ALL

if TYPE_CHECKING:
    from lexigraph.graph.access import Access


class Committed:
    """One commit: how many elements of each group it added and deleted, and which."""

    def __init__(self, stored: StoredGraph, changed: Changed, timestamp: int) -> None:
        self._stored, self._changed = stored, changed
        self.timestamp = timestamp
        """The time of the commit, in microseconds."""

    @property
    def added(self) -> Mapping[str, int]:
        """How many elements were added to each group, equal ones each counted."""
        return MappingProxyType(+self._changed.added_count)

    @property
    def deleted(self) -> Mapping[str, int]:
        """How many elements of each group were deleted."""
        return MappingProxyType(+self._changed.deleted_count)

    def added_keys(self, group: AnyGroup) -> dict[str, list[Any]]:
        """Return the keys of the added elements of a group, each once, in columns.

        The columns are its ids and group-by properties. A load raises UnsupportedError: its keys
        are not held in memory.
        """
        if self._changed.bulk:
            raise UnsupportedError(
                "a load does not keep the keys of its elements",
                hint="Use the counts, or read the group again.",
            )
        return self._keys(self._changed.added, group)

    def deleted_keys(self, group: AnyGroup) -> dict[str, list[Any]]:
        """Return the keys of the deleted elements of a group, in columns."""
        return self._keys(self._changed.deleted, group)

    def changes(self) -> Iterator[GraphChange]:
        """Yield one change for each thing that happened, in order, as a feed of the owner does.

        Use it before the listener returns: what changed is not kept. A load is one change.
        """
        entry = entry_of(self._changed, self.timestamp)
        told = LogReader(self._stored, ALL).changes(entry)
        for number, logged in enumerate(told, 1):
            yield shown_change(logged, self.timestamp, number)

    def _keys(self, held: Mapping[str, Any], group: AnyGroup) -> dict[str, list[Any]]:
        [name] = group_names([group], self._stored.schema, None)
        return read_keys(self._stored, name, held)

    def __repr__(self) -> str:
        """Show the counts."""
        return f"Committed(added={dict(self.added)}, deleted={dict(self.deleted)})"


class Listening:
    """A listener that was added to a graph; ``stop`` removes it, as does the end of ``with``."""

    def __init__(self, access: Access, call: Callable[[Committed], object]) -> None:
        if not callable(call):
            raise UsageError(f"on_commit takes a function of one commit, not {show(call)}")
        self._held, self._observer = access.stored.listeners.added, _Calling(access, call)
        self._held.append(self._observer)

    def stop(self) -> None:
        """Call the listener no more. Stopping twice is fine."""
        if self._observer in self._held:
            self._held.remove(self._observer)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop."""
        self.stop()


class _Calling(Observer):
    def __init__(self, access: Access, call: Callable[[Committed], object]) -> None:
        self._access, self._call = access, call

    def committed(self, changed: Changed, timestamp: int) -> None:
        if changed.added_count or changed.deleted_count or changed.made is not None:
            # The graph as it is now: groups may have come since the listener was added.
            self._call(Committed(self._access.stored, changed, timestamp))
