"""Shapes with a family of their own: the family tells the kind of row, and the row has no flag."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.errors import InvalidBytes, InvalidOption
from lexigraph.keyplan import KeyPlan, StoredElement
from tests.unit.store.schemas import is_valid


def plan_json() -> dict[str, Any]:
    source, destination = (
        {"field": field, "codec": "str", "form": "escaped"} for field in ("source", "destination")
    )
    gap = {"const": {"hex": "00"}}
    out = {"kind": "edge", "directed": True, "matched": "source", "once": "always"}
    back = {"kind": "edge", "directed": True, "matched": "destination", "once": "never"}
    return {
        "version": 1,
        "rows": [
            {
                **out,
                "group": "calls",
                "family": [{"const": "o"}],
                "parts": [source, gap, destination],
            },
            {
                **back,
                "group": "calls",
                "family": [{"const": "i"}],
                "parts": [destination, gap, source],
            },
        ],
        "family": [],
        "groups": {"calls": {"kind": "edge", "qualifier": [], "value": {"form": "none"}}},
    }


EDGE = StoredElement("edge", "calls", source="a", destination="b", directed=True)


def test_the_family_tells_which_end_the_row_starts_with() -> None:
    plan = KeyPlan.parse(plan_json())
    cells = plan.encode(EDGE)
    assert [(cell.row, cell.family) for cell in cells] == [(b"a\0b", b"o"), (b"b\0a", b"i")]
    decoded = [plan.decode(cell) for cell in cells]
    assert [(one.source, one.matched, one.once) for one in decoded if one is not None] == [
        ("a", "source", True),
        ("a", "destination", False),
    ]
    assert KeyPlan.parse(plan.to_json()) == plan
    assert is_valid("plan.json", plan.to_json())


def test_another_family_is_of_a_group_that_is_not_listed() -> None:
    plan = KeyPlan.parse(plan_json())
    assert plan.decode(Cell(b"a\0b", b"x")) is None
    with pytest.raises(InvalidBytes, match="does not fit any shape of its family"):
        plan.decode(Cell(b"a", b"o"))


def test_shapes_with_and_without_a_family_stand_side_by_side() -> None:
    data = plan_json()
    data["family"] = [{"field": "group", "codec": "str", "form": "rest"}]
    data["rows"].append(
        {"kind": "vertex", "parts": [{"field": "vertex", "codec": "str", "form": "escaped"}]}
    )
    data["groups"]["page"] = {"kind": "vertex", "qualifier": [], "value": {"form": "none"}}
    plan = KeyPlan.parse(data)
    [cell] = plan.encode(StoredElement("vertex", "page", vertex="a"))
    assert cell.family == b"page"
    assert plan.decode(cell) == StoredElement("vertex", "page", vertex="a")
    assert all(plan.decode(cell) is not None for cell in plan.encode(EDGE))


def test_a_shape_of_another_kind_than_its_group_fits_no_cell() -> None:
    data = plan_json()
    vertex = {"field": "vertex", "codec": "str", "form": "escaped"}
    data["rows"].append(
        {"kind": "vertex", "group": "calls", "family": [{"const": "v"}], "parts": [vertex]}
    )
    with pytest.raises(InvalidBytes, match="row of a vertex"):
        KeyPlan.parse(data).decode(Cell(b"a", b"v"))


@pytest.mark.parametrize(
    ("family", "group", "message"),
    [
        (
            [{"field": "group", "codec": "str", "form": "rest"}],
            "calls",
            "must name the group itself",
        ),
        ([{"const": "o"}], None, "names the group"),
        ([{"field": "source", "codec": "str", "form": "rest"}], "calls", "fields differ|twice"),
    ],
)
def test_what_contradicts_itself_is_refused(
    family: list[Any], group: str | None, message: str
) -> None:
    data = plan_json()
    data["rows"][0]["family"] = family
    if group is None:
        del data["rows"][0]["group"]
    with pytest.raises(InvalidOption, match=message):
        KeyPlan.parse(data)
