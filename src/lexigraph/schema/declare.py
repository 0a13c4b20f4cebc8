"""What stands behind the ``=`` of a field in a class of elements: ``lg.sum()``, ``lg.group_by()``.

Layer ``schema``. Each gives a field; type checkers take it for the value, as those of dataclasses.
With another field (``lg.sum("count")``) it is a measure of a query instead. A property that
collects values has the type of one of them: that of the members of a ``set[str]``, or ``of=``.
"""

# ruff: noqa: A001 - the words for what happens to values are those that everybody knows

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict, Unpack

from lexigraph.errors import InvalidOption, show
from lexigraph.schema.fields import (
    GROUP_BY,
    ID,
    SIGNATURE,
    SORT_KEY,
    TIMESTAMP,
    VISIBILITY,
    Field,
)
from lexigraph.schema.model import Aggregate
from lexigraph.schema.records import time_to_live


class Common(TypedDict, total=False):
    """What every field may be told."""

    name: str
    """Its name in the schema, where that is none in Python: ``road-use``."""
    doc: str
    check: Iterable[Any]
    """Conditions on ``lg.this`` that its values must satisfy."""
    default: Any


class Merged(Common, total=False):
    """What a field whose values merge may be told besides."""

    of: Any
    """The type of the values that it collects, where the annotation does not say it."""


def id(**common: Unpack[Common]) -> Any:
    """Make a field the id of its vertices."""
    return Field(ID, **common)


def group_by(**common: Unpack[Common]) -> Any:
    """Keep elements with different values apart, in the order of the fields."""
    return Field(GROUP_BY, **common)


def sort_key(*, descending: bool = False, **common: Unpack[Common]) -> Any:
    """Sort the edges of a vertex by this field, in the order of the fields; for records."""
    if not isinstance(descending, bool):
        raise InvalidOption(f"descending is True or False, not {show(descending)}")
    made: Field[Any] = Field(SORT_KEY, **common)
    made.descending = descending
    return made


def signature(**common: Unpack[Common]) -> Any:
    """Keep the field in the references of an edge, to be read without its row; for records."""
    return Field(SIGNATURE, **common)


def expires(
    *,
    days: float = 0,
    hours: float = 0,
    minutes: float = 0,
    seconds: float = 0,
    **common: Unpack[Common],
) -> Any:
    """Let the values of a field expire so long after their time; for records.

    >>> expires(minutes=5).ttl
    300000000
    """
    made: Field[Any] = Field(**common)
    made.ttl = time_to_live(days=days, hours=hours, minutes=minutes, seconds=seconds)
    return made


def visibility(**common: Unpack[Common]) -> Any:
    """Make a field the label that says who may see the element."""
    return Field(VISIBILITY, **common)


def timestamp(**common: Unpack[Common]) -> Any:
    """Make a field the time of the element: a datetime, or an ``int`` kept as it is."""
    return Field(TIMESTAMP, **common)


def aggregate(
    aggregator: str,
    over: Any = None,
    *,
    options: dict[str, Any] | None = None,
    **common: Unpack[Merged],
) -> Any:
    """Merge values with the aggregator of that name, which may be your own.

    >>> aggregate("max", "age")
    <field over age: max>
    """
    if not isinstance(aggregator, str):
        raise InvalidOption(f"an aggregator is named by text, not {show(aggregator)}")
    return Field(aggregate=Aggregate(aggregator, options or {}), over=over, **common)


def sum(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Add values up."""
    return aggregate("sum", over, **common)


def product(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Multiply values."""
    return aggregate("product", over, **common)


def min(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Keep the smallest value."""
    return aggregate("min", over, **common)


def max(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Keep the largest value."""
    return aggregate("max", over, **common)


def all_of(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Keep whether all values are true."""
    return aggregate("and", over, **common)


def any_of(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Keep whether some value is true."""
    return aggregate("or", over, **common)


def first(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Keep the oldest value."""
    return aggregate("first", over, **common)


def last(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Keep the newest value."""
    return aggregate("last", over, **common)


def count(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Count elements, in ``summarise``."""
    return aggregate("count", over, **common)


def set_of(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Collect the distinct values."""
    return aggregate("set", over, **common)


def list_of(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Collect all values, sorted."""
    return aggregate("list", over, **common)


def concat(
    over: Any = None, *, separator: str = ",", distinct: bool = False, **common: Unpack[Merged]
) -> Any:
    """Join texts, sorted; with ``distinct`` each once."""
    options = {"separator": separator, "distinct": distinct}
    return aggregate("concat", over, options=options, **common)


def frequencies(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Count how often each value came."""
    return aggregate("frequency-map", over, **common)


def top(over: Any = None, *, n: int = 10, **common: Unpack[Merged]) -> Any:
    """Keep the ``n`` largest values; ``lg.top(10)`` and ``lg.top(n=10)`` are the same."""
    if isinstance(over, int):
        over, n = None, over
    return aggregate("top-n", over, options={"n": n}, **common)


def hll(over: Any = None, *, lg_k: int = 12, **common: Unpack[Merged]) -> Any:
    """Estimate how many distinct values there are (HyperLogLog)."""
    return aggregate("hll", over, options={"lg_k": lg_k}, **common)


def theta(over: Any = None, *, lg_k: int = 12, **common: Unpack[Merged]) -> Any:
    """Estimate how many distinct values there are, in sets that can be intersected (theta)."""
    return aggregate("theta", over, options={"lg_k": lg_k}, **common)


def quantiles(over: Any = None, *, k: int = 200, **common: Unpack[Merged]) -> Any:
    """Estimate medians and other quantiles (KLL)."""
    return aggregate("quantiles", over, options={"k": k}, **common)


def frequent(over: Any = None, *, size: int | None = None, **common: Unpack[Merged]) -> Any:
    """Estimate which values come most often."""
    options = {} if size is None else {"size": size}
    return aggregate("frequent-items", over, options=options, **common)


def bitmap(over: Any = None, **common: Unpack[Merged]) -> Any:
    """Collect whole numbers in a compressed bitmap (roaring)."""
    return aggregate("bitmap", over, **common)


def time_series(over: Any = None, *, bucket: str = "day", **common: Unpack[Merged]) -> Any:
    """Count times by bucket."""
    return aggregate("time-series", over, options={"bucket": bucket}, **common)


def reservoir(over: Any = None, *, size: int = 100, **common: Unpack[Merged]) -> Any:
    """Keep a sample of the values."""
    return aggregate("reservoir", over, options={"size": size}, **common)
