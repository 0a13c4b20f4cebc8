"""Runs facts through cells and back, as an engine would return them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from spec.fact_json import fact_from_json, rows_from_json
from spec.make_facts import FOLDER

from lexigraph.cells.cell import Cell, order
from lexigraph.layout.records.cells import read_facts, write_cell
from lexigraph.layout.records.facts import AnyFact
from lexigraph.layout.records.rows import EDGES, VERTICES, RecordRows

Json = dict[str, Any]


def load(name: str) -> Json:
    data: Json = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return data


FILES = sorted(path.stem for path in FOLDER.glob("*.json"))
ROWS = rows_from_json(load("edges"))


def each_reading(answer: str) -> pytest.MarkDecorator:
    """Return a mark that runs a test for each reading that has an answer of this kind."""
    found = [
        pytest.param(case["facts"], reading, id=f"{name}: {case['name']} {number}")
        for name in FILES
        for case in load(name).get("cases", ())
        for number, reading in enumerate(case.get("readings", ()))
        if answer in reading
    ]
    return pytest.mark.parametrize(("facts", "reading"), found)


def stored(facts: Iterable[Json], rows: RecordRows = ROWS) -> dict[str, list[Cell]]:
    """Return the sorted cells of facts by table; equal keys stay in the order given."""
    tables: dict[str, list[Cell]] = {VERTICES: [], EDGES: []}
    for data in facts:
        fact = fact_from_json(data)
        tables[rows.table_of(fact.subject)].append(write_cell(rows, fact))
    return {name: sorted(cells, key=order) for name, cells in tables.items()}


def read(tables: dict[str, list[Cell]], rows: RecordRows = ROWS) -> Iterator[AnyFact]:
    """Yield the facts of cells, in the order of the cells."""
    for name, cells in tables.items():
        yield from read_facts(rows, name, cells)


Orders = tuple[Callable[[list[Json]], list[Json]], ...]
ORDERS: Orders = (list, lambda facts: facts[::-1])
"""Orders of writing: answers must not depend on how cells with equal keys are ordered."""
