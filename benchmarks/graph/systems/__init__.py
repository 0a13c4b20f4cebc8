"""The systems that are measured: what each must be able to do, and where to find it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.graph.data import Data

OURS = "lexigraph"
PEERS = ("duckdb", "ladybug", "sqlite")


class System(ABC):
    """A database in a directory of its own. Each question is asked in the way that suits it best.

    Ids go in and come out as text, whatever the system keeps inside.
    """

    with_names: ClassVar[bool] = True
    """Whether a load makes an index by name."""

    def __init__(self, where: Path) -> None:
        self.where = where
        """Where the graph is kept; nothing else is there."""

    @property
    @abstractmethod
    def version(self) -> str: ...

    @abstractmethod
    def load(self, data: Data) -> None:
        """W1: make the store from the files, durable, with all indexes; leave it closed."""

    @abstractmethod
    def open(self) -> None:
        """Open the store for the questions."""

    @abstractmethod
    def neighbours(self, vertex: str) -> list[str]:
        """W3: where the edges of a vertex lead to."""

    @abstractmethod
    def neighbours_in_days(self, vertex: str) -> list[str]:
        """W3f: the same for the edges from FIRST_DAY to LAST_DAY."""

    @abstractmethod
    def pairs(self, vertices: list[str]) -> Any:
        """W3b: an Arrow table, or rows, of (source, destination) of all edges of many vertices."""

    @abstractmethod
    def hops(self, vertex: str, steps: int) -> int:
        """W4: how many vertices can be reached in so many steps and not in fewer."""

    def walk_ends(self, vertex: str, steps: int) -> int | None:
        """Answer an easier question than ``hops``: vertices of fewer steps may count too.

        Peers need less time for it, so they are measured by it; ours has none.
        """
        return None

    @abstractmethod
    def by_day(self) -> list[tuple[int, int, int]]:
        """W5: day, number of edges and sum of their weights, for each day."""

    @abstractmethod
    def edges(self) -> Any:
        """Return source, destination, day and weight of all edges: an Arrow table, or rows."""

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def open_events(self) -> None:
        """Make an empty store for events."""

    @abstractmethod
    def add_events(self, batch: Any) -> None:
        """W2: add the counts of a batch to what is there; on disk when it returns."""

    def settle_events(self) -> None:  # noqa: B027 - not every system puts work off
        """Do what was put off; its time counts."""

    @abstractmethod
    def events_by_day(self) -> list[tuple[int, int, int]]:
        """Give day, number of keys and sum of their counts, for each day."""


def system_named(name: str, where: Path) -> System:
    """Make a system; an ImportError where it is not installed."""
    made: System = import_module(f"{__name__}.{name}").Measured(where)
    return made
