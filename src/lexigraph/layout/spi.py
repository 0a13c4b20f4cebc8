"""What a layout is: how the elements of a schema become cells, and where a question has to look.

Layer ``layout``, the only one that knows what a key means. A layout is data for those below (a key
plan, table settings) and ranges for those above. It never reads or writes a cell itself: elements
are encoded and decoded by the plan, so a user's own layout is pushed down as well as ours.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import SystemRandom
from typing import Any, ClassVar

from lexigraph.errors import UnsupportedError
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.keyplan.model import FieldPart
from lexigraph.layout.wanted import Wanted
from lexigraph.schema import Schema
from lexigraph.schema.keys import plan_field
from lexigraph.store import Range, TableSettings

CHANCE = SystemRandom()
"""A source of random numbers that nobody can predict."""

ELEMENTS = "elements"
"""The name of the plan of all groups, in the settings of every table."""
MERGED = "merged"
"""The name of the plan of the groups that aggregate."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to look: ranges and columns of one table, and what still has to be filtered there.

    ``where`` is a predicate in its JSON form, or ``None`` where the ranges hold nothing else.
    ``columns`` are those to read, as a scan takes them; none means every column.
    """

    table: str
    ranges: Sequence[Range]
    where: Mapping[str, Any] | None = None
    columns: Sequence[tuple[bytes, bytes | None]] = ()


class Span(ABC):
    """All keys from one to another, in the order of a layout."""

    @abstractmethod
    def places(self, wanted: Wanted) -> list[Place]:
        """Say where everything in it is."""

    @abstractmethod
    def holds_other_row(self, edge: StoredElement) -> bool:
        """Tell whether it holds the other of an edge's two rows than the one that was found."""


@dataclass(frozen=True, slots=True)
class Derived:
    """What ``derive`` adds to an element, as data: a number below ``count``.

    It is the checksum of the ids, each as a part of a key has it, sorted and joined by 00; without
    ``ids`` it is chance, so that nobody can tell from the numbers of some elements how many others
    there are.
    """

    name: str
    """The field."""
    count: int
    ids: tuple[FieldPart, ...] = ()

    def draw(self, count: int) -> list[int]:
        """Draw so many numbers."""
        return [CHANCE.randrange(self.count) for _ in range(count)]


class Layout(ABC):
    """One way to lay out a graph. Subclass it and hand it to ``open`` to use your own."""

    name: ClassVar[str]

    @property
    def options(self) -> Mapping[str, Any]:
        """What it was made with, as JSON: a graph keeps it with its name."""
        return {}

    @abstractmethod
    def bind(self, schema: Schema) -> BoundLayout:
        """Fit it to a schema; refuse with UnsupportedError what it cannot hold."""


class BoundLayout(ABC):
    """A layout of one schema."""

    schema: Schema
    plan: Mapping[str, Any]
    """The key plan of all groups, in its JSON form; it has the name ``ELEMENTS`` in scans."""
    everything_has_all_rows: bool = False
    """Whether ``everything`` reads all rows of each element, not only the one that counts."""

    @cached_property
    def key_plan(self) -> KeyPlan:
        """The key plan, compiled."""
        return KeyPlan.parse(dict(self.plan))

    def part_of(self, group: str) -> BoundLayout:
        """Return the layout that holds a group: itself, unless groups have different layouts."""
        return self

    @property
    def options(self) -> Mapping[str, Any]:
        """Options that give this very layout again, also when the schema has got more groups."""
        return {}

    @abstractmethod
    def tables(self) -> Mapping[str, TableSettings]:
        """Give the tables that it needs, by the names that ``Place`` uses.

        Their scans and merges aggregate already; rules are added by whoever makes them.
        """

    @abstractmethod
    def table_of(self, group: str) -> str:
        """Return the table that holds a group."""

    @abstractmethod
    def around(self, vertices: Iterable[Any], wanted: Wanted) -> list[Place]:
        """Say where everything about these vertices is."""

    @abstractmethod
    def edges_between(self, pairs: Iterable[tuple[Any, Any]], wanted: Wanted) -> list[Place]:
        """Say where the edges from the first to the second of each pair are."""

    def across(
        self, first: Iterable[Any], second: Iterable[Any], wanted: Wanted
    ) -> list[Place] | None:
        """Return where the vertices of one set are, and their edges with those of a second.

        Edges are those whose row starts with a vertex of the first set. ``None`` if the layout has
        no ranges for such edges: then everything around the first set is read.
        """
        return None

    @abstractmethod
    def within(self, start: Any, end: Any, wanted: Wanted) -> list[Place]:
        """Say where everything about vertices from ``start`` to ``end`` is, both included."""

    def span(self, bounds: Iterable[Any], wanted: Wanted) -> Span | None:
        """Give the keys from the first to the last of what is wanted of these bounds.

        A bound is a vertex, which stands for everything about it, or an :class:`EdgeBound`, which
        stands for that edge and the vertices at its ends. ``None`` where nothing is wanted of them.
        """
        raise UnsupportedError(
            f"{type(self).__name__} does not support ranges from edge to edge",
            hint="Ask for a range of vertices.",
        )

    @abstractmethod
    def everything(self, wanted: Wanted) -> list[Place]:
        """Say where all elements are; each edge has rows of which one counts once."""

    def field(self, group: str, name: str) -> str:
        """Return the plan's name of a property or id of a group.

        The plan may have fields besides: those that ``derive`` adds.
        """
        return plan_field(self.schema.group(group), name)

    def predicate(self, group: str, where: Mapping[str, Any]) -> Mapping[str, Any]:
        """Turn a predicate over the schema's key forms into one over those of the plan.

        They differ where the plan holds ids by another codec than the group's own.
        """
        return where

    def derive(self, element: StoredElement) -> StoredElement:
        """Add the fields that the layout itself makes, such as a shard, before encoding."""
        return element

    def derived(self, group: str) -> Derived | None:
        """Say what ``derive`` adds to elements of a group; ``None`` for nothing.

        Override both or none: where only ``derive`` is, it is asked for each element, also where
        elements come in columns.
        """
        return None

    def bloom_prefix(self, row: bytes) -> bytes | None:
        """Return the part of a row that all rows of its vertex share, for bloom filters."""
        return None
