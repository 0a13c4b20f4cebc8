"""Schemas that real Gaffer read, merged and judged."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from lexigraph.errors import SchemaError
from lexigraph.schema import Validator
from lexigraph.schema.gaffer.check import problems
from lexigraph.schema.gaffer.json import (
    compact,
    merged_document,
    schema_from_gaffer,
    schema_to_gaffer,
)
from lexigraph.schema.gaffer.values import value_from_gaffer
from lexigraph.schema.json import schema_from_json, schema_to_json
from tests.conformance.outside import count, outside

CASES: list[dict[str, Any]] = json.loads(outside("gaffer", "schemas.json").read_bytes())

SCHEMA_FIELDS = {"config", "edges", "entities", "types", "vertexSerialiser", "visibilityProperty"}


def refused(case: dict[str, Any]) -> str | None:
    """Return why ours refuses a schema that Gaffer takes; each is what a user would say too."""
    if any(set(one) - SCHEMA_FIELDS for one in case["schemas"]):
        return "a misspelt field must not be ignored"
    if not case.get("valid"):
        return None
    schema = case["schema"]
    label = schema.get("visibilityProperty")
    groups = {**schema.get("entities", {}), **schema.get("edges", {})}
    for name, group in groups.items():
        known = properties_of(name, groups)
        if set(group.get("groupBy", ())) - set(known):
            return "nothing can be grouped by a property that is not there"
        if label in known and schema["types"][known[label]].get("class") != "java.lang.String":
            return "a label is text"
        if label in group.get("groupBy", ()):
            return "labels keep elements apart by themselves"
    return None


def properties_of(name: str, groups: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for parent in groups[name].get("parents", ()):
        found |= properties_of(parent, groups)
    return {**found, **groups[name].get("properties", {})}


# What Gaffer says, and the code of ours; those without one follow from another message.
CODES = {
    r"No aggregator found for properties": "no-aggregator",
    r"Some properties do not have aggregators defined": "no-aggregator",
    r"Class for \w+ could not be found": "no-class",
    r"Incompatible number of types": None,
    r"Incompatible types": "wrong-type",
    r"Groups with aggregation disabled": "grouped-unmerged",
    r"Entity vertex type is not defined": "no-vertex",
    r"Edge source type is not defined": "no-source",
    r"Edge destination type is not defined": "no-destination",
    r"Groups must not be shared between": "shared-group",
    r"Identifiers cannot be selected for aggregation": "reserved-name",
    r"Property name \w+ is a reserved word": "reserved-name",
    r"Unknown property used in an aggregator": "unknown-property",
    r"ElementFilter contains a null function": "no-function",
    r"VALIDITY ERROR": None,
}
OURS = {"no-parent"}


def codes_of(errors: list[str]) -> set[str]:
    found = set()
    for error in errors:
        (code,) = [code for pattern, code in CODES.items() if re.match(pattern, error)]
        found |= {code} if code else set()
    return found


def groups_of(errors: list[str]) -> set[str]:
    named = (re.search(r"definition for group: (\S+)|edgeGroup '(\S+)'", one) for one in errors)
    return {one[1] or one[2] for one in named if one}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_a_schema_is_read_as_gaffer_reads_it(case: dict[str, Any]) -> None:
    if "expected_error" in case or refused(case):
        with pytest.raises(SchemaError):
            schema_from_gaffer(*case["schemas"])
    else:
        document = merged_document(*case["schemas"])
        assert compact(document) == case["schema"]
        for kind in ("entities", "edges"):
            for name, group in case["schema"].get(kind, {}).items():
                # Their order is that of the stored values.
                mine = document[kind][name].get("properties", {})
                assert list(mine) == list(group.get("properties", {}))
        found = list(problems(document))
        assert bool(found) == (not case["valid"])
        assert {one.group for one in found} == groups_of(case["errors"])
        assert {one.code for one in found} - OURS <= codes_of(case["errors"])
        assert case["valid"] or {one.code for one in found} - OURS
        if case["valid"]:
            check_both_ways(case)
    count("gaffer.schemas")


def check_both_ways(case: dict[str, Any]) -> None:
    schema = schema_from_gaffer(*case["schemas"])
    assert compact(schema_to_gaffer(schema)) == case["schema"]
    assert schema_from_json(json.loads(json.dumps(schema_to_json(schema)))) == schema


GRAPHS = sorted(path.name for path in (outside("gaffer", "index.json").parent / "graphs").glob("*"))


@pytest.mark.parametrize("name", GRAPHS)
def test_the_schemas_of_all_graphs_are_read_and_written_back(name: str) -> None:
    given = json.loads(outside("gaffer", "graphs", name).read_bytes())["schema"]
    schema = schema_from_gaffer(given)
    parents = [g for kind in ("entities", "edges") for g in given[kind].values() if "parents" in g]
    if not parents:
        assert merged_document(schema_to_gaffer(schema)) == merged_document(given)
    assert schema_from_gaffer(schema_to_gaffer(schema)).groups == schema.groups
    # Without what was kept, it is written from what it means.
    meant = schema_to_gaffer(replace(schema, config={}))
    assert schema_from_gaffer(meant).groups == schema.groups


@dataclass
class GafferElement:
    """An element of a graph, with the values that its JSON means."""

    group: str
    ids: dict[str, Any]
    properties: dict[str, Any]
    is_directed: bool | None

    @classmethod
    def read(cls, data: dict[str, Any]) -> GafferElement:
        names = ("vertex",) if data["class"].endswith(".Entity") else ("source", "destination")
        return cls(
            data["group"],
            {name: value_from_gaffer(data[name])[1] for name in names},
            {name: value_from_gaffer(one)[1] for name, one in data["properties"].items()},
            data.get("directed"),
        )


@pytest.mark.parametrize("name", GRAPHS)
def test_the_elements_that_gaffer_took_fit_their_schema(name: str) -> None:
    graph = json.loads(outside("gaffer", "graphs", name).read_bytes())
    groups = schema_from_gaffer(graph["schema"]).groups
    validators = {group: Validator(one) for group, one in groups.items()}
    for data in (one for batch in graph["batches"] for one in batch):
        element = GafferElement.read({"properties": {}, **data})
        fitting = validators[element.group].check(element)
        assert (fitting.vertex, fitting.source) == (
            element.ids.get("vertex"),
            element.ids.get("source"),
        )
        count("gaffer.elements")
