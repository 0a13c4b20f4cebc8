"""What one write does to the elements of a graph, in columns: by group, adds and deletes apart.

Layer ``layout``. A Writer makes it, sinks store it, observers look at it. The cells are those that
the elements have in their own tables, in all rows; nothing here is decoded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from lexigraph.cells.mutations import MutationBatch

if TYPE_CHECKING:
    from lexigraph.layout.log.entries import SubjectChanges
    from lexigraph.layout.observe.guarded import Guards

Batches = Mapping[str, MutationBatch]
"""Cells to write, by the engine's name of their table."""


class Made(Protocol):
    """Cells that have the time of their commit in their bytes."""

    tables: list[str]
    """The engine's tables that they may be written to."""

    def batches(self, timestamp: int) -> Batches:
        """Return them for a commit of this time; tables in the order of writing, if that counts."""
        ...


class MadeOfRecords(Made, Protocol):
    """The cells of records that a commit changes."""

    guards: Guards
    """Rows of them that are written only if they still may be, where a row is the atomic unit."""

    @property
    def looked(self) -> bool:
        """Whether it was looked at all that a log has to know."""
        ...

    def logged(self, commit: int) -> list[SubjectChanges]:
        """Return what a commit of this time writes to vertices and edges, without values."""
        ...


@dataclass(slots=True)
class Changed:
    """The changes of one write. Every mapping but ``beside`` is by group."""

    added: dict[str, MutationBatch] = field(default_factory=dict)
    """The cells of elements that are added."""
    deleted: dict[str, MutationBatch] = field(default_factory=dict)
    """Delete markers for all columns of elements that are deleted."""
    restored: dict[str, MutationBatch] = field(default_factory=dict)
    """Rows of stored elements that are written again; no element is new."""
    beside: dict[str, MutationBatch] = field(default_factory=dict)
    """Cells that change no element, by table: notes of merges, rows that are replaced."""
    added_count: Counter[str] = field(default_factory=Counter)
    """How many elements are added, equal ones each counted."""
    deleted_count: Counter[str] = field(default_factory=Counter)
    """How many elements are deleted, as the caller sees them."""
    bulk: bool = False
    """Whether this is the end of a load, of which only counts and labels are kept."""
    of_load: bool = False
    """Whether this is a part of a load, of which the end is still to come."""
    erases: bool = False
    """Whether elements are erased: what names them must not be kept."""
    labels: frozenset[bytes] = frozenset()
    """The labels of all elements of a load, or of those that are erased."""
    made: MadeOfRecords | None = None
    """What is written to records, once the commit has a time."""

    __hash__ = None  # type: ignore[assignment]

    def batches(self, table_of: Callable[[str], str]) -> dict[str, MutationBatch]:
        """Return all cells by the engine's table; ``table_of`` names that of a group."""
        parts = [{table_of(group): batch} for group, batch in self._by_group()]
        return join_batches([*parts, self.beside])

    def _by_group(self) -> Iterator[tuple[str, MutationBatch]]:
        for held in (self.added, self.restored, self.deleted):
            yield from held.items()

    def copied(self) -> Changed:
        """Return one with the same cells, whose counts can be added to."""
        return replace(
            self,
            added_count=Counter(self.added_count),
            deleted_count=Counter(self.deleted_count),
        )

    def __bool__(self) -> bool:
        """Return whether there is anything to write."""
        return any((self.added, self.deleted, self.restored, self.beside))


def join_batches(parts: Iterable[Batches]) -> dict[str, MutationBatch]:
    """Return what several writes have for each table as one batch."""
    held: dict[str, list[MutationBatch]] = {}
    for part in parts:
        for table, batch in part.items():
            held.setdefault(table, []).append(batch)
    return {table: MutationBatch.concat(batches) for table, batches in held.items()}
