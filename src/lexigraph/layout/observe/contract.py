"""What an observer of writes is: it sees every change of a graph, and may add cells to its commit.

Layer ``layout``. The contract:

- **What it sees.** ``observe`` is called before each commit, with all changes of the commit in
  columns (:class:`~.changed.Changed`), by group, adds and deletes apart. It makes no difference
  whether elements came one by one, in columns, in a load, in a transaction or by a repair. A load
  calls it for each part. A transaction calls it for each part that its own questions are to see,
  and for parts that it takes back, then once with everything before it commits. A load ends with
  a call for its counts and labels (``bulk``).
- **What it answers.** Cells for tables of its own (:class:`Observed`). They are stored in the
  commit of the changes, or not at all. If an engine stores row by row, ``phase`` gives the order:
  an index entry is written ``BEFORE`` its element and removed ``AFTER`` it, so that an element is
  never without its entry; an entry without its element can be there, and is verified when read.
- **What it may ask.** :class:`~.context.Context`: reads of the snapshot as the owner or as the
  writer, by ``reads_as``; the writer's authorizations; ranges that must not change before the
  commit. An index reads as ``OWNER``. A constraint reads as ``WRITER``: it must not reveal what
  its writer may not see. It refuses a write by raising an error of ``lexigraph.errors``.
- **When it is done.** ``committed`` is called after the commit, once, with the time of it; commits
  of one process come in order. The write is stored: an exception is logged and undoes nothing, and
  the other observers are still called. An interrupt (Ctrl-C) is raised once all were called. It is
  never called for what was not stored.

``observe`` keeps no state and may be called again for the same changes. Cells follow from each
change by itself: those of a whole are those of its parts. Not observed are merges,
which remove what rules age off, and tables that are cleared or dropped as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, ClassVar

from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.observe.changed import Changed, Made
from lexigraph.store.conditions import ConditionalMutation

if TYPE_CHECKING:
    from lexigraph.layout.observe.context import Context


class Reader(Enum):
    """As whom an observer reads."""

    OWNER = "owner"
    """Everything that the engine may read, whatever the writer may."""
    WRITER = "writer"
    """What the writer may read."""


class Phase(IntEnum):
    """When cells are written by an engine whose atomic unit is the row."""

    BEFORE = 0
    """Before the elements: entries of an index."""
    WITH = 1
    """With the elements."""
    AFTER = 2
    """After the elements, and with their time: removals from an index."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What an observer adds to a commit: cells by the engine's name of their table.

    ``conditions`` are writes of single rows that count only if their conditions hold, by table.
    They are for engines that cannot check ranges (``context.checks_ranges``), are written first,
    and if one is refused the write is a Conflict. ``made`` are cells that have the time of the
    commit in their bytes; they are made after those of records.
    """

    batches: Mapping[str, MutationBatch] = field(default_factory=dict)
    phase: Phase = Phase.WITH
    conditions: Mapping[str, Sequence[ConditionalMutation]] = field(default_factory=dict)
    made: Made | None = None

    __hash__ = None  # type: ignore[assignment]


class Observer:
    """An observer that adds nothing and does nothing; subclasses override what they need."""

    reads_as: ClassVar[Reader] = Reader.OWNER

    def observe(self, changed: Changed, context: Context) -> Iterable[Observed]:
        """Return cells for the commit of these changes, or refuse it by raising."""
        return ()

    def committed(self, changed: Changed, timestamp: int) -> None:
        """Take note that these changes were committed, at this time in microseconds."""
