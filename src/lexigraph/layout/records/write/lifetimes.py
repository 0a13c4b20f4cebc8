"""How long what is written lives: nothing under an existence outlives it.

Layer ``layout``; sections 6 and 7 of ``spec/facts.md``. A time to live counts from the time of its
fact, which is known when the commit has one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lexigraph.cells.cell import MIN_TIMESTAMP
from lexigraph.layout.records.facts import ExistenceFact
from lexigraph.layout.records.write.view import RowView

NOT_YET = MIN_TIMESTAMP


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
    until: int | None = NOT_YET

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


def under_existing(view: RowView, own: int | None = None) -> Lifetime:
    """Return how long something lives that is written to an element that is there."""
    return Lifetime(own, 0, lasting(view, view.live))


def lasting(view: RowView, live: list[ExistenceFact]) -> int | None:
    """Return when the last of some live existences expires: ``None`` if one never does."""
    ends = [view.lasts[one.visibility] for one in live]
    found = [one for one in ends if one is not None]
    return None if len(found) < len(ends) else max(found, default=NOT_YET)
