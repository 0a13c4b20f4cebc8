"""References follow their edge: both ends, sort keys, signatures, other shapes, labels."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import UsageError
from lexigraph.layout.records.elements import RecordReference
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.subjects import EdgeSubject, ReferenceSubject
from lexigraph.layout.records.write.changes import (
    AddEdge,
    DeleteElement,
    GivenValue,
    PutValue,
    Relabel,
)
from tests.unit.layout.records.write.world import World, user

EDGE = EdgeSubject("e")


def edge(label: str, *ends: str, **more: Any) -> AddEdge:
    directed, pairs = more.pop("directed", True), tuple(more.pop("pairs", {}).items())
    return AddEdge(id="e", shape=EdgeShape(label, *ends, directed, pairs), **more)


def paid(day: int | None, total: int, **more: Any) -> AddEdge:
    return edge("PAID", "ann", "bob", pairs={"sum": total, "day": day}, **more)


def sort_keys(world: World, **how: Any) -> list[tuple[Any, Any]]:
    found = [one for one in world.read(**how) if isinstance(one, RecordReference)]
    return [(one.subject.sort_key, one.signature) for one in found]


def test_a_directed_edge_is_found_from_both_ends_also_if_both_are_one() -> None:
    world = World()
    world.commit(edge("KNOWS", "ann", "bob"), at=1)
    assert world.references() == ["ann out KNOWS bob", "bob in KNOWS ann"]
    world.commit(edge("KNOWS", "ann", "ann"), at=2)
    assert world.references() == ["ann out KNOWS ann", "ann in KNOWS ann"]


def test_an_undirected_edge_has_one_shape_whichever_end_comes_first() -> None:
    world = World()
    world.commit(edge("KNOWS", "bob", "ann", directed=False), at=1)
    shape = world.find("e").shape
    assert (shape.source, shape.destination) == ("ann", "bob")
    assert world.references() == ["ann either KNOWS bob", "bob either KNOWS ann"]
    world.commit(edge("KNOWS", "ann", "ann", directed=False), at=2)
    assert world.references() == ["ann either KNOWS ann"]


def test_an_edge_that_is_unidirected_is_found_from_its_source_only() -> None:
    world = World()
    world.commit(edge("FOLLOWS", "ann", "bob"), at=1)
    assert world.references() == ["ann out FOLLOWS bob"]


def test_sort_key_and_signature_stand_in_the_references() -> None:
    world = World()
    world.commit(paid(3, 5), at=1)
    assert world.find("e").shape.properties == (("day", 3), ("sum", 5))
    assert sort_keys(world) == [((3,), (("sum", 5),))] * 2
    world.commit(paid(None, 5), at=2)
    assert sort_keys(world) == [((None,), (("sum", 5),))] * 2


def test_another_signature_is_the_same_reference() -> None:
    world = World()
    world.commit(paid(3, 5), at=1)
    world.commit(paid(3, 6), at=2)
    assert sort_keys(world) == [((3,), (("sum", 6),))] * 2
    assert sort_keys(world, as_of=1) == [((3,), (("sum", 5),))] * 2


def test_another_shape_ends_the_old_references() -> None:
    world = World()
    world.commit(paid(3, 5), at=1)
    world.commit(paid(4, 5), at=2)
    assert sort_keys(world) == [((4,), (("sum", 5),))] * 2
    assert sort_keys(world, as_of=1) == [((3,), (("sum", 5),))] * 2


def test_a_shape_that_is_dated_back_ends_where_the_next_one_begins() -> None:
    world = World()
    world.commit(paid(3, 5), at=5)
    world.commit(paid(4, 5, time=2), at=6)
    days = [[key for (key,), _ in sort_keys(world, as_of=one)] for one in (1, 3, 5)]
    assert days == [[], [4, 4], [3, 3]]


def test_differing_shapes_under_two_visibilities_each_appear() -> None:
    world = World()
    world.commit(edge("KNOWS", "ann", "bob", visibility=b"a"), at=1)
    world.commit(edge("KNOWS", "ann", "eve", visibility=b"b"), at=2)
    assert world.references("a") == ["ann out KNOWS bob", "bob in KNOWS ann"]
    assert len(world.references("ab")) == 4
    assert world.find("e", "ab").shape.destination == "eve"


def test_equal_references_under_two_visibilities_count_once() -> None:
    world = World()
    for visibility in (b"a", b"b"):
        world.commit(edge("KNOWS", "ann", "bob", visibility=visibility), at=1)
    assert len(world.references("ab")) == 2


def test_a_reference_of_an_edge_that_was_removed_knows_the_removal() -> None:
    world = World()
    world.commit(edge("KNOWS", "ann", "bob"), at=1)
    world.commit(DeleteElement(subject=EDGE, hard=True), at=5)
    world.commit(edge("KNOWS", "ann", "eve"), at=6)
    assert world.references() == ["ann out KNOWS eve", "eve in KNOWS ann"]
    versions = [
        (one.state.name, one.time)
        for one in world.facts()
        if isinstance(one.subject, ReferenceSubject) and one.subject.vertex == "eve"
    ]
    assert versions == [("SAID", 6), ("REMOVED", 5)]
    world.commit(edge("KNOWS", "ann", "kim", time=3), at=7)
    assert world.references(as_of=4) == []


def test_relabelling_changes_each_existence_that_the_caller_can_read() -> None:
    world = World()
    for visibility in (b"a", b"b"):
        world.commit(edge("KNOWS", "ann", "bob", visibility=visibility), at=1)
    assert world.commit(Relabel(edge=EDGE, label="LIKES"), at=2, caller=user("a")).updated == 1
    assert world.references("a") == ["ann out LIKES bob", "bob in LIKES ann"]
    assert world.references("b") == ["ann out KNOWS bob", "bob in KNOWS ann"]
    assert world.references("a", as_of=1) == ["ann out KNOWS bob", "bob in KNOWS ann"]


def test_relabelling_to_a_label_with_more_in_its_shape_leaves_that_out() -> None:
    world = World()
    world.commit(edge("KNOWS", "ann", "bob"), at=1)
    world.commit(Relabel(edge=EDGE, label="PAID"), at=2)
    assert sort_keys(world) == [((None,), ())] * 2
    writer = world.writer()
    writer.take(Relabel(edge=EDGE, label="PAID"))
    assert writer.cells(3) == {}


def test_relabelling_does_not_lose_what_is_in_the_shape() -> None:
    world = World()
    world.commit(paid(3, 5), at=1)
    with pytest.raises(UsageError, match="day, sum: in the shape of 'PAID', not in that of 'KN"):
        world.commit(Relabel(edge=EDGE, label="KNOWS"), at=2)


def test_what_belongs_to_the_shape_is_not_a_value() -> None:
    world = World()
    value = GivenValue(name="day", value=1)
    with pytest.raises(UsageError, match="'day' belongs to the shape of 'PAID'"):
        world.commit(paid(3, 5, values=(value,)), at=1)
    world.commit(paid(3, 5), at=1)
    with pytest.raises(UsageError, match="'day' belongs to the shape"):
        world.commit(PutValue(subject=EDGE, value=value), at=2)
    with pytest.raises(UsageError, match=r"'dy' is not in the sort key.*did you mean: day"):
        world.commit(edge("PAID", "ann", "bob", pairs={"dy": 1}), at=2)
