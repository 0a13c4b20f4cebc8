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
from lexigraph.keyplan.model import GROUP, IDENTITY, fields_in
from lexigraph.keyplan.parts import compile_writer
from lexigraph.layout import BoundLayout
from lexigraph.layout.spi import ELEMENTS
from lexigraph.plan.defaults import GroupDefaults
from lexigraph.schema.model import Group, Schema

ASKED = "asked"
"""The name that a scan gives to a plan of some of the groups."""


class Keys:
    """The key plan of a bound layout, and its parts."""

    def __init__(
        self, layout: BoundLayout, defaults: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self.layout = layout
        self._given = defaults or {}
        self._defaults: dict[str, GroupDefaults] = {}
        self.plan = KeyPlan.parse(dict(layout.plan))
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
                self.group(group), self.plan, lambda name: self.field(group, name), given
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

    @cached_property
    def vertex_codec(self) -> Codec[Any]:
        """The codec that all ids have."""
        model = self.plan.model
        parts = [part for shape in model.rows for part in fields_in(shape.parts)]
        parts += [part for group in model.groups for part in fields_in(group.qualifier)]
        names = sorted({part.codec for part in parts if part.field in IDENTITY})
        if len(names) != 1:
            raise UnsupportedError(
                f"the layout stores ids by several codecs: {', '.join(names)}",
                hint="Give all ids the same codec in the key plan; 'any' stores every kind of id.",
            )
        return codec_for(names[0])

    @cached_property
    def ids_in_rows(self) -> bool:
        """Whether a row belongs to one vertex or edge, so that qualifiers tell of properties."""
        groups = self.plan.model.groups
        parts = [part for group in groups for part in fields_in(group.qualifier)]
        return not any(part.field in IDENTITY for part in parts)

    def part(self, groups: Iterable[str]) -> tuple[str, KeyPlan]:
        """Return the plan of some groups, and the name by which a scan calls it."""
        wanted = frozenset(groups)
        found = self._parts.get(wanted)
        if found is None:
            found = self._parts[wanted] = self._cut(wanted)
        return found

    def columns(self, groups: Iterable[str]) -> tuple[tuple[bytes, None], ...]:
        """Return the families of some groups; none where families do not tell groups apart."""
        wanted = frozenset(groups)
        fields = fields_in(self.plan.model.family)
        if [part.field for part in fields] != [GROUP]:
            return ()
        if wanted == {group.name for group in self.plan.model.groups}:
            return ()
        write = compile_writer(self.plan.model.family)
        return tuple((write({GROUP: name}), None) for name in sorted(wanted))

    def _cut(self, wanted: frozenset[str]) -> tuple[str, KeyPlan]:
        whole = self.plan.to_json()
        if wanted == set(whole["groups"]):
            return ELEMENTS, self.plan
        whole["groups"] = {name: one for name, one in whole["groups"].items() if name in wanted}
        whole["rows"] = [
            shape for shape in whole["rows"] if shape.get("group", None) in (None, *wanted)
        ]
        return ASKED, KeyPlan.parse(whole)
