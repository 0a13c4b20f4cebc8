"""One record by its id: read it, ask for its edges or its history. Nothing is read before.

Layer ``graph``. Methods that change a record are added by sessions that can write.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from lexigraph.arguments import read_bool
from lexigraph.errors import EdgeNotFound, UsageError, VertexNotFound, nearest, show
from lexigraph.graph.read.arguments import read_limit
from lexigraph.graph.read.query import Query, Reading
from lexigraph.graph.read.records.timeline import Timeline
from lexigraph.graph.read.view import AnyGroup, all_records
from lexigraph.graph.write.records.given import read_text
from lexigraph.layout.wanted import BOTH
from lexigraph.plan import (
    Around,
    ById,
    Elements,
    Explanation,
    HistoryEvent,
    read_history,
)
from lexigraph.plan.logical.elements import Source
from lexigraph.plan.records.nearby import ids_near
from lexigraph.plan.records.under import TablesUnder
from lexigraph.schema.keys import time_of

if TYPE_CHECKING:
    from lexigraph.graph.handles import TableOfRows
    from lexigraph.graph.questions import Questions


class RecordHandle:
    """One record of a graph, by its id."""

    kind: ClassVar[str]

    def __init__(self, session: Questions, record: Any) -> None:
        keys = session._access.keys
        keys.record_tables  # noqa: B018 - a graph without records refuses here
        self._session: Questions = session
        self._record: Any = record
        self._reading: Reading = session._reading()
        self._is_plain = True
        """Whether it has with it what a record has that nobody asked more of."""

    @property
    def id(self) -> Any:
        """The id that was asked for."""
        return self._record

    def _source(self) -> Source:
        raise NotImplementedError

    def _question(self) -> Query[Any]:
        view = all_records(self._session._access.keys, self.kind)
        return Query(self._reading, Elements(self._source(), view))

    def one(self) -> Any:
        """Return the record; raise if there is none that can be seen."""
        found = self.first()
        if found is not None:
            return found
        known = ids_near(self.kind, self._record, self._reading.scope())
        error = VertexNotFound if self.kind == "vertex" else EdgeNotFound
        raise error(
            f"there is no {self.kind} {show(self._record)}, or it cannot be seen",
            near=nearest(self._record, known) if isinstance(self._record, str) else None,
        )

    def first(self) -> Any | None:
        """Return the record, or ``None`` if there is none that can be seen."""
        return self._question().first()

    def exists(self) -> bool:
        """Return whether there is such a record that can be seen; reads nothing else of it."""
        return self._question().count() > 0

    def fetch(self, *hints: str, **names: Iterable[Any]) -> Self:
        """Say what the record has with it; the hints are those of a question."""
        found = type(self)(self._session, self._record)
        found._reading, found._is_plain = self._question().fetch(*hints, **names)._reading, False
        return found

    def history(
        self,
        *,
        limit: int | None = None,
        after: HistoryEvent | None = None,
        since: Any = None,
        edges: bool = True,
    ) -> Timeline:
        """Return what happened to it, newest first: typed events, with notes.

        With ``limit``, so many of them; the next page starts ``after`` the last event of this one.
        ``since`` is the earliest time. The history of a vertex has events of its ``edges`` too.
        Hidden records have a history as well.
        """
        if after is not None and not isinstance(after, HistoryEvent):
            raise UsageError(
                f"after= takes an event, not {show(after)}",
                hint="Pass on the last event of the page before.",
            )
        found = read_history(
            self.kind,
            self._record,
            self._reading.scope(),
            limit=None if limit is None else read_limit(limit),
            after=after,
            since=None if since is None else time_of(since),
            edges=read_bool(edges, "edges"),
        )
        return Timeline(found)

    def table(self, name: str) -> TableOfRows:
        """Return a table of rows under it, by its name; it is there as soon as it has a row.

        >>> import lexigraph as lg
        >>> graph = lg.open(":memory:", authorizations=lg.ALL)
        >>> visits = graph.vertex(graph.add_vertex("ann", "Person")).table("visits")
        >>> visits.add(1, {"place": "Oslo"}).get(1)["place"]
        'Oslo'
        """
        return self._session._table_handle(self, read_text(name, "the name of a table"))

    def tables(self) -> list[str]:
        """Return the names of its tables that have a row which can be seen."""
        return list(self._tables_under().names())

    def _tables_under(self) -> TablesUnder:
        return TablesUnder.of(self.kind, self._record, self._reading.scope())

    def explain(self, *, run: bool = False) -> Explanation:
        """Return how the record is read; with ``run``, also how many cells that reads."""
        return self._question().explain(run=run)

    def __repr__(self) -> str:
        """Show what is asked, without asking."""
        shown = f"{self.kind} {show(self._record)}"
        return f"<{shown}: not read yet; .one() reads it, .history() its past>"


class VertexHandle(RecordHandle):
    """One vertex of records, by its id."""

    kind = "vertex"

    def _source(self) -> Source:
        return Around(self._session._seeds([self._record]))

    def first(self) -> Any | None:
        """Return the vertex, or ``None`` if there is none that can be seen."""
        found = self._session._look_up(self._record) if self._is_plain else None
        return super().first() if found is None else found[0]

    def edges(
        self, *groups: AnyGroup, direction: str = BOTH, directed: bool | None = None
    ) -> Query[Any]:
        """Ask for its edges, as ``get(id).edges(...)`` does; edges that merge are among them."""
        asked = self._session._ask(self._source())
        found = asked.edges(*groups, direction=direction, directed=directed)
        return found._made(self._reading, found._asked, choices=found._choices)


class EdgeHandle(RecordHandle):
    """One edge of records, by its id."""

    kind = "edge"

    def _source(self) -> Source:
        return ById((self._record,))
