"""Hops by a key plan: the vertices some steps away, along the edges that a reader can see.

Layer ``store``. What an expansion means, for engines that have no shorter way than one scan of the
table; the embedded engine does it in the core. Vertices are bytes in key form, as the plan's codec
of the two ends gives it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexigraph.codec import Codec, codec_for
from lexigraph.errors import InvalidOption, InvalidValue, show
from lexigraph.store.columns import BytesColumn
from lexigraph.store.jsonfields import read_bool, read_choice, read_int
from lexigraph.store.plan import KeyPlan

if TYPE_CHECKING:
    from lexigraph.store.results import Scan

DIRECTIONS = ("out", "in", "both")


@dataclass(frozen=True, slots=True)
class Hops:
    """Which vertices are wanted: exactly ``hops`` steps from the seeds, or ``within`` so many.

    A vertex belongs to the smallest number of steps that reaches it; seeds are never found. Only
    rows that start with a vertex are its edges. Undirected edges are followed both ways.
    """

    plan: str
    seeds: tuple[bytes, ...]
    hops: int
    direction: str = "out"
    groups: frozenset[str] | None = None
    within: bool = False

    @staticmethod
    def read(
        plan: Any, seeds: Any, hops: Any, direction: Any, groups: Any, *, within: Any
    ) -> Hops:
        """Check every argument."""
        if not isinstance(plan, str):
            raise InvalidOption(f"plan is the name of a key plan, not {show(plan)}")
        if isinstance(seeds, str | bytes) or not isinstance(seeds, Iterable):
            raise InvalidValue(
                f"seeds are a list of vertices in key form, not {show(seeds)}",
                hint="Write seeds=[codec.encode(vertex), ...].",
            )
        listed = tuple(seeds)
        for seed in listed:
            if not isinstance(seed, bytes):
                raise InvalidValue(f"a seed is bytes, a vertex in key form, not {show(seed)}")
        if isinstance(groups, str):
            raise InvalidOption(f"groups are a list of names, not {show(groups)}")
        return Hops(
            plan,
            listed,
            read_int(hops, "hops", least=0),
            read_choice(direction, DIRECTIONS, "direction"),
            None if groups is None else frozenset(groups),
            read_bool(within, "within"),
        )

    def follow(self, plan: Any, scan: Scan) -> BytesColumn:
        """Return the vertices found, sorted, from the cells of a whole table."""
        edges = self._edges(plan, scan)
        seen, frontier = set(self.seeds), set(self.seeds)
        found: set[bytes] = set()
        for _ in range(self.hops):
            frontier = {other for vertex in frontier for other in edges[vertex]} - seen
            seen |= frontier
            found = found | frontier if self.within else frontier
        return BytesColumn.of(sorted(found))

    def _edges(self, plan: Any, scan: Scan) -> Mapping[bytes, set[bytes]]:
        reader, codec = KeyPlan.parse(plan), end_codec(plan)
        edges: defaultdict[bytes, set[bytes]] = defaultdict(set)
        for batch in scan:
            for cell in batch:
                element = reader.decode(cell)
                if element is None or element.kind != "edge":
                    continue
                if self.groups is not None and element.group not in self.groups:
                    continue
                ends = [codec.encode(element.source), codec.encode(element.destination)]
                if element.directed and not self._follows(element.matched):
                    continue
                if element.matched == "destination":
                    ends.reverse()
                edges[ends[0]].add(ends[1])
        return edges

    def _follows(self, matched: str | None) -> bool:
        return self.direction == "both" or (self.direction == "out") == (matched == "source")


def end_codec(plan: Any) -> Codec:
    """Return the codec of the ends of a plan's edges."""
    shapes = KeyPlan.parse(plan).to_json()["rows"]
    for shape in shapes:
        for part in shape["parts"]:
            if part.get("field") in ("source", "destination"):
                return codec_for(part["codec"])
    raise InvalidOption("the plan has no edges to follow: no row has a source or destination")
