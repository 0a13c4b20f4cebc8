"""Deletes: soft and hard, of elements, values and labels, with their edges."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write.changes import (
    AddEdge,
    AddLabel,
    AddVertex,
    DeleteElement,
    DeleteLabel,
    DeleteValues,
    GivenMetadata,
    GivenValue,
    Hide,
    HideValue,
    PutValue,
    Require,
)
from tests.unit.layout.records.write.world import World, user

ANN, EDGE = VertexSubject("ann"), EdgeSubject("e")


def ann(**values: Any) -> AddVertex:
    given = tuple(GivenValue(name=name, value=value) for name, value in values.items())
    return AddVertex(id="ann", values=given, labels=("P",))


def knows(edge: str = "e", visibility: bytes = b"") -> AddEdge:
    value = GivenValue(name="n", value=1)
    shape = EdgeShape("KNOWS", "ann", "bob")
    return AddEdge(id=edge, shape=shape, values=(value,), visibility=visibility)


@pytest.mark.parametrize("hard", [False, True])
def test_a_delete_ends_what_the_caller_can_read_and_leaves_the_rest(hard: bool) -> None:  # noqa: FBT001
    world = World()
    world.commit(
        ann(n=1),
        AddVertex(id="ann", visibility=b"a"),
        PutValue(subject=ANN, value=GivenValue(name="s", value=2, visibility=b"a")),
        at=1,
    )
    report = world.commit(DeleteElement(subject=ANN, hard=hard), at=2, caller=user("b"))
    assert report.deleted == 1
    assert world.find("ann", "b") is None
    found = world.find("ann", "a")
    assert (world.values("ann", "a"), found.labels) == ([("s", 2)], ())
    assert (world.find("ann", "b", as_of=1) is None) == hard


def test_a_delete_of_what_is_not_there_does_nothing() -> None:
    world = World()
    writer = world.writer()
    writer.take(DeleteElement(subject=ANN))
    writer.take(DeleteElement(subject=EDGE, hard=True))
    writer.take(DeleteValues(subject=ANN, name="n"))
    assert (writer.cells(1), writer.report.deleted) == ({}, 0)


def test_a_re_add_does_not_bring_back_what_was_deleted() -> None:
    world = World()
    hidden = GivenValue(name="s", value=1, visibility=b"a")
    world.commit(ann(n=1), PutValue(subject=ANN, value=hidden), at=1)
    world.commit(DeleteElement(subject=ANN), at=2, caller=user(""))
    world.commit(AddVertex(id="ann"), at=3)
    assert world.values("ann") == []
    # Back-dated, it is still older than the delete.
    world.commit(AddVertex(id="ann", values=(hidden,), time=1), at=4)
    assert world.values("ann") == []


def test_hides_and_additional_visibilities_outlive_a_soft_delete() -> None:
    world = World()
    world.commit(ann(), Hide(subject=ANN), Require(subject=ANN, expression=b"a"), at=1)
    world.commit(DeleteElement(subject=ANN), at=2)
    world.commit(ann(), at=3)
    assert world.find("ann", "a") is None
    assert world.find("ann", "a", hidden=True) is not None
    assert world.find("ann", "b", hidden=True) is None


def test_a_hard_delete_removes_them_only_if_no_existence_is_left() -> None:
    world = World()
    protect = (Hide(subject=ANN, visibility=b""), Require(subject=ANN, expression=b"c"))
    hide = HideValue(subject=ANN, name="n")
    world.commit(ann(n=1), AddVertex(id="ann", visibility=b"a"), hide, *protect, at=1)
    world.commit(DeleteElement(subject=ANN, hard=True), at=2, caller=user("bc"))
    world.commit(ann(n=1), at=3)
    assert world.find("ann", "c") is None
    assert world.find("ann", "", hidden=True) is None
    world.commit(DeleteElement(subject=ANN, hard=True), at=4)
    world.commit(ann(n=1), at=5)
    assert world.values("ann", "") == [("n", 1)]


def test_deleting_a_vertex_deletes_the_edges_that_the_caller_can_read() -> None:
    world = World()
    world.commit(ann(), AddVertex(id="bob"), knows("e"), knows("s", b"a"), at=1)
    report = world.commit(DeleteElement(subject=ANN), at=2, caller=user("b"))
    assert report.deleted == 2
    assert world.find("e") is None
    assert world.find("s", "a") is not None
    assert world.references("a") == ["ann out KNOWS bob", "bob in KNOWS ann"]
    assert world.references("b", as_of=1) == ["ann out KNOWS bob", "bob in KNOWS ann"]
    assert world.references("b") == []


def test_deleting_the_destination_deletes_the_edge_too_also_if_it_is_hidden() -> None:
    world = World()
    world.commit(ann(), AddVertex(id="bob"), knows(), Hide(subject=EDGE), at=1)
    world.commit(DeleteElement(subject=VertexSubject("bob")), at=2)
    assert world.find("e", hidden=True) is None
    assert world.references(hidden=True) == []


def test_an_edge_of_the_same_commit_is_found_from_its_ends() -> None:
    world = World()
    world.commit(ann(), knows(), DeleteElement(subject=ANN), at=1)
    assert world.read() == []


def test_a_delete_under_one_visibility_leaves_the_others_and_the_edges() -> None:
    world = World()
    world.commit(ann(n=1), AddVertex(id="ann", visibility=b"a"), knows(), at=1)
    delete = DeleteElement(subject=ANN, visibility=b"a")
    assert world.commit(delete, at=2).deleted == 0
    assert world.find("ann").visibility == b""
    assert world.references() == ["ann out KNOWS bob", "bob in KNOWS ann"]
    assert world.commit(DeleteElement(subject=ANN, visibility=b""), at=3).deleted == 2
    assert world.read() == []


@pytest.mark.parametrize("hard", [False, True])
def test_values_are_deleted_by_name_key_and_visibility(hard: bool) -> None:  # noqa: FBT001
    values = tuple(
        GivenValue(name=name, value=number, key=key, visibility=visibility)
        for number, (name, key, visibility) in enumerate(
            (("m", b"k", b""), ("m", b"l", b""), ("m", b"k", b"a"), ("n", b"k", b""))
        )
    )
    for which, left in (
        ({}, [3]),
        ({"key": b"k"}, [1, 3]),
        ({"visibility": b""}, [2, 3]),
        ({"key": b"k", "visibility": b""}, [1, 2, 3]),
    ):
        world = World()
        world.commit(AddVertex(id="ann", values=values), at=1)
        delete = DeleteValues(subject=ANN, name="m", hard=hard, **which)  # type: ignore[arg-type]
        assert world.commit(delete, at=2).deleted_values == 4 - len(left)
        assert sorted(value for _, value in world.values("ann")) == left
        assert len(world.values("ann", as_of=1)) == (len(left) if hard else 4)


def test_a_value_that_the_caller_cannot_read_is_not_deleted() -> None:
    world = World()
    world.commit(ann(), at=1)
    world.commit(PutValue(subject=ANN, value=GivenValue(name="n", value=1, visibility=b"a")), at=2)
    world.commit(DeleteValues(subject=ANN, name="n"), at=3, caller=user("b"))
    assert world.values("ann", "a") == [("n", 1)]


@pytest.mark.parametrize("hard", [False, True])
def test_labels_are_deleted_under_all_visibilities_that_the_caller_can_read(
    hard: bool,  # noqa: FBT001
) -> None:
    world = World()
    world.commit(ann(), *(AddLabel(vertex=ANN, label="P", visibility=one) for one in _AB), at=1)
    world.commit(DeleteLabel(vertex=ANN, label="P", hard=hard), at=2, caller=user("a"))
    assert (world.find("ann", "a").labels, world.find("ann", "b").labels) == ((), ("P",))
    assert world.find("ann", "a", as_of=1).labels == (() if hard else ("P",))


_AB = (b"a", b"b")


def test_a_hard_delete_leaves_a_marker_for_each_column_with_its_visibility() -> None:
    world = World()
    entry = GivenMetadata(key="s", value=1, visibility=b"c")
    value = GivenValue(name="n", value=1, visibility=b"a", metadata=(entry,))
    world.commit(AddVertex(id="ann", labels=("P",), values=(value,)), at=3)
    writer = world.writer(user("a"), now=7)
    writer.take(DeleteElement(subject=ANN, hard=True))
    cells = list(writer.cells(7)["vertices"].at(7))
    markers = {(one.family, one.visibility, one.timestamp) for one in cells if one.deleted}
    assert markers == {(b"e", b"", 6), (b"l", b"", 6), (b"p", b"a", 6), (b"pm", b"c", 6)}
    removed = {(one.family, one.timestamp) for one in cells if not one.deleted}
    assert removed == {(b"e", 7), (b"l", 7), (b"p", 7)}
    world.store(writer, 7)
    assert len(list(world.facts())) == 3


def test_a_hard_delete_of_an_edge_marks_its_references_too() -> None:
    world = World()
    world.commit(knows(), Hide(subject=EDGE), at=3)
    writer = world.writer(now=7)
    writer.take(DeleteElement(subject=EDGE, hard=True))
    marked = sorted(one.family for one in writer.cells(7)["vertices"].at(7) if one.deleted)
    assert marked == [b"re", b"re", b"rh", b"rh"]
    world.store(writer, 7)
    assert world.read(as_of=3, hidden=True) == []


def test_a_hard_delete_ends_the_past_of_what_was_deleted_softly() -> None:
    world = World()
    world.commit(ann(n=1), at=1)
    world.commit(DeleteElement(subject=ANN), at=2)
    assert world.commit(DeleteElement(subject=ANN, hard=True), at=3).deleted == 0
    assert world.read(as_of=1) == []


def test_what_is_protected_from_the_caller_is_not_deleted() -> None:
    world = World()
    world.commit(ann(n=1), Require(subject=ANN, expression=b"a"), at=1)
    for hard in (False, True):
        delete = DeleteElement(subject=ANN, hard=hard)
        values = DeleteValues(subject=ANN, name="n", hard=hard)
        world.commit(delete, values, at=2, caller=user("b"))
    assert world.values("ann") == [("n", 1)]


def test_a_delete_that_is_dated_back_ends_the_edges_of_that_time_too() -> None:
    world = World()
    world.commit(ann(), AddVertex(id="bob"), at=1)
    world.commit(knows(), at=2)
    world.commit(ann(), at=5)
    world.commit(DeleteElement(subject=ANN, time=3), at=6)
    assert world.find("ann") is not None
    assert world.find("e") is None
    assert world.find("e", as_of=2) is not None
