"""What sessions of one graph share: the stored graph, compiled keys, classes.

Layer ``graph``. Handed to sessions and to nothing else; it gives a scope only with authorizations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lexigraph.graph.element import Classes
from lexigraph.graph.stored import StoredGraph
from lexigraph.plan import Keys, Scope
from lexigraph.schema import Schema
from lexigraph.security import ALL, All, Authorizations, check_granted
from lexigraph.store import Range, Snapshot


class Access:
    """One stored graph, ready to be asked."""

    def __init__(
        self, stored: StoredGraph, classes: Classes, grants: Authorizations | All = ALL
    ) -> None:
        self.stored, self.classes, self.grants = stored, classes, grants
        self.engine, self.name = stored.engine, stored.name
        self.keys = Keys(stored.layout)

    def class_of(self, group: Any) -> Any:
        """Give the class of a group that is named, or the only one; else what was given."""
        if group is None and len(self.schema.groups) == 1:
            [group] = self.schema.groups
        return self.classes.get(group, group) if isinstance(group, str) else group

    @property
    def schema(self) -> Schema:
        """The schema of the graph."""
        return self.keys.schema

    def check_granted(self, asked: Iterable[str | bytes] | All) -> Authorizations | All:
        """Return authorizations that may be asked for; others are NotGranted."""
        wanted = asked if isinstance(asked, All) else Authorizations(asked)
        check_granted(wanted, self.grants)
        return self.engine.check_granted(wanted)

    def replace_stored(self, stored: StoredGraph) -> None:
        """Take the graph as it is after a change of its schema."""
        self.stored, self.keys = stored, Keys(stored.layout)

    def scope(
        self,
        authorizations: Authorizations | All,
        snapshot: Snapshot | None,
        record: Callable[[str, Sequence[Range]], object] | None = None,
        timeout_s: float | None = None,
    ) -> Scope:
        """Give what a plan needs to run as somebody."""
        return Scope(
            self.engine,
            self.keys,
            self.stored.tables,
            authorizations,
            snapshot,
            name=self.stored.layout_name,
            record=record,
            timeout_s=timeout_s,
        )
