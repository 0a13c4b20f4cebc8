"""The aggregators and predicates that come with Lexigraph, and where users add theirs.

Layer ``functions``. One is built in because it stands in a tuple here, for no other reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.codec import Codec
from lexigraph.functions.aggregators import Aggregator
from lexigraph.functions.bitmaps import Bitmap
from lexigraph.functions.comparisons import COMPARISONS, AnyOf, Exists
from lexigraph.functions.connectives import Both, Either, Negation
from lexigraph.functions.contents import CONTENTS
from lexigraph.functions.extremes import First, Last, Max, Min
from lexigraph.functions.flags import AllTrue, AnyTrue
from lexigraph.functions.item_sketches import FrequentItems, Quantiles
from lexigraph.functions.lists import ListOf, Reservoir, TopN
from lexigraph.functions.maps import FrequencyMap, TimeSeries
from lexigraph.functions.predicates import Predicate
from lexigraph.functions.registry import Registry
from lexigraph.functions.sets import SetOf
from lexigraph.functions.sketches import Hll, Theta
from lexigraph.functions.sums import Count, Product, Sum
from lexigraph.functions.texts import Concat

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
