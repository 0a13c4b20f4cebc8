"""Which indexes a graph may have: an equality index on one field of the keys of one group.

Layer ``index``. What is not built is refused here, with what is possible.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexigraph.errors import (
    Conflict,
    IndexNotFound,
    InvalidName,
    PropertyNotFound,
    UnsupportedError,
    nearest,
    show,
)
from lexigraph.index.entries import check_number
from lexigraph.keyplan.columns.field_first import field_part
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.indexes import REMOVING, StoredIndex
from lexigraph.schema import Group

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}")


def check_definition(stored: StoredGraph, name: str, group: str, field: str) -> None:
    """Refuse what cannot be an index."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidName(
            f"{show(name)} cannot be the name of an index",
            hint="Up to 100 letters, digits, '_' and '-', starting with a letter.",
        )
    of = stored.schema.group(group)
    if of.record is not None:
        raise UnsupportedError(
            f"group {group!r} is a record group, and indexes of records are not built yet",
            hint="Summary groups can have indexes on an id or a group-by property.",
        )
    possible = [*of.ids, *of.group_by]
    if field not in possible:
        raise _not_indexed(of, field, possible)
    field_part(stored.plan_of(group), group, stored.layout.field(group, field))


def _not_indexed(of: Group, field: str, possible: list[str]) -> Exception:
    hint = f"Possible fields of {of.name!r}: {', '.join(possible)}."
    if field not in [one.name for one in of.properties]:
        return PropertyNotFound(
            f"group {of.name!r} has no property {field!r}", near=nearest(field, possible), hint=hint
        )
    return UnsupportedError(
        f"{field!r} of group {of.name!r} is merged by an aggregator or is not part of its key, and "
        "an index needs an id or a group-by property",
        hint=hint,
    )


def added_index(
    indexes: Sequence[StoredIndex], number: int, name: str, group: str, field: str
) -> Sequence[StoredIndex]:
    """Return the indexes with one more, or as they are if it is among them."""
    for one in indexes:
        if one.name == name:
            if (one.group, one.field) != (group, field):
                raise InvalidName(
                    f"there is already an index {name!r}, on {one.group}.{one.field}",
                    hint="Choose another name, or drop it first.",
                )
            if one.state == REMOVING:
                raise Conflict(
                    f"index {name!r} is being dropped",
                    hint="Call graph.index.drop again to finish that, then create it.",
                )
            return indexes
        if (one.group, one.field) == (group, field) and one.state != REMOVING:
            raise InvalidName(
                f"{group}.{field} already has an index: {one.name!r}", hint="Use that one."
            )
    return [*indexes, StoredIndex(name, check_number(number), group, field)]


def find_index(indexes: Sequence[StoredIndex], name: str) -> StoredIndex:
    """Return the index of a name."""
    for one in indexes:
        if one.name == name:
            return one
    names = [one.name for one in indexes]
    raise IndexNotFound(
        f"there is no index {show(name)}",
        near=nearest(name, names),
        hint=f"Available: {', '.join(names) or 'none'}.",
    )
