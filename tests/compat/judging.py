"""Whether an answer is real Gaffer's, or differs from it as decided: for tests only.

Elements are compared property by property. What may differ in a property follows from its type in
the schema: the label is a conjunction, joined texts are sorted, a sketch estimates. Answers agree
when each element of one has its own in the other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from lexigraph.security import conjunction

from .gaffer_view import simple_name

Json = Any

SKETCH = "com.clearspring.analytics.stream.cardinality.HyperLogLogPlus"
_PARTED = ("uk.gov.gchq.gaffer.types.TypeSubTypeValue", "java.util.TreeSet")


class Facts:
    """What a schema of Gaffer's says about a property."""

    def __init__(self, schema: Json) -> None:
        self._schema, self._types = schema, schema["types"]
        self.label = schema.get("visibilityProperty")

    def group(self, name: str) -> Json:
        """Return a group with what it has from its parents."""
        given = {**self._schema.get("entities", {}), **self._schema.get("edges", {})}[name]
        found: dict[str, Any] = {}
        for part in [*map(self.group, given.get("parents", ())), given]:
            properties = {**found.get("properties", {}), **part.get("properties", {})}
            found = {**found, **part, "properties": properties}
        return found

    def is_entity(self, name: str) -> bool:
        return name in self._schema.get("entities", {})

    def merges(self, name: str) -> bool:
        return bool(self.group(name).get("aggregate", True))

    def type_of(self, group: str, name: str) -> Json:
        return self._types.get(self.group(group)["properties"].get(name), {})

    def aggregator(self, group: str, name: str) -> Json:
        """Return the JSON of a property's aggregator, empty if it has none."""
        for one in self.group(group).get("aggregateFunctions", ()):
            if one["selection"] == [name]:
                return one["binaryOperator"]
        return self.type_of(group, name).get("aggregateFunction", {})

    @property
    def vertex_class(self) -> str:
        """The Java class of vertices."""
        for part, end in (("entities", "vertex"), ("edges", "source")):
            for name in self._schema.get(part, {}):
                return str(self._types[self.group(name)[end]]["class"])
        raise AssertionError("a schema without groups")


def dump(value: Json) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canon(answer: Json) -> list[str]:
    """Return an unordered answer in one order; inside elements only hash sets are unordered."""
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
    """Return which element it is, without properties and the end that it was found by."""
    kept = {k: v for k, v in element.items() if k not in ("properties", "matchedVertex")}
    if kept.get("directed") is False:
        ends = sorted((dump(kept.pop("source", None)), dump(kept.pop("destination", None))))
        kept["ends"] = ends
    return dump(kept)


def alike(theirs: Json, ours: Json) -> bool:
    """Compare values; Gaffer loses empty texts inside of values that have parts."""
    plain = dump(_plain(theirs))
    return plain in (dump(_plain(ours)), dump(_plain(_without_empty_parts(ours))))


def _without_empty_parts(value: Json, within: str = "") -> Json:
    if isinstance(value, Mapping):
        kept = {n: v for n, v in value.items() if v != "" or within not in _PARTED}
        return {name: _without_empty_parts(one, name) for name, one in kept.items()}
    if isinstance(value, list):
        return [one for one in value if one != "" or within not in _PARTED]
    return value


def _label(theirs: Json, ours: Json) -> bool:
    """Gaffer joins texts: ``a|b`` and ``private`` are ``a|b&private``, "" and a are ``&a``."""
    if theirs is None:
        return False
    parts, depth = [""], 0
    for letter in theirs:
        depth += (letter == "(") - (letter == ")")
        if letter == "&" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return str(conjunction([part for part in parts if part])) == (ours or "")


def _sorted_text(theirs: Json, ours: Json, separator: str) -> bool:
    if not isinstance(theirs, str) or not isinstance(ours, str):
        return False
    return separator.join(sorted(part for part in theirs.split(separator) if part)) == ours


def _sketch(theirs: Json, ours: Json) -> bool:
    """An estimate of ours beside a count: of few values it is exact, of many within its error."""
    if not all(isinstance(one, Mapping) and list(one) == [SKETCH] for one in (theirs, ours)):
        return False
    a, b = theirs[SKETCH]["hyperLogLogPlus"]["cardinality"], ours[SKETCH]
    return bool(round(b) == a if a < 100 else abs(a - b) <= 0.05 * a)


def related(theirs: Json, ours: Json, facts: Facts) -> bool:
    """Say whether an element of ours differs from Gaffer's only as its schema lets it."""
    rest = [{**one, "properties": {}} for one in (theirs, ours)]
    mine, other = ours.get("properties", {}), theirs.get("properties", {})
    return alike(*rest) and all(
        alike(other.get(name), mine.get(name))
        or _may_be(ours["group"], name, other.get(name), mine.get(name), facts)
        for name in {*mine, *other}
    )


def _may_be(group: str, name: str, theirs: Json, ours: Json, facts: Facts) -> bool:
    if name == facts.label:
        return _label(theirs, ours)
    aggregator = facts.aggregator(group, name)
    if simple_name(aggregator) in ("StringConcat", "StringDeduplicateConcat"):
        return _sorted_text(theirs, ours, aggregator.get("separator", ","))
    return facts.type_of(group, name).get("class") == SKETCH and _sketch(theirs, ours)


def agree(expected: Iterable[Json], found: Iterable[Json], facts: Facts) -> bool:
    """Compare answers, each element with one of the other answer."""
    left = list(expected or ())
    for ours in found:
        at = next((at for at, theirs in enumerate(left) if related(theirs, ours, facts)), None)
        if at is None:
            return False
        left.pop(at)
    return not left


def mentions(error: Exception, operation: Json) -> bool:
    """Say whether an error names something that was asked for."""
    words = set(re.findall(r"'([^']*)'", str(error)))
    return any(f'"{word}"' in dump(operation) for word in words)
