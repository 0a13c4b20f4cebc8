"""The documented rows, byte by byte, and the ranges that hold them."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import SchemaError, UnsupportedError
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.layout import ByteEntity, Classic, Layout, Wanted, layout_for, register
from lexigraph.layout.spi import MERGED
from lexigraph.schema import Aggregate, Group, Property, Schema, ValueType
from tests.unit.layout.graphs import COUNT, ENDS, TEXT, schema

VERTEX = StoredElement("vertex", "person", vertex="A")
DIRECTED = StoredElement("edge", "links", source="A", destination="B", directed=True)
UNDIRECTED = StoredElement("edge", "links", source="B", destination="A", directed=False)
LOOP = StoredElement("edge", "links", source="A", destination="A", directed=True)


def rows(layout: Layout, element: StoredElement) -> list[str]:
    bound = layout.bind(schema())
    cells = KeyPlan.parse(bound.plan).encode(bound.derive(element))
    return [cell.row.hex() for cell in cells]


def test_byte_entity() -> None:
    layout = ByteEntity()
    assert rows(layout, VERTEX) == ["410001"]
    assert rows(layout, DIRECTED) == ["41000200420002", "42000300410003"]
    assert rows(layout, UNDIRECTED) == ["41000400420004", "42000400410004"]
    assert rows(layout, LOOP) == ["41000200410002"]


def test_classic() -> None:
    layout = Classic()
    assert rows(layout, VERTEX) == ["41"]
    assert rows(layout, DIRECTED) == ["4100420002", "4200410003"]
    assert rows(layout, UNDIRECTED) == ["4100420001", "4200410001"]
    assert rows(layout, LOOP) == ["4100410002"]


def bounds(layout: Layout, wanted: Wanted) -> list[tuple[str, str]]:
    [place] = layout.bind(schema()).around(["A"], wanted)
    return [
        (one.start.row.hex(), one.end.row.hex())
        for one in place.ranges
        if one.start is not None and one.end is not None
    ]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, [("410001", "410005")]),
        ({"edges": False}, [("410001", "410002")]),
        ({"vertices": False}, [("410002", "410005")]),
        ({"vertices": False, "direction": "out", "directed": True}, [("410002", "410003")]),
        ({"vertices": False, "direction": "in", "directed": True}, [("410003", "410004")]),
        ({"vertices": False, "directed": False}, [("410004", "410005")]),
        ({"vertices": False, "direction": "out"}, [("410002", "410003"), ("410004", "410005")]),
        ({"direction": "in"}, [("410001", "410002"), ("410003", "410005")]),
    ],
)
def test_ranges_of_byte_entity(asked: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert bounds(ByteEntity(), Wanted(frozenset(schema().groups), **asked)) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ("41", "4101")),
        ({"edges": False}, ("41", "4100")),
        ({"vertices": False}, ("4100", "4101")),
    ],
)
def test_ranges_of_classic(asked: dict[str, Any], expected: tuple[str, str]) -> None:
    assert bounds(Classic(), Wanted(frozenset(schema().groups), **asked)) == [expected]


def test_byte_entity_needs_no_predicate_where_classic_does() -> None:
    wanted = Wanted(frozenset(schema().groups), direction="out")
    [place] = ByteEntity().bind(schema()).around(["A"], wanted)
    assert place.where is None
    [place] = Classic().bind(schema()).around(["A"], wanted)
    assert place.where is not None


def test_kinds_that_no_group_has_are_not_looked_for() -> None:
    wanted = Wanted(frozenset({"calls"}), direction="out")
    [place] = ByteEntity().bind(schema()).around(["A"], wanted)
    [only] = place.ranges
    assert only.start is not None
    assert only.start.row.hex() == "410002"
    assert place.columns == [(b"calls", None)]


def test_one_locality_group_for_each_group() -> None:
    [settings] = ByteEntity().bind(schema()).tables().values()
    assert settings.locality_groups["calls"] == (b"calls",)
    assert set(settings.locality_groups) == set(schema().groups)


def test_groups_that_keep_duplicates_are_not_merged() -> None:
    [settings] = Classic().bind(schema()).tables().values()
    assert "events" not in settings.plans[MERGED]["groups"]
    assert settings.stages("merge") == settings.stages("scan")
    only = Schema({"events": schema().groups["events"]})
    [settings] = Classic().bind(only).tables().values()
    assert settings.stages("scan") == ()


def test_properties_in_the_key_and_with_names_of_the_plan() -> None:
    day = Property("day", ValueType("date", optional=True))
    kind = Property("kind", TEXT, 7, Aggregate("max"))
    label, seen = Property("label", TEXT), Property("seen", ValueType("int"))
    group = Group(
        "calls",
        "edge",
        ENDS,
        (day, COUNT, kind, label, seen),
        group_by=("day",),
        visibility="label",
        timestamp="seen",
    )
    bound = ByteEntity().bind(Schema({"calls": group}))
    planned = bound.plan["groups"]["calls"]
    assert planned["qualifier"] == [
        {"field": "day", "codec": "date", "form": "part", "nulls": "last"}
    ]
    assert [one["field"] for one in planned["value"]["properties"]] == ["count", ".kind"]
    names = {name: bound.field("calls", name) for name in ("label", "seen", "kind", "source")}
    assert names == {
        "label": "visibility",
        "seen": "timestamp",
        "kind": ".kind",
        "source": "source",
    }


def test_what_a_plan_cannot_hold_is_refused() -> None:
    bare = Property("note", TEXT, 1)
    with pytest.raises(SchemaError, match="no aggregator"):
        Classic().bind(Schema({"p": Group("p", "vertex", {"vertex": TEXT}, (bare,))}))
    unnumbered = Property("note", TEXT, 0, Aggregate("max"))
    with pytest.raises(SchemaError, match="no number"):
        Classic().bind(Schema({"p": Group("p", "vertex", {"vertex": TEXT}, (unnumbered,))}))
    with pytest.raises(UnsupportedError, match="one type and width"):
        Classic(fixed_length=True).bind(schema())


def test_tables_ask_for_bloom_filters_where_a_delimiter_ends_the_vertex() -> None:
    for layout in (ByteEntity(), Classic(), ByteEntity(shards=4), Classic(table_per_group=True)):
        tables = layout.bind(schema()).tables().values()
        assert {settings.bloom for settings in tables} == {"row"}
    [settings] = ByteEntity(fixed_length=True).bind(schema(ValueType("int32"))).tables().values()
    assert settings.bloom is None


def test_the_bloom_prefix_is_what_all_rows_of_a_vertex_share() -> None:
    for layout in (ByteEntity(), Classic(), ByteEntity(shards=2), Classic(short_columns=True)):
        bound = layout.bind(schema())
        plan = KeyPlan.parse(bound.plan)
        own = plan.encode(bound.derive(VERTEX))[0].row
        assert bound.bloom_prefix(own) == own.partition(b"\0")[0]
        edge = plan.encode(bound.derive(DIRECTED))[0].row
        assert (bound.bloom_prefix(edge) or b"").endswith(b"A")


def test_layouts_by_name() -> None:
    assert isinstance(layout_for("classic"), Classic)
    with pytest.raises(UnsupportedError, match="did you mean: classic"):
        layout_for("clasic")
    register(Classic)
