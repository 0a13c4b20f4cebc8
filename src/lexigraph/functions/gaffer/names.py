"""Which of our functions stand for which classes of Gaffer and koryphe.

Layer ``functions``. Classes are known by their short name, their full name, and the names that they
had before version 1 (``gaffer.function.simple.*``): only the last part counts, because the place
where a class stands in JSON says whether it is an aggregator, a predicate or a transform.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.errors import InvalidOption, nearest, show

_K = "uk.gov.gchq.koryphe"
_G = "uk.gov.gchq.gaffer"
_OPERATOR, _PREDICATE, _FUNCTION = (
    f"{_K}.impl.{p}" for p in ("binaryoperator", "predicate", "function")
)
_SKETCHES = f"{_G}.sketches"

AGGREGATOR_CLASSES: dict[str, str] = {
    f"{_OPERATOR}.Sum": "sum",
    f"{_OPERATOR}.Product": "product",
    f"{_OPERATOR}.Min": "min",
    f"{_OPERATOR}.Max": "max",
    f"{_OPERATOR}.First": "first",
    f"{_OPERATOR}.Last": "last",
    f"{_OPERATOR}.And": "and",
    f"{_OPERATOR}.Or": "or",
    f"{_OPERATOR}.StringConcat": "concat",
    f"{_OPERATOR}.StringDeduplicateConcat": "concat",
    f"{_OPERATOR}.CollectionConcat": "set",
    f"{_OPERATOR}.IterableMerge": "list",
    f"{_G}.types.function.FreqMapAggregator": "frequency-map",
    f"{_SKETCHES}.clearspring.cardinality.binaryoperator.HyperLogLogPlusAggregator": "hll",
    f"{_SKETCHES}.datasketches.cardinality.binaryoperator.HllSketchAggregator": "hll",
    f"{_SKETCHES}.datasketches.cardinality.binaryoperator.HllUnionAggregator": "hll",
    f"{_SKETCHES}.datasketches.theta.binaryoperator.SketchAggregator": "theta",
    f"{_SKETCHES}.datasketches.theta.binaryoperator.UnionAggregator": "theta",
    f"{_SKETCHES}.datasketches.quantiles.binaryoperator.DoublesSketchAggregator": "quantiles",
    f"{_SKETCHES}.datasketches.quantiles.binaryoperator.DoublesUnionAggregator": "quantiles",
    f"{_SKETCHES}.datasketches.quantiles.binaryoperator.KllFloatsSketchAggregator": "quantiles",
    f"{_SKETCHES}.datasketches.quantiles.binaryoperator.StringsSketchAggregator": "quantiles",
    f"{_SKETCHES}.datasketches.quantiles.binaryoperator.StringsUnionAggregator": "quantiles",
    f"{_SKETCHES}.datasketches.frequencies.binaryoperator.LongsSketchAggregator": "frequent-items",
    f"{_SKETCHES}.datasketches.frequencies.binaryoperator.StringsSketchAggregator": (
        "frequent-items"
    ),
    f"{_SKETCHES}.datasketches.sampling.binaryoperator.ReservoirItemsSketchAggregator": "reservoir",
    f"{_SKETCHES}.datasketches.sampling.binaryoperator.ReservoirItemsUnionAggregator": "reservoir",
    f"{_SKETCHES}.datasketches.sampling.binaryoperator.ReservoirLongsSketchAggregator": "reservoir",
    f"{_SKETCHES}.datasketches.sampling.binaryoperator.ReservoirLongsUnionAggregator": "reservoir",
    f"{_G}.bitmap.function.aggregate.RoaringBitmapAggregator": "bitmap",
    f"{_G}.time.binaryoperator.RBMBackedTimestampSetAggregator": "time-series",
}
"""Full class names of aggregators; the first one of ours is the one that is written back."""

PREDICATE_CLASSES: tuple[str, ...] = (
    *(
        f"{_PREDICATE}.{name}"
        for name in (
            *("AgeOff", "And", "AreEqual", "CollectionContains", "Exists", "If", "IsA", "IsEqual"),
            *("IsFalse", "IsIn", "IsLessThan", "IsLongerThan", "IsMoreThan", "IsShorterThan"),
            *("IsTrue", "IsXLessThanY", "IsXMoreThanY", "MapContains", "MultiRegex", "Not", "Or"),
            *("Regex", "StringContains", "range.InDateRange", "range.InDateRangeDual"),
            *("range.InRange", "range.InRangeDual", "range.InTimeRange", "range.InTimeRangeDual"),
        )
    ),
    f"{_K}.tuple.predicate.TupleAdaptedPredicate",
    f"{_K}.tuple.predicate.IntegerTupleAdaptedPredicate",
    f"{_SKETCHES}.clearspring.cardinality.predicate.HyperLogLogPlusIsLessThan",
    f"{_SKETCHES}.datasketches.cardinality.predicate.HllSketchIsLessThan",
)
"""Full class names of the predicates that ``gaffer_predicates`` reads."""


def short_name(given: Any) -> str:
    """Return the last part of a class name in any of its spellings.

    >>> short_name("gaffer.function.simple.filter.AgeOff")
    'AgeOff'
    """
    if not isinstance(given, str) or not given:
        raise InvalidOption(f"the name of a class is text, not {show(given)}")
    return given.rpartition(".")[2]


def aggregator_from_gaffer(
    given: Mapping[str, Any], java_type: str | None = None
) -> tuple[str, dict[str, Any]]:
    """Return name and options of our aggregator for one of Gaffer's in JSON.

    ``java_type`` is the class of the property: a concatenation of sets is a set, of lists a list.

    >>> aggregator_from_gaffer({"class": "StringConcat", "separator": ";"})
    ('concat', {'separator': ';'})
    """
    short = short_name(given.get("class"))
    by_short = {short_name(name): ours for name, ours in AGGREGATOR_CLASSES.items()}
    if short == "StringsSketchAggregator":
        # There are two of this name: quantiles and frequencies.
        full = str(given["class"])
        return ("frequent-items" if "frequencies" in full else "quantiles"), {}
    if short not in by_short:
        raise InvalidOption(
            f"Gaffer's aggregator {short!r} has no equivalent in Lexigraph",
            near=nearest(short, by_short),
            hint=f"Available: {', '.join(sorted(by_short))}.",
        )
    if short == "CollectionConcat" and java_type is not None and java_type.endswith("List"):
        return "list", {}
    options: dict[str, Any] = {}
    if by_short[short] == "concat":
        if given.get("separator", ",") != ",":
            options["separator"] = given["separator"]
        if short == "StringDeduplicateConcat":
            options["distinct"] = True
    return by_short[short], options


def aggregator_to_gaffer(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return Gaffer's JSON for one of our aggregators.

    >>> aggregator_to_gaffer("concat", {"distinct": True})
    {'class': 'uk.gov.gchq.koryphe.impl.binaryoperator.StringDeduplicateConcat'}
    """
    if name == "list":
        return {"class": f"{_OPERATOR}.CollectionConcat"}
    if name == "concat":
        kind = "StringDeduplicateConcat" if options.get("distinct") else "StringConcat"
        written: dict[str, Any] = {"class": f"{_OPERATOR}.{kind}"}
        if options.get("separator", ",") != ",":
            written["separator"] = options["separator"]
        return written
    for full, ours in AGGREGATOR_CLASSES.items():
        if ours == name:
            return {"class": full}
    raise InvalidOption(f"Gaffer has no equivalent of the aggregator {name!r}")
