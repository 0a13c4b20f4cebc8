"""The transforms that come with Lexigraph, where users add theirs, and Gaffer's names for them.

Layer ``functions``. One is built in because it stands in a tuple here, for no other reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.errors import InvalidOption, nearest, show
from lexigraph.functions.gaffer.names import short_name
from lexigraph.functions.gaffer.values import read_java
from lexigraph.functions.registry import Registry
from lexigraph.functions.transforms.base import Transform
from lexigraph.functions.transforms.collections import COLLECTIONS
from lexigraph.functions.transforms.numbers import NUMBERS
from lexigraph.functions.transforms.texts import TEXTS
from lexigraph.functions.transforms.times import TIMES

BUILT_IN_TRANSFORMS: tuple[type[Transform], ...] = (*NUMBERS, *TEXTS, *COLLECTIONS, *TIMES)
TRANSFORMS: Registry[Transform] = Registry("transform", BUILT_IN_TRANSFORMS)


def transform_for(name: str, options: Mapping[str, Any] | None = None) -> Transform:
    """Make the transform of that name.

    >>> transform_for("divide-by", {"by": 2})(-7)
    (-3, -1)
    """
    return TRANSFORMS.find(name)(options)


GAFFER_TRANSFORMS: dict[str, tuple[str, dict[str, str]]] = {
    "Concat": ("concat", {"separator": "separator"}),
    "DefaultIfEmpty": ("default-if-empty", {"defaultValue": "default"}),
    "DefaultIfNull": ("default-if-null", {"defaultValue": "default"}),
    "DictionaryLookup": ("look-up", {"dictionary": "dictionary"}),
    "Divide": ("divide", {}),
    "DivideBy": ("divide-by", {"by": "by"}),
    "ExtractKeys": ("keys", {}),
    "ExtractValue": ("value-of", {"key": "key"}),
    "ExtractValues": ("values", {}),
    "FirstItem": ("first-item", {}),
    "FreqMapExtractor": ("value-of", {"key": "key"}),
    "FreqMapPredicator": ("keys-matching", {"regexPredicate": "pattern"}),
    "Identity": ("identity", {}),
    "Increment": ("increment", {"increment": "increment"}),
    "IsEmpty": ("is-empty", {}),
    "LastItem": ("last-item", {}),
    "Length": ("length", {"maxLength": "max"}),
    "Longest": ("longest", {}),
    "Multiply": ("multiply", {}),
    "MultiplyBy": ("multiply-by", {"by": "by"}),
    "MultiplyLongBy": ("multiply-by", {"by": "by"}),
    "NthItem": ("nth-item", {"selection": "n"}),
    "ReverseString": ("reverse", {}),
    "SetValue": ("set-value", {"value": "value"}),
    "Size": ("length", {}),
    "StringAppend": ("append", {"suffix": "suffix"}),
    "StringJoin": ("join", {"delimiter": "delimiter"}),
    "StringPrepend": ("prepend", {"prefix": "prefix"}),
    "StringRegexReplace": ("regex-replace", {"regex": "pattern", "replacement": "replacement"}),
    "StringRegexSplit": ("regex-split", {"regex": "pattern"}),
    "StringReplace": ("replace", {"searchString": "search", "replacement": "replacement"}),
    "StringSplit": ("split", {"delimiter": "delimiter"}),
    "StringTrim": ("trim", {}),
    "StringTruncate": ("truncate", {"length": "length", "ellipses": "ellipses"}),
    "ToBoolean": ("to-boolean", {}),
    "ToDouble": ("to-float", {}),
    "ToFloat": ("to-float", {}),
    "ToInteger": ("to-integer", {}),
    "ToList": ("to-list", {}),
    "ToLong": ("to-integer", {}),
    "ToLowerCase": ("lower-case", {}),
    "ToNull": ("to-null", {}),
    "ToString": ("to-text", {"charset": "charset"}),
    "ToUpperCase": ("upper-case", {}),
}
"""Gaffer's short class names: our name, and our option for each of its fields."""


def transform_from_gaffer(given: Mapping[str, Any]) -> Transform:
    """Return our transform for one of Gaffer's functions in JSON.

    >>> transform_from_gaffer({"class": "StringAppend", "suffix": "!"})("hi")
    'hi!'
    """
    short = short_name(given.get("class"))
    if short not in GAFFER_TRANSFORMS:
        raise InvalidOption(
            f"Gaffer's function {short!r} has no equivalent in Lexigraph",
            near=nearest(short, GAFFER_TRANSFORMS),
            hint=f"Available: {', '.join(GAFFER_TRANSFORMS)}.",
        )
    name, members = GAFFER_TRANSFORMS[short]
    options: dict[str, Any] = {}
    for member, value in given.items():
        if member == "class" or value is None:
            continue
        if member not in members:
            raise InvalidOption(
                f"Gaffer's function {short!r} has no field {member!r}",
                near=nearest(member, members),
            )
        options[members[member]] = _read_member(member, value)
    return transform_for(name, options)


def _read_member(member: str, value: Any) -> Any:
    if member == "dictionary":
        return {key: read_java(item).value for key, item in value.items()}
    if member == "regexPredicate":
        pattern = value.get("value") if isinstance(value, Mapping) else None
        if isinstance(pattern, Mapping):
            return pattern.get("java.util.regex.Pattern")
        if isinstance(pattern, str):
            return pattern
        raise InvalidOption(f"{show(value)} is not a Regex predicate")
    return read_java(value).value
