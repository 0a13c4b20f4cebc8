"""What each variant of a layout is for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import InvalidOption, UnsupportedError
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.layout import ByteEntity, Classic, KeyOptions, Layout, Wanted, layout_for
from lexigraph.layout.spi import ELEMENTS
from lexigraph.schema import Group, Schema, ValueType
from lexigraph.security import ALL
from lexigraph.store import ScanSpec, StageSpec
from lexigraph.testing.duplicates import open_keeping
from tests.unit.layout.engines import Make, embedded, memory
from tests.unit.layout.graphs import (
    COUNT,
    ENDS,
    elements,
    make,
    matches,
    name_of,
    read,
    schema,
    write,
)

EVERY = Wanted(frozenset(schema().groups))


def edge(at: int, group: str = "calls") -> StoredElement:
    return StoredElement(
        "edge", group, {"count": 1}, source="hub", destination=f"v{at}", directed=True
    )


def test_shards_spread_the_edges_of_one_vertex() -> None:
    bound = ByteEntity(shards=8).bind(schema())
    plan = KeyPlan.parse(bound.plan)
    first = Counter(plan.encode(bound.derive(edge(at)))[0].row[:1] for at in range(800))
    assert len(first) == 8
    assert max(first.values()) < 2 * min(first.values())
    [settings] = bound.tables().values()
    assert len(settings.splits) == 7


def test_both_rows_of_a_sharded_edge_are_in_one_shard_whichever_way_it_is_given() -> None:
    bound = Classic(shards=16).bind(schema())
    plan = KeyPlan.parse(bound.plan)
    ends = [("a", "b"), ("b", "a")]
    given = [
        StoredElement("edge", "knows", {}, source=source, destination=destination, directed=False)
        for source, destination in ends
    ]
    rows = [{cell.row for cell in plan.encode(bound.derive(one))} for one in given]
    assert rows[0] == rows[1]
    assert len({row[:1] for row in rows[0]}) == 1


def test_a_pair_and_a_vertex_itself_are_in_one_shard_of_many() -> None:
    bound = ByteEntity(shards=16).bind(schema())
    [place] = bound.edges_between([("a", "b")], Wanted(frozenset({"calls"})))
    assert len(place.ranges) == 1
    [place] = bound.around(["a"], Wanted(frozenset({"person"})))
    assert len(place.ranges) == 1
    [place] = bound.around(["a"], Wanted(frozenset({"calls"}), direction="out"))
    assert len(place.ranges) == 16


def test_duplicates_of_one_edge_are_spread_and_all_found() -> None:
    given = [edge(1, "events")] * 400 + [edge(1, "calls")] * 40
    with memory() as engine:
        bound = make(engine, ByteEntity(shards=4, shard_by="duplicates"), schema(), given)
        [place] = bound.edges_between([("hub", "v1")], EVERY)
        found = read(engine, bound, [place])
        assert Counter(one.group for one in found) == {"events": 400, "calls": 1}
        shards = Counter(one.properties[".shard"] for one in found if one.group == "events")
        # By chance: a hundred each, and further from that than fifty once in a billion years.
        assert set(shards) == set(range(4))
        assert all(50 < count < 150 for count in shards.values())


class Event(lg.Vertex, summary=True, aggregates=False):
    id: str
    number: lg.Int64
    label: str | None = lg.visibility()


def shards_seen(hidden: int, *, framed: bool) -> list[int]:
    """Add what can be seen with so many hidden elements between; give the shards of the former."""
    given = []
    for number in range(200):
        given += [Event("hub", number=-1, label="secret")] * hidden
        given.append(Event("hub", number=number, label=""))
    rows: Any = given
    if framed:
        columns = {"vertex": "id", "number": "number", "label": "label"}
        rows = pa.table({name: [getattr(one, at) for one in given] for name, at in columns.items()})
    layout = ByteEntity(shards=2, shard_by="duplicates")
    with open_keeping(":memory:", [Event], layout=layout) as graph:
        graph.add(rows)
        order = [one.number for one in graph.get("hub")]
    # Within a shard they come as they were added last; the second shard comes after the first.
    turn = next(at for at in range(1, 200) if order[at] > order[at - 1])
    first = set(order[:turn])
    return [0 if number in first else 1 for number in range(200)]


@pytest.mark.parametrize("framed", [False, True])
def test_the_order_of_an_answer_tells_nothing_of_hidden_elements(*, framed: bool) -> None:
    for hidden in (0, 1, 2):
        shards = shards_seen(hidden, framed=framed)
        # One after another they would always change, or never.
        changes = sum(a != b for a, b in pairwise(shards))
        assert 50 < changes < 150
        assert 50 < sum(shards) < 150


def test_short_columns_are_two_bytes_and_rows_have_no_flag_at_the_end() -> None:
    bound = Classic(short_columns=True).bind(schema())
    cells = KeyPlan.parse(bound.plan).encode(edge(1))
    assert [cell.row for cell in cells] == [b"hub\0v1", b"v1\0hub"]
    assert [cell.family for cell in cells] == [b"\x02\x02", b"\x03\x02"]
    plain = KeyPlan.parse(Classic().bind(schema()).plan).encode(edge(1))
    assert len(cells[0].row + cells[0].family) + 5 == len(plain[0].row + plain[0].family)


def test_short_columns_select_a_direction_without_a_predicate() -> None:
    wanted = Wanted(frozenset({"calls", "knows"}), direction="out", vertices=False)
    [place] = Classic(short_columns=True).bind(schema()).around(["a"], wanted)
    assert place.where is None
    assert place.columns == [(b"\x02\x02", None), (b"\x04\x03", None)]


def test_numbers_of_groups_stay_when_groups_come_and_go() -> None:
    bound = ByteEntity(short_columns=True).bind(schema())
    options = bound.options
    groups = dict(reversed(schema().groups.items()))
    del groups["knows"]
    groups["meets"] = Group("meets", "edge", ENDS, (COUNT,))
    later = layout_for("byte-entity", options).bind(Schema(groups))
    numbers = later.options["group_numbers"]
    assert {name: numbers[name] for name in schema().groups} == options["group_numbers"]
    assert numbers["meets"] == 6


@pytest.mark.parametrize("layout", [Classic(short_columns=True), ByteEntity(short_columns=True)])
@pytest.mark.parametrize("make_engine", [memory, embedded])
def test_short_columns_are_read_and_merged_next_to_the_data(
    layout: Layout, make_engine: Make
) -> None:
    with make_engine() as engine:
        given = elements()
        bound = make(engine, layout, schema(), given)
        write(engine, bound, given)
        [name] = bound.tables()
        cells = sum(len(batch) for batch in engine.scan(name, ScanSpec(authorizations=ALL)))
        engine.compact(name)
        # What a merge combined, no later scan can see apart.
        engine.configure_table(name, replace(engine.settings(name), scan_stages=()))
        assert sum(len(batch) for batch in engine.scan(name, ScanSpec(authorizations=ALL))) == cells
        wanted = Wanted(frozenset({"calls", "knows"}), direction="out", vertices=False)
        spec = ScanSpec(stages=[StageSpec("filter", {"plan": ELEMENTS, "where": None})])
        assert all(placed.in_engine for placed in engine.placement(name, spec))
        found = read(engine, bound, bound.around(["a"], wanted))
        assert {name_of(one) for one in found} == {
            name_of(one) for one in given if matches(one, "a", wanted)
        }
        assert {one.properties["count"] for one in found} == {2}


def test_rows_of_a_fixed_length_have_no_delimiters_and_no_escapes() -> None:
    of = schema(ValueType("int", bits=64))
    given = StoredElement("edge", "calls", {}, source=0, destination=1, directed=True)
    for layout, length in ((ByteEntity(fixed_length=True), 17), (Classic(fixed_length=True), 17)):
        cells = KeyPlan.parse(layout.bind(of).plan).encode(given)
        assert {len(cell.row) for cell in cells} == {length}
    plain = KeyPlan.parse(ByteEntity().bind(schema(ValueType("int64"))).plan).encode(given)
    assert len(plain[0].row) == 35


def test_predicates_follow_the_codec_that_rows_have() -> None:
    bound = ByteEntity(fixed_length=True).bind(schema(ValueType("int", bits=64)))
    small = {"op": "lt", "field": "source", "value": {"hex": "8103"}}
    within = {"op": "in", "field": "vertex", "values": [{"hex": "8103"}]}
    other = {"op": "eq", "field": "count", "value": {"hex": "8103"}}
    where = {"op": "and", "of": [small, {"op": "not", "of": other}]}
    three = {"hex": "8000000000000003"}
    assert bound.predicate("calls", where)["of"] == [
        {**small, "value": three},
        {"op": "not", "of": other},
    ]
    assert bound.predicate("person", within)["values"] == [three]


def test_a_table_for_each_group_is_read_alone() -> None:
    given = elements()
    with memory() as engine:
        bound = make(engine, Classic(table_per_group=True), schema(), given)
        assert engine.tables() == sorted(f"elements.{name}" for name in schema().groups)
        [place] = bound.everything(Wanted(frozenset({"knows"})))
        assert place.table == "elements.knows"
        assert {one.group for one in read(engine, bound, [place])} == {"knows"}
        assert place.columns == []
        found = read(engine, bound, bound.everything(EVERY))
        assert {name_of(one) for one in found} == {name_of(one) for one in given}


def test_options_that_make_no_sense() -> None:
    for wrong in (
        {"shards": 0},
        {"shards": 129},
        {"shards": True},
        {"shard_by": "day"},
        {"fixed_length": 1},
        {"group_numbers": {"a": 1, "b": 1}},
        {"group_numbers": {"a": 0}},
    ):
        with pytest.raises(InvalidOption):
            KeyOptions.from_json(wrong)
    many = {f"g{at}": Group(f"g{at}", "vertex", {"vertex": ValueType("str")}) for at in range(256)}
    with pytest.raises(UnsupportedError, match="255"):
        Classic(short_columns=True).bind(Schema(many))
