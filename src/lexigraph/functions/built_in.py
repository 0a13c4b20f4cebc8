"""The aggregators and predicates that come with Lexigraph, and where users add theirs.

Layer ``functions``. One is built in because it stands in a tuple here, for no other reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.codec import Codec
from lexigraph.functions.aggregators.base import Aggregator
from lexigraph.functions.aggregators.bitmaps import Bitmap
from lexigraph.functions.aggregators.extremes import First, Last, Max, Min
from lexigraph.functions.aggregators.flags import AllTrue, AnyTrue
from lexigraph.functions.aggregators.item_sketches import FrequentItems, Quantiles
from lexigraph.functions.aggregators.lists import ListOf, Reservoir, TopN
from lexigraph.functions.aggregators.maps import FrequencyMap, TimeSeries
from lexigraph.functions.aggregators.sets import SetOf
from lexigraph.functions.aggregators.sketches import Hll, Theta
from lexigraph.functions.aggregators.sums import Count, Product, Sum
from lexigraph.functions.aggregators.texts import Concat
from lexigraph.functions.predicates.base import Predicate
from lexigraph.functions.predicates.comparisons import COMPARISONS, AnyOf, Exists
from lexigraph.functions.predicates.connectives import Both, Either, Negation
from lexigraph.functions.predicates.contents import CONTENTS
from lexigraph.functions.registry import Registry

BUILT_IN_AGGREGATORS: tuple[type[Aggregator], ...] = (
    Sum,
    Product,
    Min,
    Max,
    AllTrue,
    AnyTrue,
    First,
    Last,
    SetOf,
    ListOf,
    Concat,
    FrequencyMap,
    TopN,
    TimeSeries,
    Reservoir,
    Hll,
    Theta,
    Quantiles,
    FrequentItems,
    Bitmap,
    Count,
)
BUILT_IN_PREDICATES: tuple[type[Predicate], ...] = (
    *COMPARISONS,
    *CONTENTS,
    AnyOf,
    Exists,
    Both,
    Either,
    Negation,
)

AGGREGATORS: Registry[Aggregator] = Registry("aggregator", BUILT_IN_AGGREGATORS)
PREDICATES: Registry[Predicate] = Registry("predicate", BUILT_IN_PREDICATES)


def aggregator_for(
    name: str, codec: Codec[Any], options: Mapping[str, Any] | None = None
) -> Aggregator:
    """Bind the aggregator of that name to a codec, with its options.

    >>> from lexigraph.codec import codec_for
    >>> aggregator_for("max", codec_for("date"))
    <aggregator max over date>
    >>> aggregator_for("top-n", codec_for("int"), {"nn": 3})
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: aggregator 'top-n' has no option 'nn' (did you mean: n?)
    """
    kind = AGGREGATORS.find(name)
    # A user's class may know nothing of options.
    return kind(codec, options) if options else kind(codec)
