"""One row of a commit: its stored facts, and what the commit writes to it.

Layer ``layout``. A fact that is to be written has no time of its own yet (its ``time`` is 0).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from lexigraph.cells.cell import MIN_TIMESTAMP
from lexigraph.layout.records.assembling.assembler import column_of
from lexigraph.layout.records.assembling.versions import later
from lexigraph.layout.records.fact_reader import DECIDING, PRESENCE, sort_facts
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    FactState,
    MetadataFact,
    ValueFact,
)
from lexigraph.layout.records.subjects import RowSubject, Subject
from lexigraph.layout.records.write.columns import (
    FOREVER,
    ChangeTime,
    Lifetime,
    PendingColumn,
    PendingVersion,
)
from lexigraph.streaming import StreamingValue

_Column = tuple[type[AnyFact], bytes, bytes]
SavedChanges = dict[_Column, tuple[list[AnyFact], list[PendingVersion]]]


class FactMarker(NamedTuple):
    """A delete marker of the engine for the column of a fact, up to a time."""

    fact: AnyFact
    time: int


class PendingRow:
    """The facts of one subject, stored and to come."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.looked = False
        """Whether the stored facts are here: a blind add does not read them."""
        self.complete = False
        """Whether all of them are here: an add needs those of the presence only."""
        self.removes = False
        """Whether anything of it is removed for good, or was to be."""
        self.beside: list[AnyFact] = []
        """What the log has to know of a row that the change itself does not look at."""
        self._here: tuple[type[AnyFact], ...] = ()
        self._columns: dict[_Column, PendingColumn] = {}

    def look(self, stored: Iterable[AnyFact]) -> None:
        """Take the stored facts; those of the presence may be here already."""
        self.looked, self.complete = True, True
        for fact in stored:
            if not isinstance(fact, self._here):
                self.column(fact).stored.append(fact)

    def look_at_presence(self, stored: Iterable[AnyFact], *, hides: bool = False) -> None:
        """Take the stored facts that say whether the subject is seen."""
        self.looked, self._here = True, DECIDING if hides else PRESENCE
        for fact in stored:
            self.column(fact).stored.append(fact)

    @property
    def is_mark(self) -> bool:
        """Whether it says until when the rows under an element ended."""
        return isinstance(self.subject, RowSubject) and self.subject.is_mark

    @property
    def changed(self) -> bool:
        """Whether the commit writes to it."""
        return any(one.changed for one in self._columns.values())

    @property
    def known(self) -> list[AnyFact]:
        """The stored facts that are here, also those beside."""
        return self.stored if self.looked else self.beside

    @property
    def stored(self) -> list[AnyFact]:
        """The stored facts."""
        return [fact for column in self._columns.values() for fact in column.stored]

    def saved(self) -> SavedChanges:
        """Return what the commit writes so far, for :meth:`restore`."""
        return {
            key: (list(column.copies), list(column.changes))
            for key, column in self._columns.items()
            if column.changed
        }

    def restore(self, saved: SavedChanges) -> None:
        """Go back to what was saved."""
        for key, column in self._columns.items():
            copies, changes = saved.get(key, ([], []))
            column.copies, column.changes = list(copies), list(changes)

    def column(self, fact: AnyFact) -> PendingColumn:
        """Return the column of a fact."""
        return self._columns.setdefault(column_of(fact), PendingColumn())

    def say(
        self,
        fact: AnyFact,
        own: int | None,
        floor: int = MIN_TIMESTAMP,
        *,
        metadata: tuple[MetadataFact, ...] = (),
        life: Lifetime = FOREVER,
    ) -> ChangeTime:
        """Write that a fact holds, no earlier than it ended in the same commit; return when."""
        column = self.column(fact)
        time = ChangeTime(own, max(floor, column.said_floor()))
        column.changes.append(PendingVersion(fact, time, metadata, life))
        return time

    def end(
        self,
        fact: AnyFact,
        state: FactState,
        own: int | None,
        *,
        floor: int = MIN_TIMESTAMP,
        note: Any = None,
    ) -> None:
        """Write that a fact ended.

        Without a time of its own it is dated after everything that the column has.
        """
        column = self.column(fact)
        self.removes |= state is FactState.REMOVED
        time = ChangeTime(own, max(floor, column.end_floor()))
        column.changes.append(PendingVersion(_ending(fact, state, note), time))

    def switch(self, fact: AnyFact, own: int | None) -> None:
        """Write that a hide or an additional visibility begins or ends, and let it take effect."""
        column = self.column(fact)
        column.changes.append(PendingVersion(fact, ChangeTime(own, column.end_floor())))

    def facts(self, commit: int) -> list[AnyFact]:
        """Return what is stored and what a commit of this time writes, in the order of cells."""
        return self._facts(commit, self._columns.values())

    def presence(self, commit: int) -> list[AnyFact]:
        """Return of these facts those that say whether the subject is seen."""
        return self._facts(
            commit, (one for key, one in self._columns.items() if issubclass(key[0], PRESENCE))
        )

    def _facts(self, commit: int, columns: Iterable[PendingColumn]) -> list[AnyFact]:
        found: list[AnyFact] = []
        for column in columns:
            found += column.stored
            if column.changed:
                found += column.written(commit).facts
        return found if len(found) < 2 else sort_facts(found)

    def written(self, commit: int) -> tuple[list[AnyFact], list[FactMarker]]:
        """Return what a commit of this time writes: facts, and markers for what it removes."""
        facts: list[AnyFact] = []
        markers: list[FactMarker] = []
        for column in list(self._columns.values()):
            if column.changed:
                written = column.written(commit)
                facts += written.facts
                if written.removed is not None and column.stored:
                    ended = (column.stored[0], *self._metadata_of(column.stored[0]))
                    markers += [FactMarker(one, written.removed - 1) for one in ended]
        return facts, markers

    def removed_streams(self, written: Iterable[AnyFact]) -> list[tuple[StreamingValue, bytes]]:
        """Return the stored streaming values that facts remove, with their visibilities."""
        found = []
        for fact in written:
            if fact.state is FactState.REMOVED and isinstance(fact, ValueFact):
                for one in self.column(fact).stored:
                    value = one.value if isinstance(one, ValueFact) else None
                    if isinstance(value, StreamingValue) and one.time <= fact.time:
                        found.append((value, one.visibility))
        return found

    def _metadata_of(self, fact: AnyFact) -> Iterable[AnyFact]:
        """Yield one stored fact of each metadata column of a value, of all its versions."""
        if isinstance(fact, ValueFact):
            value = (fact.name, fact.key, fact.visibility)
            for column in self._columns.values():
                one = column.stored[0] if column.stored else None
                if (
                    isinstance(one, MetadataFact)
                    and (one.name, one.key, one.value_visibility) == value
                ):
                    yield one

    def forget_metadata(self, value: ValueFact) -> None:
        """Drop what was to be written of the metadata of a value that is removed."""
        named = (value.name, value.key, value.visibility)
        for column in self._columns.values():
            column.changes = [
                one
                for one in column.changes
                if not isinstance(one.fact, MetadataFact)
                or (one.fact.name, one.fact.key, one.fact.value_visibility) != named
            ]

    def move_past(self, old: ExistenceFact, to: bytes) -> None:
        """Write all versions of an existence under another visibility, and remove it."""
        source, target = self.column(old), self.column(replace(old, visibility=to))
        floor = source.end_floor()
        held = [one for one in (*source.stored, *source.copies) if isinstance(one, ExistenceFact)]
        removed = max((one.time for one in held if one.state is FactState.REMOVED), default=None)
        for one in held:
            if removed is None or one.time > removed:
                # The removal stays behind, so that it ends nothing that others wrote there.
                said = one.state is FactState.SAID
                ended = later(one.ended, removed) if said else None
                target.copies.append(replace(one, visibility=to, ended=ended))
        for change in source.changes:
            hard = change.fact.state is FactState.REMOVED
            state = FactState.DELETED if hard else change.fact.state
            moved = replace(change.fact, visibility=to, state=state)
            target.changes.append(replace(change, fact=moved))
        source.changes = [one for one in source.changes if one.fact.state is FactState.REMOVED]
        source.copies.clear()
        self.end(old, FactState.REMOVED, None, floor=floor)


def _ending(fact: AnyFact, state: FactState, note: Any) -> AnyFact:
    ended = replace(fact, state=state, note=note, stamp=None, ttl=None)
    if isinstance(ended, ExistenceFact):
        return replace(ended, shape=None, signature=(), ended=None)
    return replace(ended, value=None) if isinstance(ended, ValueFact | MetadataFact) else ended
