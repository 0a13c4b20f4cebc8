"""A vertex with many edges: pages read what they give, wherever they begin, on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lexigraph.plan import (
    ELEMENT,
    Around,
    Elements,
    Steps,
    Where,
    comes_in_order,
    count,
    read_page,
    run,
)
from lexigraph.plan.logical.expressions import FieldValue
from lexigraph.plan.logical.rows import Sort, SortKey
from lexigraph.schema import field
from lexigraph.store import EmbeddedEngine, MemoryEngine
from tests.unit.plan.records.worlds import SCHEMA, Cut, World, scope_over

VERTICES, EDGES = "records.vertices", "records.edges"
DEGREE, PAGE = 600, 100


@pytest.fixture(params=["memory", "embedded"], scope="module")
def engine(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Iterator[Any]:
    world = World().vertex("hub", name="Hub")
    for number in range(DEGREE):
        shape = {"since": number, "how": f"h{number}"}
        world.edge(number, "hub", f"v{number % 7}", shape=shape, weight=float(number))
        world.edge(DEGREE + number, "hub", "hub2", label="Meets", directed=False)
    if request.param == "memory":
        yield world.write(MemoryEngine())
        return
    path: Path = tmp_path_factory.mktemp("many") / "e"
    with EmbeddedEngine(path) as engine:
        yield world.write(engine)


def asked(*labels: str, where: Any = None, direction: str = "out", **more: Any) -> Elements:
    before = () if where is None else (Where(where.to_predicate(SCHEMA.group("Knows"))),)
    view = {one: Steps(before=before, **more) for one in labels or ("Knows",)}
    return Elements(Around(["hub"]), view, direction)


def pages(
    question: Elements, engine: Any, size: int = PAGE
) -> Iterator[tuple[list[Any], dict[str, int]]]:
    """Yield each page with the cells that it read."""
    cursor = None
    while True:
        cut = Cut(engine)
        found, cursor = read_page(question, replace(scope_over(cut), cursor=cursor), size)
        yield found, cut.cells
        if cursor is None:
            return


@pytest.mark.parametrize(
    "question",
    [
        asked(keep=("since", "how")),
        asked(keep=(), where=field("since") < 450),
        asked("Knows", "Meets", keep=()),
        asked("Meets", keep=(), direction="both"),
    ],
)
def test_each_page_reads_its_own_references(engine: Any, question: Elements) -> None:
    whole = list(run(question, scope_over(engine)).values(ELEMENT))
    found = []
    for page, cells in pages(question, engine):
        found += page
        # One more shows that there is more.
        assert cells.get(VERTICES, 0) <= PAGE + 2
        assert EDGES not in cells
    assert found == whole
    assert len(found) >= 450


def test_a_page_looks_up_the_rows_of_its_edges_only(engine: Any) -> None:
    for number, (page, cells) in enumerate(pages(asked(keep=("weight",)), engine)):
        assert [one["weight"] for one in page[:2]] == [599.0 - 100 * number, 598.0 - 100 * number]
        # Existence and weight of each edge, and of the one that shows that there is more.
        assert cells[EDGES] <= 2 * (PAGE + 1)


def test_a_stream_reads_as_it_goes(engine: Any) -> None:
    cut = Cut(engine, batch_cells=50)
    elements = run(asked(keep=("since",)), scope_over(cut)).values(ELEMENT)
    assert [next(elements)["since"] for _ in range(120)] == list(range(599, 479, -1))
    assert cut.cells[VERTICES] <= 200


def by_since(*, descending: bool = True) -> tuple[SortKey, ...]:
    return (SortKey(FieldValue(ELEMENT, "since"), descending),)


def test_the_order_of_the_sort_key_is_not_sorted(engine: Any) -> None:
    question, cut = asked(keep=("since",)), Cut(engine, batch_cells=50)
    elements = run(Sort(question, by_since()), scope_over(cut)).values(ELEMENT)
    assert [next(elements)["since"] for _ in range(20)] == list(range(599, 579, -1))
    assert cut.cells[VERTICES] <= 100
    other = list(
        run(Sort(question, by_since(descending=False)), scope_over(engine)).values(ELEMENT)
    )
    assert [one["since"] for one in other] == list(range(600))


def test_edges_are_counted_without_their_rows(engine: Any) -> None:
    cut = Cut(engine)
    assert count(asked("Knows", "Meets"), scope_over(cut)) == 2 * DEGREE
    assert cut.cells == {VERTICES: 2 * DEGREE}
    assert count(asked(where=field("weight") < 10.0), scope_over(engine)) == 10


def test_what_is_in_order_is_said(engine: Any) -> None:
    def ordered(question: Elements, keys: tuple[SortKey, ...] = ()) -> bool:
        return comes_in_order(question, keys or by_since(), scope_over(engine))

    assert ordered(asked())
    assert ordered(asked(where=field("since").is_in([3, 9, 77])))
    assert not comes_in_order(asked(), by_since(descending=False), scope_over(engine))
    assert not ordered(asked("Knows", "Meets"))
    assert not ordered(asked(direction="both"))
    assert not ordered(asked("Person", "Knows"))
    assert not ordered(replace(asked(), source=Around(["hub", "v1"])))
    assert not ordered(asked(), (SortKey(FieldValue(ELEMENT, "weight"), True),))
