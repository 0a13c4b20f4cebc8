"""Gaffer's names for functions, beside ours: one table for each kind.

Layer ``functions``. A Java class is found by its full name, by its last part, and by the names of
the packages it had before Gaffer 1.0. What a function takes is told in Java classes too, because
schemas are checked by them. Translation goes through the functions of this module alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from lexigraph.errors import SchemaError, UnsupportedError, nearest, show

OPERATORS = "uk.gov.gchq.koryphe.impl.binaryoperator"
PREDICATES_PACKAGE = "uk.gov.gchq.koryphe.impl.predicate"
_OLD_PACKAGES = tuple(
    f"{start}gaffer.function.{middle}{kind}"
    for start in ("", "uk.gov.gchq.")
    for middle in ("simple.", "")
    for kind in ("aggregate", "filter", "transform")
)
OBJECT, NUMBER, COMPARABLE = "java.lang.Object", "java.lang.Number", "java.lang.Comparable"
STRING, BOOLEAN, LONG = "java.lang.String", "java.lang.Boolean", "java.lang.Long"
COLLECTION, MAP = "java.util.Collection", "java.util.Map"
FREQ_MAP = "uk.gov.gchq.gaffer.types.FreqMap"
HLL_PLUS = "com.clearspring.analytics.stream.cardinality.HyperLogLogPlus"

_DAY_MS = 86_400_000


class Asked(Protocol):
    """What a predicate is asked about, as the translation of one sees it."""

    @property
    def fields(self) -> Sequence[str]:
        """The fields in a key plan, in the order of the function's arguments."""
        ...

    def key(self, value: Any, at: int = 0, *, member: bool = False) -> bytes:
        """Give the key form of a value in Gaffer's JSON, or of a member of the collection."""
        ...

    def is_a(self, java: str, at: int = 0) -> bool:
        """Say whether the values of an argument are of a Java class."""
        ...

    def inner(self, config: Any) -> dict[str, Any]:
        """Translate a predicate inside this one."""
        ...


Config = Mapping[str, Any]
Build = Callable[[Config, Asked], dict[str, Any]]


@dataclass(frozen=True)
class Function:
    """One function of Gaffer's.

    ``takes`` are the classes of its arguments, and empty where there may be any number of them.
    ``by_class`` names the aggregator for values of some Java classes, where it depends on them.
    ``options`` give the names that Gaffer's fields have here; ``defaults`` are what Gaffer writes
    even if nobody said it.
    """

    java: str
    takes: tuple[str, ...] = (OBJECT,)
    name: str | None = None
    by_class: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    build: Build | None = None
    earlier: tuple[str, ...] = ()


def _operator(simple: str, name: str | None, takes: str, **more: Any) -> Function:
    return Function(f"{OPERATORS}.{simple}", (takes,), name, **more)


_SETS = {
    "java.util.TreeSet": "set",
    "java.util.HashSet": "set",
    "java.util.LinkedHashSet": "set",
    "java.util.Set": "set",
    "java.util.SortedSet": "set",
}

AGGREGATORS: dict[str, Function] = {
    "Sum": _operator("Sum", "sum", NUMBER),
    "Product": _operator("Product", "product", NUMBER),
    "Min": _operator("Min", "min", COMPARABLE, earlier=("ComparableMin",)),
    "Max": _operator("Max", "max", COMPARABLE, earlier=("ComparableMax",)),
    "First": _operator("First", "first", OBJECT),
    "Last": _operator("Last", "last", OBJECT),
    "And": _operator("And", "and", BOOLEAN, earlier=("BooleanAnd",)),
    "Or": _operator("Or", "or", BOOLEAN, earlier=("BooleanOr",)),
    "StringConcat": _operator(
        "StringConcat",
        "concat",
        STRING,
        options={"separator": "separator"},
        defaults={"separator": ","},
    ),
    "StringDeduplicateConcat": _operator(
        "StringDeduplicateConcat",
        "concat",
        STRING,
        options={"separator": "separator"},
        fixed={"distinct": True},
        defaults={"separator": ","},
    ),
    "CollectionConcat": _operator(
        "CollectionConcat",
        "list",
        COLLECTION,
        by_class=_SETS,
        earlier=("TreeSetAggregator", "ArrayListConcat"),
    ),
    "FreqMapAggregator": Function(
        "uk.gov.gchq.gaffer.types.function.FreqMapAggregator", (FREQ_MAP,), "frequency-map"
    ),
    "HyperLogLogPlusAggregator": Function(
        "uk.gov.gchq.gaffer.sketches.clearspring.cardinality.binaryoperator."
        "HyperLogLogPlusAggregator",
        (HLL_PLUS,),
        "hll",
    ),
}


def _compared(op: str, op_or_equal: str) -> Build:
    def build(config: Config, asked: Asked) -> dict[str, Any]:
        chosen = op_or_equal if config.get("orEqualTo") else op
        return {"op": chosen, "field": asked.fields[0], "value": asked.key(config.get("value"))}

    return build


def _two_fields(op: str) -> Build:
    return lambda config, asked: {"op": op, "field": asked.fields[0], "other": asked.fields[1]}


def _truth(config: Config, asked: Asked, *, value: bool) -> dict[str, Any]:
    return {"op": "eq", "field": asked.fields[0], "value": asked.key(value)}


def _exists(config: Config, asked: Asked) -> dict[str, Any]:
    return {"op": "exists", "field": asked.fields[0]}


def _equal(config: Config, asked: Asked) -> dict[str, Any]:
    if config.get("value") is None:
        return {"op": "not", "of": _exists(config, asked)}
    return {"op": "eq", "field": asked.fields[0], "value": asked.key(config["value"])}


def _within(config: Config, asked: Asked) -> dict[str, Any]:
    values = [asked.key(value) for value in _listed(config, "values")]
    return {"op": "in", "field": asked.fields[0], "values": values}


def _listed(config: Config, name: str) -> list[Any]:
    values = config.get(name) or []
    if not isinstance(values, list):
        raise SchemaError(f"'{name}' of a predicate is a list, not {show(values)}")
    return values


def _range(config: Config, asked: Asked) -> dict[str, Any]:
    parts = [_exists(config, asked)]
    for end, inclusive, strict in (("start", "ge", "gt"), ("end", "le", "lt")):
        if config.get(end) is not None:
            op = inclusive if config.get(f"{end}Inclusive", True) else strict
            parts.append({"op": op, "field": asked.fields[0], "value": asked.key(config[end])})
    return {"op": "and", "of": parts}


def _age_off(config: Config, asked: Asked) -> dict[str, Any]:
    span_ms = _whole(config.get("ageOffTime", 365 * _DAY_MS), "ageOffTime")
    if config.get("ageOffDays") is not None:
        span_ms = _whole(config["ageOffDays"], "ageOffDays") * _DAY_MS
    elif config.get("ageOffHours") is not None:
        span_ms = _whole(config["ageOffHours"], "ageOffHours") * _DAY_MS // 24
    return {"op": "age-off", "field": asked.fields[0], "ttl": span_ms * 1000}


def _whole(value: Any, name: str) -> int:
    if isinstance(value, Mapping) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise SchemaError(f"{name} is a whole number, not {show(value)}")
    try:
        return int(value)
    except ValueError:
        raise SchemaError(f"{name} is a whole number, not {show(value)}") from None


def _regex(config: Config, asked: Asked) -> dict[str, Any]:
    pattern = config.get("value")
    if isinstance(pattern, Mapping) and len(pattern) == 1:
        (pattern,) = pattern.values()
    if not isinstance(pattern, str):
        raise SchemaError(f"a Regex has a pattern as its value, not {show(pattern)}")
    return {"op": "regex", "field": asked.fields[0], "pattern": pattern}


def _length(op: str, name: str) -> Build:
    def build(config: Config, asked: Asked) -> dict[str, Any]:
        size = _whole(config.get(name), name)
        return {"op": "length", "field": asked.fields[0], "compare": op, "size": size}

    return build


def _contains(name: str) -> Build:
    return lambda config, asked: {
        "op": "contains",
        "field": asked.fields[0],
        "value": asked.key(config.get(name), member=True),
    }


def _substring(config: Config, asked: Asked) -> dict[str, Any]:
    text = config.get("value")
    if not isinstance(text, str):
        raise SchemaError(f"a StringContains has a text as its value, not {show(text)}")
    found = {"op": "substring", "field": asked.fields[0], "value": text}
    return {**found, "ignore_case": True} if config.get("ignoreCase") else found


def _is_a(config: Config, asked: Asked) -> dict[str, Any]:
    # Types are checked before rules are asked: what is there has the class of its type.
    java = config.get("type")
    if java is None or asked.is_a(java):
        return {"op": "and", "of": []}
    return {"op": "not", "of": _exists(config, asked)}


def _several(op: str) -> Build:
    def build(config: Config, asked: Asked) -> dict[str, Any]:
        return {"op": op, "of": [asked.inner(one) for one in _listed(config, "predicates")]}

    return build


def _negation(config: Config, asked: Asked) -> dict[str, Any]:
    if config.get("predicate") is None:
        return {"op": "or", "of": []}
    return {"op": "not", "of": asked.inner(config["predicate"])}


def _predicate(simple: str, build: Build, *takes: str, **more: Any) -> Function:
    return Function(f"{PREDICATES_PACKAGE}.{simple}", takes or (OBJECT,), build=build, **more)


_OR_EQUAL = {"orEqualTo": False}

PREDICATES: dict[str, Function] = {
    "IsMoreThan": _predicate("IsMoreThan", _compared("gt", "ge"), COMPARABLE, defaults=_OR_EQUAL),
    "IsLessThan": _predicate("IsLessThan", _compared("lt", "le"), COMPARABLE, defaults=_OR_EQUAL),
    "IsEqual": _predicate("IsEqual", _equal),
    "AreEqual": _predicate("AreEqual", _two_fields("eq"), OBJECT, OBJECT),
    "IsIn": _predicate("IsIn", _within),
    "Exists": _predicate("Exists", _exists),
    "IsTrue": _predicate("IsTrue", lambda c, asked: _truth(c, asked, value=True), BOOLEAN),
    "IsFalse": _predicate("IsFalse", lambda c, asked: _truth(c, asked, value=False), BOOLEAN),
    "IsXLessThanY": _predicate("IsXLessThanY", _two_fields("lt"), COMPARABLE, COMPARABLE),
    "IsXMoreThanY": _predicate("IsXMoreThanY", _two_fields("gt"), COMPARABLE, COMPARABLE),
    "InRange": _predicate("InRange", _range, COMPARABLE),
    "AgeOff": _predicate("AgeOff", _age_off, LONG),
    "Regex": _predicate("Regex", _regex, STRING),
    "IsShorterThan": _predicate("IsShorterThan", _length("lt", "maxLength")),
    "IsLongerThan": _predicate("IsLongerThan", _length("gt", "minLength")),
    "CollectionContains": _predicate("CollectionContains", _contains("value"), COLLECTION),
    "MapContains": _predicate("MapContains", _contains("key"), MAP),
    "StringContains": _predicate("StringContains", _substring, STRING),
    "IsA": _predicate("IsA", _is_a),
    "And": Function(f"{PREDICATES_PACKAGE}.And", (), build=_several("and")),
    "Or": Function(f"{PREDICATES_PACKAGE}.Or", (), build=_several("or")),
    "Not": Function(f"{PREDICATES_PACKAGE}.Not", (), build=_negation),
}


def find_function(table: Mapping[str, Function], java: Any, what: str) -> Function:
    """Find a function by the name of its Java class: full, short or old.

    >>> find_function(PREDICATES, "gaffer.function.simple.filter.AgeOff", "a predicate").java
    'uk.gov.gchq.koryphe.impl.predicate.AgeOff'
    """
    package, _, simple = java.rpartition(".") if isinstance(java, str) else ("", "", "")
    for name, one in table.items():
        known = {name, *one.earlier}
        packages = {"", one.java.rpartition(".")[0], *_OLD_PACKAGES}
        if simple in known and package in packages:
            return one
    raise SchemaError(
        f"{what} names the class {show(java)}, which is not known",
        near=nearest(simple, table),
        hint=f"Known are: {', '.join(sorted(table))}.",
    )


def canonical(table: Mapping[str, Function], config: Any, what: str) -> dict[str, Any]:
    """Give the JSON of a function as Gaffer writes it back: full class name, defaults filled in.

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
    if name == "predicate" and value is not None:
        return canonical(PREDICATES, value, what)
    if name == "predicates" and isinstance(value, list):
        return [
            {**one, "predicate": canonical(PREDICATES, one["predicate"], what)}
            if isinstance(one, Mapping) and "predicate" in one and "class" not in one
            else canonical(PREDICATES, one, what)
            for one in value
        ]
    return value


def translate_aggregator(config: Config, java: str) -> tuple[str, dict[str, Any]]:
    """Give our aggregator and its options for values of a Java class.

    >>> translate_aggregator({"class": "StringConcat", "separator": ";"}, "java.lang.String")
    ('concat', {'separator': ';'})
    """
    function = find_function(AGGREGATORS, config.get("class"), "an aggregator")
    name = function.by_class.get(java, function.name)
    if name is None:
        raise UnsupportedError(
            f"{function.java} over {java} is not built in",
            hint="Register an aggregator of your own and name it with lg.aggregate().",
        )
    options = {
        ours: config[theirs]
        for theirs, ours in function.options.items()
        if theirs in config and config[theirs] != function.defaults.get(theirs)
    }
    return name, {**options, **function.fixed}


def translate_predicate(config: Config, asked: Asked) -> dict[str, Any]:
    """Give our predicate for one of Gaffer's, in its JSON form."""
    if not isinstance(config, Mapping):
        raise SchemaError(f"a predicate is an object with a 'class', not {show(config)}")
    function = find_function(PREDICATES, config.get("class"), "a predicate")
    if function.build is None:
        raise UnsupportedError(
            f"{function.java} is not built in", hint="Filter in Python after the query."
        )
    return function.build(config, asked)
