"""Stored elements of a place, as a reader sees them: what everything that looks first reads.

Layer ``plan``. No step of a question is here: an element comes with the cell that holds it, once
for each of its rows and labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.keyplan import StoredElement
from lexigraph.layout import Place
from lexigraph.layout.spi import ELEMENTS
from lexigraph.layout.write.removal.doomed import Doomed
from lexigraph.layout.write.removal.doomed_cells import DoomedCells
from lexigraph.plan.branches.cells import read_cells
from lexigraph.plan.branches.scans import BEFORE, TableScan
from lexigraph.plan.scope import Scope
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.stages.spec import StageSpec

D = TypeVar("D", Doomed, DoomedCells)


@dataclass(frozen=True, slots=True)
class Found(Generic[D]):
    """What a delete found in one snapshot."""

    doomed: D
    """The elements."""
    read: list[tuple[str, Range]] = field(default_factory=list)
    """What was read to find them."""


def read_place(scope: Scope, group: str, place: Place) -> Iterator[tuple[Cell, StoredElement]]:
    """Yield the elements of a group that a place holds, each with its cell."""
    plan = scope.keys.plan_of(group)
    for cell in read_cells(scan_place(scope, group, place), scope):
        element = plan.decode(cell)
        if element is not None and element.group == group:
            yield cell, element


def scan_place(scope: Scope, group: str, place: Place) -> TableScan:
    """Return the scan of a place that is about one group."""
    stages = []
    if place.where is not None:
        options = {"plan": ELEMENTS, "where": {group: place.where}}
        stages.append(StageSpec("filter", options, BEFORE))
    spec = ScanSpec(
        ranges=place.ranges,
        columns=place.columns,
        authorizations=scope.authorizations,
        stages=stages,
    )
    return TableScan(scope.tables[place.table], spec)
