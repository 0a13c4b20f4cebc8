"""The indexes of a graph: made, listed and dropped by its owner.

Layer ``graph``. Reached through ``graph.index`` and nowhere else; sessions use indexes without
knowing of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexigraph.errors import PropertyNotFound, ReadOnly, UnsupportedError, UsageError, nearest, show
from lexigraph.graph.admin.admin import OPEN_FOR_WRITING
from lexigraph.index.building import create_index, drop_index
from lexigraph.schema import Field
from lexigraph.security import ALL
from lexigraph.tables import html_table, text_table

if TYPE_CHECKING:
    from lexigraph.graph.access import Access

_COLUMNS = ("name", "group", "field", "state")


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """One index of a graph."""

    name: str
    group: str
    field: str
    """The id or group-by property, as the schema calls it."""
    state: str
    """``building``, ``ready`` or ``dropping``; questions use an index that is ready."""


class IndexList(tuple[IndexInfo, ...]):
    """The indexes of a graph, which print as a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Show a table."""
        return text_table(self._rows(), _COLUMNS)

    def _repr_html_(self) -> str:
        return html_table(self._rows(), _COLUMNS)

    def _rows(self) -> list[dict[str, Any]]:
        return [{name: getattr(one, name) for name in _COLUMNS} for one in self]


class IndexAdmin:
    """The owner's view of the indexes of one graph."""

    def __init__(self, access: Access, *, read_only: bool) -> None:
        self._access, self._read_only = access, read_only

    def create(self, name: str, field: Any, *, group: Any = None) -> IndexInfo:
        """Make an index on an id or a group-by property of a summary group, and build it.

        ``field`` is a field of a class, or its name in the schema; ``group`` is needed only if that
        leaves the group open. If the graph has data, its elements are read; others can read and
        write meanwhile. An index that was cut short while it was built is built anew by the same
        call; one that is ready is left as it is.

        >>> import lexigraph as lg
        >>> class Calls(lg.Edge, summary=True):
        ...     source: str
        ...     destination: str
        ...     type: str = lg.group_by()
        >>> graph = lg.open(":memory:", [Calls])
        >>> graph.index.create("by_type", Calls.type)
        IndexInfo(name='by_type', group='Calls', field='type', state='ready')
        """
        self._check_owner()
        of, named = self._find(field, group)
        access = self._access
        access.replace_stored(create_index(access.stored, name, of, named))
        return next(one for one in self.list() if one.name == name)

    def list(self) -> IndexList:
        """Return the indexes of the graph as they are now; prints as a table."""
        stored = self._access.stored
        found = stored.indexes.now(stored).indexes
        return IndexList(IndexInfo(one.name, one.group, one.field, one.state) for one in found)

    def drop(self, name: str) -> None:
        """Remove an index and all its entries. Questions give the same answers without it."""
        self._check_owner()
        self._access.replace_stored(drop_index(self._access.stored, name))

    def _check_owner(self) -> None:
        if self._read_only:
            raise ReadOnly("the graph was opened read-only", hint=OPEN_FOR_WRITING)
        self._access.check_granted(ALL)

    def _find(self, field: Any, group: Any) -> tuple[str, str]:
        if isinstance(field, list | tuple):
            raise UnsupportedError(
                "an index on several fields is not built yet",
                hint="Create an index on one id or one group-by property.",
            )
        if not isinstance(field, Field | str):
            raise UsageError(
                f"an index is on a field of a class, or on its name, not {show(field)}",
                hint='Write graph.index.create("by_day", Calls.day).',
            )
        named = field if isinstance(field, str) else field.name
        groups = [getattr(group, "group", group)] if group is not None else []
        groups = groups or list(self._groups_with(field))
        if not groups:
            known = {one for of in self._access.schema.groups for one in self._names(of)}
            raise PropertyNotFound(
                f"no group of the graph has a field {named!r}",
                near=nearest(named, sorted(known)),
                hint='Write graph.index.create("by_day", Calls.day).',
            )
        if len(groups) != 1:
            raise UsageError(
                f"the groups {', '.join(groups)} all have a field {named!r}: name the group",
                hint=f'Write graph.index.create(name, "{named}", group="...").',
            )
        of: str = self._access.schema.group(groups[0]).name
        return of, self._access.own_names(of).get(named, named)

    def _groups_with(self, field: Field[Any] | str) -> Iterator[str]:
        classes = self._access.classes
        for name in self._access.schema.groups:
            if isinstance(field, str):
                if field in self._names(name):
                    yield name
            elif any(one is field for one in getattr(classes.get(name), "_fields", {}).values()):
                yield name

    def _names(self, group: str) -> set[str]:
        """Return all names that the fields of a group have."""
        of = self._access.schema.groups[group]
        properties = (one.name for one in of.properties)
        return {*of.ids, *properties, *self._access.own_names(group)}

    def __repr__(self) -> str:
        """Show the indexes."""
        return repr(self.list()) if self.list() else f"<no indexes of graph {self._access.name!r}>"
