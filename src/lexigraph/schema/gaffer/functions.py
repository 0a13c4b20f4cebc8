"""The functions that schemas in Gaffer's JSON name: what they take and how they are written back.

Layer ``schema``. What they mean is in ``functions``; here they are found by name, strictly, and
judged by the Java classes of their arguments. The names are those of ``functions.gaffer_names``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lexigraph.errors import LexigraphError, SchemaError, UnsupportedError, nearest, show
from lexigraph.functions import parse_predicate
from lexigraph.functions.gaffer.names import (
    AGGREGATOR_CLASSES,
    PREDICATE_CLASSES,
    aggregator_from_gaffer,
    aggregator_to_gaffer,
    short_name,
)
from lexigraph.functions.gaffer.predicates import predicate_from_gaffer
from lexigraph.schema.gaffer.types import (
    BOOLEAN,
    COLLECTION,
    COMPARABLE,
    FREQ_MAP,
    LONG,
    MAP,
    NUMBER,
    OBJECT,
    STRING,
)

T = TypeVar("T")

_OLD_PACKAGES = {
    f"{start}gaffer.function.{middle}{kind}"
    for start in ("", "uk.gov.gchq.")
    for middle in ("simple.", "")
    for kind in ("aggregate", "filter", "transform")
}
_EARLIER = {
    "ComparableMin": "Min",
    "ComparableMax": "Max",
    "BooleanAnd": "And",
    "BooleanOr": "Or",
    "TreeSetAggregator": "CollectionConcat",
    "ArrayListConcat": "CollectionConcat",
}
ANY_NUMBER: tuple[str, ...] = ()
"""What those take that hand their arguments on to others."""


@dataclass(frozen=True)
class Function:
    """One class: the classes of its arguments, and what Gaffer writes even if nobody said it."""

    java: str
    takes: tuple[str, ...] = (OBJECT,)
    defaults: Mapping[str, Any] = field(default_factory=dict)


_TAKES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("Sum", "Product"), (NUMBER,)),
    **dict.fromkeys(("Min", "Max", "IsMoreThan", "IsLessThan", "InRange"), (COMPARABLE,)),
    **dict.fromkeys(("IsXLessThanY", "IsXMoreThanY", "InRangeDual"), (COMPARABLE,) * 2),
    **dict.fromkeys(("StringConcat", "StringDeduplicateConcat"), (STRING,)),
    **dict.fromkeys(("Regex", "MultiRegex", "StringContains"), (STRING,)),
    **dict.fromkeys(("IsTrue", "IsFalse"), (BOOLEAN,)),
    **dict.fromkeys(("CollectionConcat", "CollectionContains"), (COLLECTION,)),
    **dict.fromkeys(("AreEqual", "InDateRangeDual", "InTimeRangeDual"), (OBJECT,) * 2),
    "AgeOff": (LONG,),
    "FreqMapAggregator": (FREQ_MAP,),
    "MapContains": (MAP,),
    **dict.fromkeys(("Not", "If"), ANY_NUMBER),
    **dict.fromkeys(("TupleAdaptedPredicate", "IntegerTupleAdaptedPredicate"), ANY_NUMBER),
}
_DEFAULTS: dict[str, dict[str, Any]] = {
    **{name: {"orEqualTo": False} for name in ("IsMoreThan", "IsLessThan")},
    **{name: {"separator": ","} for name in ("StringConcat", "StringDeduplicateConcat")},
}


def _table(classes: Sequence[str], both: tuple[str, ...]) -> dict[str, Function]:
    # "And" and "Or" are aggregators of booleans as well as predicates of predicates.
    return {
        full: Function(
            full,
            both if name in ("And", "Or") else _TAKES.get(name, (OBJECT,)),
            _DEFAULTS.get(name, {}),
        )
        for full, name in ((full, short_name(full)) for full in classes)
    }


AGGREGATORS = _table(tuple(AGGREGATOR_CLASSES), (BOOLEAN,))
PREDICATES = _table(PREDICATE_CLASSES, ANY_NUMBER)


def find_function(table: Mapping[str, Function], java: Any, what: str) -> Function:
    """Find a function by the name of its Java class: full, short or old.

    >>> find_function(PREDICATES, "gaffer.function.simple.filter.AgeOff", "a rule").java
    'uk.gov.gchq.koryphe.impl.predicate.AgeOff'
    """
    if isinstance(java, str):
        if java in table:
            return table[java]
        package, _, simple = java.rpartition(".")
        simple = _EARLIER.get(simple, simple)
        if package in {"", *_OLD_PACKAGES}:
            for full, one in table.items():
                if short_name(full) == simple:
                    return one
    known = sorted({short_name(full) for full in table})
    raise SchemaError(
        f"{what} names the class {show(java)}, which is not known",
        near=nearest(java.rpartition(".")[2], known) if isinstance(java, str) else [],
        hint=f"Known classes: {', '.join(known)}.",
    )


def canonical(table: Mapping[str, Function], config: Any, what: str) -> dict[str, Any]:
    """Return the JSON of a function as Gaffer writes it back: full class name, defaults filled in.

    >>> canonical(AGGREGATORS, {"class": "Sum"}, "a type")
    {'class': 'uk.gov.gchq.koryphe.impl.binaryoperator.Sum'}
    """
    if not isinstance(config, Mapping) or "class" not in config:
        raise SchemaError(f"{what} is an object with a 'class', not {show(config)}")
    function = find_function(table, config["class"], what)
    given = {name: value for name, value in config.items() if name != "class"}
    if table is PREDICATES:
        given = {name: _canonical_inner(name, value, what) for name, value in given.items()}
    return {"class": function.java, **function.defaults, **given}


def _canonical_inner(name: str, value: Any, what: str) -> Any:
    if name in ("predicate", "then", "otherwise") and value is not None:
        return canonical(PREDICATES, value, what)
    if name == "predicates" and value is not None:
        if not isinstance(value, list):
            raise SchemaError(f"'predicates' in {what} is a list, not {show(value)}")
        return [canonical(PREDICATES, _adapted(one), what) for one in value]
    return value


def _adapted(one: Any) -> Any:
    # Inside And, Or and Not a predicate may select some of the arguments; its class goes unsaid.
    if isinstance(one, Mapping) and "class" not in one and "predicate" in one:
        return {"class": "IntegerTupleAdaptedPredicate", **one}
    return one


def translate_aggregator(config: Mapping[str, Any], java: str) -> tuple[str, dict[str, Any]]:
    """Return our aggregator and its options for values of a Java class.

    >>> translate_aggregator({"class": "StringConcat", "separator": ";"}, "java.lang.String")
    ('concat', {'separator': ';'})
    """
    whole = canonical(AGGREGATORS, config, "an aggregator")
    return _ours(lambda: aggregator_from_gaffer(whole, java), whole)


def written_aggregator(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return Gaffer's JSON for one of our aggregators."""
    hint = "Remove the group from the schema before writing it."
    try:
        written = aggregator_to_gaffer(name, options)
    except LexigraphError as error:
        raise UnsupportedError(str(error), hint=hint) from None
    if name != "concat" and options:
        raise UnsupportedError(f"Gaffer's {name!r} has no options {', '.join(options)}", hint=hint)
    return canonical(AGGREGATORS, written, "an aggregator")


def translate_predicate(
    config: Mapping[str, Any],
    fields: Sequence[str],
    java: Mapping[str, str],
    key: Callable[[str, Any, bool], bytes],
) -> dict[str, Any]:
    """Return our predicate for one of Gaffer's over fields of a key plan, in its JSON form.

    ``key`` gives the key form of a value for a field, or for a member of what it collects.
    """
    where = _ours(lambda: predicate_from_gaffer(config, fields, java, key=key), config)
    return _ours(lambda: parse_predicate(where).to_json(), config)


def _ours(translate: Callable[[], T], config: Mapping[str, Any]) -> T:
    what = short_name(config["class"])
    try:
        return translate()
    except LexigraphError as error:
        raise SchemaError(f"{what}: {error}", hint=error.hint) from None
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError):
        raise SchemaError(f"the options of {what} do not fit: {show(dict(config))}") from None
