from __future__ import annotations

from math import hypot
from xml.etree import ElementTree

from lexigraph.display.pictures import HEIGHT, MAX_VERTICES, RADIUS, WIDTH, svg_picture
from lexigraph.plan import Element
from lexigraph.schema import Group, Schema, ValueType
from lexigraph.schema.table import html_schema, text_schema
from lexigraph.tables import html_table, text_table


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
    assert drawn.count("<circle") == MAX_VERTICES
    assert f"{101 - MAX_VERTICES} more" in drawn


def test_nothing_to_draw_is_nothing() -> None:
    assert svg_picture([Element("vertex", "g", vertex="a")]) == ""
    assert html_table([], ["a"]) == "<p>nothing found</p>"


def test_a_schema_is_a_table() -> None:
    schema = Schema({"p": Group("p", "vertex", {"vertex": ValueType("str")}, doc="people")})
    assert "people" in html_schema(schema)
    assert text_schema(schema).splitlines()[2].startswith("p     | vertex   | str")


def svg(elements: list[Element]) -> ElementTree.Element:
    return ElementTree.fromstring(svg_picture(elements))


def tagged(root: ElementTree.Element, tag: str) -> list[ElementTree.Element]:
    return list(root.iter(f"{{http://www.w3.org/2000/svg}}{tag}"))


def test_edges_of_one_group_are_one_wide_line_with_their_number() -> None:
    root = svg([edge("a", "b")] * 8 + [edge("b", "c")])
    thin, wide = sorted(float(one.attrib["stroke-width"]) for one in tagged(root, "path"))
    assert wide > 2 * thin
    texts = [one.text or "" for one in tagged(root, "text")]
    assert [one for one in texts if one.startswith("\u00d7")] == ["\u00d78"]


def test_lines_there_and_back_lie_apart_and_arrows_stop_at_the_vertices() -> None:
    root = svg([edge("a", "b"), edge("b", "a"), edge("a", "c", directed=False)])
    there, back, _ = (one.attrib["d"] for one in tagged(root, "path"))
    assert there.partition("Q")[2].split()[0] != back.partition("Q")[2].split()[0]
    heads = tagged(root, "polygon")
    assert len(heads) == 2
    circles = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in tagged(root, "circle")]
    for head in heads:
        x, y = map(float, head.attrib["points"].split()[0].split(","))
        nearest = min(hypot(x - a, y - b) for a, b in circles)
        assert RADIUS < nearest < RADIUS + 4


def test_every_name_stays_inside_the_picture() -> None:
    for number in (1, 2, 5, 14, 15, 39):
        root = svg([edge("hub", "x" * 30 + str(at)) for at in range(number)])
        for one in tagged(root, "text"):
            room = {"start": WIDTH - float(one.attrib["x"]), "end": float(one.attrib["x"])}
            anchor = one.attrib.get("text-anchor", "start")
            assert room.get(anchor, 200) > 100
            assert 8 < float(one.attrib["y"]) < HEIGHT


def test_names_of_all_kinds_are_escaped_everywhere() -> None:
    evil = "<script>alert(1)</script>"
    for drawn in (
        svg_picture([Element("edge", evil, source=evil, destination="b", directed=True)]),
        html_table([{evil: evil}], [evil]),
        html_schema(Schema({evil: Group(evil, "vertex", {"vertex": ValueType("str")}, doc=evil)})),
    ):
        assert drawn
        assert "<script" not in drawn


def test_numbers_are_rounded_and_aligned() -> None:
    rows = [
        {"n": 5, "x": 1 / 3, "s": "a"},
        {"n": 12345, "x": 20.5},
        {"x": 1e-9},
        {"x": float("nan")},
    ]
    lines = text_table(rows, ["n", "x", "s"]).splitlines()
    assert lines[0].rstrip() == "    n |       x | s"
    assert lines[2].rstrip() == "    5 |  0.3333 | a"
    assert lines[3].rstrip() == "12345 | 20.5000 |"
    assert lines[4].strip() == "|   1e-09 |"
    assert lines[5].strip() == "|     nan |"
    assert html_table(rows, ["n", "s"]).count("text-align:right") == 5
    assert "True" in text_table([{"flag": True}], ["flag"])
    # Whole numbers stay whole, and huge ones too.
    assert str(2**70) in text_table([{"n": 2**70}, {"n": 1.5}], ["n"])
