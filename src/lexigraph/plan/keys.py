"""What a layout's key plan says, compiled once for all questions about one graph.

Layer ``plan``. Knows fields, families and codecs by the plan alone, never a layout by name, so a
user's own layout is read as well as ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from lexigraph.codec import Codec, codec_for
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan import KeyPlan
from lexigraph.layout import BoundLayout
from lexigraph.layout.spi import ELEMENTS
from lexigraph.plan.defaults import GroupDefaults
from lexigraph.schema.model import Group, Schema

ASKED = "asked"
"""The name that a scan gives to a plan of some of the groups."""


class Keys:
    """The key plans of a bound layout, and their parts."""

    def __init__(
        self, layout: BoundLayout, defaults: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self.layout = layout
        self._given = defaults or {}
        self._defaults: dict[str, GroupDefaults] = {}
        self._parts: dict[frozenset[str], tuple[str, KeyPlan]] = {}
        self._fields: dict[tuple[str, str], str] = {}

    @property
    def schema(self) -> Schema:
        """The schema of the graph."""
        return self.layout.schema

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
        parts = [self.layout.part_of(name) for name in self.schema.groups]
        return [part.key_plan for part in {id(part): part for part in parts}.values()]
