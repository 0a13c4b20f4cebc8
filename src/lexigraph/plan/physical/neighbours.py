"""The vertices at the other ends of edges.

Layer ``plan``. Where nobody asks how often a vertex is found, the engine follows the edges by
itself if it can; if not, one cell of each row is enough, and of that cell the row alone is read:
labels and filters were applied to it in the scan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from lexigraph.cells.columns import BytesColumn
from lexigraph.plan.branches.cells import read_cells
from lexigraph.plan.branches.scans import FIRST, BranchScans, TableScan
from lexigraph.plan.logical.elements import Adjacent, Around, Elements, Pairs
from lexigraph.plan.physical.execute import Branched, iter_elements
from lexigraph.plan.records.views import ends_only
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.seeds import SeedSet
from lexigraph.store.answers.vertices import Vertices
from lexigraph.store.operators import EdgeReader
from lexigraph.store.stages.spec import StageSpec


def find_adjacent(asked: Adjacent, scope: Scope, reader: EdgeReader | None) -> list[Any]:
    """Return the other ends of edges, each once, in key order; ``reader`` was chosen before."""
    if reader is None:
        return list(SeedSet(iter_adjacent(asked, scope), scope.keys.vertex_codec))
    return reader.neighbours(_seeds(asked.of), snapshot=scope.snapshot, timeout_s=scope.timeout_s)


def find_pairs(asked: Pairs, scope: Scope, reader: EdgeReader | None) -> tuple[Vertices, Vertices]:
    """Return each vertex that edges were found by, with their other ends, in key order."""
    if reader is not None:
        return read_pairs(reader, _seeds(asked.of), scope)
    encode = scope.keys.vertex_codec.encode
    pairs = set()
    for edge in iter_elements(replace(ends_only(asked.of, scope), both_ends=True), scope):
        if edge.kind == "edge":
            ends = encode(edge.source), encode(edge.destination)
            pairs.add(ends[::-1] if edge.matched == "destination" else ends)
    near, far = zip(*sorted(pairs), strict=True) if pairs else ((), ())
    return _columns(BytesColumn.of(near), BytesColumn.of(far), scope)


def read_pairs(reader: EdgeReader, seeds: Iterable[Any], scope: Scope) -> tuple[Vertices, Vertices]:
    """Return the pairs that a prepared reader of edges finds from some vertices."""
    near, far = reader.pairs(seeds, snapshot=scope.snapshot, timeout_s=scope.timeout_s)
    return _columns(near, far, scope)


def _columns(near: BytesColumn, far: BytesColumn, scope: Scope) -> tuple[Vertices, Vertices]:
    codec = scope.keys.vertex_codec
    return Vertices(near, codec), Vertices(far, codec)


def _seeds(asked: Elements) -> Iterable[Any]:
    assert isinstance(asked.source, Around)
    return asked.source.vertices


def iter_adjacent(asked: Adjacent, scope: Scope) -> Iterator[Any]:
    """Give the other ends of edges, in the order in which they are found."""
    if not asked.distinct:
        elements = iter_elements(ends_only(asked.of, scope), scope)
        return (
            one.source if one.matched == "destination" else one.destination
            for one in elements
            if one.kind == "edge"
        )
    # An edge between two seeds leads from each to the other.
    asked = replace(asked, of=replace(asked.of, both_ends=True))
    branched = _by_rows(asked, scope)
    if branched is None:
        return _distinct(iter_adjacent(replace(asked, distinct=False), scope), scope)
    for scans, _ in branched.ways:
        scans.top = [StageSpec("first-in-row", {}, FIRST)]
    return _distinct(_ends(branched), scope)


def _by_rows(asked: Adjacent, scope: Scope) -> Branched | None:
    """Give a question whose rows alone are the answer; ``None`` where elements have to be read."""
    view, schema = asked.of.view, scope.schema
    if not scope.keys.ids_in_rows or asked.of.limit is not None:
        return None
    if any(
        steps.after or steps.transforms or schema.group(name).kind != "edge"
        for name, steps in view.items()
    ):
        return None
    branched = Branched(asked.of, scope, frozenset(view))
    if branched.records is not None:
        return None
    plain = all(steps.is_plain for _, steps in branched.ways)
    return branched if plain and branched.check is None else None


def _ends(branched: Branched) -> Iterator[Any]:
    ways = branched.plan_scans()
    with branched.scanning(ways) as scope:
        for way in ways:
            for scan in way.planned:
                yield from _ends_of(way.scans, scan, scope)


def _ends_of(scans: BranchScans, scan: TableScan, scope: Scope) -> Iterator[Any]:
    place_of = scans.output.decoder.place
    for cell in read_cells(scan, scope):
        place = place_of(cell.row, cell.family)
        if place is None:
            continue
        order = place.shape.order(place.group.name)
        source, destination, matched, _ = order.arrange(place.fields)
        yield source if matched == "destination" else destination


def _distinct(vertices: Iterator[Any], scope: Scope) -> Iterator[Any]:
    encode = scope.keys.vertex_codec.encode
    seen: set[bytes] = set()
    for vertex in vertices:
        key = encode(vertex)
        if key not in seen:
            seen.add(key)
            yield vertex
