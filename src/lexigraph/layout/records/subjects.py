"""What facts are about: a vertex, an edge, a reference, or a row of a table under an element.

Layer ``layout``. A reference is an edge seen from one of its ends. Subjects are equal if their keys
are: ids by their self-describing key form, so that 1, 1.0 and True are three ids and all widths of
an integer are one. Keys order the events of subjects; the order of rows is that of a layout.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidValue, show

OUT, IN, EITHER = "out", "in", "either"
DIRECTIONS = (OUT, IN, EITHER)
"""Directions of a reference, seen from its vertex; an undirected edge has ``either``."""


@dataclass(frozen=True, slots=True)
class VertexSubject:
    """A vertex.

    >>> VertexSubject(1) == VertexSubject(True)
    False
    """

    id: Any = field(compare=False)
    key: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make the key."""
        object.__setattr__(self, "key", ANY.encode(self.id))


@dataclass(frozen=True, slots=True)
class EdgeSubject:
    """An edge."""

    id: Any = field(compare=False)
    key: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make the key."""
        object.__setattr__(self, "key", ANY.encode(self.id))


@dataclass(frozen=True, slots=True)
class ReferenceSubject:
    """An edge as one of its ends has it; ``sort_key`` has the values that its label declares."""

    vertex: Any = field(compare=False)
    direction: str = field(compare=False)
    label: str = field(compare=False)
    sort_key: tuple[Any, ...] = field(compare=False)
    other: Any = field(compare=False)
    edge: Any = field(compare=False)
    key: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make the key; refuse a direction that does not exist."""
        if self.direction not in DIRECTIONS:
            raise InvalidValue(
                f"a direction is {', '.join(DIRECTIONS)}, not {show(self.direction)}"
            )
        place = (DIRECTIONS.index(self.direction), self.label, *self.sort_key)
        values = (self.vertex, *place, self.other, self.edge)
        object.__setattr__(self, "key", b"".join(map(ANY.encode, values)))


@dataclass(frozen=True, slots=True)
class RowSubject:
    """A row of a table under a vertex or an edge."""

    element: VertexSubject | EdgeSubject = field(compare=False)
    table: str = field(compare=False)
    row: Any = field(compare=False)
    key: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Make the key."""
        edge = isinstance(self.element, EdgeSubject)
        names = ANY.encode(self.table) + ANY.encode(self.row)
        object.__setattr__(self, "key", bytes((edge,)) + self.element.key + names)

    @staticmethod
    def mark_of(element: VertexSubject | EdgeSubject) -> RowSubject:
        """Return the row, of a table without a name, that says until when all rows ended."""
        return RowSubject(element, "", "")

    @property
    def is_mark(self) -> bool:
        """Whether it is that row."""
        return not self.table


Subject = VertexSubject | EdgeSubject | ReferenceSubject | RowSubject
