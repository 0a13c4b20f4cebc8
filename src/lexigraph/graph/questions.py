"""The questions of a session: what can be asked of a graph, as one reader sees it.

Layer ``graph``. Each method builds a question and reads nothing; its scope has the authorizations
of the session, so no question sees more than the session may.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, overload

from lexigraph.arguments import read_timeout
from lexigraph.errors import InvalidValue, UsageError, show
from lexigraph.graph.other_names import SESSION, SESSION_OPERATORS, NamesNearest
from lexigraph.graph.read import view
from lexigraph.graph.read.arguments import read_hop, read_limit, read_vertices, refuse_options
from lexigraph.graph.read.following.paths import path_edges
from lexigraph.graph.read.following.walks import Paths, Walks
from lexigraph.graph.read.query import Query, Reading
from lexigraph.graph.read.seeds import bound_in, ids_in
from lexigraph.plan import (
    Around,
    Between,
    Elements,
    Everything,
    InRanges,
    Path,
    PathsBetween,
    Scope,
    SeedSet,
    Starting,
    Steps,
    Walk,
    Within,
    run,
)
from lexigraph.plan.logical.elements import EdgeSeed, Source
from lexigraph.plan.logical.rows import PATH
from lexigraph.plan.sources.starting import following_text
from lexigraph.schema import ClassElement, Edge, Schema
from lexigraph.schema.fields import NOTHING
from lexigraph.schema.keys import misfit
from lexigraph.security import All, Authorizations
from lexigraph.store.answers.vertices import Vertices
from lexigraph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from lexigraph.graph.access import Access
    from lexigraph.graph.handles import EdgeOfRecords, TableOfRows, VertexOfRecords
    from lexigraph.graph.read.prepared import Prepared

MAX_KNOWN = 100
"""How many different questions are remembered."""

C = TypeVar("C", bound=ClassElement)
E = TypeVar("E", bound=Edge)


class Questions(NamesNearest):
    """What can be asked of a graph."""

    _called, _elsewhere = "a session", SESSION
    _operators = SESSION_OPERATORS
    _vertex_handle: ClassVar[type[VertexOfRecords]]
    _edge_handle: ClassVar[type[EdgeOfRecords]]
    _table_handle: ClassVar[type[TableOfRows]]
    """What one record by its id is, and a table under it: a session has the classes, which also
    change records."""

    def __init__(
        self,
        access: Access,
        authorizations: Iterable[str | bytes] | All,
        *,
        timeout_s: float | None = None,
        snapshot: Snapshot | None = None,
    ) -> None:
        self._access, self._snapshot = access, snapshot
        self._timeout_s = read_timeout(timeout_s)
        self._authorizations = access.check_granted(authorizations)
        # Edges that were followed before need no planning.
        self._followed: dict[tuple[Any, str], Prepared[Any]] = {}
        self._looked_up: tuple[object, Prepared[Any]] | None = None

    if not TYPE_CHECKING:
        # Type checkers refuse these by themselves.
        def __iter__(self) -> Iterator[Any]:
            """Raise: says which method yields elements."""
            raise self._no_operator("iter")

        def __contains__(self, one: object) -> bool:
            """Raise: says how to ask for a vertex."""
            raise self._no_operator("in")

    def __bool__(self) -> bool:
        """Return ``True``: a session is there, whatever it can see."""
        return True

    @property
    def authorizations(self) -> Authorizations | All:
        """What the session may see: its tokens."""
        return self._authorizations

    @property
    def schema(self) -> Schema:
        """The groups of the graph."""
        return self._access.schema

    def get(self, *vertices: Any) -> Query[Any]:
        """Ask for everything about some vertices: what they are and the edges at them.

        Elements may be passed too: a vertex means its id, an edge means itself and its two ends.
        """
        edges: list[EdgeSeed] = []
        seeds = self._seeds(ids_in(vertices, edges))
        return self._ask(Around(seeds, tuple(edges)))

    def vertex(self, id: Any) -> VertexOfRecords:  # noqa: A002 - the word for it
        """Return a vertex of records by its id: ``.one()`` reads it, ``.history()`` its past."""
        return self._vertex_handle(self, id)

    @overload
    def edge(self, id: Any, /) -> EdgeOfRecords: ...
    @overload
    def edge(self, source: Any, destination: Any, group: type[E], /) -> Query[E]: ...
    @overload
    def edge(self, source: Any, destination: Any, *groups: view.AnyGroup) -> Query[Any]: ...
    def edge(self, source: Any, destination: Any = NOTHING, *groups: view.AnyGroup) -> Any:
        """Ask for the edges from one vertex to another, of these groups or of all.

        With one argument, return an edge of records by its id.
        """
        if destination is NOTHING:
            return self._edge_handle(self, source)
        asked = Around((), ((source, destination, None),))
        if groups:
            return self._ask(asked).edges(*groups)
        # No choice yet, so that the first one narrows.
        edges = view.group_names((), self._access.keys.schema, "edge")
        return Query(self._reading(), Elements(asked, {name: Steps() for name in edges}))

    def between(self, first: Any, second: Any) -> Query[Any]:
        """Ask for the vertices of one set and the edges between it and another.

        A set is a collection of ids, or one id: ``between("ann", ["bob", "cid"])``. Edges may have
        either direction; ``edges(direction=...)`` chooses one.
        """
        return self._ask(Between(self._seeds(first), self._seeds(second)))

    def within(self, vertices: Any) -> Query[Any]:
        """Ask for the vertices of a set and the edges that have both ends in it."""
        return self._ask(Within(self._seeds(vertices)))

    def ranges(self, *ranges: tuple[Any, Any]) -> Query[Any]:
        """Ask for everything about the vertices from each start to each end, both included.

        A start or end may also be an element. If it is an edge, the range follows the order of the
        layout's keys.
        """
        for one in ranges:
            if not isinstance(one, tuple) or len(one) != 2:
                raise UsageError(f"a range of vertices is (first, last), not {show(one)}")
        return self._ask(InRanges(tuple((bound_in(a), bound_in(b)) for a, b in ranges)))

    def starting(self, *prefixes: str | bytes) -> Query[Any]:
        """Ask for everything about the vertices whose ids start with one of these texts."""
        if not prefixes:
            raise UsageError("name at least one text that ids start with")
        for one in prefixes:
            following_text(one)
        return self._ask(Starting(prefixes))

    @overload
    def all(self, group: type[C], /) -> Query[C]: ...
    @overload
    def all(self, *groups: view.AnyGroup) -> Query[Any]: ...
    def all(self, *groups: view.AnyGroup) -> Query[Any]:
        """Ask for all elements: of these groups, or of all."""
        choices = {name: Steps() for name in self._access.keys.schema.groups}
        names = view.group_names(groups, self._access.keys.schema, None)
        asked = Elements(Everything(), view.chosen(names, {}, choices))
        return Query(self._reading(), asked, choices=choices if groups else None)

    def count(self, *groups: view.AnyGroup) -> int:
        """Count the elements of some groups, or all that can be seen."""
        return self.all(*groups).count()

    def walk(
        self,
        start: Any,
        *hops: view.AnyGroup | Iterable[view.AnyGroup] | Query[Any],
        limit: int | None = None,
        **unknown: Any,
    ) -> Walks:
        """Yield the paths along edges: one group, several, or a question for each hop.

        A group is followed from source to destination; a question in the direction of its
        ``edges``, which is both unless it says otherwise.
        Paths are read during iteration. A notebook and ``print`` show the first 20 as a table.
        """
        refuse_options(
            unknown,
            "walk",
            ("limit",),
            steps='name the group of each hop: graph.walk("ann", Calls, Calls) has two',
            direction='name the direction of a hop by a question: graph.walk("ann", '
            'graph.get().edges(Calls, direction="both"))',
        )
        if not hops:
            raise UsageError(
                ".walk() needs the group of each hop",
                hint='One hop: graph.walk("ann", Calls). Two: graph.walk("ann", Calls, Knows).',
            )
        most = None if limit is None else read_limit(limit)
        seeds = self._seeds(ids_in((start,), []))
        asked = Walk(seeds, tuple(map(self._hop, hops)), most)

        def read(first: int | None) -> Iterator[Path]:
            bounded = [one for one in (first, most) if one is not None]
            walk = replace(asked, limit=min(bounded, default=None))
            return run(walk, self._scope()).values(PATH)

        groups = " - ".join(", ".join(one.view) for one in asked.hops)
        return Walks(read, f"from {show(start)} along {groups}")

    def paths(
        self,
        source: Any,
        destination: Any,
        *edges: view.AnyGroup | Query[Any],
        hops: int,
        direction: str = "both",
        exclude: Any = (),
        limit: int | None = None,
    ) -> Paths:
        """Yield the paths from one vertex to another, shorter ones first, as tuples of ids.

        A path visits no vertex twice and has at most ``hops`` hops. It follows edges of all groups,
        of those that are named, or of one question (``graph.get().edges(Knows).where(...)``), but
        not those to ``exclude``. It never uses an edge that the reader does not see. Edges of
        records lead only from and to vertices that the reader sees, also at both ends of the path.

        >>> import lexigraph as lg
        >>> class Calls(lg.Edge, summary=True):
        ...     source: str
        ...     destination: str
        >>> graph = lg.open(":memory:", [Calls])
        >>> _ = graph.add(Calls(*pair) for pair in ("ab", "bd", "ac", "cd", "cb"))
        >>> list(graph.paths("a", "d", hops=2))
        [('a', 'b', 'd'), ('a', 'c', 'd')]
        """
        return self._paths(source, destination, edges, hops, direction, exclude, limit)

    def shortest_paths(
        self,
        source: Any,
        destination: Any,
        *edges: view.AnyGroup | Query[Any],
        hops: int | None = None,
        direction: str = "both",
        exclude: Any = (),
        limit: int | None = None,
    ) -> Paths:
        """Yield the paths that no other path is shorter than; none, if all have more ``hops``."""
        given = (source, destination, edges, hops, direction, exclude, limit)
        return self._paths(*given, shortest=True)

    def shortest_path(
        self,
        source: Any,
        destination: Any,
        *edges: view.AnyGroup | Query[Any],
        hops: int | None = None,
        direction: str = "both",
        exclude: Any = (),
    ) -> tuple[Any, ...] | None:
        """Return one of the shortest paths, or ``None`` if there is no path."""
        given = (source, destination, edges, hops, direction, exclude, 1)
        return next(self._paths(*given, shortest=True), None)

    def _paths(
        self,
        source: Any,
        destination: Any,
        edges: tuple[Any, ...],
        hops: int | None,
        direction: str,
        exclude: Any,
        limit: int | None,
        *,
        shortest: bool = False,
    ) -> Paths:
        [start], [end] = self._seeds([source]), self._seeds([destination])
        schema = self._access.keys.schema
        followed = path_edges(self._ask(Around(())), edges, direction, exclude, schema)
        most = None if limit is None else read_limit(limit)
        asked = PathsBetween(start, end, followed, hops, shortest)

        def read(first: int | None) -> Iterator[tuple[Any, ...]]:
            bounded = [one for one in (first, most) if one is not None]
            paths = replace(asked, limit=min(bounded, default=None))
            return run(paths, self._scope()).values(PATH)

        return Paths(read, f"from {show(start)} to {show(end)}")

    def hops(
        self,
        start: Any,
        *groups: view.AnyGroup,
        steps: int = 1,
        within: bool = False,
        direction: str = "out",
    ) -> Vertices:
        """Return the vertices that lie ``steps`` hops away, or ``within`` so many, each once.

        The distance is that of the shortest way: vertices that are nearer, and the start itself,
        are left out unless ``within`` is given.
        """
        try:
            follow = self._followed.get((groups, direction))
        except TypeError:
            # What cannot be hashed is no group and no direction; planning says so.
            follow = None
        if follow is None:
            if len(self._followed) >= MAX_KNOWN:
                self._followed.clear()
            follow = self.get().edges(*groups, direction=direction).prepare()
            self._followed[groups, direction] = follow
        return follow.hops(start, steps=steps, within=within)

    def _look_up(self, vertex: Any) -> tuple[Any | None] | None:
        """Return a vertex of records, if there is one; ``None`` if a question has to ask."""
        keys = self._access.keys
        if self._looked_up is None or self._looked_up[0] is not keys:
            asked = Elements(Around(()), view.all_records(keys, "vertex"))
            self._looked_up = keys, Query(self._reading(), asked).prepare()
        return self._looked_up[1]._vertex_of(vertex)

    def _hop(self, one: Any) -> Elements:
        if isinstance(one, Query):
            if one._order:
                raise UsageError(
                    "a hop cannot be ordered: paths come in no order",
                    hint="Leave .order_by(...) and .top(...) out of the questions of hops.",
                )
            return one._asked
        return self._ask(Around(())).edges(*read_hop(one), direction="out")._asked

    def _ask(self, source: Source) -> Query[Any]:
        view_of_all = {name: Steps() for name in self._access.keys.schema.groups}
        return Query(self._reading(), Elements(source, view_of_all))

    def _seeds(self, vertices: Iterable[Any]) -> SeedSet:
        access, listed = self._access, read_vertices(vertices)
        try:
            return SeedSet(listed, access.keys.vertex_codec, access.engine.preferences)
        except InvalidValue as error:
            if "expected" not in error.context:
                raise
            raise InvalidValue(f"a vertex of this graph: {misfit(error)}") from None

    def _reading(self) -> Reading:
        return Reading(self._scope, self._access)

    def _scope(self) -> Scope:
        timeout_s = self._timeout_s
        return self._access.scope(self._authorizations, self._snapshot, timeout_s=timeout_s)
