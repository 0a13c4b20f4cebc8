"""Conditions on the sort key of edges become slices of references: less is read.

Layer ``plan``. A slice holds every reference that can satisfy the conditions, and maybe more: they
are judged afterwards in any case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from lexigraph.codec import codec_for
from lexigraph.codec.prefix import Bound
from lexigraph.functions import Predicate
from lexigraph.functions.predicates.comparisons import (
    AnyOf,
    Equal,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
)
from lexigraph.functions.predicates.connectives import Both
from lexigraph.layout.records.rows import SortField
from lexigraph.layout.records.tables import WHOLE, SortSlice
from lexigraph.plan.records.conditions import property_of

MOST_SLICES = 64
"""How many slices a label is read in; conditions on more values are judged one by one."""


@dataclass(slots=True)
class _Limits:
    """What the conditions say about one part: values that it must have one of, and bounds."""

    values: tuple[bytes, ...] | None = None
    lower: list[tuple[bytes, bool]] = field(default_factory=list)
    upper: list[tuple[bytes, bool]] = field(default_factory=list)


def slices_of(predicates: Iterable[Predicate], key: tuple[SortField, ...]) -> list[SortSlice]:
    """Return the slices of a label with this sort key that all predicates leave."""
    limits = {one.name: _Limits() for one in key}
    for predicate in predicates:
        for one in required_parts([predicate]):
            _limit(one, limits)
    chosen: list[list[Any]] = []
    lower = upper = None
    number = 1
    for part in key:
        limit, decode = limits[part.name], codec_for(part.codec).decode
        if limit.values is not None and number * len(limit.values) <= MOST_SLICES:
            number *= len(limit.values)
            chosen.append([decode(one) for one in limit.values])
            continue
        lower = _bound(limit.lower, decode, max)
        upper = _bound(limit.upper, decode, min)
        break
    if not chosen and lower is None and upper is None:
        return [WHOLE]
    return [SortSlice(values, lower, upper) for values in product(*chosen)]


def required_parts(predicates: Iterable[Predicate]) -> Iterator[Predicate]:
    """Yield the parts of predicates that must all be true."""
    for one in predicates:
        if isinstance(one, Both):
            yield from required_parts(one.of)
        else:
            yield one


def _limit(one: Predicate, limits: dict[str, _Limits]) -> None:
    if not isinstance(one, Equal | AnyOf | Less | LessOrEqual | Greater | GreaterOrEqual):
        return
    limit = limits.get(property_of(one.field))
    if limit is None:
        return
    if isinstance(one, Equal | AnyOf):
        values = (one.value,) if isinstance(one, Equal) else tuple(sorted(set(one.values)))
        if limit.values is None or len(values) < len(limit.values):
            limit.values = values
    elif isinstance(one, Less | LessOrEqual):
        limit.upper.append((one.value, isinstance(one, LessOrEqual)))
    else:
        limit.lower.append((one.value, isinstance(one, GreaterOrEqual)))


def _bound(given: list[tuple[bytes, bool]], decode: Any, nearest: Any) -> Bound | None:
    # Key forms compare as their values do; of equal ones either is right.
    if not given:
        return None
    value, inclusive = nearest(given, key=lambda one: one[0])
    return Bound(decode(value), inclusive)
