"""What every topic of the store suite shares: an engine, its clock and two tables.

Layer ``testing``. The clock stands still unless a test moves it, so every timestamp in an expected
answer can be written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import pytest

from lexigraph.errors import UnsupportedError
from lexigraph.security import ALL
from lexigraph.store import (
    Cell,
    Engine,
    ManualClock,
    Resume,
    ScanSpec,
    Snapshot,
    StageSpec,
    Table,
    TableSettings,
)
from lexigraph.testing.backend import Topic

START = 1_000_000
"""Where the clock of a test stands at first, in microseconds."""

KEEP_ALL = TableSettings(max_versions=None)


class StoreTests(Topic):
    """The base of all topics."""

    @pytest.fixture
    def clock(self) -> ManualClock:
        """Return the clock of the engine."""
        return ManualClock(START)

    @pytest.fixture
    def engine(self, clock: ManualClock) -> Iterator[Engine]:
        """Yield an empty engine that grants everything."""
        with self.backend.make(clock=clock) as engine:
            yield engine

    @pytest.fixture
    def runs(self, clock: ManualClock) -> Iterator[Engine]:
        """Yield an engine that keeps a run for each commit."""
        if self.backend.make_runs is None:
            raise UnsupportedError(f"engine {self.backend.name!r} cannot merge only some runs")
        with self.backend.make_runs(clock=clock) as engine:
            yield engine

    @pytest.fixture
    def table(self, engine: Engine) -> Table:
        """Return a table as they are by default: the newest version of each column."""
        return engine.create_table("plain")

    @pytest.fixture
    def raw(self, engine: Engine) -> Table:
        """Return a table that keeps every version."""
        return engine.create_table("raw", KEEP_ALL)


def read(
    table: Table,
    spec: ScanSpec | None = None,
    *,
    snapshot: Snapshot | None = None,
    batch_cells: int = 4096,
) -> list[Cell]:
    """Return what a scan gives; without a spec all of it, as the owner sees it."""
    spec = ScanSpec(authorizations=ALL) if spec is None else spec
    batches = table.engine.scan(table.name, spec, snapshot=snapshot, batch_cells=batch_cells)
    return list(chain.from_iterable(batches))


def values(cells: Iterable[Cell]) -> list[str]:
    """Return the values of cells as text."""
    return [cell.value.decode() for cell in cells]


def rows(cells: Iterable[Cell]) -> list[bytes]:
    """Return the rows of cells."""
    return [cell.row for cell in cells]


def times(cells: Iterable[Cell]) -> list[int]:
    """Return the timestamps of cells."""
    return [cell.timestamp for cell in cells]


def stage(name: str, *, priority: int | None = None, **options: Any) -> StageSpec:
    """Return a stage, its options given by name."""
    return StageSpec(name, options, priority)


def resume_points(cells: list[Cell]) -> list[Resume]:
    """Return for each cell of a result the point behind it."""
    points: list[Resume] = []
    for cell in cells:
        same = points and points[-1].key == cell.key
        points.append(Resume(cell.key, points[-1].seen + 1 if same else 1))
    return points


SUM = stage("sum", encoding="text")
