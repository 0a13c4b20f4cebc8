"""Elements checked against their group before they are stored.

Layer ``schema``. Says which element, which property and why; an element that passes can be written
by every layout. A validator holds one moment: rules on age take it for now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Protocol

from lexigraph.codec import codec_for
from lexigraph.errors import (
    LexigraphError,
    SchemaError,
    UnsupportedError,
    ValidationError,
    nearest,
    show,
)
from lexigraph.functions import aggregator_for, parse_predicate, traits_of
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.fields import GroupFields, PlanField
from lexigraph.keyplan.model import BUILT_IN_FIELDS
from lexigraph.schema.describe import describe
from lexigraph.schema.keys import fitted, label_of, misfit, plain, plan_field, time_of
from lexigraph.schema.model import EDGE, Group, Property, Rule
from lexigraph.store.clock import SystemClock

# Whatever is of exactly this type fits its codec: a look is enough, nothing need be encoded.
_QUICK: dict[str, type] = {
    "str": str,  # as far as it is ASCII; all else is asked of the codec
    "int": int,
    "float": float,
    "bool": bool,
    "date": date,
    "bytes": bytes,
}

Reason = tuple[str, str]
"""The name of a property or id, and what is wrong with it."""


class Given(Protocol):
    """What people add: an element of a class, or anything else with these."""

    @property
    def group(self) -> str:
        """The name of its group."""
        ...

    @property
    def ids(self) -> Mapping[str, Any]:
        """Its vertex, or source and destination."""
        ...

    @property
    def properties(self) -> Mapping[str, Any]:
        """Its properties by their names in the schema; absent ones are not there, or ``None``."""
        ...


@dataclass(frozen=True, slots=True)
class _Fitter:
    name: str
    field: str
    needed: bool
    quick: type | None
    fit: Callable[[Any], Any]


class Validator:
    """Checks elements of one group and gives them the form that a key plan writes.

    ``now`` is in microseconds since 1970; without it, the clock of this machine is asked once.

    >>> from lexigraph.schema.model import ValueType
    >>> from lexigraph.schema import Vertex, group_of, declare
    >>> class Person(Vertex, summary=True):
    ...     id: str
    ...     age: int = declare.max()
    >>> Validator(group_of(Person)).check(Person("ann", age="old"), number=7)
    Traceback (most recent call last):
        ...
    lexigraph.errors.ValidationError: element 7, Person('ann', age='old'): property 'age': it \
takes int, not str: 'old'
    """

    def __init__(self, group: Group, *, now: int | None = None) -> None:
        self.group = group
        self.now = SystemClock().now() if now is None else now
        self._names = {one.name: plan_field(group, one.name) for one in group.properties}
        self._aggregators = {
            one.name: aggregator_for(
                one.aggregate.name, codec_for(one.type.codec), one.aggregate.options
            )
            for one in group.values
            if one.aggregate is not None
        }
        self._fitters = [self._fitter(one) for one in group.properties]
        self._rules = list(self._bound_rules())
        # What breaking a rule is called: many elements may break one.
        self._said: dict[int, str] = {}
        asked = {name for rule in group.rules for name in rule.fields}
        self._unfinished = {
            self._names[name]: aggregator
            for name, aggregator in self._aggregators.items()
            if name in asked and not traits_of(aggregator.name).of_one_value()
        }

    def check(self, element: Given, *, number: int | None = None) -> StoredElement:
        """Return the element as a key plan has it; ``number`` is its place in the input."""
        fitting, reasons = self.examine(element)
        if reasons:
            place = "" if number is None else f"element {number}, "
            name, why = reasons[0]
            kind = "id" if name in self.group.ids else "property"
            # The class of an element may call its id otherwise.
            own = {at: called for called, at in getattr(element, "_id_names", ())}
            raise ValidationError(
                f"{place}{show(element)}: {kind} {own.get(name, name)!r}: {why}",
                element=element if number is None else number,
                property=name,
                reason=why,
                reasons=reasons,
            )
        return fitting

    def examine(self, element: Given) -> tuple[StoredElement, list[Reason]]:
        """Return the element as a key plan has it, and what is wrong with it, if anything."""
        reasons: list[Reason] = []
        fitting = self.fit(element, reasons)
        if not reasons:
            reasons.extend(self._broken(fitting))
        return fitting, reasons

    def fit(self, element: Given, reasons: list[Reason]) -> StoredElement:
        """Return the element as a key plan has it, without checking rules; adds what is wrong."""
        group, given = self.group, element.properties
        ids = dict(self._fit_ids(element, reasons))
        if len(given) > len(self._fitters) or not given.keys() <= self._names.keys():
            for name in given:
                if name not in self._names:
                    near = nearest(name, self._names)
                    hint = f" (did you mean: {', '.join(near)}?)" if near else ""
                    reasons.append((name, f"group {group.name!r} has no such property{hint}"))
        fitting: dict[str, Any] = {}
        for one in self._fitters:
            value = given.get(one.name)
            if value is None:
                if one.needed:
                    reasons.append((one.name, "it is missing"))
            elif type(value) is one.quick and (type(value) is not str or value.isascii()):
                fitting[one.field] = value
            else:
                try:
                    fitting[one.field] = one.fit(value)
                except UnsupportedError:
                    # A package is missing: no element is to blame for it, and none may be skipped.
                    raise
                except LexigraphError as error:
                    reasons.append((one.name, misfit(error)))
        label, stamp = b"", 0
        if group.visibility is not None:
            label = fitting.pop("visibility", b"")
        if group.timestamp is not None:
            stamp = fitting.pop("timestamp", 0)
        return StoredElement(
            group.kind, group.name, fitting, **ids, visibility=label, timestamp=stamp
        )

    def _fit_ids(self, element: Given, reasons: list[Reason]) -> Iterator[tuple[str, Any]]:
        group, given = self.group, element.ids
        if element.group != group.name or given.keys() != group.ids.keys():
            wrong = next((name for name in group.ids if name not in given), "group")
            has = f"an element of {group.name!r} has {', '.join(group.ids)}"
            reasons.append((wrong, f"{has}, not {', '.join(given) or 'these'}"))
            return
        for name, kind in group.ids.items():
            value = given[name]
            if value is None:
                reasons.append((name, "it is missing"))
            elif type(value) is not str or kind.codec != "str" or not value.isascii():
                try:
                    value = plain(kind, fitted(kind, value))
                    codec_for(kind.codec).encode(value)
                except LexigraphError as error:
                    reasons.append((name, misfit(error)))
            yield name, value
        if group.kind == EDGE:
            said = getattr(element, "is_directed", group.directed)
            if not isinstance(said, bool):
                reasons.append(("directed", f"directed is true or false, not {show(said)}"))
            elif group.directed is not None and said != group.directed:
                reasons.append(
                    ("directed", f"the edges of {group.name!r} all have the opposite value")
                )
            yield "directed", said

    def _fitter(self, one: Property) -> _Fitter:
        group, name, kind, codec = self.group, one.name, one.type, codec_for(one.type.codec)
        special = {group.visibility: label_of, group.timestamp: time_of}
        if name in special:
            return _Fitter(name, self._names[name], False, None, special[name])
        aggregator = self._aggregators.get(name)
        one_value = aggregator is None or traits_of(aggregator.name).of_one_value()
        quick = _QUICK.get(kind.codec) if one_value and kind.bits is None else None
        write: Callable[[Any], bytes] = codec.encode_value
        if name in group.group_by:
            write = codec.encode
        elif aggregator is not None:
            write = aggregator.encode_result

        def fit(value: Any) -> Any:
            value = fitted(kind, value)
            if aggregator is None:
                value = plain(kind, value)
            write(value)
            return value

        return _Fitter(name, self._names[name], not kind.optional, quick, fit)

    def _bound_rules(self) -> Iterator[tuple[Rule, Callable[[StoredElement], bool]]]:
        what = f"group {self.group.name!r}"
        fields = GroupFields([self._plan_fields()], what, self.now)
        for rule in self.group.rules:
            try:
                yield rule, parse_predicate(rule.where).bind(fields)
            except LexigraphError as error:
                said = rule.doc or describe(rule.where, self.group)
                raise SchemaError(
                    f"the rule {said!r} of group {self.group.name!r}: {error}", hint=error.hint
                ) from None

    def _plan_fields(self) -> dict[str, PlanField]:
        named = {name: PlanField(name, codec_for(codec)) for name, codec in BUILT_IN_FIELDS.items()}
        named["group"] = PlanField("group", codec_for("str"))
        for name, kind in self.group.ids.items():
            named[name] = PlanField(name, codec_for(kind.codec))
        for one in self.group.properties:
            field = self._names[one.name]
            if field not in named:
                named[field] = PlanField(
                    field, codec_for(one.type.codec), self._aggregators.get(one.name)
                )
        return named

    def _broken(self, element: StoredElement) -> Iterator[Reason]:
        if self._unfinished:
            element = self._finished(element)
        for rule, holds in self._rules:
            if not holds(element):
                said = self._said.get(id(rule))
                if said is None:
                    said = rule.doc or f"breaks the rule {describe(rule.where, self.group)}"
                    self._said[id(rule)] = said
                yield rule.fields[0] if rule.fields else "group", said

    def _finished(self, element: StoredElement) -> StoredElement:
        # Rules are about what people see: a set of one where one member was given.
        seen = dict(element.properties)
        for field, aggregator in self._unfinished.items():
            if field in seen:
                state = aggregator.encode_result(seen[field])
                seen[field] = aggregator.finish(aggregator.decode(state, element.timestamp))
        return replace(element, properties=seen)
