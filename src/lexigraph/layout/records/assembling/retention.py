"""How long versions of facts are kept: the ``history`` of groups.

Layer ``layout``; section 7 of ``spec/facts.md``. Dropping what is not kept or has expired never
changes an element, at any as-of time that may be asked for, whatever is written later. So merges
may do it at any time.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from lexigraph.errors import UsageError
from lexigraph.layout.records.assembling.assembler import column_of
from lexigraph.layout.records.assembling.expiry import (
    FOREVER,
    lasts_until,
    without_expired,
)
from lexigraph.layout.records.assembling.versions import end_of, ordered_versions
from lexigraph.layout.records.facts import AnyFact, FactState, MetadataFact, ValueFact
from lexigraph.layout.records.subjects import RowSubject
from lexigraph.schema.model import History

DAY = 24 * 60 * 60 * 1_000_000
"""Microseconds."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How much history is kept: in general, and of properties of some names."""

    history: History | None = None
    names: Mapping[str, History | None] = field(default_factory=dict)

    def of(self, fact: AnyFact) -> History | None:
        """Return the history of a fact."""
        if isinstance(fact.subject, RowSubject):
            # A column of a row may be called as a property is.
            return self.history
        if isinstance(fact, ValueFact | MetadataFact):
            return self.names.get(fact.name, self.history)
        return self.history

    @property
    def keeps_less(self) -> bool:
        """Whether it keeps less than everything of any fact."""
        return any(one is not None for one in (self.history, *self.names.values()))

    def check_as_of(self, as_of: int | None, now: int) -> None:
        """Refuse an as-of time that lies before what is kept."""
        for history in (self.history, *self.names.values()):
            if as_of is None or history is None:
                continue
            if history.versions is not None:
                raise UsageError(
                    f"the history keeps {history.versions} versions of each value, not times",
                    hint="Leave as_of out, or declare history=lg.keep(days=...).",
                )
            if as_of < horizon_of(history, now):
                raise UsageError(
                    f"the history goes back {history.days} days, not to {as_of}",
                    hint="Ask for a later as_of time.",
                )

    def check_write(self, fact: AnyFact, now: int) -> None:
        """Refuse a write that is dated before what is kept."""
        history = self.of(fact)
        if history is None or history.days is None or fact.time >= horizon_of(history, now):
            return
        raise UsageError(
            f"the history goes back {history.days} days, not to {fact.time}",
            hint="Give it a later time.",
        )


def horizon_of(history: History, now: int) -> int:
    """Return the time from which on everything is kept."""
    return now - int((history.days or 0) * DAY)


def retain(facts: Iterable[AnyFact], retention: Retention, now: int) -> Iterator[AnyFact]:
    """Yield the facts that a merge keeps, of facts in the order of their cells."""
    for _, of_subject in groupby(facts, key=lambda fact: fact.subject):
        values: set[tuple[str, bytes, bytes, int]] = set()
        for _, column in groupby(of_subject, key=column_of):
            versions = ordered_versions(column)
            for one in _kept(versions, retention.of(versions[0]), now):
                if isinstance(one, ValueFact) and one.state is FactState.SAID:
                    values.add((one.name, one.key, one.visibility, one.time))
                if isinstance(one, MetadataFact):
                    value = (one.name, one.key, one.value_visibility, one.value_time)
                    if value not in values:
                        continue
                yield one


def retained_now(facts: Iterable[AnyFact], retention: Retention, now: int) -> Iterator[AnyFact]:
    """Yield the facts that readers judge, of facts in the order of their cells."""
    return without_expired(retain(facts, retention, now), now)


def after_removal(versions: Iterable[AnyFact]) -> list[AnyFact]:
    """Return what a removal leaves of the versions of one fact, the removal itself too."""
    held = list(versions)
    times = [one.time for one in held if one.state is FactState.REMOVED]
    if not times:
        return held
    removed = next(one for one in held if one.state is FactState.REMOVED and one.time == max(times))
    return [*(one for one in held if one.time > removed.time), removed]


def _kept(versions: list[AnyFact], history: History | None, now: int) -> list[AnyFact]:
    left = after_removal(versions)
    if history is not None:
        left = _remembered(left, history, now)
    return [one for one in left if one.expires is None or lasts_until(one) > now]


def _remembered(left: list[AnyFact], history: History, now: int) -> list[AnyFact]:
    horizon = None if history.days is None else horizon_of(history, now)
    past = [one for one in left if horizon is None or one.time <= horizon]
    # The removal and the latest end are kept for what is written later, with an earlier date.
    ends = [one for one in past if end_of(one) is not None and lasts_until(one) == FOREVER]
    latest = max(ends, key=lambda one: end_of(one) or 0, default=None)
    hidden_by = 1 if history.versions is None else history.versions
    kept: list[AnyFact] = []
    newer: list[float] = []
    """Until when the newer versions of the past last, ascending."""
    for one in left:
        is_past = horizon is None or one.time <= horizon
        until = lasts_until(one)
        # A version is only forgotten if those that hide it do not expire before it does.
        hides = len(newer) - bisect_left(newer, until)
        recent = (horizon is not None and one.time >= horizon) or (is_past and hides < hidden_by)
        if one.state is FactState.REMOVED or one is latest or recent:
            kept.append(one)
        if is_past:
            insort(newer, until)
    return kept
