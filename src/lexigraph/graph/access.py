"""What sessions of one graph share: the stored graph, compiled keys, classes.

Layer ``graph``. Handed to sessions and to nothing else; it gives a scope only with authorizations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from os import PathLike
from typing import Any

from lexigraph.graph.element import Classes, read_defaults
from lexigraph.graph.users import check_declared
from lexigraph.graph.write.rows_in import RowClass, is_frame
from lexigraph.index.looking_up import GraphIndexes
from lexigraph.index.observer import IndexObserver
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.uncommitted import Uncommitted
from lexigraph.plan import Keys, Scope
from lexigraph.schema import Schema
from lexigraph.security import ALL, All, Authorizations, check_granted
from lexigraph.store.snapshot import Snapshot


class Access:
    """One stored graph, ready to be asked."""

    def __init__(
        self,
        stored: StoredGraph,
        classes: Classes,
        grants: Authorizations | All = ALL,
        *,
        strict: bool | None = None,
    ) -> None:
        self.stored, self.classes, self.grants = stored, classes, grants
        self._strict = strict
        self.engine, self.name = stored.engine, stored.name
        stored.indexes.make = IndexObserver
        self.keys = self._keys()
        self.indexes = GraphIndexes(stored)
        self._names: dict[str, Mapping[str, str]] = {}

    def class_of(self, group: Any) -> Any:
        """Give the class of a group that is named, or the only one; else what was given."""
        if group is None and len(self.schema.groups) == 1:
            [group] = self.schema.groups
        return self.classes.get(group, group) if isinstance(group, str) else group

    def own_names(self, group: str) -> Mapping[str, str]:
        """Return the schema's names of what the class of a group calls otherwise, as its id."""
        found = self._names.get(group)
        if found is None:
            of = RowClass.of(self.classes.get(group), self.keys.schema.group(group))
            found = self._names[group] = of.names
        return found

    def renamed(self, elements: Any) -> Any:
        """Return elements as they were given, with the schema's names in dicts of a group."""
        if isinstance(elements, Mapping):
            return self._renamed(elements)
        if isinstance(elements, str | bytes | PathLike) or is_frame(elements):
            return elements
        if hasattr(elements, "group") or not isinstance(elements, Iterable):
            return elements
        found = self._each_renamed(elements)
        # Those that are all there can be taken together.
        return list(found) if type(elements) in (list, tuple) else found

    def _each_renamed(self, elements: Iterable[Any]) -> Iterator[Any]:
        for one in elements:
            yield self._renamed(one) if isinstance(one, Mapping) else one

    def _renamed(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        group = given.get("group")
        if not isinstance(group, str) or group not in self.schema.groups:
            return given
        return RowClass(names=self.own_names(group)).row(given)

    @property
    def schema(self) -> Schema:
        """The schema of the graph, groups of records too."""
        return self.stored.schema

    @property
    def learns(self) -> bool:
        """Whether records may have names that the schema does not have."""
        records = self.stored.records
        if records is None:
            return False
        return records.learns if self._strict is None else not self._strict

    def check_granted(self, asked: Iterable[str | bytes] | All) -> Authorizations | All:
        """Return authorizations that may be asked for; others are NotGranted."""
        wanted = asked if isinstance(asked, All) else Authorizations(asked)
        check_granted(wanted, self.grants)
        return self.engine.check_granted(wanted)

    def check_known(self, asked: Iterable[str | bytes] | All) -> None:
        """Refuse authorizations that are neither granted nor declared. Looks at no data."""
        wanted = self.check_granted(asked)
        if isinstance(wanted, All) or not wanted:
            return
        engine = self.engine
        granted = not isinstance(self.grants, All) or not isinstance(engine.grants, All)
        if not granted and not engine.grants_users:
            check_declared(self.name, wanted, self.stored.declared())

    def replace_stored(self, stored: StoredGraph, classes: Classes | None = None) -> None:
        """Take the graph as it is after a change of its schema, and the classes that brought it."""
        self.stored, self.classes = stored, {**self.classes, **(classes or {})}
        self.keys = self._keys()
        self.indexes = GraphIndexes(stored)
        self._names.clear()

    def _keys(self) -> Keys:
        defaults = read_defaults(self.classes, self.stored.schema)
        return Keys.over(self.stored, defaults, learns=self.learns)

    def scope(
        self,
        authorizations: Authorizations | All,
        snapshot: Snapshot | None,
        *,
        timeout_s: float | None = None,
        within: Uncommitted | None = None,
    ) -> Scope:
        """Return what a plan needs to run as somebody, alone or ``within`` a transaction."""
        return Scope(
            self.engine if within is None else within.engine,
            self.keys,
            self.stored.tables,
            authorizations,
            snapshot,
            name=self.stored.layout_name,
            record=None if within is None else within.record,
            timeout_s=timeout_s,
            indexes=self.indexes,
            bind_stream=partial(self.stored.streams.bound, authorizations=authorizations),
        )
