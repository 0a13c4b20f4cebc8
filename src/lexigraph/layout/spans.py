"""Ranges that begin or end with an edge: the keys from the first row of it all to the last.

Layer ``layout``. Rows are those of :class:`TwoRows` without their shards: a span lies in all shards
alike. What stands between two edges depends on the layout, as it does in Gaffer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lexigraph.codec.prefix import following_prefix
from lexigraph.keyplan import StoredElement
from lexigraph.layout.ends import Ends
from lexigraph.layout.row_kinds import EITHER, VERTEX
from lexigraph.layout.spi import Place, Span
from lexigraph.layout.wanted import IN, OUT, EdgeBound, Wanted
from lexigraph.store import Range

Writers = Mapping[str, Callable[[Mapping[str, Any]], bytes]]
"""What writes a row of each kind that a schema has."""


Placing = Callable[[list[Range], Wanted], list[Place]]


@dataclass(frozen=True, slots=True)
class RowSpan(Span):
    """Rows from ``first`` to before ``behind``; ``None`` is behind all rows."""

    first: bytes
    behind: bytes | None
    shards: Sequence[bytes]
    writers: Writers
    place: Placing

    __hash__ = None  # type: ignore[assignment]

    def places(self, wanted: Wanted) -> list[Place]:
        """Say where its rows are: in every shard."""
        return self.place([self._in_shard(shard) for shard in self.shards], wanted)

    def holds_other_row(self, edge: StoredElement) -> bool:
        """Tell whether it holds the other of an edge's two rows than the one that was found."""
        row = _other_row(edge, self.writers)
        return self.first <= row and (self.behind is None or row < self.behind)

    def _in_shard(self, shard: bytes) -> Range:
        behind = following_prefix(shard) if self.behind is None else shard + self.behind
        return Range.rows(shard + self.first, behind, end_inclusive=False)


def rows_between(
    bounds: Iterable[Any], wanted: Wanted, ends: Ends, writers: Writers
) -> tuple[bytes, bytes | None] | None:
    """Give the first row of what is wanted of these bounds, and what is behind the last."""
    firsts: list[bytes] = []
    behind: list[bytes | None] = []
    for bound in bounds:
        if isinstance(bound, EdgeBound):
            rows = list(_edge_rows(bound, wanted, writers))
            firsts += rows
            behind += (row + b"\x00" for row in rows)
        else:
            firsts.append(ends.key(bound))
            behind.append(ends.behind(firsts[-1]))
    if not firsts:
        return None
    known = [one for one in behind if one is not None]
    return min(firsts), max(known) if len(known) == len(behind) else None


def _edge_rows(bound: EdgeBound, wanted: Wanted, writers: Writers) -> Iterator[bytes]:
    ids = {"source": bound.source, "destination": bound.destination}
    for kind, directed in ((OUT, True), (EITHER, False)):
        fits = bound.directed in (None, directed) and wanted.directed in (None, directed)
        if wanted.edges and fits and kind in writers:
            yield writers[kind](ids)
    if wanted.vertices and VERTEX in writers:
        for end in ids.values():
            yield writers[VERTEX]({"vertex": end})


def _other_row(edge: StoredElement, writers: Writers) -> bytes:
    ids = {"source": edge.source, "destination": edge.destination}
    if edge.directed:
        return writers[OUT if edge.matched == "destination" else IN](ids)
    if edge.matched == "source":
        ids = {"source": edge.destination, "destination": edge.source}
    return writers[EITHER](ids)
