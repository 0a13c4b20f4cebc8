"""Times to live: which versions of facts have expired, and what is left of them.

Layer ``layout``; section 7 of ``spec/facts.md``. A version is judged by itself and by the time now,
never by an as-of time. So dropping what has expired changes no answer, whatever is written later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from lexigraph.layout.records.facts import AnyFact, ExistenceFact, FactState

FOREVER: Final = float("inf")


def lasts_until(fact: AnyFact) -> float:
    """Return the time up to which a version says something; a marker says it for ever."""
    if fact.expires is None or is_fresh(fact):
        return FOREVER
    return fact.expires


def is_fresh(fact: AnyFact) -> bool:
    """Return whether a version also ends what is older, which must not be forgotten."""
    return isinstance(fact, ExistenceFact) and fact.ended is not None


def without_expired(facts: Iterable[AnyFact], now: int) -> Iterator[AnyFact]:
    """Yield what has not expired; an expired version that is fresh is deleted."""
    for one in facts:
        if one.expires is None or one.expires > now:
            yield one
        elif isinstance(one, ExistenceFact) and one.ended is not None:
            yield replace(
                one, state=FactState.DELETED, shape=None, signature=(), ended=None, ttl=None
            )
