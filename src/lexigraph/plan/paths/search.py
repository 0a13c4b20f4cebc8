"""Simple paths between two vertices, the shortest first.

Layer ``plan``. The search goes from both ends, each time from the side that has fewer vertices to
go on from, until both sides together are as deep as the longest path may be. So it reads the edges
of each vertex at most once for each side, and none that is further away. What it holds grows with
the vertices that it has read; paths are made one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

FORWARD: Final = True
BACKWARD: Final = False

Onward = Mapping[bytes, Collection[bytes]]
"""Vertices, each with those that its edges lead to."""
Neighbours = Callable[[Collection[bytes], bool], Onward]
"""Reads the edges of some vertices: along them, or against their direction."""


class _Side:
    """What is known from one end: how far each vertex is, and where the edges lead."""

    def __init__(self, start: bytes) -> None:
        self.seen = {start}
        self.frontier = {start}
        self.depth = 0
        self.edges: dict[bytes, set[bytes]] = {}

    def go_on(self, read: Callable[[Collection[bytes]], Onward], stop: bytes) -> None:
        """Read the edges of the vertices that were found last; nothing passes through ``stop``."""
        asked = self.frontier - {stop}
        found = read(sorted(asked)) if asked else {}
        self.edges |= {one: set(ends) for one, ends in found.items()}
        reached = {end for ends in found.values() for end in ends}
        self.frontier = reached - self.seen
        self.seen |= self.frontier
        self.depth += 1


def iter_paths(
    read: Neighbours,
    source: bytes,
    destination: bytes,
    hops: int | None,
    *,
    shortest: bool = False,
    check: Callable[[], object] = lambda: None,
) -> Iterator[tuple[bytes, ...]]:
    """Yield the paths that visit no vertex twice, of at most so many hops; shorter ones first.

    ``shortest`` yields only those that no other path is shorter than. ``hops`` may be ``None`` for
    those alone. ``check`` is called now and then: it raises if nobody waits any more.

    >>> edges = {b"a": [b"b", b"c"], b"b": [b"d"], b"c": [b"b", b"d"], b"d": []}
    >>> back = {b"d": [b"b", b"c"], b"b": [b"a", b"c"], b"c": [b"a"], b"a": []}
    >>> def read(vertices, forward):
    ...     return {one: (edges if forward else back)[one] for one in vertices}
    >>> [b"-".join(one).decode() for one in iter_paths(read, b"a", b"d", 3)]
    ['a-b-d', 'a-c-d', 'a-c-b-d']
    """
    if source == destination:
        return
    here, there = _Side(source), _Side(destination)
    while hops is None or here.depth + there.depth < hops:
        check()
        if shortest and not here.seen.isdisjoint(there.seen):
            break
        if not here.frontier or not there.frontier:
            break
        if len(here.frontier) <= len(there.frontier):
            here.go_on(lambda vertices: read(vertices, FORWARD), destination)
        else:
            there.go_on(lambda vertices: read(vertices, BACKWARD), source)
    if here.seen.isdisjoint(there.seen):
        return
    edges = _joined(here, there)
    left = _distances(edges, destination)
    if source not in left:
        return
    longest = left[source] if shortest or hops is None else hops
    for length in range(left[source], min(longest, len(left) - 1) + 1):
        yield from _of_length(edges, left, source, destination, length, check)


def _joined(here: _Side, there: _Side) -> dict[bytes, list[bytes]]:
    """Return the edges that either side has read, in the direction from the source."""
    found = {one: set(ends) for one, ends in here.edges.items()}
    for end, starts in there.edges.items():
        for start in starts:
            found.setdefault(start, set()).add(end)
    return {one: sorted(ends) for one, ends in found.items()}


def _distances(edges: Mapping[bytes, list[bytes]], destination: bytes) -> dict[bytes, int]:
    """Return how many hops each vertex is from the destination, at least."""
    back: dict[bytes, list[bytes]] = {}
    for start, ends in edges.items():
        for end in ends:
            back.setdefault(end, []).append(start)
    found, frontier = {destination: 0}, [destination]
    for vertex in frontier:
        for start in back.get(vertex, ()):
            if start not in found:
                found[start] = found[vertex] + 1
                frontier.append(start)
    return found


def _of_length(
    edges: Mapping[bytes, list[bytes]],
    left: Mapping[bytes, int],
    source: bytes,
    destination: bytes,
    length: int,
    check: Callable[[], object],
) -> Iterator[tuple[bytes, ...]]:
    """Yield the paths of exactly so many hops, in the order of their vertices."""
    path, visited = [source], {source}
    open_ends = [iter(edges.get(source, ()))]
    steps = 0
    while open_ends:
        steps += 1
        if steps % 1024 == 0:
            check()
        vertex = next(open_ends[-1], None)
        if vertex is None:
            open_ends.pop()
            visited.discard(path.pop())
            continue
        still = length - len(path)
        if vertex == destination:
            if still == 0:
                yield (*path, vertex)
        elif vertex not in visited and left.get(vertex, length) <= still:
            path.append(vertex)
            visited.add(vertex)
            open_ends.append(iter(edges.get(vertex, ())))
