"""Running a plan: the only path from a question to a scan.

Layer ``plan``. What is read is fixed when iteration starts: a plan of several scans reads one
snapshot. Elements stream; nothing is held but one row and one batch of seeds at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from lexigraph.keyplan.element import StoredElement
from lexigraph.plan.branches.branch import branches
from lexigraph.plan.branches.cells import batch_for, read_cells
from lexigraph.plan.branches.scans import LIMIT, BranchScans, TableScan
from lexigraph.plan.branches.steps import ClientSteps
from lexigraph.plan.element import Element
from lexigraph.plan.logical.elements import Elements
from lexigraph.plan.records.branch import RecordBranch
from lexigraph.plan.records.views import split_view
from lexigraph.plan.scope import Scope
from lexigraph.plan.sources.finder import Finder
from lexigraph.plan.sources.indexed import choose_finder
from lexigraph.store import StageSpec
from lexigraph.store.answers.frames import FrameEnds


class Way(NamedTuple):
    """One branch with its scans, of which the first is known.

    If they are known only once something was read, ``first`` is one like them.
    """

    scans: BranchScans
    steps: ClientSteps
    planned: Iterator[TableScan]
    """All of them, made as they are asked for: there may be thousands."""
    first: TableScan | None
    several: bool
    finder: Finder


class Branched:
    """A question about elements, divided into branches that are ready to run."""

    def __init__(
        self, asked: Elements, scope: Scope, unmerged: frozenset[str] = frozenset()
    ) -> None:
        self.asked, self.scope = asked, scope
        self.wanted: int | None = None
        """How many elements of a scan will be taken; ``None`` for all."""
        self.finder: Finder = choose_finder(asked, scope)
        self.finder.batch = scope.engine.preferences.seeds_per_scan
        merging, records = split_view(asked, scope)
        self.records = None if records is None else RecordBranch(records, scope, self.finder)
        """The record groups of the question; they are not among the ways."""
        self.check = self.finder.check()
        self.ways: list[tuple[BranchScans, ClientSteps]] = [
            (
                BranchScans(asked, branch, self.finder, scope),
                ClientSteps(asked, branch, scope, shows_matched=self.finder.shows_matched),
            )
            for branch in branches(merging, scope.keys, unmerged)
        ]
        if asked.limit is not None:
            for scans, steps in self.ways:
                if self.check is None and steps.is_plain:
                    scans.top = [StageSpec("limit", {"cells": asked.limit}, LIMIT)]

    def elements(self) -> Iterator[Element]:
        """Yield the elements of the answer."""
        return islice(self._elements(), self.asked.limit)

    def _elements(self) -> Iterator[Element]:
        ways = self.plan_scans()
        with self.scanning(ways) as scope:
            for way in ways:
                yield from way.steps.present(self.stored(way, scope))
            if self.records is not None:
                yield from self.records.elements(scope)

    @cached_property
    def ends(self) -> FrameEnds | None:
        """What the client has to check, as data; ``None`` if it cannot be said as data."""
        return self.finder.ends()

    def plan_scans(self) -> list[Way]:
        """Return each branch with its scans, ready to run once."""
        mine = self.finder.for_run()
        return [_ahead(scans, steps, mine) for scans, steps in self.ways]

    @contextmanager
    def scanning(self, ways: Sequence[Way]) -> Iterator[Scope]:
        """Fix what is read: one snapshot for all scans, if there are several."""
        scope, several = self.scope, len([way for way in ways if way.first]) > 1
        several = several or any(way.several for way in ways)
        if self.records is not None:
            several = several or bool(ways) or self.records.scans_several
        with ExitStack() as later:
            if scope.snapshot is None and several and scope.engine.capabilities.snapshots:
                taken = later.enter_context(scope.engine.snapshot())
                scope = replace(scope, snapshot=taken)
            for way in ways:
                way.finder.start(scope)
            yield scope

    @contextmanager
    def at_one_moment(self) -> Iterator[Branched]:
        """Give the same question, whose runs all read one moment, if the engine has snapshots."""
        engine = self.scope.engine
        if self.scope.snapshot is not None or not engine.capabilities.snapshots:
            yield self
            return
        with engine.snapshot() as taken:
            fixed = copy(self)
            fixed.scope = replace(self.scope, snapshot=taken)
            yield fixed

    def stored(self, way: Way, scope: Scope) -> Iterator[StoredElement]:
        """Yield the elements of a branch, up to the steps before transforms."""
        return chain.from_iterable(
            way.steps.merged(self.decoded(way.scans, scan, scope)) for scan in way.planned
        )

    def decoded(
        self, scans: BranchScans, scan: TableScan, scope: Scope
    ) -> Iterator[tuple[bytes, StoredElement]]:
        """Yield the elements of one scan as cells gave them, each with its row."""
        decode, check = scans.output.decode, self.check
        for cell in read_cells(scan, scope, batch_for(self.wanted)):
            element = decode(cell)
            if element is not None and (check is None or check(element)):
                yield cell.row, element


def _ahead(scans: BranchScans, steps: ClientSteps, finder: Finder) -> Way:
    planned = scans.scans(finder)
    if finder.reads:
        return Way(scans, steps, planned, scans.sample(), True, finder)
    # Whether there is more than one is all that matters.
    first = list(islice(planned, 2))
    return Way(scans, steps, chain(first, planned), next(iter(first), None), len(first) > 1, finder)


def iter_elements(asked: Elements, scope: Scope) -> Iterator[Element]:
    """Yield the elements that a plan asks for; mistakes raise here, before anything is read."""
    return Branched(asked, scope).elements()
