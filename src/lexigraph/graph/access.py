"""What sessions of one graph share: the stored graph, compiled keys, classes.

Layer ``graph``. Handed to sessions and to nothing else; it gives a scope only with authorizations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from lexigraph.graph.element import Classes
from lexigraph.layout import BoundLayout
from lexigraph.plan import Keys, Scope
from lexigraph.schema import Schema
from lexigraph.security import All, Authorizations
from lexigraph.store import Engine, Snapshot


class Stored(Protocol):
    """A graph as it is stored."""

    engine: Engine
    name: str
    layout: BoundLayout
    layout_name: str

    @property
    def tables(self) -> Mapping[str, str]:
        """The engine's name of each table of the layout."""
        ...


class Access:
    """One stored graph, ready to be asked."""

    def __init__(self, stored: Stored, classes: Classes) -> None:
        self.stored, self.classes = stored, classes
        self.engine, self.name = stored.engine, stored.name
        self.keys = Keys(stored.layout)

    @property
    def schema(self) -> Schema:
        """The schema of the graph."""
        return self.keys.schema

    def scope(self, authorizations: Authorizations | All, snapshot: Snapshot | None) -> Scope:
        """Give what a plan needs to run as somebody."""
        return Scope(
            self.engine,
            self.keys,
            self.stored.tables,
            authorizations,
            snapshot,
            name=self.stored.layout_name,
        )
