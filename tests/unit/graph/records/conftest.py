"""A graph of records on each engine of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import lexigraph as lg
from tests.unit.graph.records.graphs import CLASSES


@pytest.fixture(params=["memory", "embedded"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return ":memory:" if request.param == "memory" else str(tmp_path / "g")


@pytest.fixture
def graph(path: str) -> Iterator[lg.Graph]:
    with lg.open(path, CLASSES, authorizations=lg.ALL) as made:
        yield made


@pytest.fixture
def free(path: str) -> Iterator[lg.Graph]:
    """Yield a graph without a schema."""
    with lg.open(path, authorizations=lg.ALL) as made:
        yield made
