"""The pieces of a key plan as plain data, and their JSON form.

Layer ``keyplan``. These classes hold what a plan says and nothing that is derived from it; two
plans are equal when these are. ``spec/scan.md`` section 6 gives the grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lexigraph.cells.jsonbytes import bytes_to_json

VERTEX, EDGE = "vertex", "edge"
SOURCE, DESTINATION, EITHER = "source", "destination", "either"
ALWAYS, NEVER, ORDERED = "always", "never", "ordered"
ESCAPED, PART, REST = "escaped", "part", "rest"
NONE, SINGLE, TAGGED = "none", "single", "tagged"

GROUP = "group"
ENDS = (SOURCE, DESTINATION)
IDENTITY = (VERTEX, SOURCE, DESTINATION)
BUILT_IN_FIELDS = {
    "kind": "str",
    "directed": "bool",
    "matched": "str",
    "visibility": "bytes",
    "timestamp": "int64",
}
"""Fields of every element, which no part of a plan may name, and their codecs."""


@dataclass(frozen=True, slots=True)
class Const:
    """Bytes that must be there literally."""

    data: bytes

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        return {"const": bytes_to_json(self.data)}


@dataclass(frozen=True, slots=True)
class FieldPart:
    """A field inside a key."""

    field: str
    codec: str
    form: str
    descending: bool = False
    nulls: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Write it; defaults are left out."""
        data: dict[str, Any] = {"field": self.field, "codec": self.codec, "form": self.form}
        if self.descending:
            data["descending"] = True
        if self.nulls is not None:
            data["nulls"] = self.nulls
        return data


Part = Const | FieldPart
Parts = tuple[Part, ...]


def fields_in(parts: Parts) -> list[FieldPart]:
    """Give the parts that hold fields."""
    return [part for part in parts if isinstance(part, FieldPart)]


@dataclass(frozen=True, slots=True)
class Shape:
    """One form that a row may have."""

    kind: str
    parts: Parts
    directed: bool | None = None
    matched: str | None = None
    once: str | None = None
    group: str | None = None
    family: Parts | None = None
    """The family of its cells, where that is not the plan's."""

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        data: dict[str, Any] = {"kind": self.kind}
        for name in ("directed", "matched", "once", "group"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        if self.family is not None:
            data["family"] = [part.to_json() for part in self.family]
        data["parts"] = [part.to_json() for part in self.parts]
        return data


@dataclass(frozen=True, slots=True)
class AggregatePlan:
    """An aggregator by name, with those of its options that are not the default."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Write it: the options stand beside the name."""
        return {"name": self.name, **self.options}

    def __hash__(self) -> int:
        """Agree with equality; options may hold what cannot be hashed."""
        return hash((self.name, *sorted(self.options)))


@dataclass(frozen=True, slots=True)
class PropertyPlan:
    """A property inside a value."""

    id: int
    field: str
    codec: str
    aggregate: AggregatePlan | None = None

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        data: dict[str, Any] = {"id": self.id, "field": self.field, "codec": self.codec}
        if self.aggregate is not None:
            data["aggregate"] = self.aggregate.to_json()
        return data


@dataclass(frozen=True, slots=True)
class Value:
    """What the value of a cell consists of."""

    form: str
    properties: tuple[PropertyPlan, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        if self.form == NONE:
            return {"form": NONE}
        written = [one.to_json() for one in self.properties]
        if self.form == SINGLE:
            return {"form": SINGLE, "property": written[0]}
        return {"form": TAGGED, "properties": written}


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """Elements of one kind with one set of properties."""

    name: str
    kind: str
    qualifier: Parts
    value: Value

    def to_json(self) -> dict[str, Any]:
        """Write it, without its name."""
        return {
            "kind": self.kind,
            "qualifier": [part.to_json() for part in self.qualifier],
            "value": self.value.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Model:
    """All that a plan says."""

    rows: tuple[Shape, ...]
    family: Parts
    groups: tuple[GroupPlan, ...]

    def to_json(self) -> dict[str, Any]:
        """Write the plan."""
        return {
            "version": 1,
            "rows": [shape.to_json() for shape in self.rows],
            "family": [part.to_json() for part in self.family],
            "groups": {group.name: group.to_json() for group in self.groups},
        }

    def group(self, name: str) -> GroupPlan:
        """Return a group that the plan has."""
        return next(group for group in self.groups if group.name == name)

    def family_of(self, shape: Shape) -> Parts:
        """Give the family of a shape's cells."""
        return self.family if shape.family is None else shape.family

    def shapes_of(self, group: GroupPlan) -> list[Shape]:
        """Give the shapes that rows of a group may have."""
        return [
            shape
            for shape in self.rows
            if shape.kind == group.kind and shape.group in (None, group.name)
        ]
