"""The condition of an element: all that decides who sees it, apart from its values.

Layer ``layout``; ``spec/changes.md``. A log entry holds the conditions before and after the commit,
so that what a reader may know of it does not depend on what happened later.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lexigraph.layout.records.assembling.assembler import column_of
from lexigraph.layout.records.assembling.versions import judge, version_order
from lexigraph.layout.records.fact_reader import DECIDING
from lexigraph.layout.records.facts import (
    AnyFact,
    EdgeShape,
    ExistenceFact,
    FactState,
    HideFact,
    RequiredFact,
)
from lexigraph.security import LabelCache


class ElementCondition(NamedTuple):
    """Who sees an element.

    >>> from lexigraph.security import Authorizations
    >>> shown = ElementCondition((b"hr", b""), hides=(b"audit",))
    >>> shown.readable(LabelCache(Authorizations())), shown.hidden(LabelCache(["audit"]))
    ((1,), True)
    """

    existences: tuple[bytes, ...] = ()
    """The visibilities of its live existences, the newest first."""
    hides: tuple[bytes, ...] = ()
    """The visibilities that it is hidden for."""
    required: tuple[bytes, ...] = ()
    """Its additional visibilities."""

    def readable(self, labels: LabelCache) -> tuple[int, ...]:
        """Return the places of the existences that a reader sees, hidden or not."""
        if not all(map(labels.can_see, self.required)):
            return ()
        return tuple(at for at, one in enumerate(self.existences) if labels.can_see(one))

    def hidden(self, labels: LabelCache) -> bool:
        """Return whether a reader finds the element hidden."""
        return any(map(labels.can_see, self.hides))


NOBODY_SEES = ElementCondition()
"""The condition of what is not there."""
Shapes = tuple[EdgeShape | None, ...]
"""The shapes of the live existences of an edge, in their order."""


def condition_of(facts: Iterable[AnyFact]) -> tuple[ElementCondition, Shapes]:
    """Return the condition that facts of one subject make, and the shapes of an edge."""
    columns: dict[object, list[AnyFact]] = {}
    for fact in facts:
        if isinstance(fact, DECIDING):
            columns.setdefault(column_of(fact), []).append(fact)
    live: list[ExistenceFact] = []
    hides: set[bytes] = set()
    required: set[bytes] = set()
    for versions in columns.values():
        said = _only(versions) if len(versions) == 1 else judge(versions, None).said
        if isinstance(said, ExistenceFact):
            live.append(said)
        elif isinstance(said, HideFact):
            hides.add(said.visibility)
        elif isinstance(said, RequiredFact):
            required.add(said.expression)
    if len(live) > 1:
        live.sort(key=lambda one: (version_order(one), one.visibility), reverse=True)
    made = ElementCondition(
        tuple(one.visibility for one in live), tuple(sorted(hides)), tuple(sorted(required))
    )
    return made, tuple(one.shape for one in live)


def condition_of_new(facts: list[AnyFact]) -> tuple[ElementCondition, Shapes]:
    """Return the same for the facts of a new element: mostly one existence, and no hides."""
    deciding = [one for one in facts if isinstance(one, DECIDING)]
    if len(deciding) == 1:
        first = deciding[0]
        if isinstance(first, ExistenceFact) and first.state is FactState.SAID:
            return ElementCondition((first.visibility,)), (first.shape,)
    return condition_of(deciding)


def _only(versions: list[AnyFact]) -> AnyFact | None:
    [one] = versions
    return one if one.state is FactState.SAID else None
