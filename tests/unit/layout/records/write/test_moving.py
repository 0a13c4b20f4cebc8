"""Changes of visibility: of elements, with and without their past, and of values."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import EdgeNotFound, PropertyNotFound, UsageError, VertexNotFound
from lexigraph.layout.records.facts import EdgeShape, ExistenceFact
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write.changes import (
    AddEdge,
    AddVertex,
    DeleteElement,
    GivenMetadata,
    GivenValue,
    HideValue,
    MoveElement,
    MoveValue,
    PutValue,
    SetMetadata,
)
from tests.unit.layout.records.write.world import World, user

ANN, EDGE = VertexSubject("ann"), EdgeSubject("e")


def ann(**more: Any) -> AddVertex:
    return AddVertex(id="ann", values=(GivenValue(name="n", value=1, visibility=b""),), **more)


def test_a_move_ends_the_old_existence_and_leaves_the_past_to_its_readers() -> None:
    world = World()
    world.commit(ann(visibility=b"a"), at=1)
    assert world.commit(MoveElement(subject=ANN, to=b"b"), at=2).moved == 1
    assert world.find("ann", "a") is None
    assert world.values("ann", "b") == [("n", 1)]
    assert world.find("ann", "a", as_of=1) is not None
    assert world.find("ann", "b", as_of=1) is None


def test_a_move_names_an_existence_that_the_caller_can_read() -> None:
    world = World()
    world.commit(ann(visibility=b"a"), ann(visibility=b"b"), at=1)
    world.commit(MoveElement(subject=ANN, frm=b"a", to=b"c"), at=2, caller=user("ab"))
    assert [one for one in "abc" if world.find("ann", one)] == ["b", "c"]
    with pytest.raises(VertexNotFound, match=r"visibility b'c'.*did you mean: b"):
        world.commit(MoveElement(subject=ANN, frm=b"c", to=b"b"), at=3, caller=user("b"))
    with pytest.raises(EdgeNotFound, match="no edge 'e'"):
        world.commit(MoveElement(subject=EDGE, to=b"b"), at=3)


def test_without_a_name_the_existence_that_the_caller_sees_is_moved() -> None:
    world = World()
    world.commit(ann(visibility=b"a"), at=1)
    world.commit(ann(visibility=b"b"), at=2)
    world.commit(MoveElement(subject=ANN, to=b"c"), at=3, caller=user("ab"))
    assert [one for one in "abc" if world.find("ann", one)] == ["a", "c"]


def test_a_move_to_where_it_is_does_nothing() -> None:
    world = World()
    world.commit(ann(), at=1)
    writer = world.writer()
    writer.take(MoveElement(subject=ANN, to=b""))
    writer.take(MoveValue(subject=ANN, name="n", frm=b"", to=b""))
    assert (writer.cells(2), writer.report.moved) == ({}, 0)


def test_a_move_does_not_bring_back_what_was_deleted() -> None:
    world = World()
    secret = GivenValue(name="s", value=2, visibility=b"c")
    world.commit(ann(), PutValue(subject=ANN, value=secret), at=1)
    world.commit(DeleteElement(subject=ANN), at=2, caller=user(""))
    world.commit(AddVertex(id="ann"), at=3)
    writer = world.writer(now=4)
    writer.take(MoveElement(subject=ANN, to=b"a"))
    ended = [one.ended for one in writer.facts(4) if isinstance(one, ExistenceFact)]
    world.store(writer, 4)
    assert ended == [None, 2]
    assert world.values("ann", "ac") == []


def test_a_move_to_a_live_existence_ends_nothing_there() -> None:
    world = World()
    world.commit(ann(visibility=b"a"), at=1)
    world.commit(DeleteElement(subject=ANN), ann(visibility=b"a"), ann(visibility=b"b"), at=2)
    world.commit(MoveElement(subject=ANN, frm=b"a", to=b"b"), at=3)
    assert world.values("ann", "b") == [("n", 1)]
    assert world.values("ann", "a") == []


def test_a_move_of_the_past_hides_that_it_was_ever_seen_by_others() -> None:
    world = World()
    world.commit(ann(visibility=b"a"), at=1)
    world.commit(DeleteElement(subject=ANN), at=2)
    world.commit(ann(visibility=b"a"), at=3)
    world.commit(MoveElement(subject=ANN, to=b"b", past=True), at=4)
    assert [world.find("ann", "a", as_of=one) for one in (1, 2, 3, None)] == [None] * 4
    seen = [world.find("ann", "b", as_of=one) is not None for one in (1, 2, 3, None)]
    assert seen == [True, False, True, True]
    assert world.find("ann", "b").time == 3
    # What is later written with an earlier date stays removed.
    world.commit(ann(visibility=b"a", time=3), at=5)
    assert world.find("ann", "a") is None


def test_a_move_of_the_past_has_no_time_of_its_own() -> None:
    world = World()
    world.commit(ann(), at=1)
    with pytest.raises(UsageError, match="no time of its own"):
        world.commit(MoveElement(subject=ANN, to=b"a", past=True, time=1), at=2)


@pytest.mark.parametrize("past", [False, True])
def test_the_references_of_an_edge_move_with_it(past: bool) -> None:  # noqa: FBT001
    world = World()
    world.commit(AddEdge(id="e", shape=EdgeShape("KNOWS", "ann", "bob"), visibility=b"a"), at=1)
    world.commit(MoveElement(subject=EDGE, to=b"b", past=past), at=2)
    both = ["ann out KNOWS bob", "bob in KNOWS ann"]
    assert (world.references("a"), world.references("b")) == ([], both)
    assert world.references("a", as_of=1) == ([] if past else both)
    assert world.references("b", as_of=1) == (both if past else [])


def test_a_value_moves_with_its_metadata_and_without_its_hides() -> None:
    world = World()
    entries = (
        GivenMetadata(key="s", value=1, visibility=b""),
        GivenMetadata(key="t", value=2, visibility=b"c"),
    )
    value = GivenValue(name="n", value=1, visibility=b"a", metadata=entries)
    world.commit(AddVertex(id="ann", values=(value,)), at=1)
    world.commit(HideValue(subject=ANN, name="n", value_visibility=b"a"), at=2)
    move = MoveValue(subject=ANN, name="n", frm=b"a", to=b"b")
    world.commit(move, at=3, caller=user("a"))
    assert world.values("ann", "a", hidden=True) == []
    (found,) = world.find("ann", "bc").properties
    assert (found.value, found.time, found.hidden) == (1, 3, False)
    assert [(one.key, one.visibility) for one in found.metadata] == [("s", b""), ("t", b"c")]
    with pytest.raises(PropertyNotFound):
        world.commit(move, at=4, caller=user("a"))


def test_metadata_is_set_and_deleted_for_the_present_version_of_a_value() -> None:
    world = World()
    world.commit(ann(), at=1)
    put = SetMetadata(subject=ANN, name="n", entry="s", value="x")
    world.commit(put, at=2)
    assert [one.value for one in world.find("ann").value("n").metadata] == ["x"]
    delete = SetMetadata(subject=ANN, name="n", entry="s", value=None)
    world.commit(delete, at=3)
    assert world.find("ann").value("n").metadata == ()
    assert [one.value for one in world.find("ann", as_of=2).value("n").metadata] == ["x"]
    writer = world.writer()
    writer.take(delete)
    assert writer.cells(4) == {}


def test_metadata_of_a_value_of_the_same_commit_is_written_with_it() -> None:
    world = World()
    put = SetMetadata(subject=ANN, name="n", entry="s", value="x")
    other = SetMetadata(subject=ANN, name="n", entry="t", value="y")
    gone = SetMetadata(subject=ANN, name="n", entry="s", value=None)
    writer = world.writer(now=1)
    for change in (ann(), put, other, gone):
        writer.take(change)
    # The commit has another time than the reader expected.
    world.store(writer, 9)
    assert [one.value for one in world.find("ann").value("n").metadata] == ["y"]


def test_a_move_to_an_existence_that_ended_in_the_future_takes_effect() -> None:
    world = World()
    world.commit(ann(visibility=b"b", time=50), at=1)
    world.commit(DeleteElement(subject=ANN), ann(visibility=b"a"), at=2)
    world.commit(MoveElement(subject=ANN, to=b"b"), at=3)
    assert world.find("ann", "b").time == 52
    assert world.find("ann", "a") is None


def test_a_move_of_the_past_does_not_bring_back_what_was_removed() -> None:
    world = World()
    secret = GivenValue(name="s", value=2, visibility=b"c")
    world.commit(ann(visibility=b"a"), PutValue(subject=ANN, value=secret), at=1)
    world.commit(DeleteElement(subject=ANN, hard=True), at=2, caller=user("a"))
    world.commit(AddVertex(id="ann", visibility=b"a"), at=3)
    assert world.values("ann", "ac") == []
    world.commit(MoveElement(subject=ANN, to=b"b", past=True), at=4)
    assert world.find("ann", "bc") is not None
    assert world.values("ann", "bc") == []
