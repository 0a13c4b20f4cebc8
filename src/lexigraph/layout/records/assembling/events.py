"""The history of subjects: one event for each version of their facts.

Layer ``layout``; section 7 of ``spec/facts.md``. Events are made of the cells that a reader can
see, and of none if it does not satisfy the additional visibilities that are in force now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nsmallest
from itertools import groupby, pairwise
from typing import Any

from lexigraph.layout.records.assembling.assembler import column_of
from lexigraph.layout.records.assembling.retention import after_removal
from lexigraph.layout.records.assembling.versions import judge, ordered_versions
from lexigraph.layout.records.cells import qualifier_of
from lexigraph.layout.records.elements import RecordMetadata
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    FactState,
    HideFact,
    LabelFact,
    MetadataFact,
    RequiredFact,
    ValueFact,
    ValueHideFact,
)
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.subjects import ReferenceSubject
from lexigraph.layout.records.values import encode_fact_value
from lexigraph.security import LabelCache

EventPosition = tuple[int, int, int, bytes, bytes, bytes, int, bytes]
"""Where an event stands among those of its history."""

_RANKS: dict[type[AnyFact], int] = {
    kind: rank
    for rank, kind in enumerate(
        (ExistenceFact, LabelFact, ValueFact, ValueHideFact, HideFact, RequiredFact)
    )
}
_SAID, _DELETED, _MOVED, _REMOVED, _UNDONE = FactState
_KINDS: dict[tuple[type[AnyFact], FactState], str] = {
    (ExistenceFact, _SAID): "added",
    (ExistenceFact, _DELETED): "deleted",
    (ExistenceFact, _MOVED): "moved away",
    (ExistenceFact, _REMOVED): "removed",
    (LabelFact, _SAID): "label added",
    (LabelFact, _DELETED): "label deleted",
    (ValueFact, _SAID): "value set",
    (ValueFact, _DELETED): "value deleted",
    (ValueHideFact, _SAID): "value hidden",
    (ValueHideFact, _UNDONE): "value shown",
    (HideFact, _SAID): "hidden",
    (HideFact, _UNDONE): "shown",
    (RequiredFact, _SAID): "visibility required",
    (RequiredFact, _UNDONE): "visibility released",
}


@dataclass(frozen=True, slots=True)
class RecordEvent:
    """One thing that happened to a subject.

    ``previous`` is the value before it. ``moved_from`` are the visibilities that a moved existence
    had. ``position`` is what the next page starts after.
    """

    kind: str
    fact: AnyFact
    position: EventPosition
    previous: Any = None
    metadata: tuple[RecordMetadata, ...] = ()
    moved_from: tuple[bytes, ...] = ()


def history(
    facts: Iterable[AnyFact],
    reading: RecordReading,
    *,
    since: int | None = None,
    limit: int | None = None,
    after: EventPosition | None = None,
) -> list[RecordEvent]:
    """Return the events of subjects, newest first: those after a position, and so many of them.

    ``since`` is the earliest time and the as-of time of the reading the latest, both included.
    """
    found = (
        event
        for event in _events(facts, reading)
        if (since is None or event.fact.time >= since) and (after is None or event.position > after)
    )
    if limit is None:
        return sorted(found, key=_position)
    return nsmallest(limit, found, key=_position)


def _position(event: RecordEvent) -> EventPosition:
    return event.position


def _events(facts: Iterable[AnyFact], reading: RecordReading) -> Iterator[RecordEvent]:
    labels = LabelCache(reading.authorizations)
    for _, of_subject in groupby(facts, key=lambda fact: fact.subject):
        columns = [
            list(column)
            for key, column in groupby(of_subject, key=column_of)
            if labels.can_see(key[2])
        ]
        required = (judge(one, None).said for one in columns if isinstance(one[0], RequiredFact))
        if all(labels.can_see(one.expression) for one in required if isinstance(one, RequiredFact)):
            yield from _Subject(columns, reading.as_of).events()


class _Subject:
    def __init__(self, columns: list[list[AnyFact]], as_of: int | None) -> None:
        self._columns = [
            [
                one
                for one in ordered_versions(after_removal(column))
                if as_of is None or one.time <= as_of
            ]
            for column in columns
        ]
        self._moved: dict[int, list[bytes]] = {}
        self._added: dict[int, list[bytes]] = {}
        self._metadata: dict[tuple[str, bytes, bytes, int], list[MetadataFact]] = {}
        for column in self._columns:
            for one in column:
                if isinstance(one, ExistenceFact) and one.state is _MOVED:
                    self._moved.setdefault(one.time, []).append(one.visibility)
                if isinstance(one, ExistenceFact) and one.state is _SAID:
                    self._added.setdefault(one.time, []).append(one.visibility)
            newest = column[0] if column else None
            if isinstance(newest, MetadataFact) and newest.state is _SAID:
                value = (newest.name, newest.key, newest.value_visibility, newest.value_time)
                self._metadata.setdefault(value, []).append(newest)

    def events(self) -> Iterator[RecordEvent]:
        """Yield the events in the order of facts."""
        for column in self._columns:
            for fact, before in pairwise([*column, None]):
                kind = fact and self._kind(fact, before)
                if fact and kind:
                    yield self._event(kind, fact, before)

    def _kind(self, fact: AnyFact, before: AnyFact | None) -> str | None:
        reference = isinstance(fact.subject, ReferenceSubject)
        if reference and not isinstance(fact, ExistenceFact):
            return None
        kind = _KINDS.get((type(fact), fact.state))
        if isinstance(fact, ExistenceFact):
            if fact.state is _MOVED and _others(self._added, fact):
                return None
            if fact.state is _SAID and self._moved_from(fact):
                kind = "moved"
            elif fact.state is _SAID and _is_reshaped(fact, before):
                kind = "reshaped"
        return f"edge {kind}" if reference and kind else kind

    def _event(self, kind: str, fact: AnyFact, before: AnyFact | None) -> RecordEvent:
        reference = isinstance(fact.subject, ReferenceSubject)
        position: EventPosition = (
            -fact.time,
            int(reference),
            _RANKS[type(fact)],
            fact.subject.key,
            qualifier_of(fact),
            fact.visibility,
            -fact.written,
            encode_fact_value(fact),
        )
        if isinstance(fact, ExistenceFact) and fact.state is _SAID:
            return RecordEvent(kind, fact, position, moved_from=self._moved_from(fact))
        if not isinstance(fact, ValueFact):
            return RecordEvent(kind, fact, position)
        previous = before.value if isinstance(before, ValueFact) else None
        return RecordEvent(kind, fact, position, previous, self._metadata_of(fact))

    def _moved_from(self, fact: ExistenceFact) -> tuple[bytes, ...]:
        return _others(self._moved, fact)

    def _metadata_of(self, fact: ValueFact) -> tuple[RecordMetadata, ...]:
        if fact.state is not _SAID:
            return ()
        entries = self._metadata.get((fact.name, fact.key, fact.visibility, fact.time), [])
        return tuple(
            RecordMetadata(one.entry, one.visibility, one.value)
            for one in entries
            if one.written >= fact.written
        )


def _others(times: dict[int, list[bytes]], fact: ExistenceFact) -> tuple[bytes, ...]:
    return tuple(one for one in times.get(fact.time, ()) if one != fact.visibility)


def _is_reshaped(fact: ExistenceFact, before: AnyFact | None) -> bool:
    if not isinstance(before, ExistenceFact) or before.state is not _SAID:
        return False
    return _content(fact) != _content(before)


def _content(fact: ExistenceFact) -> bytes:
    bare = ExistenceFact(subject=fact.subject, time=0, shape=fact.shape, signature=fact.signature)
    return encode_fact_value(bare)
