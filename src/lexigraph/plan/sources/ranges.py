"""Where ranges look: around all vertices from one to another, or between two edges.

Layer ``plan``. A range that begins or ends with an edge is a span of the layout's keys; the layout
alone knows what lies in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from lexigraph.keyplan.element import StoredElement
from lexigraph.layout import EdgeBound, Place, Span, Wanted
from lexigraph.layout.wanted import BOTH
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import Elements, InRanges
from lexigraph.plan.sources.finder import EndsCheck, Finder, counted
from lexigraph.store.answers.frames import FrameEnds


class FindInRanges(Finder):
    """Looks around all vertices of some ranges, and between edges."""

    def __init__(self, asked: Elements, keys: Keys) -> None:
        super().__init__(asked, keys)
        source = asked.source
        assert isinstance(source, InRanges)
        spans = [self._span(one) for one in source.ranges if _has_edge(one)]
        self.spans = [span for span in spans if span is not None]
        plain = (one for one in source.ranges if not _has_edge(one))
        pairs = [(self.encode(a), self.encode(b), a, b) for a, b in plain]
        self.ranges = [(a, b) if low <= high else (b, a) for low, high, a, b in pairs]
        self.keys_of = [(min(low, high), max(low, high)) for low, high, _, _ in pairs]

    def places(self, wanted: Wanted) -> Iterator[list[Place]]:
        """Give the places of all ranges at once: overlapping ones are read once."""
        layout = self.keys.layout
        places = [layout.within(start, end, wanted) for start, end in self.ranges]
        places += [span.places(wanted) for span in self.spans]
        yield list(chain.from_iterable(places))

    def _span(self, ends: tuple[Any, Any]) -> Span | None:
        # By the groups of all branches: where a range begins does not depend on who reads it.
        groups = frozenset(self.asked.view)
        kinds = {self.keys.group(name).kind for name in groups}
        vertices, edges = "vertex" in kinds, "edge" in kinds
        wanted = Wanted(groups, vertices, edges, directed=self.asked.directed)
        return self.keys.layout.span(ends, wanted)

    def check(self) -> EndsCheck | None:
        """Leave out the second row of an edge that has both ends inside."""
        if self.asked.both_ends:
            return None

        def keep(element: StoredElement) -> bool:
            if element.once or not self.turns(element):
                return True
            _, other = self.ends_of(element)
            if any(low <= other <= high for low, high in self.keys_of):
                return False
            return not any(span.holds_other_row(element) for span in self.spans)

        return keep

    def ends(self) -> FrameEnds | None:
        """Give the ranges, where all are of vertices."""
        if self.asked.both_ends or self.spans:
            return None
        return FrameEnds(turns=self.asked.direction == BOTH, again_ranges=self.keys_of)

    def describe(self) -> str:
        """Say how many."""
        found = counted(len(self.ranges) + len(self.spans), "range", "ranges")
        return f"in {found} of vertices{' and edges' if self.spans else ''}"


def _has_edge(ends: tuple[Any, Any]) -> bool:
    return any(isinstance(end, EdgeBound) for end in ends)
