"""Edges that an engine follows by itself, without an element of Python for each.

Layer ``plan``. An edge reader is made once for a question, whatever vertices it starts from, and
may be asked again and again: each call sees what is there then, as the same reader.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from lexigraph.cells.columns import BytesColumn
from lexigraph.errors import InvalidOption, UnsupportedError
from lexigraph.keyplan.vertices import Vertices
from lexigraph.plan.algebra import Around, Elements
from lexigraph.plan.execute import Branched
from lexigraph.plan.scope import Scope
from lexigraph.store import ScanSpec


class EdgeReader(Protocol):
    """Follows the edges of one question."""

    def expand(
        self,
        seeds: Iterable[Any],
        *,
        steps: int = 1,
        within: bool = False,
        snapshot: Any = None,
        timeout_s: float | None = None,
    ) -> Vertices:
        """Return the vertices that lie some hops away."""
        ...

    def neighbours(
        self, vertices: Iterable[Any], *, snapshot: Any = None, timeout_s: float | None = None
    ) -> list[Any]:
        """Return the other ends of the edges at some vertices, each once, in key order."""
        ...

    def neighbours_of(
        self, vertex: Any, *, snapshot: Any = None, timeout_s: float | None = None
    ) -> list[Any]:
        """Return the same for one vertex: the quick way."""
        ...

    def pairs(
        self, vertices: Iterable[Any], *, snapshot: Any = None, timeout_s: float | None = None
    ) -> tuple[BytesColumn, BytesColumn]:
        """Return each vertex with each of its neighbours, both in key form, sorted, each once."""
        ...


@runtime_checkable
class FollowsEdges(Protocol):
    """An engine that can follow edges by itself."""

    def edge_reader(
        self,
        table: str,
        plan: str,
        *,
        direction: str = "out",
        groups: str | Iterable[str] | None = None,
        spec: ScanSpec | None = None,
        authorizations: Any = (),
        snapshot: Any = None,
    ) -> EdgeReader:
        """Prepare to follow edges."""
        ...


def edge_reader(edges: Elements, scope: Scope) -> EdgeReader | None:
    """Prepare to follow edges, whatever their source; ``None`` where elements have to be read.

    Mistakes raise here.
    """
    engine = scope.engine
    view = {n: one for n, one in edges.view.items() if scope.schema.group(n).kind == "edge"}
    edges = replace(edges, source=Around(()), view=view, limit=None)
    # Which labels and properties merge changes no neighbour; only filters behind that do.
    unmerged = frozenset(name for name, steps in view.items() if not steps.after)
    branched = Branched(edges, scope, unmerged)
    plain = all(client.is_plain for _, client in branched.ways) and len(unmerged) == len(view)
    changed = any(steps.transforms for steps in view.values())
    # A transaction has to know every range that is read.
    if not isinstance(engine, FollowsEdges) or scope.record is not None:
        return None
    if not plain or changed or len(branched.ways) != 1:
        return None
    scans = branched.ways[0][0]
    try:
        return engine.edge_reader(
            scope.tables[scans.branch.table],
            scans.plan_name,
            direction=edges.direction,
            groups=list(scans.branch.groups),
            spec=scans.edge_spec(),
            authorizations=scope.authorizations,
            snapshot=scope.snapshot,
        )
    except (InvalidOption, UnsupportedError):
        # A layout whose rows the engine cannot follow by itself, or stages that only Python knows.
        return None
