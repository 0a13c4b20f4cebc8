"""Hides, shows and additional visibilities."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import InvalidVisibility, PropertyNotFound, VertexNotFound
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write.changes import (
    AddEdge,
    AddVertex,
    DeleteElement,
    GivenValue,
    Hide,
    HideValue,
    MoveElement,
    Release,
    Require,
    Show,
    ShowValue,
)
from tests.unit.layout.records.write.world import World, user

ANN, BOB, EDGE = VertexSubject("ann"), VertexSubject("bob"), EdgeSubject("e")


def knows(edge: str = "e", destination: str = "bob", **more: Any) -> AddEdge:
    return AddEdge(id=edge, shape=EdgeShape("KNOWS", "ann", destination), **more)


def graph() -> World:
    world = World()
    value = GivenValue(name="n", value=1)
    world.commit(
        AddVertex(id="ann", values=(value,)), AddVertex(id="bob"), knows(), knows("s"), at=1
    )
    return world


def test_a_hide_is_for_its_visibility_and_a_show_undoes_it() -> None:
    world = graph()
    world.commit(Hide(subject=EDGE, visibility=b"a"), at=2)
    assert world.find("e", "a") is None
    assert world.find("e", "b") is not None
    assert (len(world.references("a")), len(world.references("b"))) == (2, 4)
    world.commit(Show(subject=EDGE, visibility=b"b"), at=3)
    assert world.find("e", "a") is None
    world.commit(Show(subject=EDGE, visibility=b"a"), at=4)
    assert world.find("e", "a") is not None
    assert world.find("e", "a", as_of=2) is None


def test_a_show_of_what_is_not_hidden_writes_nothing() -> None:
    writer = graph().writer()
    writer.take(Show(subject=ANN))
    writer.take(ShowValue(subject=ANN, name="n"))
    writer.take(Release(subject=ANN, expression=b"a"))
    assert writer.cells(2) == {}


def test_hiding_a_vertex_hides_its_edges_and_showing_it_undoes_exactly_those() -> None:
    world = graph()
    world.commit(Hide(subject=EdgeSubject("s")), at=2)
    world.commit(Hide(subject=ANN), at=3)
    assert world.find("e") is None
    assert world.references() == []
    world.commit(Show(subject=ANN), at=4)
    assert world.find("ann") is not None
    assert world.find("e") is not None
    assert world.find("s") is None
    assert world.references() == ["ann out KNOWS bob", "bob in KNOWS ann"]


def test_an_edge_between_two_hidden_vertices_is_shown_when_both_are() -> None:
    world = graph()
    world.commit(Hide(subject=ANN), Hide(subject=BOB), at=2)
    world.commit(Show(subject=ANN), at=3)
    assert world.find("e") is None
    world.commit(Show(subject=BOB), at=4)
    assert len(world.references()) == 4


def test_edges_that_the_caller_cannot_read_are_not_hidden() -> None:
    world = graph()
    world.commit(MoveElement(subject=EDGE, to=b"a"), at=2)
    world.commit(Hide(subject=ANN), at=3, caller=user("b"))
    assert world.find("e", "a") is not None
    assert world.find("s", "a") is None


def test_a_show_also_undoes_hides_of_edges_that_went_elsewhere() -> None:
    world = graph()
    world.commit(Hide(subject=ANN), at=2)
    world.commit(AddEdge(id="e", shape=EdgeShape("KNOWS", "bob", "bob")), at=3)
    world.commit(MoveElement(subject=EdgeSubject("s"), to=b"a"), at=4)
    world.commit(Show(subject=ANN), at=5, caller=user("b"))
    assert world.references("a") == [
        "ann out KNOWS bob",
        "bob out KNOWS bob",
        "bob in KNOWS ann",
        "bob in KNOWS bob",
    ]


def test_a_reference_that_is_new_has_the_hides_and_requirements_of_its_edge() -> None:
    world = graph()
    world.commit(Hide(subject=EDGE, visibility=b"a"), Require(subject=EDGE, expression=b"c"), at=2)
    # The caller can read neither of the two.
    world.commit(Require(subject=EDGE, expression=b"c"), at=3)
    world.commit(knows(destination="eve"), at=4, caller=user("c"))
    assert "ann out KNOWS eve" in world.references("c")
    assert "ann out KNOWS eve" not in world.references("ac")
    assert "eve in KNOWS ann" not in world.references("b")


def test_what_is_not_seen_is_neither_hidden_nor_shown() -> None:
    world = graph()
    world.commit(MoveElement(subject=ANN, to=b"a"), at=2)
    for change in (Hide(subject=ANN), Show(subject=ANN), Require(subject=ANN, expression=b"a")):
        with pytest.raises(VertexNotFound, match="no vertex 'ann'"):
            world.commit(change, at=3, caller=user("b"))


def test_a_value_is_hidden_and_shown() -> None:
    world = graph()
    world.commit(HideValue(subject=ANN, name="n", visibility=b"a"), at=2)
    assert (world.values("ann", "a"), world.values("ann", "b")) == ([], [("n", 1)])
    # A hide also hides values that are newer than itself.
    value = GivenValue(name="n", value=2)
    world.commit(AddVertex(id="ann", values=(value,)), at=3)
    assert world.values("ann", "a") == []
    world.commit(ShowValue(subject=ANN, name="n", visibility=b"a"), at=4)
    assert world.values("ann", "a") == [("n", 2)]


def test_a_value_that_is_not_there_is_not_hidden() -> None:
    with pytest.raises(PropertyNotFound, match=r"no value of 'nn'.*did you mean: n"):
        graph().commit(HideValue(subject=ANN, name="nn"), at=2)


def test_an_additional_visibility_must_be_satisfied_too_at_every_time() -> None:
    world = graph()
    world.commit(Require(subject=EDGE, expression=b"a"), at=2)
    assert world.find("e", "b") is None
    assert world.find("e", "b", as_of=1) is None
    assert len(world.references("b")) == 2
    assert len(world.references("a")) == 4
    world.commit(Release(subject=EDGE, expression=b"a"), at=3)
    assert len(world.references("b")) == 4


def test_an_expression_that_nobody_can_parse_is_refused() -> None:
    with pytest.raises(InvalidVisibility):
        graph().commit(Require(subject=ANN, expression=b"a&"), at=2)


def test_a_hidden_vertex_can_be_deleted_and_its_edges_stay_hidden_in_the_past() -> None:
    world = graph()
    world.commit(Hide(subject=ANN), at=2)
    world.commit(DeleteElement(subject=ANN), at=3)
    assert world.references(hidden=True) == []
    assert world.references(as_of=2) == []
    assert len(world.references(as_of=1)) == 4
