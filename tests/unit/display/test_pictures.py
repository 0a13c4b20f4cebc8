from __future__ import annotations

from xml.etree import ElementTree

from lexigraph.display.pictures import MAX_VERTICES, svg_picture
from lexigraph.display.schemas import html_schema, text_schema
from lexigraph.display.tables import html_table
from lexigraph.plan import Element
from lexigraph.schema import Group, Schema, ValueType


def edge(source: object, destination: object, *, directed: bool = True) -> Element:
    return Element("edge", "<g>", source=source, destination=destination, directed=directed)


def test_a_picture_is_well_formed_and_escapes_names() -> None:
    drawn = svg_picture([edge("<a>", "b"), edge("b", "b"), edge("b", "c", directed=False)])
    root = ElementTree.fromstring(drawn)
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"<a>", "b", "c", "<g>"} <= set(texts)
    assert drawn == svg_picture([edge("<a>", "b"), edge("b", "b"), edge("b", "c", directed=False)])


def test_a_large_neighbourhood_is_cut_and_says_so() -> None:
    drawn = svg_picture([edge("hub", at) for at in range(100)])
    assert drawn.count('r="5"') == MAX_VERTICES
    assert f"{101 - MAX_VERTICES} more" in drawn


def test_nothing_to_draw_is_nothing() -> None:
    assert svg_picture([Element("vertex", "g", vertex="a")]) == ""
    assert html_table([], ["a"]) == "<p>nothing found</p>"


def test_a_schema_is_a_table() -> None:
    schema = Schema({"p": Group("p", "vertex", {"vertex": ValueType("str")}, doc="people")})
    assert "people" in html_schema(schema)
    assert text_schema(schema).splitlines()[2].startswith("p     | vertex   | str")
