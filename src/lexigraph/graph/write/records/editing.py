"""Changing records as somebody: checked, judged and stored, at once or with a transaction.

Layer ``graph``. The one way from a session to the records of its graph. With ``own_labels`` every
visibility that a change writes must be one that the session can read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Protocol

from lexigraph.errors import LexigraphError
from lexigraph.graph.write.records.fitting import RecordFitter
from lexigraph.graph.write.records.options import NO_RECORD_OPTIONS, RecordOptions
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.records.write.changes import AddVertices, RecordChange
from lexigraph.layout.records.write.report import RecordReport
from lexigraph.layout.write.record_commit import RecordBatch, RecordsStored, bound_records
from lexigraph.layout.write.writer import LabelsCheck

if TYPE_CHECKING:
    from lexigraph.graph.access import Access

_VISIBILITIES = ("visibility", "to", "entry_visibility", "expression")
_INSIDE = ("value", "values", "metadata")


class RecordSink(Protocol):
    """Takes changes of records that belong together."""

    def write(self, batch: RecordBatch, changed: Changed | None = None) -> RecordsStored:
        """Take them, with what is added to summary groups in the same commit."""
        ...


class RecordEditor:
    """Changes records of one graph."""

    def __init__(self, access: Access, sink: RecordSink, check: LabelsCheck) -> None:
        stored = access.stored
        self.fitter = RecordFitter(bound_records(stored), stored.ids, learns=access.learns)
        self._sink, self._check = sink, check
        self._held: list[RecordChange] = []
        self.report = RecordReport()
        """What all changes that were stored did."""

    @property
    def held(self) -> int:
        """How many changes were taken and not stored yet."""
        return len(self._held)

    def take(self, change: RecordChange) -> None:
        """Hold a change until the next ``store``."""
        self._check(visibilities_of(change))
        self._held.append(change)

    def take_together(self, change: AddVertices) -> None:
        """Hold a change that adds many."""
        self._check(change.cells.labels())
        self._held.append(change)

    def take_element(
        self, item: Any, number: int | None, how: RecordOptions = NO_RECORD_OPTIONS
    ) -> None:
        """Hold the change that adds an element."""
        self.take(self.fitter.element(item, how, number))

    def store(self, changed: Changed | None = None) -> RecordsStored:
        """Store the changes that are held; they are held no longer, whatever comes of it."""
        batch = RecordBatch(self._held, self.fitter.used)
        self._held, self.fitter.used = [], []
        done = self._sink.write(batch, changed)
        for one in fields(RecordReport):
            counted = getattr(self.report, one.name) + getattr(done.report, one.name)
            setattr(self.report, one.name, counted)
        return done

    def apply(self, change: RecordChange) -> RecordsStored:
        """Store one change."""
        self.take(change)
        try:
            return self.store()
        except LexigraphError:
            self._held.clear()
            raise


def visibilities_of(change: Any) -> Iterator[bytes]:
    """Yield the visibilities that a change writes.

    >>> from lexigraph.layout.records.write.changes import AddVertex, GivenValue
    >>> value = GivenValue(name="age", value=3, visibility=b"hr")
    >>> list(visibilities_of(AddVertex(id="ann", values=(value,), visibility=b"public")))
    [b'hr', b'public']
    """
    for one in fields(change):
        held = getattr(change, one.name)
        if one.name in _VISIBILITIES and isinstance(held, bytes):
            yield held
        elif one.name in _INSIDE:
            for inner in held if isinstance(held, tuple) else (held,):
                if is_dataclass(inner):
                    yield from visibilities_of(inner)
