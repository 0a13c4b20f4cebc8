"""The elements of real Gaffer graphs, laid out by us: rows, groups and labels are the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.layout import ByteEntity, Classic
from lexigraph.schema import Group, Property, Schema, ValueType
from tests.conformance.outside import count, outside

INDEX = outside("gaffer", "index.json")
TEXT = ValueType("str")
GRAPHS = sorted(path.stem for path in (INDEX.parent / "tables").glob("*.json"))


def has_text_vertices(graph: dict[str, Any]) -> bool:
    """Say whether vertices are strings: Gaffer writes others in bytes of its own."""
    schema = graph["schema"]
    groups = [*schema.get("entities", {}).values(), *schema.get("edges", {}).values()]
    kinds = {one[end] for one in groups for end in ("vertex", "source") if end in one}
    return {schema["types"][kind]["class"] for kind in kinds} == {"java.lang.String"}


def schema_of(graph: dict[str, Any]) -> Schema:
    """Give the groups of a graph; properties do not matter for rows."""
    label = graph["schema"].get("visibilityProperty")
    properties = (Property("label", TEXT),) if label else ()
    facts: dict[str, Any] = {
        "properties": properties,
        "visibility": "label" if label else None,
    }
    vertices = [
        Group(name, "vertex", {"vertex": TEXT}, **facts)
        for name in graph["schema"].get("entities", {})
    ]
    ends = {"source": TEXT, "destination": TEXT}
    edges = [Group(name, "edge", ends, **facts) for name in graph["schema"].get("edges", {})]
    return Schema({group.name: group for group in vertices + edges})


def element_of(data: dict[str, Any], label: str | None) -> StoredElement:
    found = data["properties"].get(label) if label else None
    facts: dict[str, Any] = {"visibility": (found or "").encode()}
    if data["class"].endswith("Entity"):
        return StoredElement("vertex", data["group"], vertex=data["vertex"], **facts)
    ends = {name: data[name] for name in ("source", "destination", "directed")}
    return StoredElement("edge", data["group"], **ends, **facts)


@pytest.mark.parametrize("name", GRAPHS)
def test_elements_are_laid_out_as_gaffer_does(name: str) -> None:
    graph = json.loads(outside("gaffer", "graphs", f"{name}.json").read_bytes())
    if not has_text_vertices(graph):
        pytest.skip("Gaffer writes vertices of this class in bytes of its own")
    table = json.loads(outside("gaffer", "tables", f"{name}.json").read_bytes())
    layout = Classic() if "Classic" in (graph.get("keyPackage") or "") else ByteEntity()
    bound = layout.bind(schema_of(graph))
    plan = KeyPlan.parse(bound.plan)
    label = graph["schema"].get("visibilityProperty")
    given = [element_of(one, label) for batch in graph["batches"] for one in batch]
    written = {
        (cell.row.hex(), cell.family.decode(), cell.visibility.decode())
        for element in given
        for cell in plan.encode(element)
    }
    stored = {(row, family, shown) for row, family, _, shown, *_ in table}
    assert written == stored
    count("gaffer.layouts", len(stored))
