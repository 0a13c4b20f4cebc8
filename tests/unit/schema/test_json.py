"""The stored form of a schema: written, read back equal, strict."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lexigraph.errors import InvalidOption
from lexigraph.schema import Schema, schema_of
from lexigraph.schema.evolve import merge_stored
from lexigraph.schema.json import schema_from_json, schema_to_json
from tests.unit.schema.calls import Calls, Place

SCHEMA = merge_stored(None, schema_of([Calls, Place]))


def stored() -> Any:
    return json.loads(json.dumps(schema_to_json(SCHEMA)))


def test_what_is_written_is_read_back_equal() -> None:
    assert schema_from_json(stored()) == SCHEMA
    assert schema_from_json(schema_to_json(Schema({}))) == Schema({})


def test_what_is_at_its_default_is_left_out() -> None:
    place = stored()["groups"]["place"]
    assert place["properties"][0] == {
        "name": "low",
        "codec": "int",
        "bits": 32,
        "aggregate": {"name": "min"},
        "number": 1,
    }
    assert "group_by" not in place
    assert place["rules"][0]["where"] == {"op": "le", "field": "low", "other": "high"}
    calls = stored()["groups"]["Calls"]
    assert calls["rules"][0]["where"]["value"] == {"hex": "80"}


def change(*path: Any, to: Any) -> Any:
    data = stored()
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return data


CALLS = ("groups", "Calls")
COUNT = (*CALLS, "properties", 1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (change("version", to=2), "needs version 1"),
        (change("grupos", to={}), "no field 'grupos'"),
        (change("changes", to=-1), "at least 0"),
        (change("doc", to=5), "'doc' of a schema must be text"),
        (change(*CALLS, "kind", to="loop"), "must be one of vertex, edge"),
        (change(*CALLS, "ids", to={"vertex": {"codec": "str"}}), "has the ids destination, source"),
        (change(*CALLS, "group_by", to=["dya"]), "uses the property 'dya'"),
        (change(*CALLS, "visibility", to=["a"]), "'visibility' of group 'Calls' must be text"),
        (change(*CALLS, "directed", to="yes"), "must be true or false"),
        (change(*CALLS, "last_number", to=1), "above its 'last_number'"),
        (change(*CALLS, "timestamp", to="day"), "twice"),
        (change(*COUNT, "number", to=1), "twice"),
        (change(*COUNT, "name", to="day"), "twice"),
        (change(*COUNT, "codec", to=5), "'codec' of property 'count' of group 'Calls'"),
        (change(*COUNT, "bits", to=1), "at least 8"),
        (change(*COUNT, "java", to=1), "'java' of"),
        (change(*COUNT, "aggregate", to={"n": 1}), "an aggregator of property 'count'"),
        (change(*COUNT, "agregate", to={}), "did you mean: aggregate"),
        (change(*CALLS, "rules", 0, "where", "value", to={"hex": "8"}), "written in hex"),
        (change(*CALLS, "rules", 0, "fields", to="count"), "must be a list"),
        ([], "is an object"),
    ],
)
def test_what_is_not_a_schema_is_refused(data: Any, message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        schema_from_json(data)
