"""What a commit writes to one column: the versions that are stored, and those to come.

Layer ``layout``; the first rules of section 6 of ``spec/facts.md``. Of several changes with one
time the last is written, except that what follows a delete or a removal must not undo its effect
on what is older. The time of a change is known only when its commit has one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP
from lexigraph.errors import InvalidValue, show
from lexigraph.layout.records.assembling.versions import later
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    FactState,
    MetadataFact,
    ValueFact,
)


@dataclass(frozen=True, slots=True)
class ChangeTime:
    """A time of its own, or that of the commit but not before ``floor``.

    >>> ChangeTime().at(7), ChangeTime(own=3).at(7), ChangeTime(floor=9).at(7)
    (7, 3, 9)
    """

    own: int | None = None
    floor: int = MIN_TIMESTAMP

    def __post_init__(self) -> None:
        """Refuse what no cell can have."""
        own = self.own
        if own is None:
            return
        if isinstance(own, bool) or not isinstance(own, int):
            raise InvalidValue(f"a time is a number of microseconds, not {show(own)}")
        # One less must be left, for what is strictly older.
        if not MIN_TIMESTAMP + 2 <= own <= MAX_TIMESTAMP:
            raise InvalidValue(f"the time {own} does not fit in 64 bits")

    def at(self, commit: int) -> int:
        """Return the time, in a commit of this time."""
        return max(commit, self.floor) if self.own is None else self.own

    def earliest(self) -> int:
        """Return the time that it has at least."""
        return self.floor if self.own is None else self.own


def after(time: int) -> int:
    """Return the time one microsecond later; the last of all times has none after it."""
    return min(time + 1, MAX_TIMESTAMP)


@dataclass(frozen=True, slots=True)
class Lifetime:
    """What limits a fact: a time to live of its own, and the existences that it lives under.

    ``under`` is the time to live of the existence that is written with it, and ``until`` when the
    last of those that are there expires: ``None`` for one that never does.

    >>> Lifetime(7, under=5).at(100), Lifetime(under=5, until=200).at(100), Lifetime().at(100)
    (5, 100, None)
    """

    own: int | None = None
    under: int | None = None
    until: int | None = MIN_TIMESTAMP

    def at(self, time: int) -> int | None:
        """Return the time to live of a fact of this time."""
        limits = [] if self.own is None else [self.own]
        if self.under is not None and self.until is not None:
            limits.append(max(self.under, self.until - time))
        return max(1, min(limits)) if limits else None

    def from_time(self, time: int) -> Lifetime:
        """Return the same for a fact of another time than the existence, which has this one."""
        if self.under is None or self.until is None:
            return self
        return replace(self, under=0, until=max(self.until, time + self.under))


FOREVER = Lifetime()


_ENDINGS = (FactState.DELETED, FactState.MOVED, FactState.REMOVED)
F = TypeVar("F", bound=AnyFact)


@dataclass(frozen=True, slots=True)
class PendingVersion:
    """A version to come; the time of its fact is not set yet, nor that of its metadata."""

    fact: AnyFact
    time: ChangeTime
    metadata: tuple[MetadataFact, ...] = ()
    life: Lifetime = FOREVER

    def at(self, commit: int) -> AnyFact:
        """Return the fact, in a commit of this time."""
        time = self.time.at(commit)
        found = _dated(self.fact, time, commit)
        return found if self.life is FOREVER else replace(found, ttl=self.life.at(time))


@dataclass(slots=True)
class WrittenColumn:
    """What a commit writes to a column; ``removed`` is the time of a removal among it."""

    facts: list[AnyFact]
    removed: int | None = None


@dataclass(slots=True)
class PendingColumn:
    """The versions of one column: stored, copied from another column, and to come."""

    stored: list[AnyFact] = field(default_factory=list)
    copies: list[AnyFact] = field(default_factory=list)
    changes: list[PendingVersion] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether the commit writes to it."""
        return bool(self.changes or self.copies)

    def end_floor(self) -> int:
        """Return the earliest time of what ends every version, without a time of its own."""
        times = [after(one.time) for one in (*self.stored, *self.copies)]
        # What has the time of the commit is replaced, not followed.
        own = (after(one.time.own) for one in self.changes if one.time.own is not None)
        floors = (one.time.floor for one in self.changes if one.time.own is None)
        return max((*times, *own, *floors), default=MIN_TIMESTAMP)

    def said_floor(self) -> int:
        """Return the earliest time of what is said after an ending of the same commit."""
        endings = (one for one in self.changes if one.fact.state in _ENDINGS)
        return max((one.time.earliest() for one in endings), default=MIN_TIMESTAMP)

    def written(self, commit: int) -> WrittenColumn:
        """Return what is written in a commit of this time."""
        held: dict[int, list[AnyFact]] = {}
        for change in self.changes:
            time = change.time.at(commit)
            held = _followed(held, change.at(commit), commit)
            held[time] += _metadata_of(change, held[time][0], commit)
        facts = [one for time in sorted(held) for one in held[time]]
        removals = [one.time for one in facts if one.state is FactState.REMOVED]
        return WrittenColumn(self.copies + facts, max(removals, default=None))


def _dated(fact: F, time: int, commit: int) -> F:
    dated = replace(fact, time=time, stamp=None if time == commit else commit)
    if isinstance(dated, ExistenceFact) and dated.ended is not None and dated.ended >= time:
        # The end was judged when the commit had no time yet, and was expected to be later.
        return replace(dated, ended=time - 1)
    return dated


def _followed(
    held: dict[int, list[AnyFact]], fact: AnyFact, commit: int
) -> dict[int, list[AnyFact]]:
    """Return what is held when a fact has followed."""
    time = fact.time
    if fact.state is FactState.REMOVED:
        kept = {other: facts for other, facts in held.items() if other > time}
        return {**kept, time: [fact]}
    before = held[time][0] if time in held else None
    if before is not None and before.state is FactState.REMOVED:
        # The removal must also end what is later written with an earlier date.
        return {**held, time - 1: [_dated(before, time - 1, commit)], time: [fact]}
    if isinstance(before, ExistenceFact) and isinstance(fact, ExistenceFact):
        ended = time - 1 if before.state is FactState.DELETED else before.ended
        if fact.state is FactState.SAID:
            fact = replace(fact, ended=later(fact.ended, ended), ttl=_longer(before, fact))
        elif fact.state is FactState.MOVED and ended == time - 1:
            deleted = replace(fact, state=FactState.DELETED, note=None)
            held = {**held, time - 1: [_dated(deleted, time - 1, commit)]}
    return {**held, time: [fact]}


def _longer(before: ExistenceFact, fact: ExistenceFact) -> int | None:
    """Return how long an existence lives that is said twice at one time."""
    if before.state is not FactState.SAID or before.shape != fact.shape or fact.ttl is None:
        return fact.ttl
    return None if before.ttl is None else max(before.ttl, fact.ttl)


def _metadata_of(change: PendingVersion, value: AnyFact, commit: int) -> Iterable[AnyFact]:
    if isinstance(value, ValueFact) and value.state is FactState.SAID:
        for one in change.metadata:
            yield replace(_dated(one, value.time, commit), value_time=value.time)
