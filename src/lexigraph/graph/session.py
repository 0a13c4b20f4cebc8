"""Reading a graph as somebody: every question goes through a session and sees what it may see.

Layer ``graph``. A session holds authorizations, which were checked against the grants when it was
made, and hands them to every plan. It has no way to count or name what it cannot read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, TypeVar, overload

from lexigraph.errors import InvalidValue, NotGranted, ReadOnly, UsageError, show
from lexigraph.graph.other_names import SESSION, SESSION_OPERATORS, NamesNearest
from lexigraph.graph.read import view
from lexigraph.graph.read.arguments import read_hop, read_limit, read_vertices, refuse_options
from lexigraph.graph.read.query import Query, Reading
from lexigraph.graph.read.seeds import EdgeSeed, bound_in, ids_in
from lexigraph.graph.read.walks import Walks
from lexigraph.graph.users import NOBODY, User
from lexigraph.graph.write.add import Adder, AddReport
from lexigraph.graph.write.cell_sets import cell_sets
from lexigraph.graph.write.delete import Deleter
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.load import Loader
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.keyplan.vertices import Vertices
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.plan import (
    Around,
    Between,
    Elements,
    Everything,
    InRanges,
    Path,
    Scope,
    SeedSet,
    Steps,
    Walk,
    Within,
    iter_walks,
)
from lexigraph.plan.algebra import Source
from lexigraph.schema import ClassElement, Edge, Schema
from lexigraph.schema.keys import misfit
from lexigraph.security import All, Authorizations, Visibility
from lexigraph.store import LoadFiles, MutationBatch, Snapshot
from lexigraph.store.spi import LOAD_MEMORY_BYTES

if TYPE_CHECKING:
    from lexigraph.graph.access import Access
    from lexigraph.graph.moments import SnapshotSession, TransactionSession
    from lexigraph.graph.read.prepared import Prepared

READER, WRITER = "reader", "writer"
MAX_KNOWN = 100
"""How many different questions are remembered."""

C = TypeVar("C", bound=ClassElement)
E = TypeVar("E", bound=Edge)


class Session(NamesNearest):
    """A graph as one reader sees it.

    Vertices are passed as their ids. A list, a column or any other collection means several ids,
    but a tuple is one id.
    """

    _called, _elsewhere = "a session", SESSION
    _operators = SESSION_OPERATORS

    def __init__(
        self,
        access: Access,
        authorizations: Iterable[str | bytes] | All,
        *,
        role: str = READER,
        own_labels: bool = False,
        timeout_s: float | None = None,
        snapshot: Snapshot | None = None,
        who: User = NOBODY,
    ) -> None:
        if role not in (READER, WRITER):
            raise UsageError(f"a role is {READER!r} or {WRITER!r}, not {show(role)}")
        self._access, self._role, self._snapshot = access, role, snapshot
        self._own_labels, self._timeout_s, self._who = own_labels, timeout_s, who
        self._authorizations = access.check_granted(authorizations)
        # Edges that were followed before need no planning.
        self._followed: dict[tuple[Any, str], Prepared[Any]] = {}

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
    def user(self) -> str | None:
        """The id of its user, if it was given one."""
        return self._who.id

    @property
    def operation_authorizations(self) -> frozenset[str]:
        """What its user may do, by name; the session does not check them."""
        return self._who.operation_authorizations

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

    @overload
    def edge(self, source: Any, destination: Any, group: type[E], /) -> Query[E]: ...
    @overload
    def edge(self, source: Any, destination: Any, *groups: view.AnyGroup) -> Query[Any]: ...
    def edge(self, source: Any, destination: Any, *groups: view.AnyGroup) -> Query[Any]:
        """Ask for the edges from one vertex to another, of these groups or of all."""
        asked = Around((), ((source, destination, None),))
        if groups:
            return self._ask(asked).edges(*groups)
        # No choice yet, so that the first one narrows.
        edges = view.group_names((), self.schema, "edge")
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

    @overload
    def all(self, group: type[C], /) -> Query[C]: ...
    @overload
    def all(self, *groups: view.AnyGroup) -> Query[Any]: ...
    def all(self, *groups: view.AnyGroup) -> Query[Any]:
        """Ask for all elements: of these groups, or of all."""
        choices = {name: Steps() for name in self.schema.groups}
        names = view.group_names(groups, self.schema, None)
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

        Paths are read during iteration. A notebook and ``print`` show the first 20 as a table.
        """
        refuse_options(
            unknown,
            "walk",
            ("limit",),
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
            return iter_walks(replace(asked, limit=min(bounded, default=None)), self._scope())

        groups = " - ".join(", ".join(one.view) for one in asked.hops)
        return Walks(read, len(hops), f"from {show(start)} along {groups}")

    def hops(
        self,
        start: Any,
        *groups: view.AnyGroup,
        steps: int = 1,
        within: bool = False,
        direction: str = "out",
    ) -> Vertices:
        """Return the vertices that lie ``steps`` hops away, or ``within`` so many, each once."""
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

    def _hop(self, one: Any) -> Elements:
        if isinstance(one, Query):
            return one._asked
        return self._ask(Around(())).edges(*read_hop(one), direction="out")._asked

    def _ask(self, source: Source) -> Query[Any]:
        view_of_all = {name: Steps() for name in self.schema.groups}
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

    def add(
        self,
        elements: Any,
        *,
        group: Any = None,
        columns: Mapping[str, str] | None = None,
        ignore_extra: bool = False,
        assume_timezone: str | tzinfo | None = None,
        truncate_to_date: bool = False,
        skip_invalid: bool = False,
    ) -> AddReport:
        """Add elements: any iterable of them, even an endless one, or rows of ``group``.

        Rows are a data frame, the path of a CSV or Parquet file, or dicts without a group. Fields
        without a column get the default of the class. ``columns`` maps columns to fields:
        ``{"payer": "source"}``. With ``ignore_extra``, columns that are not fields are ignored.
        ``assume_timezone`` is the zone of times without one; with ``truncate_to_date``, times
        become dates if the field is a date.

        The first invalid element raises ValidationError, which says which one and why. With
        ``skip_invalid`` the others are stored, and the report has the reasons. If an exception ends
        an add early, even Ctrl-C, its ``add_report`` is the report of what was stored.
        """
        self._check_writer()
        options = RowOptions.read(
            columns=columns,
            ignore_extra=ignore_extra,
            assume_timezone=assume_timezone,
            truncate_to_date=truncate_to_date,
            skip_invalid=skip_invalid,
        )
        given = self._access.renamed(elements)
        return self._add(given, self._access.class_of(group), options)

    def _add(self, elements: Any, group: Any, options: RowOptions) -> AddReport:
        return Adder(self._writer()).add(elements, group=group, options=options)

    def load(
        self,
        frames: Any,
        *,
        group: Any = None,
        columns: Mapping[str, str] | None = None,
        ignore_extra: bool = False,
        assume_timezone: str | tzinfo | None = None,
        truncate_to_date: bool = False,
        skip_invalid: bool = False,
        memory_limit_bytes: int = LOAD_MEMORY_BYTES,
        files: LoadFiles | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> AddReport:
        """Store many rows in one commit: a data frame, a CSV or Parquet file, or several of them.

        All rows are elements of ``group``; the options for rows are those of ``add``. They are
        sorted on disk and stored together, or not at all: the first invalid row raises
        ValidationError, unless ``skip_invalid`` is set. ``files`` sets how many files a cluster
        imports. ``progress`` is called with the number of cells read and written so far.
        """
        self._check_writer()
        options = RowOptions.read(
            columns=columns,
            ignore_extra=ignore_extra,
            assume_timezone=assume_timezone,
            truncate_to_date=truncate_to_date,
            skip_invalid=skip_invalid,
        )
        return self._loader().load(
            frames,
            self._access.class_of(group),
            options,
            progress,
            self._authorizations,
            memory_limit_bytes=memory_limit_bytes,
            files=files,
        )

    def _loader(self) -> Loader:
        return Loader(self._writer())

    def delete(self, elements: Any, *, visibility: str | bytes | None = None) -> DeleteReport:
        """Delete elements by their identity; return how many were deleted.

        If an element leaves out a group-by property, elements with any value of it are deleted.
        ``visibility`` limits the delete to one label; without it, elements are deleted under all
        labels that the session can read. All elements are deleted in one commit, or none. A cluster
        deletes row by row: if it fails, the error says how many elements were deleted, and the same
        delete again removes the rest.
        """
        self._check_writer()
        deleter = Deleter(self._access.stored, self._authorizations)
        scope = self._scope()
        sets = None if visibility is not None else cell_sets(elements, scope)
        if sets is not None:
            return deleter.delete_sets(sets, scope)
        return deleter.delete(self._access.renamed(elements), visibility=visibility)

    def transaction(self) -> TransactionSession:
        """Start a transaction: reads and writes together or not at all; use ``with``."""
        self._check_writer()
        from lexigraph.graph.moments import TransactionSession

        return TransactionSession(
            self._access,
            self._authorizations,
            own_labels=self._own_labels,
            timeout_s=self._timeout_s,
            who=self._who,
        )

    def _writer(self) -> Writer:
        stored = self._access.stored
        return Writer(stored, Commit(stored, self._authorizations), check=self._check_batch)

    def _check_batch(self, batch: MutationBatch) -> None:
        held = self._authorizations
        if not self._own_labels or isinstance(held, All):
            return
        for label in batch.cells.visibility.distinct():
            if not Visibility(label).evaluate(held):
                shown = label.decode("utf-8", "replace")
                raise NotGranted(
                    f"this session cannot read {shown!r}, so it may not write with that label",
                    hint="Use a label that its authorizations satisfy.",
                )

    def _check_writer(self) -> None:
        if self._role != WRITER:
            raise ReadOnly(
                "this session is read-only", hint='Ask the owner for a session with role="writer".'
            )

    def snapshot(self) -> SnapshotSession:
        """Return a snapshot: all questions inside ``with`` see the graph at one moment."""
        from lexigraph.graph.moments import SnapshotSession

        return SnapshotSession(
            self._access,
            self._authorizations,
            self._access.engine.snapshot(),
            timeout_s=self._timeout_s,
            who=self._who,
        )

    def __repr__(self) -> str:
        """Show the graph and what may be seen."""
        shown = f"graph {self._access.name!r} as {self._authorizations!r}{self._who}"
        return f"<{self._role} of {shown}>"
