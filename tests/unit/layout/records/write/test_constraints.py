"""Multiplicity is judged over what the caller can read: hidden counts, deleted does not."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import MultiplicityViolation
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.subjects import EdgeSubject
from lexigraph.layout.records.write.changes import AddEdge, DeleteElement, Hide, Relabel
from lexigraph.security import ALL
from tests.unit.layout.records.write.world import World, user


def edge(number: int, label: str, ends: str, **more: Any) -> AddEdge:
    shape = EdgeShape(label, ends[0], ends[1], more.pop("directed", True))
    return AddEdge(id=number, shape=shape, **more)


@pytest.mark.parametrize(
    ("label", "allowed", "refused"),
    [
        ("OWNS", ("ac", "cb", "ba"), ("ab",)),
        ("BORN", ("cb", "ba", "bb"), ("ab", "ac", "aa")),
        ("LEADS", ("ac", "ba", "aa"), ("ab", "cb", "bb")),
        ("WED", ("ba", "ca", "bc"), ("ab", "ac", "cb")),
    ],
)
def test_a_label_allows_what_its_multiplicity_says(
    label: str, allowed: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    for ends in (*allowed, *refused):
        world = World()
        world.commit(edge(1, label, "ab"), at=1)
        if ends in refused:
            with pytest.raises(MultiplicityViolation, match=rf"1 is there, so 2 .*'{label}'"):
                world.commit(edge(2, label, ends), at=2)
        world.commit(edge(2, "KNOWS", ends), at=3)
        if ends in allowed:
            world.commit(edge(3, label, ends), at=4)


@pytest.mark.parametrize(
    ("label", "allowed", "refused"),
    [
        ("OWNS", ("bc",), ("ab", "ba")),
        ("BORN", ("cd",), ("bc", "ac")),
        ("LEADS", ("cd",), ("bc", "ac")),
        ("WED", ("cd",), ("bc", "ac")),
    ],
)
def test_an_undirected_edge_goes_out_of_and_into_both_ends(
    label: str, allowed: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    world = World()
    world.commit(edge(1, label, "ab", directed=False), at=1)
    for ends in refused:
        with pytest.raises(MultiplicityViolation):
            world.commit(edge(2, label, ends, directed=False), at=2)
    for ends in allowed:
        world.commit(edge(2, label, ends, directed=False), at=2)


def test_an_edge_does_not_stand_in_its_own_way() -> None:
    world = World()
    world.commit(edge(1, "WED", "ab"), at=1)
    world.commit(edge(1, "WED", "ab"), edge(1, "WED", "ac"), at=2)
    assert world.references() == ["a out WED c", "c in WED a"]


def test_hidden_edges_count_and_deleted_ones_do_not() -> None:
    world = World()
    world.commit(edge(1, "BORN", "ab"), Hide(subject=EdgeSubject(1)), at=1)
    with pytest.raises(MultiplicityViolation):
        world.commit(edge(2, "BORN", "ac"), at=2)
    world.commit(DeleteElement(subject=EdgeSubject(1)), edge(2, "BORN", "ac"), at=3)
    with pytest.raises(MultiplicityViolation):
        world.commit(edge(3, "BORN", "ad"), at=4)


def test_an_edge_that_the_caller_cannot_read_does_not_count_and_is_not_named() -> None:
    world = World()
    world.commit(edge(1, "BORN", "ab", visibility=b"a"), at=1)
    world.commit(edge(2, "BORN", "ac", visibility=b"b"), at=2, caller=user("b"))
    with pytest.raises(MultiplicityViolation) as raised:
        world.commit(edge(3, "BORN", "ad"), at=3, caller=user("b"))
    assert raised.value.context["edge"] == 2
    with pytest.raises(MultiplicityViolation):
        world.commit(edge(3, "BORN", "ad"), at=3, caller=ALL)


def test_edges_of_one_commit_count_also_if_they_are_blind() -> None:
    with pytest.raises(MultiplicityViolation):
        World().commit(edge(1, "BORN", "ab"), edge(2, "BORN", "ac", blind=True), at=1)


def test_only_the_present_is_judged() -> None:
    world = World()
    world.commit(edge(1, "BORN", "ab"), at=1)
    world.commit(edge(1, "KNOWS", "ab"), at=2)
    world.commit(edge(2, "BORN", "ac"), at=3)


def test_a_new_label_is_judged_too() -> None:
    world = World()
    world.commit(edge(1, "BORN", "ab"), edge(2, "KNOWS", "ac"), at=1)
    with pytest.raises(MultiplicityViolation):
        world.commit(Relabel(edge=EdgeSubject(2), label="BORN"), at=2)
