"""Running a plan: the only path from a question to a scan.

Layer ``plan``. What is read is fixed when iteration starts: a plan of several scans reads one
snapshot. Elements stream; nothing is held but one row and one batch of seeds at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from lexigraph.plan.algebra import Adjacent, Elements
from lexigraph.plan.element import Element
from lexigraph.plan.optimise import branches
from lexigraph.plan.scans import LIMIT, BranchScans, TableScan
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources import Finder, finder
from lexigraph.plan.steps import ClientSteps
from lexigraph.store import Cell, StageSpec
from lexigraph.store.plan.element import Element as StoredElement


class Branched:
    """A question about elements, divided into branches that are ready to run."""

    def __init__(self, asked: Elements, scope: Scope) -> None:
        self.asked, self.scope = asked, scope
        self.finder: Finder = finder(asked, scope.keys)
        self.check = self.finder.check()
        self.ways: list[tuple[BranchScans, ClientSteps]] = [
            (
                BranchScans(asked, branch, self.finder, scope),
                ClientSteps(asked, branch, scope.keys, shows_matched=self.finder.shows_matched),
            )
            for branch in branches(asked, scope.keys)
        ]
        if asked.limit is not None:
            for scans, steps in self.ways:
                if self.check is None and steps.is_plain:
                    scans.top = [StageSpec("limit", {"cells": asked.limit}, LIMIT)]

    def elements(self) -> Iterator[Element]:
        """Give the elements of the answer."""
        return islice(self._elements(), self.asked.limit)

    def _elements(self) -> Iterator[Element]:
        with moment(self.scope, self) as scope:
            for scans, steps in self.ways:
                yield from steps.present(self.stored(scans, steps, scope))

    def stored(
        self, scans: BranchScans, steps: ClientSteps, scope: Scope
    ) -> Iterator[StoredElement]:
        """Give the elements of a branch as the steps before transforms leave them."""
        return chain.from_iterable(
            steps.merged(self._decoded(scans, scan, scope)) for scan in scans.scans()
        )

    def _decoded(
        self, scans: BranchScans, scan: TableScan, scope: Scope
    ) -> Iterator[tuple[bytes, StoredElement]]:
        decode, check = scans.output.decode, self.check
        for cell in read_cells(scan, scope):
            element = decode(cell)
            if element is not None and (check is None or check(element)):
                yield cell.row, element

    @property
    def is_single(self) -> bool:
        """Whether one scan answers it, which then needs no snapshot."""
        if len(self.ways) > 1:
            return False
        return all(len(list(islice(scans.scans(), 2))) < 2 for scans, _ in self.ways)


class moment:  # noqa: N801 - used as a function
    """Fix what is read: the scope's own snapshot, or a new one where a plan makes several scans."""

    def __init__(self, scope: Scope, plan: Branched) -> None:
        self._scope, self._plan = scope, plan
        self._held = ExitStack()

    def __enter__(self) -> Scope:
        scope = self._scope
        if scope.snapshot is not None or not scope.engine.capabilities.snapshots:
            return scope
        if self._plan.is_single:
            return scope
        taken = self._held.enter_context(scope.engine.snapshot())
        return replace(scope, snapshot=taken)

    def __exit__(self, *error: Any) -> None:
        self._held.close()


def read_cells(scan: TableScan, scope: Scope) -> Iterator[Cell]:
    """Give the cells of a scan and close it, however its reading ends."""
    with scope.engine.scan(
        scan.table, scan.spec, snapshot=scope.snapshot, timeout_s=scope.timeout_s
    ) as batches:
        for batch in batches:
            yield from batch


def iter_elements(asked: Elements, scope: Scope) -> Iterator[Element]:
    """Give the elements that a plan asks for; mistakes raise here, before anything is read."""
    return Branched(asked, scope).elements()


def iter_adjacent(asked: Adjacent, scope: Scope) -> Iterator[Any]:
    """Give the vertices at the other ends of edges, in the order in which they are found."""
    encode = scope.keys.vertex_codec.encode
    seen: set[bytes] = set()
    for element in iter_elements(asked.of, scope):
        if element.kind != "edge":
            continue
        other = element.source if element.matched == "destination" else element.destination
        if asked.distinct:
            key = encode(other)
            if key in seen:
                continue
            seen.add(key)
        yield other
