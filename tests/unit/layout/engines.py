"""Engines to try layouts on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from tempfile import TemporaryDirectory

from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine

Make = Callable[[], AbstractContextManager[Engine]]


@contextmanager
def memory() -> Iterator[Engine]:
    with MemoryEngine() as engine:
        yield engine


@contextmanager
def embedded() -> Iterator[Engine]:
    with TemporaryDirectory() as home, EmbeddedEngine(home, durability="relaxed") as engine:
        yield engine


ENGINES = {"memory": memory, "embedded": embedded}
