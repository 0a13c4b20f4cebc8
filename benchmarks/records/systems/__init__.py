"""The systems that are measured with records: what each must be able to do; where to find it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from benchmarks.graph.data import Data


class RecordSystem(Protocol):
    """A database in a directory of its own, asked in the way that suits it best."""

    where: Path

    @property
    def version(self) -> str: ...

    def load(self, data: Data) -> None:
        """Make the store from the files, durable, with an index by id; leave it closed."""

    def open(self) -> None:
        """Open the store for the questions, and for changes that are on disk when they return."""

    def vertex(self, vertex: str) -> tuple[Any, ...]:
        """Return name and age of a vertex."""

    def neighbours(self, vertex: str) -> list[str]:
        """Return where the edges of a vertex lead to."""

    def neighbours_in_days(self, vertex: str) -> list[str]:
        """Return the same for the edges from FIRST_DAY to LAST_DAY."""

    def near(self, vertices: list[str]) -> Any:
        """Return source, destination, and its name and age, for all edges of many vertices."""

    def update(self, ages: Any, rows: list[tuple[Any, ...]]) -> None:
        """Change ages in one transaction: a table of id, age and label, or the same as rows."""

    def close(self) -> None: ...


def system_named(name: str, where: Path) -> RecordSystem:
    """Make a system; an ImportError where it is not installed."""
    made: RecordSystem = import_module(f"{__name__}.{name}").Measured(where)
    return made
