"""What questions are ordered and grouped by besides fields: ``lg.desc("n")``, ``lg.month("day")``.

Layer ``graph``. A term is data: it names a field and what is made of it, and reads nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lexigraph.errors import InvalidOption, UsageError, show
from lexigraph.functions.transforms.base import Transform
from lexigraph.functions.transforms.registry import transform_for
from lexigraph.schema import Aggregate, Field

_NEEDED = "a field of a class, a name or lg.month(...) is needed, not"


@dataclass(frozen=True, slots=True)
class ComputedTerm:
    """A value that a transform makes of one field; its ``name`` is that of the column."""

    name: str
    function: Transform
    field: str | Field[Any]

    def __repr__(self) -> str:
        """Show it as a call."""
        return f"{self.name}({getattr(self.field, 'name', self.field)})"


@dataclass(frozen=True, slots=True)
class DescendingTerm:
    """A field, or what is made of one, with the largest value first."""

    of: str | Field[Any] | ComputedTerm


AnyTerm = str | Field[Any] | ComputedTerm
"""What a question is grouped by."""


def desc(field: Any) -> DescendingTerm:
    """Order by a field with the largest value first: ``order_by(lg.desc("count"), "day")``.

    >>> desc("count")
    DescendingTerm(of='count')
    """
    if not isinstance(field, str | Field | ComputedTerm):
        raise UsageError(f"{_NEEDED} {show(field)}")
    return DescendingTerm(field)


def mean(over: Any = None, **unknown: Any) -> Any:
    """Take the mean of a property, in ``summarise``; absent values are left out.

    A mean does not merge, so no property can have it: store a sum and a count.

    >>> mean("count")
    <field over count: mean>
    """
    if unknown or not isinstance(over, str | Field | ComputedTerm):
        given = f"the option {next(iter(unknown))!r}" if unknown else show(over)
        raise InvalidOption(
            f"lg.mean takes the property that the mean is taken of, not {given}",
            hint='Write .summarise(mean=lg.mean("count")). No property can be a mean: store a sum '
            "and a count.",
        )
    return Field(aggregate=Aggregate("mean"), over=over)


def year(field: Any) -> ComputedTerm:
    """Return the first day of the year of a date or time, to group and order by."""
    return _computed("year", field)


def quarter(field: Any) -> ComputedTerm:
    """Return the first day of the quarter of a date or time, to group and order by."""
    return _computed("quarter", field)


def month(field: Any) -> ComputedTerm:
    """Return the first day of the month of a date or time, to group and order by.

    >>> month("day")
    month(day)
    """
    return _computed("month", field)


def week(field: Any) -> ComputedTerm:
    """Return the Monday of the week of a date or time, to group and order by."""
    return _computed("week", field)


def day(field: Any) -> ComputedTerm:
    """Return the date of a time, to group and order by."""
    return _computed("day", field)


def hour(field: Any) -> ComputedTerm:
    """Return a time cut to its hour, to group and order by."""
    return _computed("hour", field)


def _computed(name: str, field: Any) -> ComputedTerm:
    if not isinstance(field, str | Field):
        raise UsageError(f"lg.{name} is of a field of a class or a name, not {show(field)}")
    return ComputedTerm(name, transform_for(name), field)
