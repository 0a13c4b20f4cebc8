"""What a stage is: a sorted source of cells made from another, by named options.

Layer ``store``. A stage maps a sorted table of cells to a sorted table of cells. Its ``scan`` may
be called any number of times, with any range, also one that starts inside a group of cells: it
keeps no state between calls. So an answer never depends on where a scan is cut.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Protocol

from lexigraph.cells.cell import Cell
from lexigraph.cells.key_sets import KeySet
from lexigraph.cells.ranges import Range
from lexigraph.security import ALL, All, Authorizations


class StageScope(Enum):
    """When a stage runs: for a reader, or when runs are merged for ever."""

    SCAN = "scan"
    FLUSH = "flush"
    """A new run is made from what was just written; older cells are not seen."""
    MERGE = "merge"
    """Some runs are merged; others, older or newer, are not seen."""
    FULL = "full"
    """Every run is merged: delete markers end here."""

    @property
    def keeps_deletes(self) -> bool:
        """Whether delete markers must be passed on, because cells they hide may be elsewhere."""
        return self in (StageScope.FLUSH, StageScope.MERGE)


@dataclass(frozen=True, slots=True)
class Families:
    """Which families a scan wants: exactly ``names``, or all but ``names``.

    >>> Families().wanted(b"any"), Families(frozenset({b"f"}), inclusive=True).wanted(b"g")
    (True, False)
    """

    names: frozenset[bytes] = frozenset()
    inclusive: bool = False

    def wanted(self, family: bytes) -> bool:
        """Return whether cells of ``family`` are wanted."""
        return (family in self.names) == self.inclusive


class CellSource(Protocol):
    """Anything that gives sorted cells of a range: a merge of runs, or a stage on top of it."""

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells of ``range`` in key order, lazily."""
        ...


@dataclass(frozen=True, slots=True)
class StageContext:
    """What a stage may know of the scan or merge that it runs in."""

    scope: StageScope = StageScope.SCAN
    now: int = 0
    """The scan's clock value, in the table's time unit."""
    authorizations: Authorizations | All = ALL
    combine: bool = True
    """False in a merge where an unseen cell could lie between two seen ones."""
    plans: dict[str, Any] = field(default_factory=dict)
    """Key plans by name, for element stages: one dict for each stack, made from the bottom up, to
    which a roll-up adds the plan of its output."""
    sets: Mapping[str, KeySet] = field(default_factory=dict)
    """Sets of keys by name, for predicates."""


class Stage(ABC):
    """One named step over cells. Subclasses parse ``options`` in ``__init__``: bad ones raise
    :class:`~lexigraph.errors.InvalidOption` there, before any cell is read.
    """

    name: ClassVar[str]
    """The name in a scan spec; stable, never reused for another meaning."""
    whole_scan: ClassVar[bool] = False
    """Whether it works over all ranges of a scan at once (limit, summarise)."""
    combines: ClassVar[bool] = False
    """Whether at merge scope it replaces several cells by one."""
    combines_versions: ClassVar[bool] = False
    """Whether those cells are the versions of one column, so that it must see all of them."""
    in_parts: ClassVar[bool] = True
    """Whether a merge of some cells, then of all, comes to what the second would alone."""
    of_rows: ClassVar[bool] = False
    """Whether what it does to a cell depends on other families of the row."""
    ends_with_row: ClassVar[bool] = False
    """Whether a range that ends inside a row gives all results of that row, or none of them where
    the end is exclusive."""
    default_priority: ClassVar[int] = 50
    """Where it stands when a spec gives no priority; lower is closer to the data."""

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        self.source = source
        self.context = context

    @abstractmethod
    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield this stage's cells of ``range`` in key order, lazily."""
