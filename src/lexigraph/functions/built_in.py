"""The aggregators and predicates that come with Lexigraph, and where users add theirs.

Layer ``functions``. One is built in because it stands in a tuple of its module that is listed here,
for no other reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.codec import Codec
from lexigraph.functions.aggregators.base import Aggregator
from lexigraph.functions.aggregators.bitmaps import BITMAPS
from lexigraph.functions.aggregators.extremes import EXTREMES
from lexigraph.functions.aggregators.flags import FLAGS
from lexigraph.functions.aggregators.item_sketches import ITEM_SKETCHES
from lexigraph.functions.aggregators.lists import LISTS
from lexigraph.functions.aggregators.maps import MAPS
from lexigraph.functions.aggregators.sets import SETS
from lexigraph.functions.aggregators.sketches import SKETCHES
from lexigraph.functions.aggregators.sums import SUMS
from lexigraph.functions.aggregators.texts import TEXTS
from lexigraph.functions.predicates.base import Predicate
from lexigraph.functions.predicates.comparisons import COMPARISONS, AnyOf, Exists
from lexigraph.functions.predicates.connectives import Both, Either, Negation
from lexigraph.functions.predicates.contents import CONTENTS
from lexigraph.functions.registry import Registry

BUILT_IN_AGGREGATORS: tuple[type[Aggregator], ...] = (
    *(*SUMS, *EXTREMES, *FLAGS, *SETS, *LISTS, *TEXTS),
    *(*MAPS, *SKETCHES, *ITEM_SKETCHES, *BITMAPS),
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


def traits_of(name: str) -> type[Aggregator]:
    """Return the class that declares the flags of an aggregator.

    For one that a user added, or that does not exist, this is :class:`Aggregator` itself, which
    promises nothing: a subclass of a built-in one may finish to something else.

    >>> traits_of("min").idempotent, traits_of("my-median").result_kind
    (True, None)
    """
    return _BUILT_IN.get(name, Aggregator)


_BUILT_IN = {one.name: one for one in BUILT_IN_AGGREGATORS}
