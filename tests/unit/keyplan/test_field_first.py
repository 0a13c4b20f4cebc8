"""Cells with one field of their keys first: the same in Python and in the native core."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells import native
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.errors import LexigraphError
from lexigraph.errors import UnsupportedError as Unsupported
from lexigraph.keyplan import KeyPlan
from lexigraph.keyplan.columns.field_first import FieldFirst
from tests.unit.keyplan import frames as drawn
from tests.unit.keyplan.plans import ELEMENTS, NAMES, load_plan

START = b"\0\7"


def made(first: FieldFirst, cells: list[Cell], *, deleted: bool) -> list[Cell] | type[Exception]:
    """Return the cells, or what kind of error there was."""
    try:
        return list(first.of(CellBatch.from_cells(cells), deleted=deleted))
    except LexigraphError as error:
        return type(error)


def both(plan: KeyPlan, group: str, field: str) -> tuple[FieldFirst, FieldFirst]:
    """Return what makes them in Python, and in the core."""
    python = FieldFirst(plan, group, field, START, native=False)
    core = FieldFirst(plan, group, field, START, native=True)
    assert python.declined is not None
    assert core.declined is None
    return python, core


@given(data=st.data())
def test_python_and_the_core_make_the_same_cells_of_any_plan(data: st.DataObject) -> None:
    plan = data.draw(drawn.plans())
    cells = data.draw(drawn.cells(plan))
    if cells and not data.draw(st.integers(0, 3)):
        cells = data.draw(drawn.damaged(cells))
    group = data.draw(st.sampled_from(["v", "e", "plain"]))
    fields = ["vertex"] if group == "v" else ["source", "destination"]
    if plan.model.group(group).qualifier:
        fields.append("q")
    python, core = both(plan, group, data.draw(st.sampled_from(fields)))
    deleted = data.draw(st.booleans())
    assert made(core, cells, deleted=deleted) == made(python, cells, deleted=deleted)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_an_element_is_found_from_its_cell_and_its_cell_from_the_value(
    name: str, data: st.DataObject
) -> None:
    plan = load_plan(name)
    element = data.draw(ELEMENTS[name])
    cells = plan.encode(element)
    fields = ["vertex"] if element.kind == "vertex" else ["source", "destination"]
    for field in fields:
        try:
            first = FieldFirst(plan, element.group, field, START)
        except Unsupported:
            continue
        [one] = first.of(CellBatch.from_cells(cells), deleted=True)
        assert (one.deleted, one.value, one.timestamp) == (True, b"", 0)
        assert one.visibility == element.visibility
        assert first.element_row(one.row) in {cell.row for cell in cells}
        assert first.element_row(b"\0\0" + one.row) is None
        read = plan.decode(cells[0])
        assert read is not None
        key = plan.fields(element.group).key_of(field)(read)
        assert key is not None
        assert one.row.startswith(first.start_of(key))


def test_without_the_core_python_makes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "find_native", lambda: None)
    monkeypatch.setattr("lexigraph.keyplan.columns.field_first.find_native", lambda: None)
    plan = load_plan("byte-entity")
    assert FieldFirst(plan, "calls", "source", START).declined is not None
    with pytest.raises(Unsupported, match="native core"):
        FieldFirst(plan, "calls", "source", START, native=True)
