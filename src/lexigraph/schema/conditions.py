"""Conditions: questions about the fields of an element, written in Python.

Layer ``schema``. A condition is data: it holds Python values until a group gives them their bytes,
so one condition fits every group that has its fields. It is neither true nor false by itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lexigraph.errors import InvalidOption, UsageError, show
from lexigraph.functions.predicates.base import MAX_DEPTH
from lexigraph.schema.describe import show_span
from lexigraph.schema.keys import key_form, plan_field

if TYPE_CHECKING:
    from lexigraph.schema.fields import Field
    from lexigraph.schema.model import Group

_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class FieldCondition:
    """What elements are to satisfy; made by comparing fields, joined with ``&``, ``|`` and ``~``.

    >>> from lexigraph.schema.fields import field
    >>> (field("count") >= 3) & ~field("day").exists()
    (count >= 3) & (~(day.exists()))
    """

    op: str
    field: Field[Any] | None = None
    arguments: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    of: tuple[FieldCondition, ...] = ()
    depth: int = dataclasses.field(init=False, repr=False, default=1)
    """How deep it nests, itself included."""

    def __post_init__(self) -> None:
        """Refuse what no engine follows, before anything walks through it."""
        depth = 1 + max((one.depth for one in self.of), default=0)
        if depth > MAX_DEPTH:
            raise InvalidOption(
                f"conditions nest at most {MAX_DEPTH} deep",
                hint="Chains of & or of | alone do not nest, however long they are. "
                "Rewrite the mix of & | ~, or use .is_in([...]) for many values of one field.",
            )
        object.__setattr__(self, "depth", depth)

    def to_predicate(self, group: Group) -> dict[str, Any]:
        """Return the predicate in its JSON form, with values encoded by the group's types.

        >>> from lexigraph.schema.fields import field
        >>> from lexigraph.schema.model import Group, ValueType
        >>> group = Group("p", "vertex", {"vertex": ValueType("str")})
        >>> (field("vertex") == "ann").to_predicate(group)
        {'op': 'eq', 'field': 'vertex', 'value': b'ann'}
        """
        if self.field is None:
            inner = [one.to_predicate(group) for one in self.of]
            return {"op": self.op, "of": inner[0] if self.op == "not" else inner}
        name = self.field.name
        predicate = {"op": self.op, "field": plan_field(group, name)}
        if self.op == "exists" and name == group.visibility:
            # An element without a label has an empty one.
            return {**predicate, "op": "ne", "value": b""}
        if self.op == "in" and name != group.visibility:
            given = list(self.arguments["values"])
            there = [one for one in given if one is not None]
            if len(there) < len(given):
                absent = {"op": "not", "of": {"op": "exists", "field": predicate["field"]}}
                return {
                    "op": "or",
                    "of": [absent, {**predicate, "values": _many(group, name, there)}],
                }
        for argument, value in self.arguments.items():
            write = _WRITERS.get((self.op, argument))
            predicate[argument] = value if write is None else write(group, name, value)
        return predicate

    def fields(self) -> Iterator[str]:
        """Yield the names of the fields it uses, each once."""
        seen = dict.fromkeys(self._names())
        yield from seen

    def _names(self) -> Iterator[str]:
        if self.field is not None:
            yield self.field.name
        other = self.arguments.get("other")
        if other is not None:
            yield other.name
        for one in self.of:
            yield from one._names()

    def asks(self, op: str, field: Field[Any]) -> bool:
        """Return whether a part of it is this question about the field."""
        return (self.op == op and self.field is field) or any(c.asks(op, field) for c in self.of)

    def about(self, this: Field[Any], other: Field[Any]) -> FieldCondition:
        """Return the condition with one field replaced by another."""
        arguments = {
            name: other if value is this else value for name, value in self.arguments.items()
        }
        placed = other if self.field is this else self.field
        return FieldCondition(
            self.op, placed, arguments, tuple(c.about(this, other) for c in self.of)
        )

    def renamed(self, names: Mapping[str, str]) -> FieldCondition:
        """Return the condition with other names for some of its fields."""
        if names.keys().isdisjoint(self._names()):
            return self

        def named(one: Any) -> Any:
            return type(one)(name=names[one.name]) if one.name in names else one

        field = None if self.field is None else named(self.field)
        other = self.arguments.get("other")
        arguments = {**self.arguments, **({} if other is None else {"other": named(other)})}
        return FieldCondition(
            self.op, field, arguments, tuple(one.renamed(names) for one in self.of)
        )

    def __and__(self, other: Any) -> FieldCondition:
        """Hold where both hold."""
        return _joined("and", self, as_condition(other))

    def __or__(self, other: Any) -> FieldCondition:
        """Hold where at least one holds."""
        return _joined("or", self, as_condition(other))

    def __rand__(self, other: Any) -> FieldCondition:
        """Refuse what is not a condition; ``__and__`` takes those that are."""
        return as_condition(other) & self

    def __ror__(self, other: Any) -> FieldCondition:
        """Refuse what is not a condition; ``__or__`` takes those that are."""
        return as_condition(other) | self

    def __invert__(self) -> FieldCondition:
        """Hold where it does not."""
        return self.of[0] if self.op == "not" else FieldCondition("not", of=(self,))

    def __bool__(self) -> bool:
        """Refuse: ``and``, ``or``, ``not`` and chains of comparisons would lose a part."""
        raise UsageError(
            f"the condition {self!r} cannot be used as True or False",
            hint="Join conditions with & | ~ in brackets; for a < field < b use .between(a, b).",
        )

    def __repr__(self) -> str:
        """Show it as it was written."""
        if self.op == "not":
            return f"~({self.of[0]!r})"
        if self.field is None:
            sign = " & " if self.op == "and" else " | "
            return sign.join(f"({one!r})" for one in self.of) or f"{self.op} of nothing"
        if self.op in _SIGNS:
            other = self.arguments.get("other")
            shown = show(self.arguments.get("value")) if other is None else other.name
            return f"{self.field.name} {_SIGNS[self.op]} {shown}"
        if self.op == "age-off":
            return f"{self.field.name}.age_off({show_span(self.arguments['ttl'])})"
        given = ", ".join(f"{name}={show(value)}" for name, value in self.arguments.items())
        return f"{self.field.name}.{self.op}({given})"


def _joined(op: str, *given: FieldCondition) -> FieldCondition:
    """Join conditions; a chain of one connective stays flat, so its length is no depth."""
    parts = [one.of if one.op == op and one.field is None else (one,) for one in given]
    return FieldCondition(op, of=tuple(one for part in parts for one in part))


def as_condition(value: Any) -> FieldCondition:
    """Take a condition as such; anything else is a mistake that type checkers cannot see.

    >>> as_condition(True)
    Traceback (most recent call last):
        ...
    lexigraph.errors.UsageError: a condition is needed, not True
    """
    if isinstance(value, FieldCondition):
        return value
    raise UsageError(
        f"a condition is needed, not {show(value)}",
        hint="Compare a field of a class: Calls.day >= date(2026, 1, 1).",
    )


def _member(group: Group, name: str, value: Any) -> bytes:
    return key_form(group, name, value, member=True)


def _many(group: Group, name: str, values: Any) -> list[bytes]:
    return [key_form(group, name, value) for value in values]


def _other(group: Group, name: str, other: Any) -> str:
    return plan_field(group, other.name)


# What of a predicate is bytes or the name of a field; all else stands as it is.
_WRITERS: dict[tuple[str, str], Callable[[Group, str, Any], Any]] = {
    **{(op, "value"): key_form for op in _SIGNS},
    ("contains", "value"): _member,
    **{(op, "other"): _other for op in _SIGNS},
    ("in", "values"): _many,
}
