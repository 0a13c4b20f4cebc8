"""What a layout's key plan says, compiled once for all questions about one graph.

Layer ``plan``. Knows fields, families and codecs by the plan alone, never a layout by name, so a
user's own layout is read as well as ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from lexigraph.codec import Codec, codec_for
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan import KeyPlan
from lexigraph.layout import BoundLayout
from lexigraph.layout.records.tables import RecordTables
from lexigraph.layout.spi import ELEMENTS
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.plan.defaults import GroupDefaults
from lexigraph.plan.undeclared import OpenSchema
from lexigraph.schema.model import Group, Schema

ASKED = "asked"
"""The name that a scan gives to a plan of some of the groups."""


class Keys:
    """The key plans of a bound layout, and their parts."""

    def __init__(
        self,
        layout: BoundLayout,
        defaults: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        records: RecordTables | None = None,
        schema: Schema | None = None,
    ) -> None:
        self.layout, self.records = layout, records
        self.schema = _asked_schema(schema or layout.schema, records)
        """The groups that can be asked for: those of the graph, and of undeclared records."""
        self._given = defaults or {}
        self._defaults: dict[str, GroupDefaults] = {}
        self._parts: dict[frozenset[str], tuple[str, KeyPlan]] = {}
        self._fields: dict[tuple[str, str], str] = {}

    @staticmethod
    def over(
        stored: StoredGraph,
        defaults: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        learns: bool = False,
    ) -> Keys:
        """Return the keys of a stored graph; one that ``learns`` has undeclared records too."""
        records = None if stored.records is None else RecordTables.of(stored.records)
        if records is not None and learns:
            records = replace(records, open=True)
        return Keys(stored.layout, defaults, records=records, schema=stored.schema)

    @property
    def record_tables(self) -> RecordTables:
        """Where records lie; a graph without any raises."""
        if self.records is None:
            raise UnsupportedError(
                "this graph has no records",
                hint="Declare a class without summary=True, and open the graph with it.",
            )
        return self.records

    def is_record(self, group: str) -> bool:
        """Return whether the elements of a group are records."""
        held = self.records
        return held is not None and (group in held.groups or self.group(group).open)

    def record_defaults(self, group: str) -> Mapping[str, Any]:
        """Return what records of a group show for properties that they do not have."""
        return self._given.get(group, {})

    def group(self, name: str) -> Group:
        """Return a group of the schema."""
        return self.schema.group(name)

    def defaults(self, group: str) -> GroupDefaults:
        """Return what elements of a group show that are older than some of its properties."""
        found = self._defaults.get(group)
        if found is None:
            given = self._given.get(group, {})
            found = GroupDefaults(
                self.group(group), self.plan_of(group), lambda name: self.field(group, name), given
            )
            self._defaults[group] = found
        return found

    def predicate(self, group: str, where: Mapping[str, Any], now: int) -> Mapping[str, Any]:
        """Return a predicate about elements of a group as stages take it."""
        return self.layout.predicate(group, self.defaults(group).predicate(where, now))

    def field(self, group: str, name: str) -> str:
        """Return the plan's name of a property or id."""
        found = self._fields.get((group, name))
        if found is None:
            found = self._fields[group, name] = self.layout.field(group, name)
        return found

    def plan_of(self, group: str) -> KeyPlan:
        """Return the key plan of the table that holds a group."""
        return self.layout.part_of(group).key_plan

    @cached_property
    def vertex_codec(self) -> Codec[Any]:
        """The codec that all ids have."""
        names = sorted(frozenset[str]().union(*(plan.id_codecs for plan in self._plans)))
        if not names and self.records is not None:
            return self.records.vertex_codec
        if len(names) != 1:
            raise UnsupportedError(
                f"the layout stores ids by several codecs: {', '.join(names)}",
                hint="Give all ids the same codec in the key plan; 'any' stores every kind of id.",
            )
        return codec_for(names[0])

    @cached_property
    def ids_in_rows(self) -> bool:
        """Whether a row belongs to one vertex or edge, so that qualifiers tell of properties."""
        return all(plan.ids_in_rows for plan in self._plans)

    def part(self, groups: Iterable[str]) -> tuple[str, KeyPlan]:
        """Return the plan of some groups of one table, and the name by which a scan calls it."""
        wanted = frozenset(groups)
        found = self._parts.get(wanted)
        if found is None:
            whole = self.plan_of(next(iter(wanted)))
            part = whole.part(wanted)
            found = self._parts[wanted] = (ELEMENTS if part is whole else ASKED), part
        return found

    def columns(self, groups: Iterable[str]) -> tuple[tuple[bytes, None], ...]:
        """Return the families of some groups of one table; none if all it has are read."""
        name, plan = self.part(groups)
        return () if name == ELEMENTS else tuple((family, None) for family in plan.families)

    @cached_property
    def _plans(self) -> list[KeyPlan]:
        own = frozenset() if self.records is None else self.records.groups
        names = [name for name in self.layout.schema.groups if name not in own]
        parts = [self.layout.part_of(name) for name in names]
        return [part.key_plan for part in {id(part): part for part in parts}.values()]


def _asked_schema(schema: Schema, records: RecordTables | None) -> Schema:
    if records is None or not records.open:
        return schema
    return OpenSchema.over(schema, records.rows.vertex_codec)
