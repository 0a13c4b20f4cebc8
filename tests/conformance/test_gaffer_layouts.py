"""The elements of real Gaffer graphs, laid out by us: rows, groups and labels are the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lexigraph.layout import ByteEntity, Classic
from lexigraph.schema import Group, Property, Schema, ValueType
from lexigraph.store.plan import Element, KeyPlan
from tests.conformance.outside import count, outside

INDEX = outside("gaffer", "index.json")
TEXT = ValueType("str")
OTHER_VERTICES = {"longs", "vint", "vdouble", "vdate", "vtsv"}
"""Graphs whose vertices are no strings: Gaffer writes those in bytes of its own."""
GRAPHS = sorted(
    path.stem
    for path in (INDEX.parent / "tables").glob("*.json")
    if path.stem not in OTHER_VERTICES
)


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


def element_of(data: dict[str, Any], label: str | None) -> Element:
    found = data["properties"].get(label) if label else None
    facts: dict[str, Any] = {"visibility": (found or "").encode()}
    if data["class"].endswith("Entity"):
        return Element("vertex", data["group"], vertex=data["vertex"], **facts)
    ends = {name: data[name] for name in ("source", "destination", "directed")}
    return Element("edge", data["group"], **ends, **facts)


@pytest.mark.parametrize("name", GRAPHS)
def test_elements_are_laid_out_as_gaffer_does(name: str) -> None:
    graph = json.loads(outside("gaffer", "graphs", f"{name}.json").read_bytes())
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
