"""Running a plan: the only path from a question to a scan.

Layer ``plan``. What is read is fixed when iteration starts: a plan of several scans reads one
snapshot. Elements stream; nothing is held but one row and one batch of seeds at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice

from lexigraph.keyplan.element import Element as StoredElement
from lexigraph.plan.algebra import Elements
from lexigraph.plan.element import Element
from lexigraph.plan.finder import Finder
from lexigraph.plan.optimise import branches
from lexigraph.plan.scans import LIMIT, BranchScans, TableScan
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources import finder
from lexigraph.plan.steps import ClientSteps
from lexigraph.store import Cell, CellBatch, StageSpec

BATCH_CELLS = 4096

Way = tuple[BranchScans, ClientSteps, Iterator[TableScan]]


class Branched:
    """A question about elements, divided into branches that are ready to run."""

    def __init__(
        self, asked: Elements, scope: Scope, unmerged: frozenset[str] = frozenset()
    ) -> None:
        self.asked, self.scope = asked, scope
        self.finder: Finder = finder(asked, scope.keys)
        self.finder.batch = scope.engine.preferences.seeds_per_scan
        self.check = self.finder.check()
        self.ways: list[tuple[BranchScans, ClientSteps]] = [
            (
                BranchScans(asked, branch, self.finder, scope),
                ClientSteps(asked, branch, scope, shows_matched=self.finder.shows_matched),
            )
            for branch in branches(asked, scope.keys, unmerged)
        ]
        if asked.limit is not None:
            for scans, steps in self.ways:
                if self.check is None and steps.is_plain:
                    scans.top = [StageSpec("limit", {"cells": asked.limit}, LIMIT)]

    def elements(self) -> Iterator[Element]:
        """Give the elements of the answer."""
        return islice(self._elements(), self.asked.limit)

    def _elements(self) -> Iterator[Element]:
        with self.running() as running:
            for steps, elements in running:
                yield from steps.present(elements)

    @contextmanager
    def running(self) -> Iterator[list[tuple[ClientSteps, Iterator[StoredElement]]]]:
        """Fix what is read; give the elements of each branch, up to the steps before transforms."""
        with self.scanning() as (scope, ways):
            yield [
                (steps, self.stored(scans, steps, planned, scope)) for scans, steps, planned in ways
            ]

    @contextmanager
    def scanning(self) -> Iterator[tuple[Scope, list[Way]]]:
        """Fix what is read: one snapshot for all scans, where there are several."""
        ways = [(scans, steps, *_peek(scans.scans())) for scans, steps in self.ways]
        planned = [(scans, steps, rest) for scans, steps, _, rest in ways]
        scope, several = self.scope, sum(count for _, _, count, _ in ways) > 1
        if scope.snapshot is not None or not several or not scope.engine.capabilities.snapshots:
            yield scope, planned
            return
        with scope.engine.snapshot() as taken:
            yield replace(scope, snapshot=taken), planned

    def stored(
        self, scans: BranchScans, steps: ClientSteps, planned: Iterator[TableScan], scope: Scope
    ) -> Iterator[StoredElement]:
        """Give the elements of a branch, up to the steps before transforms."""
        return chain.from_iterable(
            steps.merged(self._decoded(scans, scan, scope)) for scan in planned
        )

    def _decoded(
        self, scans: BranchScans, scan: TableScan, scope: Scope
    ) -> Iterator[tuple[bytes, StoredElement]]:
        decode, check = scans.output.decode, self.check
        for cell in read_cells(scan, scope):
            element = decode(cell)
            if element is not None and (check is None or check(element)):
                yield cell.row, element


def _peek(scans: Iterator[TableScan]) -> tuple[int, Iterator[TableScan]]:
    # There may be thousands: whether there is more than one is all that matters.
    first = list(islice(scans, 2))
    return len(first), chain(first, scans)


def read_cells(scan: TableScan, scope: Scope) -> Iterator[Cell]:
    """Yield the cells of a scan and close it, however its reading ends."""
    return chain.from_iterable(read_batches(scan, scope))


def read_batches(
    scan: TableScan, scope: Scope, batch_cells: int = BATCH_CELLS
) -> Iterator[CellBatch]:
    """Yield the batches of a scan and close it, however its reading ends."""
    if scope.record is not None:
        scope.record(scan.table, scan.spec.ranges)
    with scope.engine.scan(
        scan.table,
        scan.spec,
        snapshot=scope.snapshot,
        batch_cells=batch_cells,
        timeout_s=scope.timeout_s,
    ) as batches:
        yield from batches


def iter_elements(asked: Elements, scope: Scope) -> Iterator[Element]:
    """Give the elements that a plan asks for; mistakes raise here, before anything is read."""
    return Branched(asked, scope).elements()
