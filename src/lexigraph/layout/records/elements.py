"""Records as a reader gets them.

Layer ``layout``. What the fetch hints did not ask for is ``None``, and asking for it is an error.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lexigraph.errors import UsageError
from lexigraph.layout.records.assembling.versions import version_order
from lexigraph.layout.records.facts import EdgeShape, NamedValues, ValueFact
from lexigraph.layout.records.reading import FetchHints
from lexigraph.layout.records.subjects import ReferenceSubject


@dataclass(frozen=True, slots=True)
class RecordMetadata:
    """One metadata entry of a value."""

    key: str
    visibility: bytes
    value: Any


@dataclass(frozen=True, slots=True)
class RecordValue:
    """One value of a property; ``metadata`` is ``None`` if it was not fetched."""

    fact: ValueFact
    hidden: bool = False
    metadata: tuple[RecordMetadata, ...] | None = None

    @property
    def name(self) -> str:
        """The name of the property."""
        return self.fact.name

    @property
    def key(self) -> bytes:
        """The key, which tells values of one name apart."""
        return self.fact.key

    @property
    def visibility(self) -> bytes:
        """Who may see it."""
        return self.fact.visibility

    @property
    def value(self) -> Any:
        """The value itself."""
        return self.fact.value

    @property
    def time(self) -> int:
        """Since when the property has it."""
        return self.fact.time


@dataclass(frozen=True, slots=True)
class _Valued:
    properties: tuple[RecordValue, ...] | None
    hints: FetchHints

    def values(self, name: str) -> tuple[RecordValue, ...]:
        """Return all values of a name, by key and visibility."""
        if self.properties is None or not self.hints.wants_property(name):
            raise UsageError(
                f"the property {name!r} was not fetched",
                hint=f"Add the fetch hint properties={{{name!r}}}, or properties=True.",
            )
        return tuple(one for one in self.properties if one.name == name)

    def value(self, name: str) -> RecordValue | None:
        """Return the value of a name: the newest, if there are several."""
        return newest_value(self.values(name))


@dataclass(frozen=True, slots=True)
class RecordVertex(_Valued):
    """A vertex."""

    id: Any
    visibility: bytes
    time: int
    hidden: bool = False
    labels: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class RecordEdge(_Valued):
    """An edge."""

    id: Any
    shape: EdgeShape
    visibility: bytes
    time: int
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class RecordReference:
    """An edge as one of its ends has it; ``signature`` are its signature properties."""

    subject: ReferenceSubject
    visibility: bytes
    time: int
    hidden: bool = False
    signature: NamedValues = ()


RecordElement = RecordVertex | RecordEdge | RecordReference


def newest_value(values: Iterable[RecordValue]) -> RecordValue | None:
    """Return the newest of some values; of equal ones that of the smallest key and visibility."""
    found: RecordValue | None = None
    for one in values:
        if found is None or _rank(one) > _rank(found):
            found = one
        elif _rank(one) == _rank(found):
            found = min(one, found, key=lambda value: (value.key, value.visibility))
    return found


def _rank(value: RecordValue) -> tuple[int, int, bytes]:
    return version_order(value.fact)
