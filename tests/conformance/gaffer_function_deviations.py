"""Where our functions differ from real Gaffer's, as rules over a case, and why.

A rule looks at the function, its settings, what it was given and both answers. It never names a
case, so it judges any sample of the same generator. Wherever Gaffer's answer can be computed from
ours, as for a sum that wraps around, the rule computes it: nothing else can hide behind it. The
rules are listed in ``docs/reference/deviations.md``.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import reduce
from typing import Any, NamedTuple

from lexigraph.errors import InvalidOption, LexigraphError, UnsupportedError

UNREAD_PREDICATES: dict[str, str] = {
    "AdaptedPredicate": "it runs a transform first: that is a stage of its own",
    "AgeOffFromDays": "the age lies in another property: compare two moments instead",
    "AreIn": "it asks of all members; ask for each with 'contains'",
    "DefaultUserPredicate": "it is about users, not about elements",
    "HllSketchIsLessThan": "the sketches of the cases are Gaffer's own bytes",
    "HyperLogLogPlusIsLessThan": "the sketches of the cases are Gaffer's own bytes",
    "MapContainsPredicate": "a predicate over the keys of a map; ask for a key with 'contains'",
    "NoAccessUserPredicate": "it is about users, not about elements",
    "PredicateMap": "a predicate over one value of a map",
    "UnrestrictedAccessUserPredicate": "it is about users, not about elements",
}
BITS = {
    "java.lang.Byte": 8,
    "java.lang.Short": 16,
    "java.lang.Integer": 32,
    "java.lang.Long": 64,
}
_TWO_FIELDS = {"AreEqual", "IsXLessThanY", "IsXMoreThanY"}


class Difference(NamedTuple):
    """A case that Gaffer and we answer differently."""

    function: str
    """The short name of its class."""
    config: Mapping[str, Any]
    given: Any
    """The input, in Gaffer's typed JSON."""
    expected: Any
    """Gaffer's answer."""
    found: Any
    """Ours, or our error."""

    def classes(self) -> Iterator[str]:
        """Yield the short names of all functions in its settings, itself included."""
        yield self.function
        for full in re.findall(r'"class": "([^"]*)"', json.dumps(self.config)):
            yield full.rpartition(".")[2]


Rule = Callable[[Difference], bool]


def java_class(data: Any) -> str | None:
    """Return the Java class of a value in Gaffer's typed JSON."""
    bare = {bool: "Boolean", int: "Integer", float: "Double", str: "String"}
    if isinstance(data, Mapping) and len(data) == 1:
        return str(next(iter(data)))
    return f"java.lang.{bare[type(data)]}" if type(data) in bare else None


def _is_collection(data: Any) -> bool:
    return isinstance(data, Mapping) and isinstance(next(iter(data.values()), None), list | dict)


def _compares_collections(case: Difference) -> bool:
    controls = [case.config.get("value"), *(case.config.get("values") or ())]
    about = any(map(_is_collection, controls)) or case.function not in ("IsEqual", "IsIn")
    return about and isinstance(case.found, UnsupportedError)


def _has_wrong_number_of_fields(case: Difference) -> bool:
    pair = any(name in _TWO_FIELDS or name.endswith("Dual") for name in case.classes())
    given = case.given.get("@tuple") if isinstance(case.given, Mapping) else [case.given]
    return pair and len(given) != 2 and isinstance(case.found, InvalidOption)


def _has_other_members(case: Difference) -> bool:
    if "CollectionContains" not in case.classes() or not isinstance(case.given, Mapping):
        return False
    [members] = case.given.values()
    control = java_class(case.config.get("value"))
    return any(java_class(member) != control or member is None for member in members)


PREDICATE_RULES: dict[str, Rule] = {
    "collections are not compared with one another": _compares_collections,
    "a wrong number of fields is an error": _has_wrong_number_of_fields,
    "the members of a collection have one type and are never null": _has_other_members,
}


def _wrap(number: int, bits: int) -> int:
    return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def _clamp(number: int, bits: int) -> int:
    return max(-(1 << bits - 1), min((1 << bits - 1) - 1, number))


def _number(data: Any) -> Any:
    return next(iter(data.values())) if isinstance(data, Mapping) else data


def _folds_in_few_bits(case: Difference) -> bool:
    """Gaffer's own fold: shorter integers stop at their ends, longer ones wrap around."""
    steps: dict[str, Callable[[int, int], int]] = {
        "Sum": lambda a, b: a + b,
        "Product": lambda a, b: a * b,
    }
    values = [_number(one) for one in case.given if one is not None]
    bits = BITS.get(java_class(case.expected) or "")
    if case.function not in steps or bits is None or not all(type(one) is int for one in values):
        return False
    step, shorten = steps[case.function], _clamp if bits < 32 else _wrap
    java = reduce(lambda a, b: shorten(step(a, b), bits), values)
    return bool(java == _number(case.expected) and case.found == reduce(step, values))


def _is_short_float(case: Difference) -> bool:
    if java_class(case.expected) != "java.lang.Float" or not isinstance(case.found, float):
        return False
    # A float of 32 bits is written with as many digits as it needs, so compare it as one.
    [short] = struct.unpack("f", struct.pack("f", case.found))
    return abs(short - _number(case.expected)) <= 1e-6 * abs(short)


def _parts(text: str, separator: str) -> list[str]:
    return sorted(text.split(separator) if separator else text)


def _comes_in_order_of_arrival(case: Difference) -> bool:
    expected, found = case.expected, case.found
    if case.function in ("CollectionConcat", "IterableMerge", "CollectionIntersect"):
        [members] = expected.values()
        return isinstance(found, list) and sorted(map(_number, members)) == found
    separator = case.config.get("separator", ",")
    return isinstance(found, str) and _parts(expected, separator) == _parts(found, separator)


def _separator_is_a_pattern(case: Difference) -> bool:
    separator = case.config.get("separator", ",")
    if case.function != "StringDeduplicateConcat" or re.escape(separator) == separator:
        return False
    given = {part for text in case.given if text is not None for part in text.split(separator)}
    return bool(case.found == separator.join(sorted(given)))


def _chooses_collections(case: Difference) -> bool:
    every = all(one is None or _is_collection(one) for one in case.given)
    return case.function in ("First", "Last") and every and isinstance(case.found, LexigraphError)


def _has_no_separator(case: Difference) -> bool:
    null = "separator" in case.config and case.config["separator"] is None
    return null and isinstance(case.found, InvalidOption)


AGGREGATOR_RULES: dict[str, Rule] = {
    "integers never wrap and never saturate": _folds_in_few_bits,
    "floats have 64 bits": _is_short_float,
    "parts are sorted, whatever the order of arrival": _comes_in_order_of_arrival,
    "a separator is a text, not a pattern": _separator_is_a_pattern,
    "first and last choose among values, not among collections": _chooses_collections,
    "a separator is a text, not null": _has_no_separator,
}


def _is_cut_to_few_bits(case: Difference) -> bool:
    bits = BITS.get(java_class(case.expected) or "")
    if bits is None or type(case.found) is not int or _clamp(case.found, bits) == case.found:
        return False
    return _number(case.expected) in (_wrap(case.found, bits), _clamp(case.found, bits))


def _writes_a_moment(case: Difference) -> bool:
    if not isinstance(case.found, str) or "java.util.Date" not in json.dumps(case.given):
        return False
    written = r"[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d UTC \d{4}"

    def ours(found: re.Match[str]) -> str:
        moment = datetime.strptime(found[0], "%a %b %d %H:%M:%S UTC %Y").replace(tzinfo=UTC)
        return str(moment)

    whole = re.sub(r"(:\d\d)\.\d{6}(?=\+00:00)", r"\1", case.found)
    return re.sub(written, ours, case.expected) == whole


def _matches_every_key(case: Difference) -> bool:
    """Gaffer's FreqMapPredicator, made from JSON, has lost its pattern: it keeps the whole map."""
    [counts] = case.given.values()
    [kept] = case.expected.values()
    pattern = _number((case.config.get("regexPredicate") or {}).get("value"))
    if case.function != "FreqMapPredicator" or kept != counts or pattern is None:
        return False
    matching = {key: n for key, n in counts.items() if re.fullmatch(pattern, key)}
    return bool(case.found == matching)


TRANSFORM_RULES: dict[str, Rule] = {
    "integers never wrap and never saturate": _is_cut_to_few_bits,
    "floats have 64 bits": _is_short_float,
    "moments are written as Python writes them": _writes_a_moment,
    "the pattern that is given counts": _matches_every_key,
}


def explained(rules: Mapping[str, Rule], case: Difference) -> str | None:
    """Return the reason for a difference, or None if it is a defect."""
    for reason, rule in rules.items():
        try:
            if rule(case):
                return reason
        except (TypeError, ValueError, AttributeError, KeyError):
            continue  # the rule is about cases of another shape
    return None
