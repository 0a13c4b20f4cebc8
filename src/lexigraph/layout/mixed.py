"""Several layouts in one graph: each group has one, and each layout has tables of its own.

Layer ``layout``. The default layout keeps the names of its tables; those of the others start with
the name of their layout. All store ids by one codec, so a vertex is the same in all of them. A
question about groups of several layouts has places in the tables of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lexigraph.errors import UnsupportedError
from lexigraph.keyplan import StoredElement
from lexigraph.layout.spi import BoundLayout, Derived, Place, Span
from lexigraph.layout.wanted import Wanted
from lexigraph.schema import Schema
from lexigraph.store import TableSettings

Find = Callable[[BoundLayout, Wanted], list[Place]]


@dataclass(frozen=True, slots=True)
class MixedPart:
    """One of the layouts, bound to its groups; ``prefix`` is put before the names of its tables."""

    prefix: str
    layout: BoundLayout

    __hash__ = None  # type: ignore[assignment]

    def wanted(self, wanted: Wanted) -> Wanted | None:
        """Return what is wanted of its own groups; ``None`` for nothing."""
        own = wanted.groups & self.layout.schema.groups.keys()
        return replace(wanted, groups=frozenset(own)) if own else None

    def placed(self, places: Iterable[Place]) -> list[Place]:
        """Return places under the graph's names of the tables."""
        return [replace(one, table=self.prefix + one.table) for one in places]


class BoundMixed(BoundLayout):
    """Layouts of the groups of one schema."""

    def __init__(self, schema: Schema, parts: Sequence[MixedPart]) -> None:
        self.schema, self.parts = schema, parts
        self._parts = {name: one for one in parts for name in one.layout.schema.groups}
        self.everything_has_all_rows = all(one.layout.everything_has_all_rows for one in parts)
        codecs = sorted({name for one in parts for name in one.layout.key_plan.id_codecs})
        if len(codecs) > 1:
            raise UnsupportedError(
                f"the layouts of one graph store ids by different codecs: {', '.join(codecs)}",
                hint="Give these groups one layout, or leave out its option fixed_length.",
            )

    def part_of(self, group: str) -> BoundLayout:
        """Return the layout of a group."""
        return self._part(group).layout

    def _part(self, group: str) -> MixedPart:
        return self._parts[self.schema.group(group).name]

    def tables(self) -> dict[str, TableSettings]:
        """Return the tables of all layouts."""
        return {
            part.prefix + table: settings
            for part in self.parts
            for table, settings in part.layout.tables().items()
        }

    def table_of(self, group: str) -> str:
        """Return the table that holds a group."""
        part = self._part(group)
        return part.prefix + part.layout.table_of(group)

    def around(self, vertices: Iterable[Any], wanted: Wanted) -> list[Place]:
        """Return where everything about these vertices is."""
        listed = list(vertices)
        return self._places(wanted, lambda layout, own: layout.around(listed, own))

    def edges_between(self, pairs: Iterable[tuple[Any, Any]], wanted: Wanted) -> list[Place]:
        """Return where the edges from the first to the second of each pair are."""
        listed = list(pairs)
        return self._places(wanted, lambda layout, own: layout.edges_between(listed, own))

    def across(
        self, first: Iterable[Any], second: Iterable[Any], wanted: Wanted
    ) -> list[Place] | None:
        """Return where the vertices of one set are, and their edges with those of a second."""
        near, far = list(first), list(second)

        def find(layout: BoundLayout, own: Wanted) -> list[Place]:
            found = layout.across(near, far, own)
            return layout.around(near, own) if found is None else found

        return self._places(wanted, find)

    def within(self, start: Any, end: Any, wanted: Wanted) -> list[Place]:
        """Return where everything about vertices from ``start`` to ``end`` is, both included."""
        return self._places(wanted, lambda layout, own: layout.within(start, end, own))

    def span(self, bounds: Iterable[Any], wanted: Wanted) -> Span | None:
        """Return the keys from the first to the last of these bounds, in the order of each layout.

        It has in each table what it would have if all groups had the layout of that table.
        """
        listed = list(bounds)
        spans = []
        for part in self.parts:
            own = part.wanted(wanted)
            span = None if own is None else part.layout.span(listed, own)
            if span is not None:
                spans.append((part, span))
        return MixedSpan(spans) if spans else None

    def everything(self, wanted: Wanted) -> list[Place]:
        """Return where all elements are; each edge has rows of which one counts once."""
        return self._places(wanted, lambda layout, own: layout.everything(own))

    def field(self, group: str, name: str) -> str:
        """Return the plan's name of a property or id of a group."""
        return self.part_of(group).field(group, name)

    def predicate(self, group: str, where: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a predicate over the key forms of the group's plan."""
        return self.part_of(group).predicate(group, where)

    def derive(self, element: StoredElement) -> StoredElement:
        """Add the fields that the element's layout makes."""
        return self.part_of(element.group).derive(element)

    def derived(self, group: str) -> Derived | None:
        """Return what ``derive`` adds to elements of a group."""
        return self.part_of(group).derived(group)

    def _places(self, wanted: Wanted, find: Find) -> list[Place]:
        found: list[Place] = []
        for part in self.parts:
            own = part.wanted(wanted)
            if own is not None:
                found += part.placed(find(part.layout, own))
        return found


class MixedSpan(Span):
    """A range from edge to edge in the tables of each layout."""

    def __init__(self, spans: Sequence[tuple[MixedPart, Span]]) -> None:
        self._spans = spans

    def places(self, wanted: Wanted) -> list[Place]:
        """Return where everything in it is."""
        found: list[Place] = []
        for part, span in self._spans:
            own = part.wanted(wanted)
            if own is not None:
                found += part.placed(span.places(own))
        return found

    def holds_other_row(self, edge: StoredElement) -> bool:
        """Return whether it holds the other of an edge's two rows than the one that was found."""
        return any(
            span.holds_other_row(edge)
            for part, span in self._spans
            if edge.group in part.layout.schema.groups
        )
