"""Conditions on records, whose properties may have several values: true, false or missing.

Layer ``plan``. A condition is true if any readable value satisfies it, missing if there is none,
otherwise false. ``not`` swaps true and false and leaves missing; ``!=`` is ``not ==``. An element
passes if the whole is true. Values are compared by the key forms of their declared types; those of
undeclared properties by the rules of the algebra.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from lexigraph.codec import Codec, codec_for
from lexigraph.errors import InvalidOption, InvalidValue
from lexigraph.functions import Predicate
from lexigraph.functions.predicates.base import Holds
from lexigraph.functions.predicates.comparisons import COMPARISONS as VALUE_COMPARISONS
from lexigraph.functions.predicates.comparisons import (
    FIELD_COMPARISONS,
    AnyOf,
    Equal,
    Exists,
    InSet,
    NotEqual,
)
from lexigraph.functions.predicates.connectives import Both, Either, Negation
from lexigraph.functions.predicates.contents import (
    AgeOff,
    Contains,
    LengthPredicate,
    Matches,
    Substring,
)
from lexigraph.plan.physical.rows.comparing import compare
from lexigraph.schema.keys import RESERVED, fitted, type_of
from lexigraph.schema.model import ONE, Group, ValueType

ValuesOf = Callable[[str], Sequence[Any]]
"""Returns the values that a field of one element has: none, one or several."""
Judge = Callable[[ValuesOf], bool | None]
"""Judges an element: true, false, or ``None`` for missing."""

_BUILT_IN = {"visibility": "bytes", "timestamp": "int64", "kind": "str"}
_TESTS: dict[type[Predicate], Callable[[bytes, bytes], bool]] = {
    one: one.test for one in VALUE_COMPARISONS
}
_SIZES = (str, bytes, tuple, list)


def property_of(field: str) -> str:
    """Return the name in the schema of a field of a predicate.

    >>> property_of(".kind"), property_of("name")
    ('kind', 'name')
    """
    return field[1:] if field[:1] == "." and field[1:] in RESERVED else field


def judge_of(predicate: Predicate, group: Group, now: int) -> Judge:
    """Return what judges elements of a group by a predicate; mistakes raise here."""
    if isinstance(predicate, Both | Either):
        return _joined([judge_of(one, group, now) for one in predicate.of], type(predicate) is Both)
    if isinstance(predicate, Negation):
        inner = judge_of(predicate.of, group, now)
        return lambda look: _turned(inner(look))
    if isinstance(predicate, Exists):
        asked = predicate.field
        return lambda look: bool(look(asked))
    if isinstance(predicate, InSet):
        raise InvalidOption("records are not looked up in the sets of a scan")
    if isinstance(predicate, tuple(FIELD_COMPARISONS.values())):
        return _fields_judge(predicate)
    if isinstance(predicate, LengthPredicate) and _has_many(group, predicate.field):
        return _count_judge(predicate)
    test, field = _value_test(predicate, group, now), next(predicate.fields())
    turned = isinstance(predicate, NotEqual)

    def judge(look: ValuesOf) -> bool | None:
        values = look(field)
        if not values:
            return None
        return any(map(test, values)) != turned

    return judge


def _joined(judges: list[Judge], both: bool) -> Judge:  # noqa: FBT001
    def judge(look: ValuesOf) -> bool | None:
        missing = False
        for one in judges:
            found = one(look)
            if found is not None and found != both:
                return found
            missing = missing or found is None
        return None if missing else both

    return judge


def _turned(found: bool | None) -> bool | None:  # noqa: FBT001
    return None if found is None else not found


def _fields_judge(predicate: Any) -> Judge:
    left, right = predicate.field, predicate.other
    turned: bool = predicate.name == "ne"
    op = "eq" if turned else predicate.name

    def judge(look: ValuesOf) -> bool | None:
        pairs = list(product(look(left), look(right)))
        if not pairs:
            return None
        return any(compare(op, one, other) is True for one, other in pairs) != turned

    return judge


def _count_judge(predicate: LengthPredicate) -> Judge:
    field, op, size = predicate.field, predicate.compare, predicate.size

    def judge(look: ValuesOf) -> bool | None:
        values = look(field)
        return compare(op, len(values), size) if values else None

    return judge


def _has_many(group: Group, field: str) -> bool:
    name = property_of(field)
    return any(one.name == name and one.cardinality != ONE for one in group.properties)


def _value_test(predicate: Predicate, group: Group, now: int) -> Callable[[Any], bool]:
    field = next(predicate.fields())
    kind = field_type(group, field)
    codec = codec_for(kind.codec)
    if isinstance(predicate, Contains):
        return _contains_test(predicate, kind, many=_has_many(group, field))
    if isinstance(predicate, AnyOf):
        tests = [_compared(Equal(field, one), kind) for one in predicate.values]
        return lambda value: any(test(value) for test in tests)
    if type(predicate) in _TESTS:
        equal = Equal(field, predicate.value) if isinstance(predicate, NotEqual) else predicate
        return _compared(equal, kind)
    if kind.codec != "any":
        return predicate.bind(_OneValue(codec, now))
    return _undeclared_test(predicate, now)


def field_type(group: Group, field: str) -> ValueType:
    """Return the type of the values of a field of a predicate."""
    built_in = _BUILT_IN.get(field)
    return ValueType(built_in) if built_in else type_of(group, property_of(field))


def _compared(predicate: Any, kind: ValueType) -> Callable[[Any], bool]:
    codec, constant = codec_for(kind.codec), predicate.value
    if kind.codec == "any":
        value, op = codec.decode(constant), predicate.name
        return lambda one: compare(op, one, value) is True
    test = _TESTS[type(predicate)]

    def compared(one: Any) -> bool:
        try:
            return test(codec.encode(fitted(kind, one)), constant)
        except InvalidValue:
            # A value of another type, written before the property was declared, satisfies nothing.
            return False

    return compared


def _contains_test(predicate: Contains, kind: ValueType, *, many: bool) -> Callable[[Any], bool]:
    codec, constant = codec_for(kind.codec), predicate.value
    if many:
        return _compared(Equal(predicate.field, constant), kind)
    if kind.codec != "any":
        raise InvalidOption(
            f"{predicate.field!r} has one value of {kind.codec}, not a collection",
            hint="Compare it with ==, or look for a part of a text with .has_text(...).",
        )
    member = codec.decode(constant)

    def contains(one: Any) -> bool:
        held = one if isinstance(one, tuple | list) else (one,)
        return any(compare("eq", each, member) is True for each in held)

    return contains


def _undeclared_test(predicate: Predicate, now: int) -> Callable[[Any], bool]:
    """Return a test of values of any type; those that it is not about fail."""
    if isinstance(predicate, Matches | Substring):
        text = predicate.bind(_OneValue(codec_for("str"), now))
        return lambda one: isinstance(one, str) and text(one)
    if isinstance(predicate, LengthPredicate):
        sized = predicate.bind(_OneValue(codec_for("str"), now))
        return lambda one: isinstance(one, _SIZES) and sized(one)
    if isinstance(predicate, AgeOff):
        aged = predicate.bind(_OneValue(codec_for("datetime"), now))
        return lambda one: _has_age(one) and aged(one)
    raise InvalidOption(f"{predicate.name!r} cannot be asked of a property of any type")


def _has_age(one: Any) -> bool:
    return hasattr(one, "year") or (isinstance(one, int) and not isinstance(one, bool))


class _OneValue:
    """Fields for a predicate that is asked about a value by itself."""

    def __init__(self, codec: Codec[Any], now: int) -> None:
        self._codec, self.now = codec, now

    def holds(self, field: str) -> Holds:
        return Holds(self._codec, self._codec)

    def value_of(self, field: str) -> Callable[[Any], Any]:
        return lambda value: value

    def key_of(self, field: str) -> Callable[[Any], bytes | None]:
        return self._codec.encode

    def presence_of(self, field: str) -> Callable[[Any], bool]:
        return lambda value: True

    def key_set(self, name: str) -> Any:
        raise InvalidOption(f"there is no set {name!r}")
