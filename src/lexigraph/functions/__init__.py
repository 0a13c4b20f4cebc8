"""Functions over values, by name: aggregators and predicates.

Layer ``functions``, above ``codec`` and below ``store``: knows values and their bytes, but neither
cells nor plans. The built-in ones are the tuples below; users register more.
"""

from __future__ import annotations

from typing import Any

from lexigraph.codec import Codec
from lexigraph.functions.aggregators import Aggregator
from lexigraph.functions.extremes import First, Last, Max, Min
from lexigraph.functions.predicate_json import parse_predicate
from lexigraph.functions.predicates import PREDICATES, Predicate
from lexigraph.functions.registry import Registry, nearest
from lexigraph.functions.sets import SetOf
from lexigraph.functions.sums import Count, Sum

BUILT_IN_AGGREGATORS: tuple[type[Aggregator], ...] = (Sum, Min, Max, First, Last, SetOf, Count)

AGGREGATORS: Registry[Aggregator] = Registry("aggregator", BUILT_IN_AGGREGATORS)


def aggregator_for(name: str, codec: Codec[Any]) -> Aggregator:
    """Bind the aggregator of that name to a codec.

    >>> from lexigraph.codec import codec_for
    >>> aggregator_for("max", codec_for("date"))
    <aggregator max over date>
    """
    return AGGREGATORS.find(name)(codec)


__all__ = [
    "AGGREGATORS",
    "PREDICATES",
    "Aggregator",
    "Predicate",
    "Registry",
    "aggregator_for",
    "nearest",
    "parse_predicate",
]
