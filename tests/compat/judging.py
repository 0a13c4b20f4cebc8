"""Whether an answer is real Gaffer's, or differs from it as decided: for tests only.

A relation says of one element of Gaffer's and one of ours that they differ in nothing but what was
decided. Answers agree by a relation when each element of one has its own in the other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lexigraph.security import conjunction

Json = Any
Relation = Callable[[Json, Json], bool]

_EMPTY: tuple[Json, ...] = (
    "",
    False,
    {"java.util.TreeSet": []},
    {"uk.gov.gchq.gaffer.types.FreqMap": {}},
    {"[B": ""},
    {},
    {"uk.gov.gchq.gaffer.types.TypeSubTypeValue": {}},
)
SKETCH = "com.clearspring.analytics.stream.cardinality.HyperLogLogPlus"
_PARTED = ("uk.gov.gchq.gaffer.types.TypeSubTypeValue", "java.util.TreeSet")


def dump(value: Json) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canon(answer: Json) -> list[str]:
    """Give an unordered answer in one order; inside elements nothing is ordered but hash sets."""
    return sorted(dump(_plain(one)) for one in answer or ())


def _plain(value: Json) -> Json:
    if isinstance(value, Mapping):
        if len(value) == 1:
            [(name, inner)] = value.items()
            if name == "java.util.HashSet":
                return {name: sorted(map(_plain, inner), key=dump)}
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def identity(element: Json) -> str:
    """Give which element it is, without properties and the end that it was found by."""
    return dump({k: v for k, v in element.items() if k not in ("properties", "matchedVertex")})


def _equal(theirs: Json, ours: Json) -> bool:
    return dump(_plain(theirs)) == dump(_plain(ours))


def _by_properties(agree: Callable[[str, Json, Json], bool]) -> Relation:
    """Compare elements whose properties may differ, each by itself; ``None`` is absent."""

    def relation(theirs: Json, ours: Json) -> bool:
        mine, other = ours.get("properties", {}), theirs.get("properties", {})
        rest = [{**one, "properties": {}} for one in (theirs, ours)]
        return _equal(*rest) and all(
            _equal(other.get(name), mine.get(name)) or agree(name, other.get(name), mine.get(name))
            for name in {*mine, *other}
        )

    return relation


def _label(name: str, theirs: Json, ours: Json) -> bool:
    """Gaffer joins texts: ``a|b`` and ``private`` are ``a|b&private``, "" and a are ``&a``."""
    if name != "visibility" or theirs is None:
        return False
    parts, depth = [""], 0
    for letter in theirs:
        depth += (letter == "(") - (letter == ")")
        if letter == "&" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return str(conjunction([part for part in parts if part])) == (ours or "")


def _absent(name: str, theirs: Json, ours: Json) -> bool:
    return ours is None and any(theirs == one and type(theirs) is type(one) for one in _EMPTY)


def _sorted_text(name: str, theirs: Json, ours: Json) -> bool:
    if not isinstance(theirs, str) or not isinstance(ours, str):
        return _absent(name, theirs, ours)
    for mark in ";,|":
        parts = [part for part in theirs.split(mark) if part]
        if mark.join(sorted(parts)) == ours:
            return True
    return False


def _first_last(theirs: Json, ours: Json) -> bool:
    given = theirs.get("properties", {})
    other = {"first": "last", "last": "first"}
    swapped = {other.get(name, name): value for name, value in given.items()}
    return _equal({**theirs, "properties": swapped}, ours)


def _sketch(name: str, theirs: Json, ours: Json) -> bool:
    """An estimate of ours beside a count: of few values it is exact, of many within its error."""
    if not all(isinstance(one, Mapping) and list(one) == [SKETCH] for one in (theirs, ours)):
        return False
    a, b = theirs[SKETCH]["hyperLogLogPlus"]["cardinality"], ours[SKETCH]
    return bool(round(b) == a if a < 100 else abs(a - b) <= 0.05 * a)


def _empty_parts(theirs: Json, ours: Json) -> bool:
    return _equal(theirs, _without_empty_parts(ours))


def _without_empty_parts(value: Json, within: str = "") -> Json:
    if isinstance(value, Mapping):
        kept = {n: v for n, v in value.items() if v != "" or within not in _PARTED}
        return {name: _without_empty_parts(one, name) for name, one in kept.items()}
    if isinstance(value, list):
        return [one for one in value if one != "" or within not in _PARTED]
    return value


def _absent_or_parts(name: str, theirs: Json, ours: Json) -> bool:
    return _absent(name, theirs, ours) or _empty_parts(theirs, _without_empty_parts(ours))


RELATIONS: dict[str, Relation] = {
    "same": _equal,
    "labels": _by_properties(_label),
    "absent": _by_properties(_absent),
    "order of texts": _by_properties(_sorted_text),
    "first and last by time": _first_last,
    "empty parts of ids": _empty_parts,
    "sketches": _by_properties(_sketch),
    "absent, empty parts": _by_properties(_absent_or_parts),
}
"""How an element of ours may differ from Gaffer's, for each decided deviation."""


def agree(expected: Iterable[Json], found: Iterable[Json], relation: str = "same") -> bool:
    """Compare answers by a relation, each element with one of the other answer."""
    left = list(expected or ())
    related = RELATIONS[relation]
    if relation == "same":
        return canon(left) == canon(found)
    for ours in found:
        at = next((at for at, theirs in enumerate(left) if related(theirs, ours)), None)
        if at is None:
            return False
        left.pop(at)
    return not left


def mentions(error: Exception, operation: Json) -> bool:
    """Say whether an error names something that was asked for."""
    words = set(re.findall(r"'([^']*)'", str(error)))
    return any(f'"{word}"' in dump(operation) for word in words)
