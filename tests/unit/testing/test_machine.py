"""The memory engine under the state machine, against itself and against a model by brute force."""

from __future__ import annotations

from functools import partial

from lexigraph.store import MemoryEngine
from lexigraph.testing.machine import store_machine

from .model import Model

cut = partial(MemoryEngine, join_runs=False, cut_every=1)
runs = partial(MemoryEngine, join_runs=False)

TestCutAgainstWhole = store_machine(cut, examples=40).TestCase
TestRunsAgainstModel = store_machine(runs, oracle=Model, examples=80).TestCase
TestWholeAgainstModel = store_machine(MemoryEngine, oracle=Model, examples=20).TestCase
TestReopened = store_machine(
    MemoryEngine, oracle=Model, reopen=lambda engine: engine, examples=10
).TestCase
