"""The open half of the algebra: nodes over rows of named columns, as data.

Layer ``plan``. A column holds values, elements or paths, and may be null. ``Elements`` is the leaf
that reads a graph: it has one column, ``element``. ``spec/algebra.md`` states the contract of every
node and the rules of null; the physical plan may fuse nodes into a scan but never changes a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lexigraph.plan.logical.elements import (
    Adjacent,
    Elements,
    Followed,
    Hops,
    Pairs,
    PathsBetween,
    Walk,
)
from lexigraph.plan.logical.expressions import Expression
from lexigraph.schema.model import Aggregate

ELEMENT = "element"
"""The column of an ``Elements`` leaf."""
MEAN = "mean"
"""A figure that no aggregator makes: the sum of the values that are not null, by their number."""
VERTEX, ADJACENT, PATH = "vertex", "adjacent", "path"
"""The columns of leaves that follow edges."""


@dataclass(frozen=True, slots=True)
class Values:
    """Rows that are given."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Argument:
    """In a body: the rows that the body is run for. They have the columns of the outer node."""


@dataclass(frozen=True, slots=True)
class Expand:
    """Each row once for each edge at the vertex of a column; null has no edges.

    ``edges`` says which edges and in which direction; its source is not looked at. The new columns
    hold the edge and the id of the vertex at its other end. Rows come in the order of ``of``, the
    edges of one row in key order.
    """

    of: Node
    from_column: str
    edges: Elements
    edge_as: str
    vertex_as: str

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Filter:
    """The rows for which an expression is true: neither false nor unknown."""

    of: Node
    where: Expression

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Project:
    """Each row with these columns and no others, computed from its own."""

    of: Node
    columns: Mapping[str, Expression]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of rows: an aggregator of an expression, ``count`` of nothing, or ``mean``.

    Null is skipped; ``count`` of nothing counts rows. ``codec`` is that of the values; without it,
    the type of the first value decides.
    """

    name: str
    aggregate: Aggregate
    of: Expression | None = None
    codec: str | None = None


@dataclass(frozen=True, slots=True)
class GroupRows:
    """A row of figures for each combination of some values, in the order of their key forms.

    Null is a value like any other, and the first. Without ``by`` it is at most one row: none if
    there are no rows to group.
    """

    of: Node
    by: Mapping[str, Expression]
    figures: tuple[Figure, ...] = ()

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class SortKey:
    """What rows are sorted by. Null is last in both directions, NaN just before it."""

    value: Expression
    descending: bool = False

    def __str__(self) -> str:
        """Show it, with its direction if that is not the usual one."""
        return f"{self.value} descending" if self.descending else str(self.value)


@dataclass(frozen=True, slots=True)
class Sort:
    """All rows in order; rows that are equal in every key stay as they were. Holds all rows."""

    of: Node
    keys: tuple[SortKey, ...]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Top:
    """The first ``count`` rows of ``Sort``; without keys, the first that come. Holds so many."""

    of: Node
    count: int
    keys: tuple[SortKey, ...] = ()

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Distinct:
    """Each combination of some columns once, where it first comes; other columns are left out.

    Null equals null. Holds what it has seen.
    """

    of: Node
    columns: tuple[str, ...]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Union:
    """The rows of each part, one part after another. All parts have the same columns."""

    parts: tuple[Node, ...]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Join:
    """Each row of ``left`` with each row of ``right`` that has equal values in pairs of columns.

    A null matches nothing. Rows come in the order of ``left``, then of ``right``, which is held. A
    column of ``right`` may have the name of one of ``left`` only if they are a pair.
    """

    left: Node
    right: Node
    on: tuple[tuple[str, str], ...]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Optional:
    """Each row with the rows that ``body`` makes of it; with null in new columns if there are none.

    The body is run for one row at a time, which its ``Argument`` gives.
    """

    of: Node
    body: Node

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Repeat:
    """Rows that go through ``body`` again and again, at most ``most`` times.

    The body makes rows with the columns of its ``Argument``. A row that has been through it
    ``least`` times or more leaves as soon as ``until`` is true of it, and every row leaves after
    ``most`` times. ``emit`` says which rows also come out on their way, from ``least`` times on.
    Rows come in the order of the times they went through.
    """

    of: Node
    body: Node
    most: int
    least: int = 1
    until: Expression | None = None
    emit: Expression | None = None

    __hash__ = None  # type: ignore[assignment]


RowNode = (
    Values
    | Argument
    | Expand
    | Filter
    | Project
    | GroupRows
    | Sort
    | Top
    | Distinct
    | Union
    | Join
    | Optional
    | Repeat
)
Node = Elements | Followed | RowNode
"""A plan of rows."""


def parts_of(node: Node) -> tuple[Node, ...]:
    """Return the nodes below one, bodies last."""
    if isinstance(
        node, Elements | Values | Argument | Adjacent | Pairs | Hops | Walk | PathsBetween
    ):
        return ()
    if isinstance(node, Union):
        return node.parts
    if isinstance(node, Join):
        return node.left, node.right
    if isinstance(node, Optional | Repeat):
        return node.of, node.body
    return (node.of,)
