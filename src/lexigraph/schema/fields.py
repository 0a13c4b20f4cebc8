"""Fields: what a class of elements has, and what conditions are made of.

Layer ``schema``. A field is a descriptor: an element gives its value, the class the field itself.
Comparing a field makes a condition, so fields compare by identity only inside this package.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, overload

from lexigraph.errors import InvalidOperator, InvalidOption, nearest, show
from lexigraph.schema.conditions import FieldCondition
from lexigraph.schema.model import Aggregate
from lexigraph.schema.rules import DeclaredRule, rule

T = TypeVar("T")

ID, SOURCE, DESTINATION, DIRECTED = "id", "source", "destination", "directed"
GROUP_BY, VISIBILITY, TIMESTAMP, VALUE = "group-by", "visibility", "timestamp", "value"
EDGE_ID, SORT_KEY, SIGNATURE = "edge-id", "sort-key", "signature"
PLAN_NAMES = {
    ID: "vertex",
    SOURCE: "source",
    DESTINATION: "destination",
    DIRECTED: "directed",
    EDGE_ID: "edge",
}


FOUND = "_found"
"""Where an element that was read as a record has what was found of it."""


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()
"""What a field without a default has as such: ``None`` is a default."""


def is_text(text: object) -> bool:
    """Return text that can be stored: half of a surrogate pair is a character in Python alone."""
    return isinstance(text, str) and not any("\ud800" <= one <= "\udfff" for one in text)


class Field(Generic[T]):
    """One field of a class of elements; also a measure of a summary: ``lg.sum("count")``.

    With the annotation ``Field[T]`` instead of ``T``, type checkers know its value and its methods.

    >>> field("day") >= 3
    day >= 3
    """

    def __init__(
        self,
        role: str = VALUE,
        aggregate: Aggregate | None = None,
        *,
        over: Any = None,
        of: Any = None,
        name: str | None = None,
        doc: str = "",
        check: Iterable[Any] = (),
        default: Any = NOTHING,
        **unknown: Any,
    ) -> None:
        for one in unknown:
            known = ("of", "name", "doc", "check", "default")
            raise InvalidOption(
                f"a field has no option {one!r}",
                near=nearest(one, known),
                hint=f"Available: {', '.join(known)}.",
            )
        for one, text in (("name", name), ("doc", doc)):
            if text is not None and not is_text(text):
                raise InvalidOption(f"{one!r} of a field is text, not {show(text)}")
        if not isinstance(check, Iterable):
            raise InvalidOption(
                f"'check' of a field is a list of conditions, not {show(check)}",
                hint="Write check=[lg.this >= 0].",
            )
        self.role, self.aggregate, self.of = role, aggregate, of
        self.descending = False
        """Of a sort key: whether the largest value comes first."""
        self.ttl: int | None = None
        """How long a value lives, in microseconds; for records."""
        self.over = over
        """The field that a measure is taken of."""
        self.doc, self.checks, self.default = doc, tuple(check), default
        self.attribute = ""
        self._name = name

    @property
    def name(self) -> str:
        """Its name in the schema."""
        return PLAN_NAMES.get(self.role) or self._name or self.attribute

    def __set_name__(self, owner: type, attribute: str) -> None:
        """Take the name of the attribute unless another was given."""
        self.attribute = attribute

    @overload
    def __get__(self, element: None, owner: type) -> Field[T]: ...
    @overload
    def __get__(self, element: object, owner: type) -> T: ...
    def __get__(self, element: object | None, owner: type) -> Any:
        """Return the value of an element, or the field of a class."""
        if element is None:
            return self
        held = element.__dict__
        value = held.get(self.attribute)
        if value is None and FOUND in held and self.role not in PLAN_NAMES:
            # Of a record that was read: a value that was not fetched is an error, not None.
            held[FOUND].check_fetched(self.name)
        return value

    def __set__(self, element: object, value: T) -> NoReturn:
        """Refuse: elements do not change."""
        raise AttributeError(f"elements are immutable: {self.name!r} cannot be set")

    def __eq__(self, other: T | Field[T]) -> FieldCondition:  # type: ignore[override]
        """Hold for equal values; ``== None`` for absent ones."""
        return ~self.exists() if other is None else self._compare("eq", other)

    def __ne__(self, other: T | Field[T]) -> FieldCondition:  # type: ignore[override]
        """Hold for other values, not for absent ones; ``!= None`` for all that are there."""
        return self.exists() if other is None else self._compare("ne", other)

    def __lt__(self, other: T | Field[T]) -> FieldCondition:
        """Hold for smaller values."""
        return self._compare("lt", other)

    def __le__(self, other: T | Field[T]) -> FieldCondition:
        """Hold for values that are not larger."""
        return self._compare("le", other)

    def __gt__(self, other: T | Field[T]) -> FieldCondition:
        """Hold for larger values."""
        return self._compare("gt", other)

    def __ge__(self, other: T | Field[T]) -> FieldCondition:
        """Hold for values that are not smaller."""
        return self._compare("ge", other)

    __hash__ = object.__hash__

    if not TYPE_CHECKING:
        # Type checkers refuse these by themselves. Python binds & and | tighter than comparisons.
        def __and__(self, other: object) -> NoReturn:
            """Raise: conditions are joined, and need brackets."""
            raise InvalidOperator(
                f"& and | join conditions, not the field {self.name!r}: put brackets around each "
                f"comparison, (Class.{self.attribute or self.name} > 3) & (...)"
            )

        __rand__ = __or__ = __ror__ = __and__

    def is_in(self, values: Iterable[T]) -> FieldCondition:
        """Return a condition: the value is one of these."""
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise InvalidOption(
                f"is_in needs a collection of values, not {show(values)}",
                hint="Put a single value into a list.",
            )
        return FieldCondition("in", self, {"values": tuple(values)})

    def between(self, low: T, high: T) -> FieldCondition:
        """Return a condition: the value is between ``low`` and ``high``, both included."""
        return (self >= low) & (self <= high)

    def exists(self) -> FieldCondition:
        """Return a condition: the element has a value."""
        return FieldCondition("exists", self)

    def matches(self, pattern: str) -> FieldCondition:
        """Return a condition: the regular expression matches the whole text."""
        _check_text("matches", "a regular expression", pattern)
        return FieldCondition("regex", self, {"pattern": pattern})

    def has_text(self, text: str, *, ignore_case: bool = False) -> FieldCondition:
        """Return a condition: the text contains this text."""
        _check_text("has_text", "text", text)
        if not isinstance(ignore_case, bool):
            raise InvalidOption(f"ignore_case is True or False, not {show(ignore_case)}")
        return FieldCondition(
            "substring", self, {"value": text, **_if_set(ignore_case=ignore_case)}
        )

    def contains(self, member: Any) -> FieldCondition:
        """Return a condition: the collection has this member, or the map has this key."""
        return FieldCondition("contains", self, {"value": member})

    @overload
    def age_off(
        self, span: timedelta | None = ..., *, days: float = ..., hours: float = ...
    ) -> FieldCondition: ...
    @overload
    def age_off(
        self,
        span: timedelta | None = ...,
        *,
        days: float = ...,
        hours: float = ...,
        remove: bool,
    ) -> DeclaredRule: ...
    def age_off(
        self,
        span: timedelta | None = None,
        *,
        days: float = 0,
        hours: float = 0,
        remove: bool | None = None,
        **unknown: Any,
    ) -> Any:
        """Return a condition: a time (an ``int``: milliseconds since 1970) is younger than this.

        With ``remove`` it returns a rule for ``check=`` or ``rules``, as ``lg.rule`` does.

        >>> field("day").age_off(days=100)
        day.age_off(days=100)
        """
        for name in unknown:
            raise InvalidOption(
                f"age_off has no option {name!r}: it takes days=, hours= or a timedelta",
                hint="Three weeks are age_off(days=21), or age_off(timedelta(weeks=3)).",
            )
        given = timedelta() if span is None else span
        try:
            whole = given + timedelta(days=days, hours=hours)
        except (TypeError, ValueError, OverflowError):
            whole = None
        if not isinstance(given, timedelta) or whole is None or whole <= timedelta():
            raise InvalidOption(
                "age_off needs a positive span of time: "
                f"days=, hours= or a timedelta, not {_shown_span(span, days, hours)}",
                hint="Write age_off(days=90). For a fixed moment, compare: field >= moment.",
            )
        condition = FieldCondition("age-off", self, {"ttl": whole // timedelta(microseconds=1)})
        return condition if remove is None else rule(condition, remove=remove)

    @property
    def length(self) -> Length:
        """The length of text or of a collection, to compare with a number."""
        return Length(self)

    def _compare(self, op: str, other: Any) -> FieldCondition:
        return FieldCondition(op, self, {"other" if isinstance(other, Field) else "value": other})

    def __repr__(self) -> str:
        """Show name, role and aggregator."""
        how = self.role if self.aggregate is None else self.aggregate.name
        over = getattr(self.over, "name", self.over)
        return f"<field {self.name or (f'over {over}' if over else 'without a name')}: {how}>"


def _shown_span(span: Any, days: Any, hours: Any) -> str:
    if span is not None:
        return show(span)
    return f"days={show(days)}, hours={show(hours)}"


def _check_text(method: str, what: str, given: object) -> None:
    if not is_text(given):
        raise InvalidOption(
            f"{method} needs {what}, not {show(given)}",
            hint=f'Write {method}("..."), with a str.',
        )


def _if_set(**flags: bool) -> dict[str, bool]:
    return {name: value for name, value in flags.items() if value}


class Length:
    """The length of a field, as something to compare.

    >>> field("name").length <= 12
    name.length(compare='le', size=12)
    """

    def __init__(self, of: Field[Any]) -> None:
        self._of = of

    def __eq__(self, size: int) -> FieldCondition:  # type: ignore[override]
        """Hold for this length."""
        return self._compare("eq", size)

    def __ne__(self, size: int) -> FieldCondition:  # type: ignore[override]
        """Hold for other lengths."""
        return self._compare("ne", size)

    def __lt__(self, size: int) -> FieldCondition:
        """Hold for what is shorter."""
        return self._compare("lt", size)

    def __le__(self, size: int) -> FieldCondition:
        """Hold for what is not longer."""
        return self._compare("le", size)

    def __gt__(self, size: int) -> FieldCondition:
        """Hold for what is longer."""
        return self._compare("gt", size)

    def __ge__(self, size: int) -> FieldCondition:
        """Hold for what is not shorter."""
        return self._compare("ge", size)

    __hash__ = object.__hash__

    def _compare(self, op: str, size: int) -> FieldCondition:
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            raise InvalidOption(f"a length is compared with a number from 0, not {show(size)}")
        return FieldCondition("length", self._of, {"compare": op, "size": size})


@overload
def field(one: str) -> Field[Any]: ...
@overload
def field(one: T) -> Field[T]: ...
def field(one: Any) -> Field[Any]:
    """Return a field for conditions, by its name; for type checkers also by ``Calls.day``.

    >>> field("count").is_in([1, 2])
    count.in(values=(1, 2))
    """
    if isinstance(one, Field):
        return one
    if isinstance(one, str) and one:
        return Field(name=one)
    raise InvalidOption(f"a field is named by text or by Class.field, not {show(one)}")


this: Any = Field(name="this")
"""In ``check=[...]``: the field that the check belongs to."""
