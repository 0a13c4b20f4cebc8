"""What comes of a question: elements, counts, neighbours, summaries, pages and tables.

Layer ``graph``. How a question is put together is in ``asking``; here it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from lexigraph.errors import SemanticProblem, UnsupportedError, UsageError
from lexigraph.graph.element import as_instance
from lexigraph.graph.other_names import QUESTION
from lexigraph.graph.read import columns, frames
from lexigraph.graph.read.arguments import read_most
from lexigraph.graph.read.asked_text import READ_QUESTION
from lexigraph.graph.read.asking import Asking, Reading
from lexigraph.graph.read.nodes import OrderStep, ordered, read_terms
from lexigraph.graph.read.pages import Page
from lexigraph.graph.read.results import MORE_ROWS, SHOWN_ROWS
from lexigraph.graph.read.rows import Rows
from lexigraph.graph.read.terms import AnyTerm
from lexigraph.plan import (
    ELEMENT,
    Adjacent,
    Around,
    Cursor,
    Element,
    Elements,
    Explanation,
    GroupRows,
    Pairs,
    Scope,
    Steps,
    choose_vertices,
    comes_in_order,
    count,
    explain,
    group_in_view,
    read_page,
    run,
)
from lexigraph.plan.logical.rows import VERTEX, Distinct, Node, Project

if TYPE_CHECKING:
    from lexigraph.graph.read.prepared import Prepared

__all__ = ["Query", "Reading"]

T = TypeVar("T")


class Query(Asking[T]):
    """A question about vertices and edges. Iterate over it, or turn it into a table."""

    _called, _elsewhere = "a question", QUESTION

    def __iter__(self) -> Iterator[T]:
        """Read and give the elements."""
        return map(self._instance, self.elements())

    def _instance(self, element: Element) -> Any:
        steps = self._asked.view[group_in_view(element)]
        derived = steps.transforms or steps.derived_by
        return element if derived else as_instance(element, self._reading.classes)

    def page(self, size: int, after: str | None = None) -> Page[T]:
        """Return the next ``size`` elements in key order: a list, with the cursor of the next page.

        ``after`` is the ``cursor`` of the page before; that of the last page is ``None``. A cursor
        belongs to this question and these authorizations. Each page reads what is stored when it
        is asked for; inside ``graph.snapshot()`` all pages are of one moment.

        >>> import lexigraph as lg
        >>> class Calls(lg.Edge, summary=True):
        ...     source: str
        ...     destination: str
        >>> with lg.open(":memory:", [Calls]) as graph:
        ...     _ = graph.add([Calls("ann", "bob"), Calls("ann", "cid"), Calls("bob", "cid")])
        ...     first = graph.all(Calls).page(2)
        ...     graph.all(Calls).page(2, after=first.cursor)
        [Calls('bob', 'cid')]
        """
        most = read_most(size, "the size of a page", 1)
        self._check_pages()
        cursor = None if after is None else Cursor.parse(after)
        scope = replace(self._reading.scope(), cursor=cursor)
        found, last = read_page(self._asked, scope, most)
        return Page(map(self._instance, found), None if last is None else str(last))

    def _check_pages(self) -> None:
        """Refuse pages of an order that is not that of the keys."""
        if not self._order:
            return
        [first, *more] = self._order
        plain = first.count is None and not more
        if plain and comes_in_order(self._asked, first.keys, self._reading.scope()):
            return
        raise UnsupportedError(
            "a question with an order of its own cannot be read in pages: pages are in key order",
            hint="Leave .order_by(...) out; or take the first with .limit(n), or all with "
            ".to_batches(). Edges of one vertex, direction and class can be in the order of their "
            "sort key.",
        )

    def first(self) -> T | None:
        """Return the first element, or ``None``."""
        limited = self._asked.limit is not None and not self._order
        return next(iter(self if limited else self.limit(1)), None)

    def elements(self) -> Iterator[Element]:
        """Yield plain elements, which also have the end by which an edge was found."""
        return run(self._node(), self._reading.scope()).values(ELEMENT)

    def count(self) -> int:
        """Count the elements."""
        return count(self._asked if not self._is_cut() else self._node(), self._reading.scope())

    def adjacent(self) -> list[Any]:
        """Return the vertices at the other ends of the edges, each once, in key order."""
        asked = Adjacent(self._edges_only())
        return list(run(asked, self._reading.scope()).values(VERTEX))

    def pairs(self) -> Any:
        """Return a ``pyarrow.Table`` of ``vertex`` and ``adjacent``: each pair once, in key order.

        ``vertex`` is a given vertex, ``adjacent`` the other end of one of its edges.
        """
        scope = self._reading.scope()
        near, far = run(Pairs(self._edges_only()), scope).packed()
        return frames.pairs_table(near, far)

    def prepare(self) -> Prepared[T]:
        """Prepare the question, to ask it many times with different vertices.

        Start it with ``get()`` without vertices: ``calls = graph.get().edges(Calls).prepare()``,
        then ``calls("ann")``, ``calls.adjacent("bob")``.
        """
        from lexigraph.graph.read.prepared import Prepared

        return Prepared(self)

    def _edges_only(self) -> Elements:
        if self._is_cut():
            raise SemanticProblem(
                "vertices at the other ends are those of all edges, not of the first in an order",
                hint="Iterate over the elements, and take element.other(vertex) of each.",
            )
        schema = self._reading.schema
        edges = {n: s for n, s in self._asked.view.items() if schema.group(n).kind == "edge"}
        return replace(self._asked, view=edges)

    def distinct(self, *fields: AnyTerm) -> Rows:
        """Return each combination of some fields once, where it first comes, as rows.

        >>> import lexigraph as lg
        >>> class Calls(lg.Edge, summary=True):
        ...     source: str
        ...     destination: str
        >>> with lg.open(":memory:", [Calls]) as graph:
        ...     _ = graph.add([Calls("ann", "bob"), Calls("ann", "cid")])
        ...     graph.all(Calls).distinct("source").to_list()
        [{'source': 'ann'}]
        """
        if not fields:
            raise UsageError(
                "name the fields whose combinations are wanted: .distinct(Calls.day)",
                hint="Elements themselves are distinct already.",
            )
        made = self._fields()
        named = [made.named(one, everywhere=False) for one in fields]
        node = Distinct(
            Project(self._open_node(self._order), {one.name: one.value for one in named}),
            tuple(one.name for one in named),
        )
        told = f"distinct {', '.join(one.name for one in named)} of {self._told()}"
        return Rows(self._reading.scope, node, {one.name: one.holds for one in named}, told)

    def summarise(self, by: Iterable[AnyTerm] | AnyTerm = (), **figures: Any) -> Rows:
        """Return a row of results for each combination of the properties in ``by``.

        Each result is an aggregator of a property: ``summarise(by=["day"],
        calls=lg.sum("count"))``. Both may be of what was derived, and ``by`` may make it:
        ``summarise(by=[lg.month("day")], mean=lg.mean("count"))``. If nothing is found there is no
        row, also without ``by``.
        """
        fields = self._fields()
        named = [fields.named(one, everywhere=True) for one in read_terms(by)]
        made = {name: fields.figure(name, one) for name, one in figures.items()}
        # Only the number of elements matters to figures, not their order.
        node = GroupRows(
            self._open_node(self._order if self._is_cut() else ()),
            {one.name: one.value for one in named},
            tuple(figure for figure, _ in made.values()),
        )
        # Columns are called as they were asked for.
        called = {one.name: one.holds for one in named}
        return Rows(
            self._reading.scope,
            node,
            called | {name: holds for name, (_, holds) in made.items()},
            f"{', '.join(figures) or 'nothing'}"
            f"{' by ' + ', '.join(called) if called else ''} of {self._told()}",
        )

    def _node(self) -> Node:
        return ordered(self._asked, self._order) if self._order else self._asked

    def _open_node(self, order: tuple[OrderStep, ...]) -> Node:
        """Return the elements with all that they have, for rows that are made of them."""
        whole = {n: replace(s, keep=None, drop=()) for n, s in self._asked.view.items()}
        return ordered(replace(self._asked, view=whole), order)

    def to_networkx(self) -> Any:
        """Return a ``networkx`` multigraph; its nodes have the vertices' properties by group.

        If any vertex has several elements of a group, nodes have a list for that group.
        """
        return frames.to_networkx(self.elements())

    def explain(self, *, run: bool = False) -> Explanation:
        """Return how the question runs; with ``run``, also how many cells it reads."""
        return explain(self._node(), self._reading.scope(), run=run)

    def _rows(self) -> Iterator[Mapping[str, Any]]:
        shown = self._shown()
        return (columns.row_of(element, shown) for element in self.elements())

    def _columns(self) -> frames.Columns:
        return {name: one.holds for name, one in self._shown().items()}

    def _shown(self) -> dict[str, columns.AnswerColumn]:
        found = columns.columns_of(self._asked.view, self._reading.schema)
        if not any(self._is_open(name, one) for name, one in self._asked.view.items()):
            return found
        # Undeclared properties are known only once they are read.
        names = dict.fromkeys(name for one in self.elements() for name in one.properties)
        return columns.with_undeclared(found, names)

    def _is_open(self, group: str, steps: Steps) -> bool:
        return self._reading.schema.group(group).open and steps.keep is None

    def _decoded(
        self, rows: int = frames.BATCH, digits: int | None = None
    ) -> frames.ArrowBatches | None:
        if self._order:
            return self._decoded_in_order(rows, digits)
        asked, scope = self._asked, self._reading.scope()
        if any(one.transforms or one.derived_by for one in asked.view.values()):
            return None
        if any(map(scope.keys.is_record, asked.view)):
            return self._looked_up(scope, rows, digits)
        wanted = columns.frame_columns(self._shown(), self._reading.schema, scope.keys, digits)
        rows = rows if asked.limit is None else max(1, min(rows, asked.limit))
        found = None if wanted is None else run(asked, scope).frames(wanted, rows)
        if found is None:
            return None
        defaults = self._defaults(scope)
        return frames.decoded(found, self._columns(), asked.limit, digits, defaults)

    def _looked_up(self, scope: Scope, rows: int, digits: int | None) -> frames.ArrowBatches | None:
        """Return vertices of records by column; ``None`` if elements have to be read."""
        asked, source = self._asked, self._asked.source
        if not isinstance(source, Around) or source.edges or len(asked.view) != 1:
            return None
        lookup = choose_vertices(asked, scope).reader
        if lookup is None:
            return None
        shown = self._shown()
        names = {name: one.property for name, one in shown.items() if one.property is not None}
        found = lookup.values(source.vertices, list(names.values()))
        if found is None:
            return None
        [group] = asked.view
        columns = dict(zip(names, found.columns, strict=True))
        ids = {"group": [group] * len(found.vertices), "vertex": found.vertices}
        return frames.in_columns({**ids, **columns}, self._columns(), rows, digits)

    def _decoded_in_order(self, rows: int, digits: int | None) -> frames.ArrowBatches | None:
        """Return the whole table, sorted by its columns; ``None`` if the order is not of those."""
        keys = columns.sort_columns(self._order, self._shown())
        found = None if keys is None else self._with(self._asked, order=())._decoded(rows, digits)
        if keys is None or found is None:
            return None
        return frames.sorted_batches(found.to_table(), keys, rows)

    def _defaults(self, scope: Scope) -> frames.Defaults:
        """Return what columns show where an element is older than its property, by group."""
        found: dict[str, dict[str, Any]] = {}
        for name, one in self._shown().items():
            for group in one.groups if one.property is not None else ():
                held = scope.keys.defaults(group)
                if one.property in held.names:
                    shown = held.shown[scope.keys.field(group, one.property)]
                    found.setdefault(name, {})[group] = shown
        return found

    def __repr__(self) -> str:
        """Show what is asked, without asking."""
        return f"<question: {self._told()}>"

    def __str__(self) -> str:
        """Return what is asked and how to read the answer, without asking."""
        return f"question: {self._told()}\n{READ_QUESTION}"

    def _repr_html_(self) -> str:
        from lexigraph.display.pictures import svg_picture
        from lexigraph.tables import html_table

        found = list(islice(self.elements(), SHOWN_ROWS + 1))
        shown, named = found[:SHOWN_ROWS], self._shown()
        rows = [columns.row_of(element, named) for element in shown]
        more = MORE_ROWS if len(found) > SHOWN_ROWS else ""
        return svg_picture(shown) + html_table(rows, list(named)) + more
