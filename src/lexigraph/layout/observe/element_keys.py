"""The keys of changed elements as columns of values: what an observer shows to people.

Layer ``layout``. Reads rows and qualifiers alone, so that delete markers are read too.
"""

from __future__ import annotations

from typing import Any

from lexigraph.layout.observe.changed import Batches
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import plan_field


def read_keys(stored: StoredGraph, name: str, batches: Batches) -> dict[str, list[Any]]:
    """Return ids and group-by properties of a group by the schema's names; each element once.

    An element under several labels has one key.
    """
    group, plan = stored.schema.group(name), stored.plan_of(name)
    names = {one: plan_field(group, one) for one in (*group.ids, *group.group_by)}
    columns: dict[str, list[Any]] = {one: [] for one in names}
    if name not in batches:
        return columns
    seen: set[tuple[bytes, bytes, bytes]] = set()
    for cell in batches[name].cells:
        key = (cell.row, cell.family, cell.qualifier)
        fields = None if key in seen else plan.decoder.read_key(cell)
        seen.add(key)
        if fields is not None:
            for one, field in names.items():
                columns[one].append(fields.get(field))
    return columns
