"""Long scans: other threads run meanwhile, and a signal, a cancel or a limit ends them."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.errors import InternalError, QueryCancelled, QueryTimeout
from lexigraph.store import CellBatch, EmbeddedEngine, ScanSpec

NOTHING = ScanSpec(stages=[("grep", {"term": "not there"})])
"""A scan that reads everything and gives nothing."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedEngine]:
    with EmbeddedEngine(tmp_path_factory.mktemp("large"), threads=1) as engine:
        engine.create_table("t")
        cells = [Cell(b"%07d" % n, b"f", value=b"%d" % (n * 7919)) for n in range(200_000)]
        engine.load("t", CellBatch.from_cells(cells), sorted=True)
        yield engine


def test_a_scan_is_cancelled_while_it_makes_a_batch(engine: EmbeddedEngine) -> None:
    current = [engine.scan("t", NOTHING)]
    ended = threading.Event()

    def scan_again_and_again() -> None:
        try:
            while not ended.is_set():
                current[0] = engine.scan("t", NOTHING)
                list(current[0])
        except QueryCancelled:
            ended.set()

    thread = threading.Thread(target=scan_again_and_again)
    thread.start()
    while not ended.is_set():
        current[0].cancel()
    thread.join()


def test_a_scan_ends_at_its_time_limit_while_it_makes_a_batch(engine: EmbeddedEngine) -> None:
    with pytest.raises(QueryTimeout):
        list(engine.scan("t", NOTHING, timeout_s=1e-4))


def test_a_signal_ends_a_long_scan(engine: EmbeddedEngine) -> None:
    code = f"""
import os, signal, threading
from lexigraph.store import EmbeddedEngine, ScanSpec
# A shell starts what runs in its background with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
engine = EmbeddedEngine({str(engine.path)!r}, read_only=True, threads=1)
spec = ScanSpec(stages=[("grep", {{"term": "not there"}})])
try:
    print("ready", flush=True)
    while True:
        list(engine.scan("t", spec))
except KeyboardInterrupt:
    # It may be asked once more before it has ended.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("interrupted", flush=True)
engine.close()
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    said = None
    for _ in range(12):
        # Python drops an interrupt that comes while it cleans up a generator: ask again.
        child.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            said = child.communicate(timeout=5)[0]
            break
    assert said == "interrupted\n"
    assert child.returncode == 0


def runs_beside(work: Callable[[], object]) -> bool:
    """Whether this thread gets to run before another one is done with the work."""
    done = threading.Event()
    thread = threading.Thread(target=lambda: (work(), done.set()))
    thread.start()
    beside = not done.is_set()
    thread.join()
    return beside


def test_threads_of_python_run_while_the_core_scans(engine: EmbeddedEngine) -> None:
    usual = sys.getswitchinterval()
    # Now no thread is made to give way: another runs only where it waits or lets it.
    sys.setswitchinterval(1000)
    try:
        assert not any(runs_beside(lambda: sum(range(300_000))) for _ in range(20))
        # On a busy machine a scan may be over before this thread gets its turn.
        assert any(runs_beside(partial(list, engine.scan("t", NOTHING))) for _ in range(200))
    finally:
        sys.setswitchinterval(usual)


def test_a_panic_of_the_core_is_an_internal_error() -> None:
    native = pytest.importorskip("lexigraph._native")
    with pytest.raises(InternalError, match="tried out"):
        native.fail_inside("tried out")


def test_scans_with_several_threads_give_the_same(tmp_path: Path, engine: EmbeddedEngine) -> None:
    one = [cell for batch in engine.scan("t") for cell in batch]
    with EmbeddedEngine(engine.path, read_only=True, threads=4) as many:
        assert [cell for batch in many.scan("t") for cell in batch] == one
