"""What questions about records read: no more cells than they need, on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lexigraph.layout.records.reading import FetchHints
from lexigraph.layout.records.subjects import VertexSubject
from lexigraph.plan import (
    ELEMENT,
    Adjacent,
    Around,
    Elements,
    FieldValue,
    SortKey,
    Steps,
    Top,
    Where,
    count,
    explain,
    run,
)
from lexigraph.plan.logical.rows import VERTEX, Sort
from lexigraph.schema import field
from lexigraph.store import EmbeddedEngine, MemoryEngine
from tests.unit.plan.records.worlds import SCHEMA, Cut, World, ask, scope_over

EDGES, DEGREE = "records.edges", 50
VERTICES = "records.vertices"


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    world = World().vertex("hub", name="Hub", age=3).vertex("far", name="Far")
    world.value(VertexSubject("hub"), "tags", "t", key="t", metadata={"by": "me"})
    for number in range(DEGREE):
        shape = {"since": number, "how": f"h{number}"}
        world.edge(number, "hub", f"v{number:02}", shape=shape, weight=float(number))
        world.edge(100 + number, f"w{number:02}", "hub", shape={"since": number})
    world.edge(200, "far", "hub", shape={"since": 1})
    if request.param == "memory":
        yield world.write(MemoryEngine())
        return
    with EmbeddedEngine(tmp_path / "e") as engine:
        yield world.write(engine)


def edges(*seeds: str, direction: str = "out", where: Any = None, **more: Any) -> Elements:
    before = () if where is None else (Where(where.to_predicate(SCHEMA.group("Knows"))),)
    return Elements(Around(seeds), {"Knows": Steps(before=before, **more)}, direction)


def test_neighbours_read_references_alone(engine: Any) -> None:
    cut = Cut(engine)
    asked = Adjacent(edges("hub"))
    assert len(list(run(asked, scope_over(cut)).values(VERTEX))) == DEGREE
    assert cut.cells == {VERTICES: DEGREE}


def test_counting_edges_reads_references_alone(engine: Any) -> None:
    cut = Cut(engine)
    assert count(edges("hub", direction="both"), scope_over(cut)) == 2 * DEGREE + 1
    assert cut.cells == {VERTICES: 2 * DEGREE + 1}


def test_sort_key_and_signature_need_no_row(engine: Any) -> None:
    cut = Cut(engine)
    found = ask(edges("hub", keep=("since", "how")), scope_over(cut))
    assert found[0].properties == {"since": 49, "how": "h49"}
    assert cut.cells == {VERTICES: DEGREE}


def test_another_property_reads_the_rows_of_the_edges_found(engine: Any) -> None:
    cut = Cut(engine)
    found = ask(edges("hub", where=field("since") >= 48, keep=("weight",)), scope_over(cut))
    assert [one.properties for one in found] == [{"weight": 49.0}, {"weight": 48.0}]
    # Two references, and of each edge its existence and its one value.
    assert cut.cells == {VERTICES: 2, EDGES: 4}


@pytest.mark.parametrize(
    ("where", "number"),
    [
        (field("since") == 7, 1),
        (field("since").is_in([3, 9, 77]), 2),
        (field("since").between(10, 19), 10),
        ((field("since") > 10) & (field("since") < 12), 1),
        (field("since") < 5, 5),
        (field("since") >= 1000, 0),
    ],
)
def test_a_condition_on_the_sort_key_reads_a_slice(engine: Any, where: Any, number: int) -> None:
    cut = Cut(engine)
    assert len(ask(edges("hub", where=where, keep=()), scope_over(cut))) == number
    assert cut.cells.get(VERTICES, 0) == number


def top(count: int, *seeds: str, descending: bool = True, **more: Any) -> Top:
    key = SortKey(FieldValue(ELEMENT, "since"), descending)
    return Top(edges(*seeds, **more), count, (key,))


def test_the_top_of_a_sort_key_reads_as_many_references(engine: Any) -> None:
    cut = Cut(engine)
    found = [
        one["since"] for one in run(top(3, "hub", keep=("since",)), scope_over(cut)).values(ELEMENT)
    ]
    assert found == [49, 48, 47]
    # One more cell shows that the third reference has ended.
    assert cut.cells == {VERTICES: 4}


def test_the_top_of_several_vertices_reads_as_many_of_each(engine: Any) -> None:
    cut = Cut(engine)
    asked = top(2, "hub", "far", direction="both", keep=("since",))
    found = list(run(asked, scope_over(cut)).values(ELEMENT))
    assert [one["since"] for one in found] == [49, 49]
    # Out and in of the hub, out of the other; it has one edge.
    assert cut.cells == {VERTICES: 3 + 3 + 1}


def test_the_top_reads_the_rows_of_its_edges_only(engine: Any) -> None:
    cut = Cut(engine)
    found = list(run(top(2, "hub", keep=("since", "weight")), scope_over(cut)).values(ELEMENT))
    assert [one["weight"] for one in found] == [49.0, 48.0]
    assert cut.cells == {VERTICES: 3, EDGES: 4}


def test_the_other_order_reads_all_references_and_is_right(engine: Any) -> None:
    cut = Cut(engine)
    asked = top(2, "hub", descending=False, keep=("since",))
    found = [one["since"] for one in run(asked, scope_over(cut)).values(ELEMENT)]
    assert found == [0, 1]
    assert cut.cells == {VERTICES: DEGREE}


def test_a_top_is_the_start_of_the_sorted_answer(engine: Any) -> None:
    leaf = edges("hub", "far", direction="both", where=field("since") < 40)
    keys = (SortKey(FieldValue(ELEMENT, "since"), True),)
    scope = scope_over(engine)
    whole = list(run(Sort(leaf, keys), scope).values(ELEMENT))
    for number in (0, 1, 5, 1000):
        assert list(run(Top(leaf, number, keys), scope).values(ELEMENT)) == whole[:number]


@pytest.mark.parametrize(
    ("fetch", "cells"),
    [
        (FetchHints(), 2),  # existence and label
        (FetchHints(properties=frozenset({"name"})), 5),  # and values of all names
        (FetchHints(properties=True), 5),
        (FetchHints(metadata=True), 6),
    ],
)
def test_fetch_hints_choose_families(engine: Any, fetch: FetchHints, cells: int) -> None:
    cut = Cut(engine)
    [found] = ask(Elements(Around(["hub"]), {"Person": Steps()}), scope_over(cut, fetch=fetch))
    assert found.vertex == "hub"
    assert cut.cells == {VERTICES: cells}


def test_edges_come_with_a_vertex_if_they_are_fetched(engine: Any) -> None:
    cut = Cut(engine)
    fetch = FetchHints(out_edges=True)
    asked = Elements(Around(["hub"]), {"Person": Steps()})
    [found] = ask(asked, scope_over(cut, fetch=fetch))
    assert len(found.out_edges) == DEGREE
    # Directions share their families: those of the others are read and left out.
    assert cut.cells == {VERTICES: 2 + 2 * DEGREE + 1}


def test_an_explanation_counts_what_a_question_reads(engine: Any) -> None:
    told = explain(top(3, "hub"), scope_over(engine), run=True)
    [references], [rows] = told.find("references"), told.find("edge rows")
    assert (references.facts["cells_read"], references.facts["first"]) == (4, 3)
    assert rows.facts["cells_read"] == 6
    assert rows.facts["because"] == "'weight' is wanted, which references do not have"
    assert references.facts["families"] == ["ra", "re", "rh"]
    sliced = explain(edges("hub", where=field("since") > 3, keep=()), scope_over(engine))
    assert sliced.find("edge rows") == []
    assert sliced.find("range")[0].facts["by"] == ["since"]
