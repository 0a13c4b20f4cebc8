"""Groups that no schema declares: records of a graph that takes any label and any property.

Layer ``plan``. A question about such a graph has two groups besides those of the schema, which
stand for all records of other labels, and one for each label that it names. None is ever stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lexigraph.errors import GroupNotFound, nearest
from lexigraph.schema.model import EDGE, VERTEX, Group, Record, Schema, ValueType

ANY_VERTEX, ANY_EDGE = f"{VERTEX}:*", f"{EDGE}:*"
"""The groups of all records whose labels the schema does not declare."""


_ANY = ValueType("any")


def undeclared_name(kind: str, label: str) -> str:
    """Return the name of the group of one label.

    >>> undeclared_name("edge", "KNOWS")
    'edge:KNOWS'
    """
    return f"{kind}:{label}"


def any_of(name: str) -> str:
    """Return the group of all undeclared labels that one of them belongs to.

    >>> any_of("edge:KNOWS")
    'edge:*'
    """
    return f"{name.partition(':')[0]}:*"


def undeclared_label(name: str) -> str | None:
    """Return the label of such a group; ``None`` if it stands for all labels."""
    label = name.partition(":")[2]
    return None if label == "*" else label


def undeclared_group(name: str, ids: ValueType) -> Group:
    """Return a group that has any property."""
    kind = name.partition(":")[0]
    ends = ("vertex",) if kind == VERTEX else ("source", "destination")
    return Group(
        name,
        kind,
        dict.fromkeys(ends, ids),
        summary=False,
        aggregates=False,
        record=Record(),
        open=True,
    )


@dataclass(frozen=True, slots=True, repr=False)
class OpenSchema(Schema):
    """A schema whose graph also has records that it does not declare."""

    ids: ValueType = _ANY

    __hash__ = Schema.__hash__

    @staticmethod
    def over(schema: Schema, codec: str) -> OpenSchema:
        """Return a schema with the groups of all other records; ``codec`` is that of ids."""
        ids = ValueType(codec)
        more = {name: undeclared_group(name, ids) for name in (ANY_VERTEX, ANY_EDGE)}
        given: dict[str, Any] = {
            "version": schema.version,
            "config": schema.config,
            "doc": schema.doc,
            "whole": schema.whole,
        }
        groups: Mapping[str, Group] = {**schema.groups, **more}
        return OpenSchema(groups, ids=ids, **given)

    def group(self, name: str) -> Group:
        """Return the group of that name, or of a label that is written as one."""
        found = self.groups.get(name)
        if found is not None:
            return found
        if name.startswith((f"{VERTEX}:", f"{EDGE}:")):
            return undeclared_group(name, self.ids)
        declared = [one for one in self.groups if one not in (ANY_VERTEX, ANY_EDGE)]
        raise GroupNotFound(
            f"the schema has no group {name!r}",
            near=nearest(name, declared),
            hint=f"Records of other labels are asked for with .vertices({name!r}) or "
            f".edges({name!r}).",
        )

    def declared(self) -> Schema:
        """Return the schema without these groups."""
        groups = {n: one for n, one in self.groups.items() if n not in (ANY_VERTEX, ANY_EDGE)}
        return replace(self, groups=groups)
