"""Whatever stands in the JSON of a schema, the answer is a schema or an error of ours."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.errors import LexigraphError, SchemaError
from lexigraph.schema import Schema, merge_stored, schema_of
from lexigraph.schema.gaffer.json import schema_from_gaffer, schema_to_gaffer
from lexigraph.schema.json import schema_from_json, schema_to_json
from lexigraph.schema.validate import Validator
from tests.unit.schema.calls import Calls, Place
from tests.unit.schema.test_gaffer_json import ELEMENTS, TYPES

JUNK: list[Any] = [
    *(None, True, 0, -1, 2**70, 1.5, "", "x", "count", "Sum", [], [[]], ["a", 5], {}),
    *({"class": []}, {"class": "Sum"}, {"class": "Not", "predicate": 5}, {"key": []}),
    *({"selection": 5}, {"selection": [[]]}, {"hex": 5}, {"op": 5}, {"name": {}}),
    {"class": "And", "predicates": [5]},
    {"class": "IsMoreThan", "value": {"java.util.Date": "x"}},
    {"class": "IsIn", "values": 5},
    {"class": "Or", "predicates": [{"predicate": {"class": "Exists"}, "selection": [7]}]},
    {"class": "Or", "predicates": [{"predicate": 5, "selection": 7}]},
    *({"class": "Regex", "value": []}, {"class": "AgeOff", "ageOffDays": []}),
    *({"class": "StringContains", "value": 5}, {"class": "IsA", "type": []}),
]
GAFFER = json.dumps(
    {
        **ELEMENTS,
        **TYPES,
        "config": {"timestampProperty": "n"},
        "vertexSerialiser": {"class": "x.Y"},
        "edges": {
            "Road": {
                **ELEMENTS["edges"]["Road"],
                "parents": ["Base"],
                "validateFunctions": [{"selection": ["day"], "predicate": {"class": "Exists"}}],
                "aggregateFunctions": [{"selection": ["day"], "binaryOperator": {"class": "Min"}}],
            },
            "Base": {"source": "v", "destination": "v"},
        },
    }
)
STORED = json.dumps(schema_to_json(merge_stored(None, schema_of([Calls, Place]))))


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    steps: Any = ()
    if isinstance(value, dict | list):
        steps = value.items() if isinstance(value, dict) else enumerate(value)
    found = [here] if here else []
    for step, inner in steps:
        found += paths(inner, (*here, step))
    return found


@st.composite
def spoilt(draw: st.DrawFn, text: str) -> Any:
    data = json.loads(text)
    for _ in range(draw(st.integers(1, 2))):
        *above, last = draw(st.sampled_from(paths(data)))
        place = data
        for step in above:
            place = place[step]
        place[last] = deepcopy(draw(st.sampled_from(JUNK)))
    return data


def test_what_is_spoilt_was_whole() -> None:
    assert schema_from_gaffer(GAFFER).groups.keys() == {"Visit", "Road", "Base"}
    assert schema_from_json(json.loads(STORED)).groups.keys() == {"Calls", "place"}


@settings(max_examples=200)
@given(spoilt(GAFFER))
def test_gaffers_json(data: Any) -> None:
    try:
        schema = schema_from_gaffer(data)
        assert isinstance(schema, Schema)
        schema_to_gaffer(schema)
    except LexigraphError:
        pass


@settings(max_examples=200)
@given(spoilt(STORED))
def test_stored_json(data: Any) -> None:
    try:
        schema = schema_from_json(data)
        for group in schema.groups.values():
            Validator(group)
        merge_stored(schema, schema_of([Calls, Place]))
    except LexigraphError:
        pass


def test_json_that_nests_without_end() -> None:
    deep: Any = {"class": "Exists"}
    for _ in range(5000):
        deep = {"class": "Not", "predicate": deep}
    with pytest.raises(SchemaError, match="nests too deep"):
        schema_from_gaffer({"types": {"x": {"class": "Long", "validateFunctions": [deep]}}})
    with pytest.raises(SchemaError, match="nests too deep"):
        schema_from_gaffer('{"types":' * 100_000)
    data = json.loads(STORED)
    for _ in range(5000):
        deep = {"op": "not", "of": deep}
    data["groups"]["Calls"]["rules"][0]["where"] = deep
    with pytest.raises(SchemaError, match="nests too deep"):
        schema_from_json(data)
