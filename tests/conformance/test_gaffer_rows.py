"""Rows of real Gaffer tables, read and written by our plans with those rows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.keyplan import KeyPlan
from tests.conformance.outside import count, outside
from tests.unit.keyplan.plans import load_plan

INDEX = outside("gaffer", "index.json")
TABLES = sorted(path.name for path in (INDEX.parent / "tables").glob("*.json"))


def rows_plan(name: str, cells: list[list[Any]]) -> KeyPlan:
    """Give a plan with the rows of ``name`` over plain bytes, for the groups of a table.

    Qualifiers and values are Gaffer's, so they are taken as they are.
    """
    shapes = [
        {**shape, "parts": [{**p, "codec": "bytes"} if "field" in p else p for p in shape["parts"]]}
        for shape in load_plan(name).to_json()["rows"]
    ]
    edges = {family for row, family, *_ in cells if is_edge(name, bytes.fromhex(row))}
    groups = {
        family: {
            "kind": "edge" if family in edges else "vertex",
            "qualifier": [{"field": "grouped", "codec": "bytes", "form": "rest"}],
            "value": {
                "form": "single",
                "property": {"id": 1, "field": "stored", "codec": "bytes"},
            },
        }
        for _, family, *_ in cells
    }
    family = load_plan(name).to_json()["family"]
    return KeyPlan.parse({"version": 1, "rows": shapes, "family": family, "groups": groups})


def is_edge(name: str, row: bytes) -> bool:
    return row.count(0) > (1 if name == "byte-entity" else 0)


@pytest.mark.parametrize("table", TABLES)
def test_each_row_is_one_of_those_that_its_element_is_written_to(table: str) -> None:
    listed: list[list[Any]] = json.loads(outside("gaffer", "tables", table).read_bytes())
    graph = json.loads(outside("gaffer", "graphs", table).read_bytes())
    name = "classic" if "Classic" in (graph.get("keyPackage") or "") else "byte-entity"
    plan = rows_plan(name, listed)
    cells = [
        Cell(
            *(bytes.fromhex(row), family.encode(), bytes.fromhex(qualifier), label.encode(), time),
            value=bytes.fromhex(value),
        )
        for row, family, qualifier, label, time, value in listed
    ]
    stored = set(cells)
    for cell in cells:
        element = plan.decode(cell)
        assert element is not None
        written = plan.encode(element)
        assert cell in written
        assert stored.issuperset(written)
        count("gaffer.rows")
