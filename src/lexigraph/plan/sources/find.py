"""Where a question looks: seeds become ranges, and what ranges cannot say becomes checks.

Layer ``plan``. Seeds are looked up in batches: memory does not grow with what is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from lexigraph.cells.key_sets import KeySet
from lexigraph.keyplan.element import StoredElement
from lexigraph.layout import Place, Wanted
from lexigraph.layout.wanted import BOTH, IN, OUT
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import (
    Around,
    Between,
    ById,
    EdgeSeed,
    Elements,
    Everything,
    InRanges,
    Starting,
    Within,
)
from lexigraph.plan.sources.by_id import FindById
from lexigraph.plan.sources.finder import EndsCheck, Finder, counted
from lexigraph.plan.sources.ranges import FindInRanges
from lexigraph.plan.sources.starting import FindStarting
from lexigraph.store.answers.frames import FrameEnds
from lexigraph.store.preferences import Preferences

MAX_PAIRS = 256
"""Up to how many pairs of vertices are looked up one by one instead of everything around the first
of them: a pair takes a search of its own, which is worth more than the edges of a small vertex."""

MAX_HANDED = 262_144
"""How many vertices are handed to an engine that checks ends itself. Every scan gets all of them,
so far above that the client is quicker."""


class FindAround(Finder):
    """Looks around vertices, and for edges by both ends."""

    def __init__(self, asked: Elements, keys: Keys) -> None:
        super().__init__(asked, keys)
        source = asked.source
        assert isinstance(source, Around)
        self.vertices = self.seeds(source.vertices)
        self.edges = [
            (first, second, kind)
            for first, second, directed in self._distinct(source.edges)
            for kind in ((True, False) if directed is None else (directed,))
        ]
        self.pairs = {(self.encode(a), self.encode(b)) for a, b, _ in self.edges}
        self.shows_matched = len(self.vertices) > 0

    def _distinct(self, edges: Iterable[EdgeSeed]) -> Iterable[EdgeSeed]:
        # By their keys: what is no vertex is refused by the codec, hashed or not.
        return {
            (self.encode(a), self.encode(b), kind): (a, b, kind) for a, b, kind in edges
        }.values()

    def places(self, wanted: Wanted) -> Iterator[list[Place]]:
        """Give the places of each batch of vertices; few edges come with the first."""
        around = self.keys.layout.around
        if len(self.vertices) <= self.batch:
            vertices = list(self.vertices)
            yield [*(around(vertices, wanted) if vertices else ()), *self._edge_places(wanted)]
            return
        for batch in self.vertices.batches(self.batch):
            yield around(batch, wanted)
        yield self._edge_places(wanted)

    def _edge_places(self, wanted: Wanted) -> list[Place]:
        layout, found = self.keys.layout, []
        for kind, pairs in self._pairs_left(wanted).items():
            asked = replace(wanted, vertices=False, directed=kind, direction=BOTH)
            found.append(layout.edges_between(pairs, asked))
        ends = self.seeds(chain.from_iterable((a, b) for a, b, _ in self.edges))
        alone = [end for end in ends if self.encode(end) not in self.vertices]
        if alone and wanted.vertices:
            found.append(layout.around(alone, replace(wanted, edges=False)))
        return list(chain.from_iterable(found))

    def _pairs_left(self, wanted: Wanted) -> dict[bool | None, list[tuple[Any, Any]]]:
        # Both kinds of edges of a pair may lie together, so they are looked for together.
        kinds: dict[tuple[bytes, bytes], tuple[Any, Any, set[bool]]] = {}
        for a, b, kind in self.edges:
            if wanted.edges and wanted.directed in (None, kind) and not self._covered(a, b, kind):
                key = (self.encode(a), self.encode(b))
                kinds.setdefault(key, (a, b, set()))[2].add(kind)
        left: dict[bool | None, list[tuple[Any, Any]]] = {}
        for a, b, found in kinds.values():
            left.setdefault(None if len(found) > 1 else found.pop(), []).append((a, b))
        return left

    def _covered(self, source: Any, destination: Any, directed: bool) -> bool:  # noqa: FBT001
        direction = self.asked.direction
        leaves = self.encode(source) in self.vertices
        enters = self.encode(destination) in self.vertices
        if not directed:
            return leaves or enters
        return (leaves and direction in (OUT, BOTH)) or (enters and direction in (IN, BOTH))

    def check(self) -> EndsCheck | None:
        """Leave out the second row of an edge whose first one is found as well."""
        if self.asked.both_ends or len(self.vertices) + len(self.pairs) < 2:
            return None
        if not self.pairs and not self._may_turn():
            return None
        vertices, pairs = self.vertices, self.pairs

        def keep(element: StoredElement) -> bool:
            if element.once:
                return True
            _, other = self.ends_of(element)
            if self.turns(element) and other in vertices:
                return False
            return not pairs or (
                (self.encode(element.source), self.encode(element.destination)) not in pairs
            )

        return keep

    def _may_turn(self) -> bool:
        asked = self.asked
        if asked.direction == BOTH:
            return True
        groups = map(self.keys.group, asked.view)
        return asked.directed is not True and any(
            group.kind == "edge" and not group.directed for group in groups
        )

    def ends(self) -> FrameEnds | None:
        """Give the vertices, where they are not too many to be handed over with every scan."""
        if self.asked.both_ends or self.pairs or len(self.vertices) > MAX_HANDED:
            return None
        return FrameEnds(turns=self.asked.direction == BOTH, again_far=list(self.vertices.keys))

    def describe(self) -> str:
        """Say how many."""
        vertices, pairs = len(self.vertices), len(self.pairs)
        parts = [counted(vertices, "vertex", "vertices")] if vertices or not self.edges else []
        parts += [counted(pairs, "edge", "edges")] if self.edges else []
        return "around " + " and ".join(parts)


class FindBetween(Finder):
    """Looks around one set for edges into another; a set within itself is both."""

    def __init__(self, asked: Elements, keys: Keys) -> None:
        super().__init__(asked, keys)
        source = asked.source
        if isinstance(source, Within):
            self.first = self.second = self.seeds(source.vertices)
        else:
            assert isinstance(source, Between)
            self.first, self.second = self.seeds(source.first), self.seeds(source.second)

    def places(self, wanted: Wanted) -> Iterator[list[Place]]:
        """Give the places of each batch of the first set."""
        if not len(self.second):
            # As Gaffer has it: without a second set there is nothing to be between.
            return
        layout = self.keys.layout
        # To a single vertex there are no more pairs than vertices around which to look.
        by_pair = len(self.second) == 1 or len(self.first) * len(self.second) <= MAX_PAIRS
        for batch in self.first.batches(self.batch):
            places = layout.across(batch, self.second, wanted) if by_pair else None
            yield layout.around(batch, wanted) if places is None else places

    def check(self) -> EndsCheck:
        """Look at the other end; leave out the second row of an edge found by both."""
        first, second, twice = self.first, self.second, self.asked.both_ends

        def keep(element: StoredElement) -> bool:
            if element.kind == "vertex":
                return True
            start, other = self.ends_of(element)
            if other not in second:
                return False
            if twice or element.once or not self.turns(element):
                return True
            return not (other in first and start in second)

        return keep

    def ends(self) -> FrameEnds | None:
        """Give both sets, where they are not too large to be handed over with every scan."""
        if len(self.first) + len(self.second) > MAX_HANDED:
            return None
        first, second = list(self.first.keys), list(self.second.keys)
        if self.asked.both_ends:
            return FrameEnds(turns=False, far_in=second)
        return FrameEnds(self.asked.direction == BOTH, second, first, None, second)

    def other_in(self, preferences: Preferences) -> KeySet:
        """Give the second set."""
        return self.second.key_set(preferences)

    def describe(self) -> str:
        """Say how many."""
        if self.first is self.second:
            return "within " + counted(len(self.first), "vertex", "vertices")
        second = counted(len(self.second), "vertex", "vertices")
        return f"between {len(self.first)} and {second}"


class FindEverything(Finder):
    """Reads all, one row of each edge."""

    once = True
    shows_matched = False
    has_ranges = False
    unused_indexes: tuple[tuple[str, str], ...] = ()
    """Indexes of its groups that do not answer the question, each with the reason."""

    def places(self, wanted: Wanted) -> Iterator[list[Place]]:
        """Give all places."""
        yield self.keys.layout.everything(wanted)

    def describe(self) -> str:
        """Say so."""
        return "everything"


_FINDERS: dict[type, type[Finder]] = {
    Around: FindAround,
    Between: FindBetween,
    Within: FindBetween,
    InRanges: FindInRanges,
    Starting: FindStarting,
    Everything: FindEverything,
    ById: FindById,
}


def finder(asked: Elements, keys: Keys) -> Finder:
    """Make the finder of a question's source."""
    return _FINDERS[type(asked.source)](asked, keys)
