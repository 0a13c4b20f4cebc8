"""What is asked: a question, step by step. Each step returns a new question and reads nothing.

Layer ``graph``. A question only builds a plan. ``where`` before ``roll_up`` filters before merging,
after it after; behind ``derive`` it sees what that made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from lexigraph.errors import InvalidOption, SemanticProblem, UsageError, show
from lexigraph.functions.transforms.registry import transform_for
from lexigraph.graph.element import Classes
from lexigraph.graph.read import view
from lexigraph.graph.read.arguments import read_directed, read_flag, read_limit, read_new_names
from lexigraph.graph.read.asked_text import asked_text
from lexigraph.graph.read.nodes import OrderStep, ViewFields
from lexigraph.graph.read.records.fetching import read_hints
from lexigraph.graph.read.records.guarded import guarded
from lexigraph.graph.read.results import Results
from lexigraph.graph.read.terms import AnyTerm, ComputedTerm, DescendingTerm
from lexigraph.layout.wanted import BOTH, IN, OUT
from lexigraph.plan import Derive, Element, Elements, Scope
from lexigraph.plan.logical.expressions import uses
from lexigraph.schema import Edge, Schema, ValueType, Vertex

if TYPE_CHECKING:
    from lexigraph.graph.access import Access
    from lexigraph.graph.read.query import Query

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
        """The groups that can be asked for: those of the graph, and of undeclared records."""
        return self.access.keys.schema

    @property
    def classes(self) -> Classes:
        """The classes that groups have."""
        return self.access.classes


class Asking(Results[T]):
    """The steps of a question: groups, conditions, merging, order."""

    def __init__(
        self,
        reading: Reading,
        asked: Elements,
        *,
        choices: view.ViewSteps | None = None,
        phase: str = view.BEFORE,
        order: tuple[OrderStep, ...] = (),
    ) -> None:
        self._reading, self._asked = reading, asked
        self._phase, self._order = phase, order
        # What can still be chosen, with the steps that are meant for all of it; ``None`` as long as
        # nothing is: then the view itself says it.
        self._choices = choices

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
        self._refuse_after_order("other groups", always=True)
        names = view.group_names(groups, self._reading.schema, kind)
        before = dict(self._asked.view)
        choices = before if self._choices is None else self._choices
        kept = {} if self._choices is None else before
        found = replace(self._asked, view=view.chosen(names, kept, choices))
        return self._made(self._reading, found, choices=choices, phase=self._phase)

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
        self._refuse_after_order("conditions")
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

    def roll_up(self, *by: AnyTerm, **aggregators: Any) -> Query[T]:
        """Merge elements over all group-by properties but those in ``by``.

        ``by`` may also name what was derived of ids and group-by properties, or make it:
        ``roll_up(lg.month("day"))`` merges elements of one month. ``aggregators`` replace those of
        the schema: ``roll_up(count=lg.max())``.
        """
        self._refuse_after_order("a roll-up", always=True)
        asked: Asking[Any] = self
        names: list[view.AnyField] = []
        for one in by:
            if isinstance(one, ComputedTerm):
                view.refuse_stored(self._asked.view, one.name, self._reading.schema)
                asked = asked.derive(one.name, one)
                names.append(one.name)
            else:
                names.append(one)
        found = view.rolled_up(dict(asked._asked.view), names, aggregators, self._reading.schema)
        return self._viewing(found, phase=view.AFTER)

    def derive(
        self,
        into: str | tuple[str, ...],
        function: Callable[..., Any] | str | ComputedTerm,
        *fields: view.AnyField,
        type: Any = Any,  # noqa: A002 - the word for it
    ) -> Query[Element]:
        """Compute properties with a function of others; they are not stored.

        The function may be the name of a transform, or ``lg.month("day")`` and the like. ``type``
        is the type of its result, for later conditions and for columns.
        """
        if isinstance(function, ComputedTerm):
            made = self._fields().named(function, everywhere=True)
            fields, type = (function.field,), ValueType(made.holds or "any")  # noqa: A001
            function = function.function
        if isinstance(function, str):
            function = transform_for(function)
        if not callable(function):
            raise UsageError(
                f"a function or the name of a transform is needed, not {show(function)}"
            )
        names = read_new_names(into)
        text = str(getattr(function, "__name__", getattr(function, "name", repr(function))))
        self._refuse_ordered_by(names)
        transform = Derive(function, self._names(fields), names, text)
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

    def order_by(self, *fields: AnyTerm | DescendingTerm, descending: bool = False) -> Query[T]:
        """Sort the elements by fields; absent values come last. Holds all elements.

        ``lg.desc("count")`` turns one field, ``descending`` all of them. Elements that are equal in
        all fields stay in key order. With ``limit``, so many elements are held.

        >>> import lexigraph as lg
        >>> class Calls(lg.Edge, summary=True):
        ...     source: str
        ...     destination: str
        ...     count: int = lg.sum()
        >>> with lg.open(":memory:", [Calls]) as graph:
        ...     _ = graph.add([Calls("ann", "bob", count=1), Calls("bob", "cid", count=3)])
        ...     graph.all(Calls).order_by("count", descending=True).first()
        Calls('bob', 'cid', count=3)
        """
        if not fields:
            raise UsageError("name at least one field to order by")
        turned = read_flag("descending", descending)
        keys = self._fields().sort_keys(fields, descending=turned)
        return self._with(self._asked, order=(*self._order, OrderStep(keys)))

    def top(self, n: int, *, by: Any = None) -> Query[T]:
        """Return the ``n`` elements with the largest values of ``by``, largest first. Holds ``n``.

        For the smallest, use ``order_by(...).limit(n)``.
        """
        if by is None:
            raise UsageError(
                ".top() needs the field to compare",
                hint='Write .top(3, by="count"); .limit(3) gives any three.',
            )
        given = by if isinstance(by, list | tuple) else (by,)
        return self.order_by(*given, descending=True).limit(n)

    def limit(self, count: int) -> Query[T]:
        """Return at most this many elements: after ``order_by``, the first of that order."""
        most = read_limit(count)
        if not self._order:
            before_it = self._asked.limit
            most = most if before_it is None else min(most, before_it)
            return self._with(replace(self._asked, limit=most))
        *before, last = self._order
        most = most if last.count is None else min(most, last.count)
        return self._with(self._asked, order=(*before, replace(last, count=most)))

    def fetch(
        self,
        *hints: str,
        properties: Iterable[view.AnyField] = (),
        metadata: Iterable[str] = (),
        out_edges: Iterable[view.AnyGroup] = (),
        in_edges: Iterable[view.AnyGroup] = (),
    ) -> Query[T]:
        """Say what elements have with them; nothing else of them is read.

        Hints are ``properties``, ``metadata``, ``labels``, ``out_edges``, ``in_edges`` and
        ``hidden``, which also returns what is hidden. The keywords name some properties, keys of
        metadata, or labels of edges. Reading what was not fetched raises an error that names the
        hint. Conditions see everything.
        """
        named = {"properties": properties, "metadata": metadata}
        wanted = read_hints(hints, {**named, "out_edges": out_edges, "in_edges": in_edges})
        given = self._reading

        def scope() -> Scope:
            return replace(given.scope(), fetch=wanted)

        return self._made(
            Reading(scope, given.access),
            self._asked,
            choices=self._choices,
            phase=self._phase,
            order=self._order,
        )

    def guarded_by(self, authorization: str, *parts: str) -> Query[T]:
        """Keep records with something in them that a visibility naming this authorization guards.

        ``parts`` are where to look: ``element``, ``properties``, ``metadata``; without any, in all
        three. Only what the session reads counts.
        """
        condition, hints = guarded(authorization, parts, self._asked.view, self._reading.schema)
        return self.fetch(*hints).where(condition)

    def by_visibility(self) -> Query[T]:
        """Keep elements under different labels apart."""
        return self._with(replace(self._asked, by_visibility=True))

    def _fields(self) -> ViewFields:
        return ViewFields(self._asked.view, self._reading.schema, self._reading.access.own_names)

    def _is_cut(self) -> bool:
        return any(step.count is not None for step in self._order)

    def _refuse_after_order(self, what: str, *, always: bool = False) -> None:
        limited = self._asked.limit is not None
        if limited or self._is_cut() or (always and self._order):
            raise SemanticProblem(
                f"{what} cannot come after the order of a question",
                hint="Put .order_by(...), .top(...) and .limit(...) last.",
            )

    def _refuse_ordered_by(self, names: Iterable[str]) -> None:
        keys = (key.value for step in self._order for key in step.keys)
        used = {name for one in keys for _, name in uses(one)}
        for name in names:
            if name in used:
                raise SemanticProblem(
                    f"the question is ordered by {name!r}, which cannot change afterwards",
                    hint="Derive before .order_by(...), or give what is derived another name.",
                )

    def _name(self, one: view.AnyField) -> str:
        return view.schema_name(one, self._asked.view, self._reading.access.own_names)

    def _names(self, several: Iterable[view.AnyField]) -> tuple[str, ...]:
        return tuple(map(self._name, several))

    def _made(self, *given: Any, **more: Any) -> Query[Any]:
        return cast("Query[Any]", type(self)(*given, **more))

    def _with(
        self, asked: Elements, *, phase: str = "", order: tuple[OrderStep, ...] | None = None
    ) -> Query[Any]:
        return self._made(
            self._reading,
            asked,
            choices=self._choices,
            phase=phase or self._phase,
            order=self._order if order is None else order,
        )

    def _viewing(self, found: view.ViewSteps, *, phase: str = "") -> Query[Any]:
        return self._with(replace(self._asked, view=found), phase=phase)

    def _told(self) -> str:
        return asked_text(self._asked, self._reading.access.keys, self._order)
