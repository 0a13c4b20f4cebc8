"""Questions, step by step: each method returns a new question and nothing is read until it is used.

Layer ``graph``. A question only builds a plan. ``where`` before ``roll_up`` filters before merging,
after it after; behind ``derive`` it sees what that made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, overload

from lexigraph.errors import InvalidOption, UsageError, show
from lexigraph.functions.transforms.registry import transform_for
from lexigraph.graph.element import Classes, as_instance
from lexigraph.graph.other_names import QUESTION
from lexigraph.graph.read import columns, frames, view
from lexigraph.graph.read.arguments import read_directed, read_fields, read_limit, read_new_names
from lexigraph.graph.read.asked_text import READ_QUESTION, asked_text
from lexigraph.graph.read.results import MORE_ROWS, SHOWN_ROWS, Results, Rows
from lexigraph.layout.spi import BOTH, IN, OUT
from lexigraph.plan import (
    Adjacent,
    Element,
    Elements,
    Explanation,
    Scope,
    Summarise,
    Transform,
    count_elements,
    explain,
    find_adjacent,
    find_pairs,
    iter_elements,
    iter_frames,
    iter_summary,
)
from lexigraph.schema import Edge, Schema, Vertex

if TYPE_CHECKING:
    from lexigraph.graph.access import Access
    from lexigraph.graph.read.prepared import Prepared

T = TypeVar("T")
E = TypeVar("E", bound=Edge)
V = TypeVar("V", bound=Vertex)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question needs of its session: where it reads as whom, and the graph."""

    scope: Callable[[], Scope]
    access: Access

    __hash__ = None  # type: ignore[assignment]

    @property
    def schema(self) -> Schema:
        """The schema of the graph."""
        return self.access.schema

    @property
    def classes(self) -> Classes:
        """The classes that groups have."""
        return self.access.classes


class Query(Results[T]):
    """A question about vertices and edges. Iterate over it, or turn it into a table."""

    _called, _elsewhere = "a question", QUESTION

    def __init__(
        self,
        reading: Reading,
        asked: Elements,
        *,
        choices: view.View | None = None,
        phase: str = view.BEFORE,
    ) -> None:
        self._reading, self._asked = reading, asked
        self._phase = phase
        # What can still be chosen, with the steps that are meant for all of it; ``None`` as long as
        # nothing is: then the view itself says it.
        self._choices = choices

    # What is asked for.

    @overload
    def edges(
        self, group: type[E], /, *, direction: str = BOTH, directed: bool | None = None
    ) -> Query[E]: ...
    @overload
    def edges(
        self, *groups: view.AnyGroup, direction: str = BOTH, directed: bool | None = None
    ) -> Query[Any]: ...
    def edges(
        self, *groups: view.AnyGroup, direction: str = BOTH, directed: bool | None = None
    ) -> Query[Any]:
        """Ask for edges of these groups, or of all; earlier choices are kept.

        Steps before the first choice apply to every chosen group, later steps to the groups chosen
        so far.

        ``direction`` is ``out``, ``in`` or ``both``, seen from the given vertices; undirected edges
        have both directions. ``directed`` chooses directed or undirected edges only.
        """
        if direction not in (OUT, IN, BOTH):
            raise UsageError(f"direction is 'out', 'in' or 'both', not {show(direction)}")
        chosen = self._choose(groups, "edge")
        return chosen._with(
            replace(chosen._asked, direction=direction, directed=read_directed(directed))
        )

    @overload
    def vertices(self, group: type[V], /) -> Query[V]: ...
    @overload
    def vertices(self, *groups: view.AnyGroup) -> Query[Any]: ...
    def vertices(self, *groups: view.AnyGroup) -> Query[Any]:
        """Ask for vertices of these groups, or of all; earlier choices are kept."""
        return self._choose(groups, "vertex")

    def _choose(self, groups: Iterable[view.AnyGroup], kind: str) -> Query[Any]:
        names = view.group_names(groups, self._reading.schema, kind)
        before = dict(self._asked.view)
        choices = before if self._choices is None else self._choices
        kept = {} if self._choices is None else before
        found = replace(self._asked, view=view.chosen(names, kept, choices))
        return Query(self._reading, found, choices=choices, phase=self._phase)

    def where(self, *conditions: view.AnyCondition, **unknown: Any) -> Query[T]:
        """Keep elements that satisfy all conditions.

        A condition is made by comparing fields (``Calls.day >= date(2026, 1, 1)``), or a function
        of an element, which runs in the client.
        """
        for name, value in unknown.items():
            raise InvalidOption(
                f".where() takes conditions, not keywords: write "
                f'.where(lg.field("{name}") == {show(value)}), or the field of a class'
            )
        found = dict(self._asked.view)
        for condition in conditions:
            found = view.filtered(
                found,
                condition,
                self._reading.schema,
                self._phase,
                self._reading.access.own_names,
            )
        return self._viewing(found)

    def roll_up(self, *by: view.AnyField, **aggregators: Any) -> Query[T]:
        """Merge elements over all group-by properties but those in ``by``.

        ``aggregators`` replace those of the schema: ``roll_up(count=lg.max())``.
        """
        found = view.rolled_up(dict(self._asked.view), by, aggregators, self._reading.schema)
        return self._viewing(found, phase=view.AFTER)

    def derive(
        self,
        into: str | tuple[str, ...],
        function: Callable[..., Any] | str,
        *fields: view.AnyField,
        type: Any = Any,  # noqa: A002 - the word for it
    ) -> Query[Element]:
        """Compute properties with a function of others; they are not stored.

        The function may be the name of a transform. ``type`` is the type of its result, for later
        conditions and for columns.
        """
        if isinstance(function, str):
            function = transform_for(function)
        if not callable(function):
            raise UsageError(
                f"a function or the name of a transform is needed, not {show(function)}"
            )
        names = read_new_names(into)
        text = getattr(function, "__name__", repr(function))
        transform = Transform(function, self._names(fields), names, text)
        found = view.transformed(dict(self._asked.view), transform, type, self._reading.schema)
        return self._viewing(found, phase=view.LAST)

    def select(self, *properties: view.AnyField) -> Query[T]:
        """Return only these properties. Ids are always included."""
        names = self._names(properties)
        return self._viewing(view.kept(dict(self._asked.view), names, self._reading.schema))

    def exclude(self, *properties: view.AnyField) -> Query[T]:
        """Return all properties but these. Ids are always included."""
        names = self._names(properties)
        view.refuse_ids(self._asked.view, names, self._reading.schema)
        return self._viewing({n: replace(s, drop=names) for n, s in self._asked.view.items()})

    def limit(self, count: int) -> Query[T]:
        """Return at most this many elements."""
        return self._with(replace(self._asked, limit=read_limit(count)))

    def by_visibility(self) -> Query[T]:
        """Keep elements under different labels apart."""
        return self._with(replace(self._asked, by_visibility=True))

    # What comes of it.

    def __iter__(self) -> Iterator[T]:
        """Read and give the elements."""
        classes = self._reading.classes
        for element in self.elements():
            derived = self._asked.view[element.group].transforms
            found: Any = element if derived else as_instance(element, classes)
            yield found

    def first(self) -> T | None:
        """Return the first element, or ``None``."""
        asked = self if self._asked.limit is not None else self.limit(1)
        return next(iter(asked), None)

    def elements(self) -> Iterator[Element]:
        """Yield plain elements, which also have the end by which an edge was found."""
        return iter_elements(self._asked, self._reading.scope())

    def count(self) -> int:
        """Count the elements."""
        return count_elements(self._asked, self._reading.scope())

    def adjacent(self) -> list[Any]:
        """Return the vertices at the other ends of the edges, each once, in key order."""
        return find_adjacent(Adjacent(self._edges_only()), self._reading.scope())

    def pairs(self) -> Any:
        """Return a ``pyarrow.Table`` of ``vertex`` and ``adjacent``: each pair once, in key order.

        ``vertex`` is a given vertex, ``adjacent`` the other end of one of its edges.
        """
        scope = self._reading.scope()
        near, far = find_pairs(Adjacent(self._edges_only()), scope)
        return frames.pairs_table(near, far, scope.keys.vertex_codec)

    def prepare(self) -> Prepared[T]:
        """Prepare the question, to ask it many times with different vertices.

        Start it with ``get()`` without vertices: ``calls = graph.get().edges(Calls).prepare()``,
        then ``calls("ann")``, ``calls.adjacent("bob")``.
        """
        from lexigraph.graph.read.prepared import Prepared

        return Prepared(self)

    def _edges_only(self) -> Elements:
        schema = self._reading.schema
        edges = {n: s for n, s in self._asked.view.items() if schema.group(n).kind == "edge"}
        return replace(self._asked, view=edges)

    def summarise(self, by: Iterable[view.AnyField] = (), **figures: Any) -> Rows:
        """Return a row of results for each combination of the properties in ``by``.

        Each result is an aggregator of a property: ``summarise(by=["day"],
        calls=lg.sum("count"))``.
        """
        given = read_fields(by)
        names = self._names(given)
        measures = tuple(view.measure_of(n, one, self._name) for n, one in figures.items())
        asked = Summarise(self._asked, names, measures)
        shown = columns.summary_columns(names, measures, self._asked.view, self._reading.schema)
        scope = self._reading.scope
        # Columns are called as they were asked for.
        called = {name: at for at, name in zip(given, names, strict=True)}
        return Rows(
            lambda: (columns.renamed(row, called) for row in iter_summary(asked, scope())),
            columns.renamed(shown, called),
            f"{', '.join(figures) or 'nothing'}"
            f"{' by ' + ', '.join(called.values()) if called else ''} of {self._told()}",
            lambda *, run: explain(asked, scope(), run=run),
        )

    def _name(self, one: view.AnyField) -> str:
        return view.schema_name(one, self._asked.view, self._reading.access.own_names)

    def _names(self, several: Iterable[view.AnyField]) -> tuple[str, ...]:
        return tuple(map(self._name, several))

    def to_networkx(self) -> Any:
        """Return a ``networkx`` multigraph; its nodes have the vertices' properties by group.

        If any vertex has several elements of a group, nodes have a list for that group.
        """
        return frames.to_networkx(self.elements())

    def explain(self, *, run: bool = False) -> Explanation:
        """Return how the question runs; with ``run``, also how many cells it reads."""
        return explain(self._asked, self._reading.scope(), run=run)

    def _rows(self) -> Iterator[Mapping[str, Any]]:
        shown = self._shown()
        return (columns.row_of(element, shown) for element in self.elements())

    def _columns(self) -> frames.Columns:
        return {name: one.holds for name, one in self._shown().items()}

    def _shown(self) -> dict[str, columns.AnswerColumn]:
        return columns.columns_of(self._asked.view, self._reading.schema)

    def _decoded(
        self, rows: int = frames.BATCH, digits: int | None = None
    ) -> frames.Batches | None:
        asked, scope = self._asked, self._reading.scope()
        if any(steps.transforms for steps in asked.view.values()):
            return None
        wanted = columns.frame_columns(self._shown(), self._reading.schema, scope.keys, digits)
        rows = rows if asked.limit is None else max(1, min(rows, asked.limit))
        found = None if wanted is None else iter_frames(asked, scope, wanted, batch_rows=rows)
        if found is None:
            return None
        defaults = self._defaults(scope)
        return frames.decoded(found, self._columns(), asked.limit, digits, defaults)

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

    def _with(self, asked: Elements, *, phase: str = "") -> Query[Any]:
        return Query(self._reading, asked, choices=self._choices, phase=phase or self._phase)

    def _viewing(self, found: view.View, *, phase: str = "") -> Query[Any]:
        return self._with(replace(self._asked, view=found), phase=phase)

    def __repr__(self) -> str:
        """Show what is asked, without asking."""
        return f"<question: {self._told()}>"

    def __str__(self) -> str:
        """Say what is asked and how to read the answer, without asking."""
        return f"question: {self._told()}\n{READ_QUESTION}"

    def _told(self) -> str:
        return asked_text(self._asked, self._reading.access.keys)

    def _repr_html_(self) -> str:
        from lexigraph.display.pictures import svg_picture
        from lexigraph.tables import html_table

        found = list(islice(self.elements(), SHOWN_ROWS + 1))
        shown, named = found[:SHOWN_ROWS], self._shown()
        rows = [columns.row_of(element, named) for element in shown]
        more = MORE_ROWS if len(found) > SHOWN_ROWS else ""
        return svg_picture(shown) + html_table(rows, list(named)) + more
