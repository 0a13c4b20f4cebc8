"""What only the owner of a graph may do: its schema, its tables, everything in it.

Layer ``graph``. Reached through ``graph.admin`` and nowhere else; counts what no session may see.
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

from lexigraph.errors import ReadOnly
from lexigraph.graph.splits import SplitSample, read_splits
from lexigraph.schema import Schema, schema_of
from lexigraph.store import MergeReport, TableStats
from lexigraph.store.jsonfields import read_bool

if TYPE_CHECKING:
    from lexigraph.graph.access import Access

OPEN_FOR_WRITING = "Open it without read_only=True to write."


class Admin:
    """The owner's view of one graph."""

    def __init__(self, access: Access, *, read_only: bool) -> None:
        self._access, self._read_only = access, read_only

    def stats(self) -> dict[str, TableStats]:
        """Count what each table of the graph holds, as it is stored."""
        stored = self._access.stored
        return {name: stored.engine.stats(table) for name, table in stored.tables.items()}

    def compact(self) -> list[MergeReport]:
        """Merge all tables: aggregates, and removes what breaks a rule or has aged off."""
        self._check_writable()
        stored = self._access.stored
        return [stored.engine.compact(table) for table in stored.tables.values()]

    def sample_splits(
        self,
        elements: Any,
        file: str | PathLike[str],
        *,
        count: int,
        group: Any = None,
        proportion: float = 0.01,
        validate: bool = True,
    ) -> int:
        """Write to a new file where tables can be divided, by a sample of what is to be added.

        ``elements`` are what ``add`` takes. ``proportion`` of their rows are looked at, and
        ``count`` split points chosen, so that about as many of them lie between any two. With
        ``validate`` an element that does not fit is a ValidationError, else it is passed over.
        Returns how many there are in the file, which ``apply_splits`` takes once it was looked at.
        """
        sample = SplitSample(self._access.stored, count=count, proportion=proportion)
        known, strict = self._access.class_of(group), read_bool(validate, "validate")
        return sample.write(file, elements, group=known, validate=strict)

    def apply_splits(self, file: str | PathLike[str]) -> dict[str, int]:
        """Divide tables as a file says; return for each of them how many split points it has.

        Tablets of a cluster are divided there; embedded tables take them as hints.
        """
        self._check_writable()
        stored = self._access.stored
        rows = read_splits(file, stored.tables)
        for table, wanted in rows.items():
            stored.engine.add_splits(stored.tables[table], wanted)
        return {table: len(wanted) for table, wanted in rows.items()}

    def evolve(self, schema: Any) -> Schema:
        """Store the groups and properties that a schema has besides; nothing is ever taken away."""
        self._check_writable()
        self._access.replace_stored(self._access.stored.evolve(schema_of(schema)))
        return self._access.schema

    def clear(self) -> None:
        """Remove all elements and keep the graph."""
        self._check_writable()
        self._access.stored.clear()

    def drop(self) -> None:
        """Remove the graph and everything in it."""
        self._check_writable()
        self._access.stored.drop()

    def _check_writable(self) -> None:
        if self._read_only:
            raise ReadOnly("the graph was opened read-only", hint=OPEN_FOR_WRITING)

    def __repr__(self) -> str:
        """Show the graph."""
        return f"<admin of graph {self._access.name!r}>"
