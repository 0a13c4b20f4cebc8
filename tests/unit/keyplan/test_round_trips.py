"""Elements written by a plan come back from every one of their cells; garbage never crashes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells.cell import Cell
from lexigraph.codec import codec_for
from lexigraph.errors import LexigraphError
from lexigraph.keyplan import StoredElement
from tests.unit.keyplan.plans import ELEMENTS, NAMES, load_plan

PLANS = {name: load_plan(name) for name in NAMES}
VERTEX_CODECS = {"byte-entity": "str", "classic": "int64", "short": "str", "web-hits": "str"}
each_plan = pytest.mark.parametrize("name", NAMES)


def canonical(name: str, element: StoredElement) -> StoredElement:
    """Put the ends of an undirected edge in order."""
    if element.kind == "vertex" or element.directed:
        return element
    encode = codec_for(VERTEX_CODECS[name]).encode
    ends = sorted((element.source, element.destination), key=encode)
    return replace(element, source=ends[0], destination=ends[1])


@each_plan
@given(data=st.data())
def test_every_cell_of_an_element_tells_the_whole_element(name: str, data: st.DataObject) -> None:
    element = data.draw(ELEMENTS[name])
    for cell in PLANS[name].encode(element):
        found = PLANS[name].decode(cell)
        assert found is not None
        assert replace(found, matched=None, once=True) == canonical(name, element)


@each_plan
@given(data=st.data())
def test_exactly_one_cell_of_an_element_counts_once(name: str, data: st.DataObject) -> None:
    cells = PLANS[name].encode(data.draw(ELEMENTS[name]))
    found = [PLANS[name].decode(cell) for cell in cells]
    assert [element is not None and element.once for element in found] == [
        True,
        *[False] * (len(cells) - 1),
    ]


@each_plan
@given(data=st.data())
def test_every_cell_of_an_edge_starts_with_the_end_it_matched(
    name: str, data: st.DataObject
) -> None:
    for cell in PLANS[name].encode(data.draw(ELEMENTS[name])):
        found = PLANS[name].decode(cell)
        assert found is not None
        if found.kind == "edge" and name == "byte-entity":
            end = found.source if found.matched == "source" else found.destination
            assert cell.row.startswith(
                end.encode().replace(b"\x01", b"\x01\x02").replace(b"\x00", b"\x01\x01") + b"\x00"
            )


@each_plan
@given(data=st.data())
def test_cells_with_random_bytes_raise_only_our_errors(name: str, data: st.DataObject) -> None:
    cell = data.draw(ELEMENTS[name].map(lambda element: PLANS[name].encode(element)[0]))
    part = data.draw(st.sampled_from(["row", "family", "qualifier", "value"]))
    noise = data.draw(st.binary() | st.just(getattr(cell, part)[:-1]))
    try:
        PLANS[name].decode(cell._replace(**{part: noise}))
    except LexigraphError:
        return


@each_plan
@given(st.binary(), st.binary(), st.binary(), st.binary())
def test_random_cells_raise_only_our_errors(
    name: str, row: bytes, family: bytes, qualifier: bytes, value: bytes
) -> None:
    try:
        PLANS[name].decode(Cell(row, family, qualifier, value=value))
    except LexigraphError:
        return
