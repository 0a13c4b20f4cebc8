"""The facts that records consist of: seven kinds, and no others.

Layer ``layout``. A fact is one version of a *column*: what it is about, and its visibility. The
rules that make elements of facts (``spec/facts.md``, sections 3 to 7) know nothing of cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from lexigraph.layout.records.subjects import Subject

NamedValues = tuple[tuple[str, Any], ...]
"""Names and values, ascending by the bytes of the names."""


class FactState(IntEnum):
    """What a version says. The numbers are stored: never renumber one."""

    SAID = 1
    DELETED = 2
    MOVED = 3
    REMOVED = 4
    UNDONE = 5


@dataclass(frozen=True, slots=True)
class EdgeShape:
    """What an existence says of an edge; ``properties`` has its sort key and signature."""

    label: str
    source: Any
    destination: Any
    directed: bool = True
    properties: NamedValues = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What all facts have. ``stamp`` is when it was written, where its own time was given."""

    subject: Subject
    time: int
    state: FactState = FactState.SAID
    visibility: bytes = b""
    stamp: int | None = None
    note: Any = None
    """The note of the change, if there is one."""
    ttl: int | None = None
    """Its time to live, in microseconds; without one it never expires."""

    @property
    def written(self) -> int:
        """When it was written, as a timestamp."""
        return self.time if self.stamp is None else self.stamp

    @property
    def expires(self) -> int | None:
        """The time from which on it has expired."""
        return None if self.ttl is None else self.time + self.ttl


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistenceFact(Fact):
    """The subject exists. ``ended`` is the time up to which other facts ended with it."""

    shape: EdgeShape | None = None
    signature: NamedValues = ()
    ended: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFact(Fact):
    """The vertex has a label."""

    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFact(Fact):
    """The subject has a value of a property."""

    name: str
    key: bytes = b""
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataFact(Fact):
    """One version of a value has metadata under ``entry``."""

    name: str
    key: bytes = b""
    value_visibility: bytes = b""
    value_time: int
    entry: str
    value: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HideFact(Fact):
    """The subject is hidden; ``cause`` is the vertex whose hide caused it, if one did."""

    cause: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueHideFact(Fact):
    """A property of the subject is hidden."""

    name: str
    key: bytes = b""
    value_visibility: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredFact(Fact):
    """A reader must also satisfy an expression: an additional visibility."""

    expression: bytes


AnyFact = (
    ExistenceFact | LabelFact | ValueFact | MetadataFact | HideFact | ValueHideFact | RequiredFact
)

STATES: dict[type[Fact], frozenset[FactState]] = {
    ExistenceFact: frozenset(FactState) - {FactState.UNDONE},
    LabelFact: frozenset({FactState.SAID, FactState.DELETED, FactState.REMOVED}),
    ValueFact: frozenset({FactState.SAID, FactState.DELETED, FactState.REMOVED}),
    MetadataFact: frozenset({FactState.SAID, FactState.UNDONE}),
    HideFact: frozenset({FactState.SAID, FactState.REMOVED, FactState.UNDONE}),
    ValueHideFact: frozenset({FactState.SAID, FactState.REMOVED, FactState.UNDONE}),
    RequiredFact: frozenset({FactState.SAID, FactState.REMOVED, FactState.UNDONE}),
}
"""The states that each kind of fact has."""
