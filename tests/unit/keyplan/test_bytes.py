"""The worked plans write the bytes that spec/scan.md section 8 prints, and read them back."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.errors import GroupNotFound, InvalidBytes, InvalidValue
from lexigraph.keyplan import KeyPlan, StoredElement
from tests.unit.keyplan.plans import load_plan

DAY = {"day": date(2026, 1, 2)}
ZEROS = "01 01" * 6


def edge(group: str, ends: str, *, directed: bool, **properties: Any) -> StoredElement:
    return StoredElement(
        "edge", group, properties, source=ends[0], destination=ends[1], directed=directed
    )


def hexed(cells: list[Cell]) -> list[str]:
    return [cell.row.hex() for cell in cells]


def test_a_vertex_of_byte_entity_has_one_row() -> None:
    element = StoredElement(
        "vertex", "activity", {**DAY, "count": 3, "places": {"b", "a"}}, vertex="A"
    )
    [cell] = load_plan("byte-entity").encode(element)
    assert cell == Cell(
        bytes.fromhex("41 00 01"),
        b"activity",
        bytes.fromhex("80 00 4f e7"),
        timestamp=0,
        value=bytes.fromhex("01  01 02 81 03  04 04 01 61 01 62"),
    )


def test_a_directed_edge_of_byte_entity_has_two_rows_alike_in_the_rest() -> None:
    element = edge("calls", "AB", directed=True, **DAY, count=3, opened="x")
    first, second = load_plan("byte-entity").encode(element)
    assert hexed([first, second]) == ["41000200420002", "42000300410003"]
    assert first[1:] == second[1:]
    assert (first.family, first.qualifier.hex()) == (b"calls", "80004fe701")
    assert first.value.hex(" ") == "01 01 02 81 03 05 02 00 78"


@pytest.mark.parametrize("ends", ["AB", "BA"])
def test_an_undirected_edge_has_two_rows_the_smaller_end_first(ends: str) -> None:
    cells = load_plan("byte-entity").encode(edge("knows", ends, directed=False))
    assert hexed(cells) == ["41000400420004", "42000400410004"]


@pytest.mark.parametrize(
    ("element", "row"),
    [
        (edge("knows", "AA", directed=True), "41000200410002"),
        (edge("knows", "AA", directed=False), "41000400410004"),
    ],
)
def test_an_edge_from_a_vertex_to_itself_has_one_row(element: StoredElement, row: str) -> None:
    assert hexed(load_plan("byte-entity").encode(element)) == [row]


@pytest.mark.parametrize(
    ("row", "seen"),
    [
        ("41000200420002", ("A", "B", True, "source", True)),
        ("42000300410003", ("A", "B", True, "destination", False)),
        ("41000400420004", ("A", "B", False, "source", True)),
        ("42000400410004", ("A", "B", False, "destination", False)),
        ("41000400410004", ("A", "A", False, "source", True)),
    ],
)
def test_a_row_says_which_end_was_matched_and_whether_it_counts_once(
    row: str, seen: tuple[Any, ...]
) -> None:
    found = load_plan("byte-entity").decode(Cell(bytes.fromhex(row), b"knows"))
    assert found is not None
    facts = (found.source, found.destination, found.directed, found.matched, found.once)
    assert facts == seen


@pytest.mark.parametrize(
    ("element", "rows"),
    [
        (StoredElement("vertex", "junction", {"name": "x"}, vertex=1), [f"80 {ZEROS} 01 02"]),
        (
            StoredElement("edge", "road-use", {}, source=1, destination=2, directed=True),
            [
                f"80 {ZEROS} 01 02 00 80 {ZEROS} 02 00 02",
                f"80 {ZEROS} 02 00 80 {ZEROS} 01 02 00 03",
            ],
        ),
        (
            StoredElement("edge", "road-use", {}, source=10, destination=2, directed=False),
            [f"80 {ZEROS} 02 00 80 {ZEROS} 0a 00 01", f"80 {ZEROS} 0a 00 80 {ZEROS} 02 00 01"],
        ),
    ],
)
def test_classic_rows_end_in_one_flag(element: StoredElement, rows: list[str]) -> None:
    plan = load_plan("classic").rolled(())
    assert hexed(plan.encode(element)) == [bytes.fromhex(row).hex() for row in rows]


@pytest.mark.parametrize(("status", "head"), [({"status": 200}, "01 80 c8"), ({}, "00")])
def test_a_users_own_plan_has_its_own_rows(status: dict[str, int], head: str) -> None:
    element = StoredElement(
        "vertex",
        "hits",
        {"shard": 3, **DAY, "path": "/a", "count": 3, **status},
        vertex="example.org",
    )
    [cell] = load_plan("web-hits").encode(element)
    assert cell.row == b"\x83example.org\x00\x7f\xff\xb0\x18"
    assert (cell.family, cell.qualifier, cell.value) == (
        b"hits",
        bytes.fromhex(head) + b"/a",
        b"\x81\x03",
    )


def test_a_group_that_is_not_listed_is_not_read() -> None:
    assert load_plan("byte-entity").decode(Cell(b"garbage", b"other", value=b"garbage")) is None


def test_a_row_that_fits_no_shape_is_refused_with_every_reason() -> None:
    with pytest.raises(InvalidBytes, match="not fit any of the plan's 4 shapes"):
        load_plan("byte-entity").decode(Cell(b"A\x00\x09", b"knows"))


def test_a_row_of_another_kind_than_its_group_is_refused() -> None:
    with pytest.raises(InvalidBytes, match="row of a vertex"):
        load_plan("byte-entity").decode(Cell(b"A\x00\x01", b"knows"))


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("02", "starts with the byte 01"),
        ("01 07 00", "id 7"),
        ("01 05 02 00 78 01 02 81 03", "not in order"),
        ("01 01 02 81 03 01 02 81 03", "not in order"),
        ("01 01 03 81 03", "fewer bytes"),
        ("01 01", "not in its shortest form"),
        ("01 81 00 02 81 03", "not in its shortest form"),
        ("01 01 02 81 00", "property 'count'"),
    ],
)
def test_a_garbage_value_is_refused_and_says_why(value: str, why: str) -> None:
    cell = Cell(
        b"A\x00\x02\x00B\x00\x02",
        b"calls",
        bytes.fromhex("80004fe701"),
        value=bytes.fromhex(value),
    )
    with pytest.raises(InvalidBytes, match=why):
        load_plan("byte-entity").decode(cell)


def test_an_empty_value_has_no_properties() -> None:
    cell = Cell(b"A\x00\x02\x00B\x00\x02", b"calls", bytes.fromhex("80004fe701"))
    element = load_plan("byte-entity").decode(cell)
    assert element is not None
    assert not element.states or set(element.states.values()) == {None}


def test_a_garbage_qualifier_is_refused_and_names_the_group() -> None:
    with pytest.raises(InvalidBytes, match=r"qualifier .* group 'calls'"):
        load_plan("byte-entity").decode(Cell(b"A\x00\x02\x00B\x00\x02", b"calls", b"\x80"))


@pytest.mark.parametrize(
    ("element", "error", "why"),
    [
        (StoredElement("vertex", "actvity"), GroupNotFound, "did you mean: activity"),
        (StoredElement("vertex", "knows", vertex="A"), InvalidValue, "kind 'edge'"),
        (
            StoredElement("vertex", "activity", {**DAY, "coutn": 1}, vertex="A"),
            InvalidValue,
            "count",
        ),
        (StoredElement("vertex", "activity", DAY), InvalidValue, "lacks 'vertex'"),
        (StoredElement("vertex", "activity", vertex="A"), InvalidValue, "lacks 'day'"),
        (
            StoredElement("edge", "knows", source="A", destination="B"),
            InvalidValue,
            "directed=None",
        ),
        (
            StoredElement("vertex", "activity", {**DAY, "count": "3"}, vertex="A"),
            InvalidValue,
            "int",
        ),
    ],
)
def test_an_element_that_does_not_fit_is_refused(
    element: StoredElement, error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        load_plan("byte-entity").encode(element)


def test_a_single_value_must_be_there() -> None:
    with pytest.raises(InvalidValue, match="'name' is the whole value"):
        load_plan("classic").encode(StoredElement("vertex", "junction", vertex=1))


def test_a_rolled_plan_keeps_identity_and_by() -> None:
    rolled = load_plan("web-hits").rolled(("path",))
    assert [part["field"] for part in rolled.to_json()["groups"]["hits"]["qualifier"]] == ["path"]


def test_plans_are_equal_when_they_say_the_same() -> None:
    plan = load_plan("classic")
    assert KeyPlan.parse(plan.to_json()) == plan
    assert plan != load_plan("byte-entity")
    assert len({plan, load_plan("classic")}) == 1
