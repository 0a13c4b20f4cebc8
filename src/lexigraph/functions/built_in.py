"""The aggregators and predicates that come with Lexigraph, and where users add theirs.

Layer ``functions``. One is built in because it stands in a tuple here, for no other reason.
"""

from __future__ import annotations

from typing import Any

from lexigraph.codec import Codec
from lexigraph.functions.aggregators import Aggregator
from lexigraph.functions.comparisons import COMPARISONS, AnyOf, Exists
from lexigraph.functions.connectives import Both, Either, Negation
from lexigraph.functions.extremes import First, Last, Max, Min
from lexigraph.functions.predicates import Predicate
from lexigraph.functions.registry import Registry
from lexigraph.functions.sets import SetOf
from lexigraph.functions.sums import Count, Sum

BUILT_IN_AGGREGATORS: tuple[type[Aggregator], ...] = (Sum, Min, Max, First, Last, SetOf, Count)
BUILT_IN_PREDICATES: tuple[type[Predicate], ...] = (
    *COMPARISONS,
    AnyOf,
    Exists,
    Both,
    Either,
    Negation,
)

AGGREGATORS: Registry[Aggregator] = Registry("aggregator", BUILT_IN_AGGREGATORS)
PREDICATES: Registry[Predicate] = Registry("predicate", BUILT_IN_PREDICATES)


def aggregator_for(name: str, codec: Codec[Any]) -> Aggregator:
    """Bind the aggregator of that name to a codec.

    >>> from lexigraph.codec import codec_for
    >>> aggregator_for("max", codec_for("date"))
    <aggregator max over date>
    """
    return AGGREGATORS.find(name)(codec)
