"""The fields that a plan's elements have, by name: how to get at them and how they compare.

Layer ``keyplan``. Predicates, ``decode`` and ``summarise`` reach elements only through these. A
field that some of the groups lack is absent there; one that none of them has is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from lexigraph.cells.key_sets import KeySet
from lexigraph.codec import Codec, codec_for
from lexigraph.errors import InvalidOption, nearest
from lexigraph.functions import Aggregator
from lexigraph.functions.predicates.base import Holds
from lexigraph.keyplan.cell_reader import GroupReader
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.model import BUILT_IN_FIELDS, GROUP, IDENTITY, Model, fields_in
from lexigraph.keyplan.values import Faithful

Get = Callable[[StoredElement], Any]

_ATTRIBUTES = (*BUILT_IN_FIELDS, *IDENTITY, GROUP)


@dataclass(frozen=True, slots=True)
class PlanField:
    """One field of a group: its codec, and its aggregator if it has one."""

    name: str
    codec: Codec[Any]
    aggregator: Aggregator | None = None

    @property
    def get(self) -> Get:
        """Give a reader of the value; ``None`` where it is absent."""
        name = self.name
        if name in _ATTRIBUTES:
            return attrgetter(name)
        return lambda element: element.properties.get(name)

    @property
    def result(self) -> Codec[Any] | None:
        """The codec of its values as people see them; ``None`` for a collection."""
        return self.codec if self.aggregator is None else self.aggregator.result

    def same_as(self, other: PlanField) -> bool:
        """Tell whether both hold the same kind of value."""
        return self._kind == other._kind

    @property
    def _kind(self) -> tuple[Any, ...]:
        aggregator = self.aggregator
        settings = None if aggregator is None else aggregator.settings
        return self.codec.name, type(aggregator), settings


def fields_of(model: Model, reader: GroupReader) -> dict[str, PlanField]:
    """Give all fields of a group by name."""
    group = reader.group
    names = {name: PlanField(name, codec_for(codec)) for name, codec in BUILT_IN_FIELDS.items()}
    names[GROUP] = PlanField(GROUP, codec_for("str"))
    shape = model.shapes_of(group)[0]
    for part in fields_in((*shape.parts, *model.family_of(shape), *group.qualifier)):
        names[part.field] = PlanField(part.field, codec_for(part.codec))
    for name, aggregator in zip(reader.value.names, reader.value.aggregators, strict=True):
        kept = None if isinstance(aggregator, Faithful) else aggregator
        names[name] = PlanField(name, aggregator.codec, kept)
    return names


class GroupFields:
    """The fields of some groups of a plan, as predicates ask for them."""

    def __init__(
        self,
        groups: Iterable[dict[str, PlanField]],
        what: str,
        now: int = 0,
        sets: Mapping[str, KeySet] | None = None,
    ) -> None:
        self._groups = list(groups)
        self._what = what
        self.now = now
        self._sets = sets or {}

    def find(self, name: str) -> PlanField:
        """Give the one field of that name; refuse it where groups disagree on what it holds."""
        found = [group[name] for group in self._groups if name in group]
        if not found:
            known = sorted({known for group in self._groups for known in group})
            raise InvalidOption(
                f"{self._what} has no field {name!r}",
                near=nearest(name, known),
                hint=f"Available: {', '.join(known)}.",
            )
        if not all(found[0].same_as(other) for other in found[1:]):
            raise InvalidOption(
                f"the groups of {self._what} hold different kinds of value in {name!r}",
                hint="Give a predicate for each group, or a plan with fewer groups.",
            )
        return found[0]

    def getter(self, name: str) -> Get:
        """Give a reader of a field, also where groups disagree on what it holds."""
        for group in self._groups:
            if name in group:
                return group[name].get
        return self.find(name).get

    def holds(self, field: str) -> Holds:
        """Say what a field holds."""
        found = self.find(field)
        return Holds(found.codec, found.result)

    def value_of(self, field: str) -> Get:
        """Give a reader of a field that means the same in all groups."""
        return self.find(field).get

    def key_of(self, field: str) -> Callable[[StoredElement], bytes | None]:
        """Give a reader of the field's key form."""
        found = self.find(field)
        codec = found.result
        if codec is None:
            raise InvalidOption(
                f"field {field!r} holds a collection, which cannot be compared",
                hint="Ask for 'exists', 'contains' or 'length', or compare another property.",
            )
        get, encode = found.get, codec.encode

        def key(element: StoredElement) -> bytes | None:
            value = get(element)
            return None if value is None else encode(value)

        return key

    def presence_of(self, field: str) -> Callable[[StoredElement], bool]:
        """Give a test for whether the field is there."""
        get = self.find(field).get
        return lambda element: get(element) is not None

    def key_set(self, name: str) -> KeySet:
        """Give a set of the scan."""
        if name not in self._sets:
            raise InvalidOption(
                f"the scan has no set {name!r}",
                near=nearest(name, self._sets),
                hint="Pass it in 'sets' of the scan; stages in table settings cannot use sets.",
            )
        return self._sets[name]
