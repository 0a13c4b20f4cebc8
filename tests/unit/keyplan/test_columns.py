"""Cells become the same columns in Python and in the native core, wherever a scan is cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells import native
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.errors import InvalidBytes, InvalidOption, InvalidValue, LexigraphError
from lexigraph.errors import UnsupportedError as Unsupported
from lexigraph.keyplan import Decoder, KeyPlan, StoredElement
from lexigraph.keyplan.columns.frames import Frame, FrameColumn, FrameEnds
from tests.unit.keyplan import frames as drawn
from tests.unit.keyplan.plans import ELEMENTS, NAMES, load_plan


def decoded(decoder: Decoder, batches: list[list[Cell]]) -> list[Frame] | type[Exception]:
    """Return the frames, or what kind of error there was."""
    try:
        return list(decoder.frames(map(CellBatch.from_cells, batches)))
    except LexigraphError as error:
        return type(error)


def both(
    plan: KeyPlan, columns: list[FrameColumn], ends: FrameEnds | None = None
) -> tuple[Decoder, Decoder]:
    """Return a decoder in Python, and one of the core."""
    made = Decoder(plan, columns, ends, native=False), Decoder(plan, columns, ends, native=True)
    assert [one.is_native for one in made] == [False, True]
    return made


def cut(cells: list[Cell], size: int) -> list[list[Cell]]:
    return [cells[at : at + size] for at in range(0, len(cells), size)]


@given(data=st.data())
def test_python_and_the_core_make_the_same_columns_of_any_plan(data: st.DataObject) -> None:
    plan = data.draw(drawn.plans())
    cells = data.draw(drawn.cells(plan))
    if cells and not data.draw(st.integers(0, 3)):
        ends = None
        cells = data.draw(drawn.damaged(cells))
    else:
        ends = data.draw(drawn.ends(plan, cells))
    columns = data.draw(drawn.columns(plan))
    try:
        python, core = both(plan, columns, ends)
    except InvalidOption:
        # A column of key forms of collections, which neither has.
        assert any(one.kind == "key" for one in columns)
        return
    batches = cut(cells, data.draw(st.integers(1, 3)))
    assert decoded(core, batches) == decoded(python, batches)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_a_scan_may_be_cut_anywhere(name: str, data: st.DataObject) -> None:
    plan = load_plan(name)
    elements = data.draw(st.lists(ELEMENTS[name], max_size=3))
    cells = sorted(cell for one in elements for cell in plan.encode(one))
    fields = plan.fields()
    columns = []
    for group in plan.model.groups:
        for field in plan.fields(group.name)._groups[0]:
            kind = drawn.natural(plan, group.name, field)
            if kind.startswith(("text", "int", "date", "float", "list")) and fields:
                columns.append(FrameColumn(field, kind, {group.name: field}))
    for decoder in both(plan, columns):
        whole = decoded(decoder, [cells])
        for at in range(len(cells) + 1):
            parts = decoded(decoder, [cells[:at], cells[at:]])
            if isinstance(whole, type):
                assert parts == whole
            else:
                assert isinstance(parts, list)
                assert sum(one.rows for one in parts) == sum(one.rows for one in whole)
                assert drawn.entries(parts, columns) == drawn.entries(whole, columns)


def page(**properties: Any) -> dict[str, Any]:
    """Return a plan of vertices with these properties."""
    return {
        "version": 1,
        "rows": [
            {
                "kind": "vertex",
                "group": "page",
                "parts": [{"field": "vertex", "codec": "str", "form": "rest"}],
            }
        ],
        "family": [],
        "groups": {
            "page": {
                "kind": "vertex",
                "qualifier": [],
                "value": {
                    "form": "tagged",
                    "properties": [
                        {"id": number, "field": name, **one}
                        for number, (name, one) in enumerate(properties.items(), 1)
                    ],
                },
            }
        },
    }


PAGE = KeyPlan.parse(
    page(
        hits={"codec": "int", "aggregate": {"name": "sum"}},
        words={"codec": "str", "aggregate": {"name": "set"}},
    )
)
CELLS = [
    cell
    for name, hits, words in (("a", 1, ("x",)), ("b", -300, ()), ("c", 2**70, ("y", "z")))
    for cell in PAGE.encode(
        StoredElement("vertex", "page", {"hits": hits, "words": words}, vertex=name)
    )
]


def column(field: str, kind: str) -> FrameColumn:
    return FrameColumn(field, kind, {"page": field})


def test_key_forms_are_bytes_that_sort_as_values_do() -> None:
    asked = [column("hits", "key"), column("vertex", "key"), column("timestamp", "key")]
    for decoder in both(PAGE, asked):
        found = decoder.frames([CellBatch.from_cells(CELLS)])
        hits, ids, times = drawn.entries(list(found), asked)
        encode = PAGE.fields("page").find("hits").codec.encode
        assert hits == [encode(one) for one in (1, -300, 2**70)]
        assert sorted(hits) == [hits[1], hits[0], hits[2]]
        assert ids == [b"a", b"b", b"c"]
        assert len(set(times)) == 1


def test_a_collection_has_no_key_form() -> None:
    for choice in (True, False):
        with pytest.raises(InvalidOption, match="collection"):
            Decoder(PAGE, [column("words", "key")], native=choice)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (column("hits", "int8"), InvalidValue),
        (column("hits", "text"), Unsupported),
        (column("words", "int64"), Unsupported),
    ],
)
def test_what_a_column_cannot_hold_is_refused_alike(
    asked: FrameColumn, error: type[Exception]
) -> None:
    for decoder in both(PAGE, [asked]):
        with pytest.raises(error, match=f"column '{asked.name}'"):
            list(decoder.frames([CellBatch.from_cells(CELLS)]))


def test_after_a_refusal_a_decoder_goes_on_as_new() -> None:
    broken = CELLS[0]._replace(value=b"\x07")
    for decoder in both(PAGE, [column("hits", "decimal:38:0")]):
        assert decoded(decoder, [[CELLS[0], broken]]) is InvalidBytes
        found = decoded(decoder, [CELLS[:1]])
        assert isinstance(found, list)
        assert [one.rows for one in found] == [1]


def test_what_nobody_asks_for_is_not_looked_at() -> None:
    broken = [cell._replace(value=b"\x07") for cell in CELLS]
    for decoder in both(PAGE, [column("vertex", "text")]):
        found = decoded(decoder, [broken])
        assert isinstance(found, list)
        assert found[0].columns[0].data == b"abc"


@pytest.mark.parametrize(
    "asked", [column("hits", "colour"), column("hit", "int64"), FrameColumn("h", "key", {"p": "x"})]
)
def test_mistakes_raise_whichever_runs(asked: FrameColumn) -> None:
    for choice in (True, False, None):
        with pytest.raises(LexigraphError):
            Decoder(PAGE, [asked], native=choice)


def test_without_the_core_python_decodes_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Decoder(PAGE, []).is_native
    monkeypatch.setattr("lexigraph.keyplan.columns.decoder.find_native", lambda: None)
    decoder = Decoder(PAGE, [column("vertex", "text")])
    assert (decoder.is_native, decoder.declined) == (False, native.ABSENT)
    assert [one.rows for one in decoder.frames([CellBatch.from_cells(CELLS)])] == [3]
    with pytest.raises(Unsupported, match="not installed"):
        Decoder(PAGE, [], native=True)
