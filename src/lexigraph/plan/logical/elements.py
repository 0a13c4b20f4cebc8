"""The one logical plan: what is asked for, as data that knows neither cells nor engines.

Layer ``plan``. Everything that reads a graph builds these nodes and nothing else reads it. A view
gives each wanted group its steps, which run in this order whatever order they were asked for in:
filters before merging, merging, filters after it, transforms, filters after those, projection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lexigraph.layout.wanted import BOTH
from lexigraph.plan.element import Element
from lexigraph.schema.model import Aggregate, ValueType


@dataclass(frozen=True, slots=True)
class Where:
    """One question about elements of a group: a predicate, or a function of the user's.

    ``where`` is a predicate in its JSON form, over the fields that the group has in a key plan; an
    engine runs it next to the data if it can. ``call`` always runs in the client.
    """

    where: Mapping[str, Any] | None = None
    call: Callable[[Element], bool] | None = None
    text: str = ""

    def __hash__(self) -> int:
        """Agree with equality; a predicate cannot be hashed."""
        return hash(self.text)


@dataclass(frozen=True, slots=True)
class Derive:
    """A function of some properties and ids, whose results become properties or ids.

    With several names in ``into`` it gives as many values. ``None`` is an absent value, both ways.
    """

    function: Callable[..., Any]
    fields: tuple[str, ...]
    into: tuple[str, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Steps:
    """What is done with the elements of one group.

    ``by`` are the group-by properties that stay apart; ``None`` is all of them. ``derived_by`` are
    functions of ids and group-by properties: elements with different results stay apart too, and
    have the results as properties. ``aggregators``
    replace those of the schema where elements merge. ``transient`` are the types of properties that
    only transforms make. ``keep`` are the properties that the answer has, ``None`` for all but
    ``drop``.
    """

    before: tuple[Where, ...] = ()
    by: tuple[str, ...] | None = None
    derived_by: tuple[Derive, ...] = ()
    aggregators: Mapping[str, Aggregate] = field(default_factory=dict)
    after: tuple[Where, ...] = ()
    transforms: tuple[Derive, ...] = ()
    transient: Mapping[str, ValueType] = field(default_factory=dict)
    last: tuple[Where, ...] = ()
    keep: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()

    __hash__ = None  # type: ignore[assignment]


View = Mapping[str, Steps]
"""The steps of each wanted group; other groups are not read."""


EdgeSeed = tuple[Any, Any, bool | None]
"""An edge as (source, destination, directed); ``directed`` is ``None`` for both kinds."""


@dataclass(frozen=True, slots=True)
class Around:
    """Everything about some vertices, and some edges by their two ends.

    An edge is (source, destination, directed); ``directed`` is ``None`` for both kinds. With it
    come the vertices at its ends.
    """

    vertices: Iterable[Any] = ()
    edges: tuple[EdgeSeed, ...] = ()


@dataclass(frozen=True, slots=True)
class Between:
    """The vertices of one set, and edges from them to vertices of another."""

    first: Iterable[Any]
    second: Iterable[Any]


@dataclass(frozen=True, slots=True)
class Within:
    """The vertices of a set, and the edges that have both ends in it."""

    vertices: Iterable[Any]


@dataclass(frozen=True, slots=True)
class InRanges:
    """Everything about the vertices from each start to each end, both included.

    An end may also be an edge (:class:`EdgeBound`). Such a range has what lies from there on, or up
    to there, in the order of the layout's keys.
    """

    ranges: tuple[tuple[Any, Any], ...]


@dataclass(frozen=True, slots=True)
class Starting:
    """Everything about the vertices whose ids start with one of these texts, or bytes."""

    prefixes: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Everything:
    """All elements, each edge once."""


@dataclass(frozen=True, slots=True)
class ById:
    """Edges of records by their ids; nothing else has ids of its own."""

    ids: Iterable[Any]


Source = Around | Between | Within | InRanges | Starting | Everything | ById


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements that a source finds, through a view.

    ``direction`` is seen from the vertex that was asked for. Labels merge unless ``by_visibility``.
    With ``both_ends`` an edge that was found by both of its ends comes twice.
    """

    source: Source
    view: View
    direction: str = BOTH
    directed: bool | None = None
    by_visibility: bool = False
    both_ends: bool = False
    limit: int | None = None

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Adjacent:
    """The vertices at the other ends of edges; each once, in key order, if ``distinct``."""

    of: Elements
    distinct: bool = True

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Each vertex that edges were found by, with each vertex at their other ends, once."""

    of: Elements

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Walk:
    """Ways along edges: the first hop from the seeds, each next from where the last one ended.

    Every hop is a question about edges whose own source is not looked at.
    """

    seeds: Iterable[Any]
    hops: tuple[Elements, ...]
    limit: int | None = None

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Hops:
    """The vertices that lie ``steps`` hops from the seeds, or ``within`` so many.

    A vertex counts with the fewest hops that reach it; seeds have none. The source of ``edges`` is
    not looked at.
    """

    seeds: Iterable[Any]
    edges: Elements
    steps: int = 1
    within: bool = False

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class PathsBetween:
    """The ways from one vertex to another that visit none twice, as ids; shorter ones first.

    They have at most ``hops`` hops. ``shortest`` leaves only those that no other is shorter than.
    The source of ``edges`` is not looked at.
    """

    source: Any
    destination: Any
    edges: Elements
    hops: int | None = None
    shortest: bool = False
    limit: int | None = None

    __hash__ = None  # type: ignore[assignment]


Followed = Adjacent | Pairs | Walk | Hops | PathsBetween
"""Leaves that follow edges: an engine may have an operator for them."""
