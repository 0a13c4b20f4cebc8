"""Leaves that follow edges: neighbours, pairs, hops, walks and paths as operators.

Layer ``plan``. An engine that follows edges by itself gives packed answers; those are passed on as
they are to callers that ask for them, and become batches for the operators above.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lexigraph.plan.logical.elements import Adjacent, Hops, Pairs, PathsBetween, Walk
from lexigraph.plan.logical.rows import ADJACENT, PATH, VERTEX
from lexigraph.plan.paths.reading import PathReader, check_paths, find_paths
from lexigraph.plan.physical.choose import choose_adjacent, choose_edges
from lexigraph.plan.physical.neighbours import find_adjacent, find_pairs, iter_adjacent
from lexigraph.plan.physical.rows.batch import Batch
from lexigraph.plan.physical.rows.operator import CLIENT, ENGINE, ROWS, Operator, Running
from lexigraph.plan.physical.walks import check_hops, find_hops, iter_walks
from lexigraph.plan.scope import Scope
from lexigraph.store.answers.vertices import Vertices


class FollowRows(Operator):
    """A leaf of one column whose values come one by one."""

    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield the values in batches, small ones first."""
        [name] = self.columns
        found, size = iter(self.values(name, run) or ()), 16
        while batch := list(islice(found, size)):
            yield Batch(len(batch), {name: batch})
            size = min(size * 4, ROWS)

    def reads(self) -> int:
        """Return one: what a leaf reads is of one moment anyway."""
        return 1


class AdjacentRows(FollowRows):
    """The vertices at the other ends of edges."""

    what = "adjacent"

    def __init__(self, asked: Adjacent, scope: Scope) -> None:
        super().__init__(columns=(VERTEX,))
        self.asked = asked
        # Mistakes raise here, before anything is read.
        self._reader = choose_adjacent(asked, scope).reader
        self.where = CLIENT if self._reader is None else ENGINE

    def values(self, column: str, run: Running) -> Any:
        """Return the vertices: all at once if each comes once."""
        if not self.asked.distinct:
            return iter_adjacent(self.asked, run.scope)
        return find_adjacent(self.asked, run.scope, self._reader)


class PairRows(Operator):
    """Each vertex with those at the other ends of its edges."""

    what = "pairs"

    def __init__(self, asked: Pairs, scope: Scope) -> None:
        super().__init__(columns=(VERTEX, ADJACENT))
        self.asked, self._scope = asked, scope
        self._reader = choose_adjacent(Adjacent(asked.of), scope).reader
        self.where = CLIENT if self._reader is None else ENGINE

    def packed(self, run: Running) -> tuple[Vertices, Vertices]:
        """Return both columns, packed."""
        return find_pairs(self.asked, run.scope, self._reader)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield one batch."""
        near, far = map(list, self.packed(run))
        yield Batch(len(near), {VERTEX: near, ADJACENT: far})

    def reads(self) -> int:
        """Return one: what a leaf reads is of one moment anyway."""
        return 1


class HopRows(FollowRows):
    """The vertices that lie some hops away."""

    what = "hops"

    def __init__(self, asked: Hops, scope: Scope) -> None:
        super().__init__(columns=(VERTEX,))
        check_hops(asked)
        self.asked = asked
        self._reader = choose_edges(asked.edges, scope).reader
        self.where = CLIENT if self._reader is None else ENGINE

    def packed(self, run: Running) -> Vertices:
        """Return the vertices, packed."""
        return find_hops(self.asked, run.scope, self._reader)

    def values(self, column: str, run: Running) -> Any:
        """Return the vertices."""
        return self.packed(run)

    def facts(self) -> dict[str, Any]:
        """Return how far."""
        return {"steps": self.asked.steps, "within": self.asked.within or None}


class WalkRows(FollowRows):
    """Paths along edges, read as they are taken."""

    what = "walks"

    def __init__(self, asked: Walk, scope: Scope) -> None:
        super().__init__(columns=(PATH,))
        self.asked = asked
        iter_walks(asked, scope)

    def values(self, column: str, run: Running) -> Any:
        """Yield the paths."""
        return iter_walks(self.asked, run.scope)

    def facts(self) -> dict[str, Any]:
        """Return how far."""
        return {"hops": len(self.asked.hops), "limit": self.asked.limit}


class PathRows(FollowRows):
    """Paths between two vertices, as their ids, made as they are taken."""

    what = "paths"

    def __init__(self, asked: PathsBetween, scope: Scope) -> None:
        super().__init__(columns=(PATH,))
        self.asked = asked
        check_paths(asked)
        PathReader(asked.edges, scope)

    def values(self, column: str, run: Running) -> Any:
        """Yield the paths."""
        return find_paths(self.asked, run.scope, run.deadline.check)

    def facts(self) -> dict[str, Any]:
        """Return how far."""
        asked = self.asked
        facts = {"hops": asked.hops, "shortest": asked.shortest or None, "limit": asked.limit}
        return {name: one for name, one in facts.items() if one is not None}
