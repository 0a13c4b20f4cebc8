"""Graphs with groups that keep duplicates: made from Gaffer's JSON, opened with Python classes.

Layer ``testing``. A new graph takes such groups from Gaffer's JSON alone; one that has them is
opened with classes that say the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

import lexigraph as lg
from lexigraph.errors import UnsupportedError
from lexigraph.schema import Group, group_of, schema_from_gaffer, schema_of, schema_to_gaffer
from lexigraph.store import Engine, MemoryEngine


def open_keeping(
    where: str | PathLike[str] | Engine, classes: Iterable[type[lg.Vertex | lg.Edge]], **how: Any
) -> lg.Graph:
    """Open a graph of classes, of which those with ``aggregates=False`` keep duplicates.

    >>> class Event(lg.Vertex, summary=True, aggregates=False):
    ...     id: str
    ...     what: str
    >>> graph = open_keeping(":memory:", [Event])
    >>> _ = graph.add([Event("a", what="x")] * 2)
    >>> graph.all(Event).to_list()
    [Event('a', what='x'), Event('a', what='x')]
    """
    place, listed = MemoryEngine() if where == ":memory:" else where, list(classes)
    try:
        return lg.open(place, listed, **how)
    except UnsupportedError:
        lg.open(place, groups_to_store(listed), **how).close()
        return lg.open(place, listed, **how)


def groups_to_store(classes: Iterable[type[lg.Vertex | lg.Edge]]) -> list[Group]:
    """Return the groups of classes, those that keep duplicates as Gaffer's JSON has them."""
    found = []
    for group in map(group_of, classes):
        if group.aggregates:
            found.append(group)
        else:
            schema = schema_from_gaffer(schema_to_gaffer(schema_of([group])))
            found += schema.groups.values()
    return found
