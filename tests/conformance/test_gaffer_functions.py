"""Predicates, aggregators and transforms against the answers of real Gaffer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

import pytest

from lexigraph.codec import codec_for
from lexigraph.errors import LexigraphError
from lexigraph.functions import aggregator_for, parse_predicate
from lexigraph.functions.gaffer.names import AGGREGATOR_CLASSES, aggregator_from_gaffer, short_name
from lexigraph.functions.gaffer.predicates import predicate_from_gaffer
from lexigraph.functions.gaffer.values import JAVA_CODECS, read_java
from lexigraph.functions.predicates.base import Holds
from lexigraph.functions.transforms.registry import GAFFER_TRANSFORMS, transform_from_gaffer
from tests.conformance.gaffer_function_deviations import (
    AGGREGATOR_RULES,
    PREDICATE_RULES,
    TRANSFORM_RULES,
    UNREAD_PREDICATES,
    Difference,
    Rule,
    explained,
)
from tests.conformance.outside import count, outside

CASES = json.loads(outside("gaffer", "functions.json").read_bytes())
NOW = 1_700_000_000_000_000


def configured(kind: str) -> list[Any]:
    found = [entry for entry in CASES if entry["kind"] == kind and "cases" in entry]
    return [
        pytest.param(entry, id=f"{short_name(entry['class'])} {number}")
        for number, entry in enumerate(found)
    ]


def differences(
    rules: Mapping[str, Rule], entry: dict[str, Any], case: dict[str, Any], found: Any
) -> Iterator[Difference]:
    """Yield the case if no rule explains why it is answered differently."""
    given = {k: v for k, v in (entry.get("given") or entry["config"]).items() if k != "class"}
    about = Difference(short_name(entry["class"]), given, case["input"], case["expected"], found)
    if explained(rules, about) is None:
        yield about


class Element:
    """Selected values as fields ``0``, ``1``, or by name; absent where they are null."""

    now = NOW

    def __init__(self, given: Any, about: str) -> None:
        self.about = about
        if isinstance(given, Mapping) and "@tuple" in given:
            parts = {str(place): item for place, item in enumerate(given["@tuple"])}
        elif isinstance(given, Mapping) and "@mapTuple" in given:
            parts = dict(given["@mapTuple"])
        else:
            parts = {"0": given}
        self.names = list(parts)
        read = {name: read_java(item) for name, item in parts.items()}
        self.java = {name: one.java for name, one in read.items() if one.java is not None}
        self.values = {name: one.value for name, one in read.items() if one.java is not None}

    def holds(self, field: str) -> Holds:
        unknown = (
            "a collection"
            if self.about in ("CollectionContains", "MapContains")
            else "java.lang.String"
        )
        codec = JAVA_CODECS.get(self.java.get(field, unknown))
        if codec is None:
            members = [*self.values.get(field, ())]
            kind = "int" if members and isinstance(members[0], int) else "str"
            return Holds(codec_for(kind), None)
        return Holds(codec_for(codec), codec_for(codec))

    def value_of(self, field: str) -> Any:
        return lambda element: self.values.get(field)

    def key_of(self, field: str) -> Any:
        codec = self.holds(field).result
        if codec is None:
            raise LexigraphError("a collection")
        return lambda e: codec.encode(self.values[field]) if field in self.values else None

    def presence_of(self, field: str) -> Any:
        return lambda element: field in self.values


@pytest.mark.parametrize("entry", configured("predicate"))
def test_a_predicate_holds_as_in_gaffer(entry: dict[str, Any]) -> None:
    given = entry.get("given") or entry["config"]
    for name, reason in UNREAD_PREDICATES.items():
        if f'.{name}"' in json.dumps(given):
            pytest.skip(reason)
    wrong = []
    for case in entry["cases"]:
        if "expected" not in case:
            # Where Gaffer fails with a cast or a null, any answer of ours will do.
            continue
        count("gaffer.predicates")
        try:
            element = Element(case["input"], short_name(entry["class"]))
            where = predicate_from_gaffer(given, element.names, element.java, NOW)
            found: Any = parse_predicate(where).bind(element)(element)
        except LexigraphError as error:
            found = error
        if found is not case["expected"]:
            wrong += differences(PREDICATE_RULES, entry, case, found)
    assert wrong == []


@pytest.mark.parametrize("entry", configured("operator"))
def test_an_aggregator_merges_as_in_gaffer(entry: dict[str, Any]) -> None:
    short = short_name(entry["class"])
    if short not in {short_name(name) for name in AGGREGATOR_CLASSES}:
        pytest.skip("no equivalent; users register their own")
    if short in ("HllSketchAggregator", "HyperLogLogPlusAggregator"):
        pytest.skip("the sketches of the cases are Gaffer's own bytes")
    wrong = []
    for case in entry["cases"]:
        values = [read_java(item) for item in case["input"]]
        given = [one for one in values if one.java is not None]
        if "expected" not in case or len({one.java for one in given}) != 1:
            continue
        count("gaffer.operators")
        found = merged(entry.get("given") or entry["config"], given)
        if found != comparable(read_java(case["expected"]).value):
            wrong += differences(AGGREGATOR_RULES, entry, case, found)
    assert wrong == []


def merged(given: Any, values: list[Any]) -> Any:
    java = values[0].java
    name, options = aggregator_from_gaffer(given, java)
    codec = JAVA_CODECS.get(java)
    if codec is None:
        members = [member for one in values for member in one.value]
        codec = "int" if members and isinstance(members[0], int) else "str"
    try:
        aggregator = aggregator_for(name, codec_for(codec), options)
        states = [aggregator.take(one.value, time) for time, one in enumerate(values)]
        return comparable(aggregator.finish(reduce(aggregator.merge, states)))
    except LexigraphError as error:
        return error


def comparable(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("entry", configured("function"))
def test_a_transform_gives_what_gaffer_gives(entry: dict[str, Any]) -> None:
    given = entry.get("given") or entry["config"]
    if short_name(entry["class"]) not in GAFFER_TRANSFORMS:
        pytest.skip("no equivalent; users register their own")
    wrong = []
    for case in entry["cases"]:
        if "expected" not in case:
            continue
        count("gaffer.functions")
        try:
            found = comparable(transform_from_gaffer(given)(*inputs(case["input"])))
        except LexigraphError as error:
            found = error
        if found != plain(case["expected"]):
            wrong += differences(TRANSFORM_RULES, entry, case, found)
    assert wrong == []


def inputs(given: Any) -> list[Any]:
    if isinstance(given, Mapping) and "@tuple" in given:
        return [plain(item) for item in given["@tuple"]]
    return [plain(given)]


def plain(data: Any) -> Any:
    for collection in ("@tuple", "@array", "@iterable"):
        if isinstance(data, Mapping) and collection in data:
            return [plain(item) for item in data[collection]]
    return read_java(data).value
