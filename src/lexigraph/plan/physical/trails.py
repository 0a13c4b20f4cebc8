"""Ways along edges, made as they are asked for: what nobody takes is not read.

Layer ``plan``. Each hop lengthens some trails at a time, one at first and more with every turn, so
that the first way costs a look at one vertex for each hop, and many cost few scans. Memory holds
the edges around one such lot for each hop, and those that are likely to be asked for again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from lexigraph.codec import Codec
from lexigraph.plan.element import Element
from lexigraph.plan.logical.elements import Around, Elements
from lexigraph.plan.physical.execute import iter_elements
from lexigraph.plan.records.ends import seen_vertices
from lexigraph.plan.records.found import FoundRecord
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.seeds import SeedSet

MOST_TRAILS = 1024
"""How many trails are lengthened at a time."""
MOST_STREAMS = 16
"""How many scans stay open at a time: one for each hop, or none."""
MOST_EDGES = 65_536
"""How many edges are kept for trails that come to the same vertex later."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A way so far: its last edge, what came before it, and where it has come to."""

    end: Any
    edge: Element | None = None
    before: Trail | None = None

    def edges(self) -> tuple[Element, ...]:
        """Give the edges from the start on."""
        found: list[Element] = []
        at: Trail | None = self
        while at is not None and at.edge is not None:
            found.append(at.edge)
            at = at.before
        return tuple(reversed(found))


def start_of(edge: Element) -> Any:
    """Give the end that an edge was found by."""
    return edge.destination if edge.matched == "destination" else edge.source


def end_of(edge: Element) -> Any:
    """Give the other end."""
    return edge.source if edge.matched == "destination" else edge.destination


def edges_from(seeds: SeedSet, hop: Elements, scope: Scope) -> Iterator[Element]:
    """Give the edges at some vertices, each for every end that it is found by."""
    asked = replace(hop, source=Around(seeds), both_ends=True, limit=None)
    return (edge for edge in iter_elements(asked, scope) if edge.kind == "edge")


class Lengthener:
    """Takes trails one hop further, in their order."""

    def __init__(self, hop: Elements, scope: Scope, codec: Codec[Any], *, streams: bool) -> None:
        self._hop, self._scope, self._codec = hop, scope, codec
        self._streams = streams
        self._known: dict[bytes, list[Element]] = {}
        self._held = 0
        self._size = 1

    def lengthen(self, trails: Iterator[Trail]) -> Iterator[Trail] | None:
        """Lengthen the next few of them; ``None`` where there is none."""
        lot = list(islice(trails, self._size))
        if not lot:
            return None
        lot = self._passable(lot)
        streams, self._streams = self._streams and bool(lot), False
        self._size = min(2 * self._size, MOST_TRAILS)
        if streams:
            # Whoever takes only the first of them need not wait for all.
            seeds = SeedSet([lot[0].end], self._codec)
            return _with_edges(lot[0], edges_from(seeds, self._hop, self._scope))
        return self._all(lot)

    def _passable(self, lot: list[Trail]) -> list[Trail]:
        """Leave out trails that a record led to a vertex which the reader does not see."""
        tables = self._scope.keys.records
        ends = [one.end for one in lot if isinstance(one.edge, FoundRecord)]
        if tables is None or not ends:
            return lot
        seen, encode = seen_vertices(ends, self._scope), tables.vertex_codec.encode
        return [
            one for one in lot if not isinstance(one.edge, FoundRecord) or encode(one.end) in seen
        ]

    def _all(self, lot: list[Trail]) -> Iterator[Trail]:
        encode = self._codec.encode
        keys = [encode(trail.end) for trail in lot]
        found = {key: self._known[key] for key in keys if key in self._known}
        new = SeedSet(
            (t.end for t, key in zip(lot, keys, strict=True) if key not in found), self._codec
        )
        if len(new):
            found |= {key: [] for key in new.keys}
            for edge in edges_from(new, self._hop, self._scope):
                found[encode(start_of(edge))].append(edge)
            self._keep({key: found[key] for key in new.keys})
        for trail, key in zip(lot, keys, strict=True):
            yield from _with_edges(trail, found[key])

    def _keep(self, found: dict[bytes, list[Element]]) -> None:
        count = sum(map(len, found.values())) + len(found)
        if self._held + count > MOST_EDGES:
            self._known, self._held = {}, 0
        if count <= MOST_EDGES:
            self._known |= found
            self._held += count


def _with_edges(trail: Trail, edges: Iterable[Element]) -> Iterator[Trail]:
    return (Trail(end_of(edge), edge, trail) for edge in edges)


def iter_trails(
    seeds: Iterable[Any], hops: Iterable[Elements], scope: Scope, codec: Codec[Any]
) -> Iterator[Trail]:
    """Give all trails of so many hops, those of one seed after those of another."""
    asked = list(hops)
    streams = len(asked) <= MOST_STREAMS
    steps = [Lengthener(hop, scope, codec, streams=streams) for hop in asked]
    ready: list[Iterator[Trail]] = [map(Trail, seeds), *(iter(()) for _ in steps)]
    # Not by recursion: there may be thousands of hops.
    at = 1 if steps else 0
    while at:
        longer = steps[at - 1].lengthen(ready[at - 1])
        if longer is None:
            at -= 1
        elif at < len(steps):
            ready[at] = longer
            at += 1
        else:
            yield from longer
