"""What a reader sees of one fact: the newest of its versions that is left.

Layer ``layout``; sections 3 and 4 of ``spec/facts.md``. Versions come by descending time, those of
one time in any order. Only one of them is held at a time, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from lexigraph.layout.records.facts import AnyFact, ExistenceFact, FactState
from lexigraph.layout.records.values import encode_fact_value

F = TypeVar("F", bound=AnyFact)


class JudgedFact(NamedTuple, Generic[F]):
    """The newest version that is left, and the time up to which other facts ended (if any did)."""

    newest: F | None
    end: int | None

    @property
    def said(self) -> F | None:
        """The newest version, if it says that the fact holds."""
        found = self.newest
        return found if found is not None and found.state is FactState.SAID else None


def version_order(fact: AnyFact) -> tuple[int, int, bytes]:
    """Return what versions are ordered by: time, time of writing, bytes of the value."""
    return fact.time, fact.written, encode_fact_value(fact)


def ordered_versions(versions: Iterable[F]) -> list[F]:
    """Return the versions of one fact, newest first; equal versions are one."""
    ordered = {version_order(one): one for one in versions}
    return [ordered[key] for key in sorted(ordered, reverse=True)]


def is_newer(fact: AnyFact, other: AnyFact) -> bool:
    """Return whether a fact is newer than another one."""
    if (fact.time, fact.written) != (other.time, other.written):
        return (fact.time, fact.written) > (other.time, other.written)
    return encode_fact_value(fact) > encode_fact_value(other)


def judge(versions: Iterable[F], as_of: int | None) -> JudgedFact[F]:
    """Find the newest version as of a time, and the end, of the versions of one fact."""
    newest: F | None = None
    removed: int | None = None
    end: int | None = None
    for one in versions:
        if one.state is FactState.REMOVED:
            removed = one.time if removed is None else max(removed, one.time)
        elif as_of is None or one.time <= as_of:
            if newest is None or is_newer(one, newest):
                newest = one
            end = later(end, end_of(one))
    if newest is not None and removed is not None and newest.time <= removed:
        newest = None
    return JudgedFact(newest, later(end, removed))


def end_of(fact: AnyFact) -> int | None:
    """Return the time up to which a version of an existence ends other facts, if it does.

    A removal ends too, but at every as-of time; :func:`judge` knows.
    """
    if not isinstance(fact, ExistenceFact):
        return None
    return fact.time if fact.state is FactState.DELETED else fact.ended


def later(one: int | None, other: int | None) -> int | None:
    """Return the later of two times; none is before all."""
    return other if one is None else one if other is None else max(one, other)
