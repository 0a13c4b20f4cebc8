"""The state machine: drives an engine and an oracle side by side and compares every answer.

Layer ``testing``. The oracle is ``memory`` unless a test gives another one; it needs those methods
of an engine that are used here. Both have clocks of the same time, so commits compare too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import chain
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from lexigraph.errors import LexigraphError
from lexigraph.security import ALL
from lexigraph.store import Cell, ManualClock, MemoryEngine, Range, ScanSpec
from lexigraph.testing import universe
from lexigraph.testing.store.base import START, resume_points

MakeSubject = Callable[..., Any]
Side = Callable[[int], Any]
"""What is asked of one side: 0 is the engine under test, 1 the oracle."""


def store_machine(
    make: MakeSubject,
    *,
    oracle: MakeSubject = MemoryEngine,
    reopen: Callable[[Any], Any] | None = None,
    examples: int = 50,
    steps: int = 30,
) -> type[RuleBasedStateMachine]:
    """Return a machine for an engine; its ``TestCase`` is what pytest collects.

    ``reopen`` closes an engine and opens what it left behind. Runs are the same every time.

    >>> store_machine(MemoryEngine, examples=5).TestCase.settings.max_examples
    5
    """

    class Machine(StoreMachine):
        def __init__(self) -> None:
            super().__init__(make, oracle, reopen)

    Machine.TestCase.settings = settings(
        max_examples=examples,
        stateful_step_count=steps,
        derandomize=True,
        deadline=None,
        database=None,
    )
    return Machine


class StoreMachine(RuleBasedStateMachine):
    """Random commits, merges, snapshots and scans, on both sides alike."""

    def __init__(
        self, make: MakeSubject, oracle: MakeSubject, reopen: Callable[[Any], Any] | None
    ) -> None:
        super().__init__()
        self.clock = ManualClock(START)
        self.sides = [make(clock=self.clock), oracle(clock=self.clock)]
        self.reopen = reopen
        self.snapshots: list[list[Any]] = []
        parameters = inspect.signature(self.sides[0].compact).parameters
        self.merges_runs = "runs" in parameters

    def both(self, ask: Side) -> Any:
        """Ask both sides; answers or errors must be equal."""
        mine, theirs = (_outcome(ask, side) for side in (0, 1))
        assert mine == theirs, f"the engine gives {mine}, the oracle {theirs}"
        return mine

    def draw_name(self, data: st.DataObject) -> str:
        """Draw a table, nearly always one that is there."""
        names: list[str] = [*self.sides[0].tables() * 5, "gone0"]
        return data.draw(st.sampled_from(names), label="table")

    def draw_snapshot(self, data: st.DataObject) -> list[Any]:
        """Draw a snapshot as a pair, or mostly a pair of nothing."""
        pairs = [[None, None]] * 3 + self.snapshots
        return data.draw(st.sampled_from(pairs), label="snapshot")

    @initialize()
    def start(self) -> None:
        """Make a table of each kind."""
        for kind in universe.KINDS:
            self.make_table(f"{kind}0")

    @rule(name=st.sampled_from(universe.NAMES))
    def make_table(self, name: str) -> None:
        """Create a table; the name may be taken."""
        kind = universe.KINDS[name[:-1]]
        self.both(lambda side: self.sides[side].create_table(name, kind) and None)

    @rule(data=st.data(), action=st.sampled_from(["clone", "clone", "rename", "drop"]))
    def change_tables(self, data: st.DataObject, action: str) -> None:
        """Clone, rename or drop a table."""
        name = self.draw_name(data)
        if action == "drop":
            self.both(lambda side: self.sides[side].drop_table(name))
            return
        # A name tells the kind of its table, and so which scans no merge may change.
        other = data.draw(
            st.sampled_from([n for n in universe.NAMES if n[:-1] == name[:-1]] or [name])
        )
        method = f"{action}_table"
        self.both(lambda side: getattr(self.sides[side], method)(name, other) and None)

    @rule(data=st.data(), first=universe.mutations(), second=universe.mutations())
    def write(self, data: st.DataObject, first: Any, second: Any) -> None:
        """Commit to one or two tables, perhaps only if a snapshot still holds."""
        names = self.draw_name(data), self.draw_name(data)
        pairs = zip(names, (first, second), strict=True)
        batches = {name: universe.fitting(name, batch) for name, batch in pairs}
        pair = self.draw_snapshot(data)
        reads = [(self.draw_name(data), data.draw(universe.ranges())) for _ in range(2)]
        self.both(
            lambda side: self.sides[side].write(
                batches, if_unchanged=(pair[side], reads) if pair[side] else None
            )
        )
        for name in batches:
            self.compare(name)

    @rule(data=st.data(), batches=st.lists(universe.mutations(), min_size=2, max_size=4))
    def write_runs(self, data: st.DataObject, batches: list[Any]) -> None:
        """Commit several times to one table, so that there is something to merge."""
        name = self.draw_name(data)
        for batch in (universe.fitting(name, batch) for batch in batches):
            self.both(lambda side, batch=batch: self.sides[side].write({name: batch}))  # type: ignore[misc]
        self.compare(name)

    @rule(
        data=st.data(),
        mutations=st.lists(universe.conditional_mutations(), max_size=2),
        writer=universe.authorizations,
    )
    def write_if(self, data: st.DataObject, mutations: list[Any], writer: Any) -> None:
        """Write under conditions."""
        name = self.draw_name(data)
        if name.startswith("elements"):
            return  # its values are not numbers
        self.both(
            lambda side: self.sides[side].conditional_write(name, mutations, authorizations=writer)
        )
        self.compare(name)

    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        """Merge all of a table, on both sides: later answers depend on it."""
        name = self.draw_name(data)
        self.both(lambda side: self.sides[side].compact(name) and None)

    @rule(data=st.data(), first=universe.rows, second=universe.rows)
    def merge_rows(self, data: st.DataObject, first: bytes, second: bytes) -> None:
        """Merge some rows, on both sides."""
        name = self.draw_name(data)
        rows = Range.rows(min(first, second), max(first, second))
        self.both(lambda side: self.sides[side].compact(name, range=rows) and None)
        self.compare(name)

    @precondition(lambda self: self.merges_runs)
    @rule(data=st.data())
    def merge_some(self, data: st.DataObject) -> None:
        """Merge some runs of the engine alone: no answer may ever show it."""
        engine = self.sides[0]
        names = [name for name in engine.tables() if engine.stats(name).runs > 2]
        if not names:
            return
        name = data.draw(st.sampled_from(names))
        count = engine.stats(name).runs
        first = data.draw(st.integers(0, count - 2))
        last = data.draw(st.integers(first + 2, count))
        if last - first < count:
            engine.compact(name, runs=(first, last))
            self.compare(name)

    @rule(span=universe.spans)
    def move_clock(self, span: int) -> None:
        """Let time pass, or jump back."""
        self.clock.advance(span)

    @precondition(lambda self: len(self.snapshots) < 3)
    @rule()
    def take_snapshot(self) -> None:
        """Keep a moment of both sides."""
        self.snapshots.append([side.snapshot() for side in self.sides])

    @precondition(lambda self: self.snapshots)
    @rule()
    def close_snapshot(self) -> None:
        """Let go of the oldest moment."""
        for snapshot in self.snapshots.pop(0):
            snapshot.close()

    @precondition(lambda self: self.reopen)
    @rule()
    def close_and_reopen(self) -> None:
        """Close the engine and open it again; snapshots do not outlive that."""
        while self.snapshots:
            self.close_snapshot()
        if self.reopen is not None:
            self.sides[0] = self.reopen(self.sides[0])

    @rule(data=st.data(), batch_cells=st.sampled_from([1, 2, 100]))
    def scan(self, data: st.DataObject, batch_cells: int) -> None:
        """Scan both sides, then cut the engine's answer anywhere and resume it."""
        name = self.draw_name(data)
        spec = data.draw(universe.scans(name[:-1]), label="scan")
        pair = self.draw_snapshot(data)
        answer = self.both(lambda side: self._read(side, name, spec, pair, batch_cells))
        if isinstance(answer, list) and answer:
            cut = data.draw(st.integers(0, len(answer) - 1), label="cut")
            rest = spec.resumed(resume_points(answer)[cut])
            assert self._read(0, name, rest, pair, batch_cells) == answer[cut + 1 :]

    def compare(self, name: str) -> None:
        """Compare all that a table holds, and resume behind every cell of it."""
        spec = ScanSpec(authorizations=ALL)
        answer = self.both(lambda side: self._read(side, name, spec, [None, None], 100))
        for place, point in enumerate(resume_points(answer) if isinstance(answer, list) else []):
            rest = self._read(0, name, spec.resumed(point), [None, None], 100)
            assert rest == answer[place + 1 :], f"resumed behind {point}"

    def _read(
        self, side: int, name: str, spec: ScanSpec, pair: list[Any], batch_cells: int
    ) -> list[Cell]:
        batches = self.sides[side].scan(name, spec, snapshot=pair[side], batch_cells=batch_cells)
        return list(chain.from_iterable(batches))

    @rule()
    def list_tables(self) -> None:
        """Compare the names of tables."""
        self.both(lambda side: self.sides[side].tables())

    def teardown(self) -> None:
        """Close both sides."""
        for side in self.sides:
            side.close()


def _outcome(ask: Side, side: int) -> Any:
    try:
        return ask(side)
    except LexigraphError as error:
        return type(error).__name__
