"""Adding: upsert, what is not given stays, keys by cardinality, new, replace, blind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from lexigraph.errors import CardinalityViolation, UniqueViolation, UsageError, VertexNotFound
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.subjects import VertexSubject
from lexigraph.layout.records.write.changes import (
    AddEdge,
    AddVertex,
    AppendValue,
    DeleteElement,
    GivenMetadata,
    GivenValue,
    Hide,
    PutValue,
)
from lexigraph.security import ALL
from tests.unit.layout.records.write.world import World, user

A, B = user("a"), user("b")
ANN = VertexSubject("ann")


def given(name: str, value: Any, **more: Any) -> GivenValue:
    return GivenValue(name=name, value=value, **more)


def ann(*values: GivenValue, **more: Any) -> AddVertex:
    return AddVertex(id="ann", values=values, **more)


def many(name: str, values: Iterable[Any], cardinality: str) -> tuple[GivenValue, ...]:
    return tuple(given(name, one, cardinality=cardinality) for one in values)


def test_what_is_not_given_or_none_stays() -> None:
    world = World()
    world.commit(ann(given("name", "Ann"), given("age", 40), labels=("Person",)), at=1)
    world.commit(ann(given("age", 41), given("name", None)), at=2)
    found = world.find("ann")
    assert world.values("ann") == [("age", 41), ("name", "Ann")]
    assert (found.labels, found.time) == (("Person",), 2)
    assert world.values("ann", as_of=1) == [("age", 40), ("name", "Ann")]


def test_values_have_the_visibility_of_the_add_unless_they_have_their_own() -> None:
    world = World()
    world.commit(ann(given("n", 1), given("m", 2, visibility=b""), visibility=b"a"), at=1)
    assert world.values("ann", "a") == [("m", 2), ("n", 1)]
    assert world.find("ann", ()) is None
    world.commit(ann(visibility=b""), at=2)
    assert world.values("ann", ()) == [("m", 2)]


def test_another_visibility_adds_a_second_existence_and_is_counted() -> None:
    world = World()
    assert world.commit(ann(given("n", 1), visibility=b"a"), at=1).added_vertices == 1
    report = world.commit(ann(given("n", 2), visibility=b"b"), at=2, caller=user("ab"))
    assert (report.added_vertices, report.updated, report.second_visibility) == (0, 1, 1)
    report = world.commit(ann(visibility=b"b"), at=3)
    assert (report.updated, report.second_visibility) == (1, 0)
    assert world.values("ann", "ab") == [("n", 1), ("n", 2)]
    # Who cannot read the first one adds a vertex, as far as it can see.
    report = World().commit(ann(visibility=b"b"), at=2, caller=B)
    assert (report.added_vertices, report.second_visibility) == (1, 0)


def test_replace_deletes_what_the_caller_can_read_and_did_not_give() -> None:
    world = World()
    values = (given("n", 1), given("m", 2), given("o", 3, visibility=b"a"))
    world.commit(ann(*values), at=1)
    report = world.commit(ann(given("n", 4), replace=True), at=2, caller=B)
    assert report.deleted_values == 1
    assert world.values("ann") == [("n", 4), ("o", 3)]
    assert world.values("ann", as_of=1) == [("m", 2), ("n", 1), ("o", 3)]


def test_replace_deletes_hidden_values_too_and_keeps_labels() -> None:
    world = World()
    world.commit(ann(given("n", 1), labels=("P",)), at=1)
    world.commit(Hide(subject=ANN), at=2)
    world.commit(ann(replace=True), at=3)
    assert world.find("ann", hidden=True).labels == ("P",)
    assert world.values("ann", hidden=True) == []


def test_new_refuses_an_id_that_the_caller_can_read() -> None:
    world = World()
    world.commit(ann(visibility=b"a"), at=1)
    with pytest.raises(UniqueViolation, match="'ann' is there already"):
        world.commit(ann(new=True), at=2, caller=A)
    assert world.commit(ann(new=True), at=2, caller=B).added_vertices == 1
    world.commit(DeleteElement(subject=ANN), at=3)
    world.commit(ann(new=True), at=4)
    world.commit(Hide(subject=ANN), at=5)
    with pytest.raises(UniqueViolation):
        world.commit(ann(new=True), at=6)


def test_a_value_of_a_set_is_its_key() -> None:
    world = World()
    world.commit(ann(*many("roles", "xyx", "set")), at=1)
    world.commit(ann(*many("roles", "yz", "set")), at=2)
    assert [value for _, value in world.values("ann")] == ["x", "y", "z"]


def test_the_same_list_again_changes_nothing() -> None:
    world = World()
    world.commit(ann(*many("tags", "xyx", "list")), at=1)
    world.commit(ann(*many("tags", "xxy", "list")), at=2)
    assert [value for _, value in world.values("ann")] == ["x", "x", "y"]
    world.commit(ann(*many("tags", "xxx", "list")), at=3)
    assert [value for _, value in world.values("ann")] == ["x", "x", "x", "y"]


def test_equal_values_of_a_list_are_counted_for_each_visibility() -> None:
    world = World()
    one = given("tags", "x", cardinality="list", visibility=b"a")
    other = given("tags", "x", cardinality="list", visibility=b"b")
    world.commit(ann(one, other), at=1)
    world.commit(ann(other, one), at=2)
    assert world.values("ann", "ab") == [("tags", "x"), ("tags", "x")]


def append(value: Any, **more: Any) -> AppendValue:
    return AppendValue(subject=ANN, value=given("tags", value, cardinality="list", **more))


def test_a_value_that_is_appended_takes_the_next_occurrence_that_the_caller_can_read() -> None:
    world = World()
    world.commit(ann(*many("tags", "x", "list")), at=1)
    world.commit(append("x"), append("x"), append("y"), at=2)
    assert [value for _, value in world.values("ann")] == ["x", "x", "x", "y"]
    world.commit(append("x", visibility=b"a"), at=3, caller=B)
    world.commit(append("x", visibility=b"a"), at=4, caller=B)
    # The caller cannot read what it wrote, so it writes the same again.
    assert len(world.values("ann", "a")) == 5


def test_a_property_with_one_value_takes_no_second_one() -> None:
    with pytest.raises(CardinalityViolation, match="one value, not several"):
        World().commit(ann(given("n", 1), given("n", 2)), at=1)
    world = World()
    world.commit(ann(), at=1)
    with pytest.raises(CardinalityViolation, match="no value is appended"):
        world.commit(AppendValue(subject=ANN, value=given("n", 1)), at=2)
    declared = World(groups=RecordGroups("str", cardinalities={"vertex": {"n": "single"}}))
    with pytest.raises(CardinalityViolation, match="it has no key"):
        declared.commit(ann(given("n", 1, key=b"home")), at=1)


def test_keys_that_a_user_gave_tell_values_apart() -> None:
    world = World()
    world.commit(ann(given("mail", 1, key=b"home"), given("mail", 2, key=b"work")), at=1)
    world.commit(PutValue(subject=ANN, value=given("mail", 3, key=b"home")), at=2)
    assert world.values("ann") == [("mail", 3), ("mail", 2)]


def test_a_value_that_is_set_has_the_visibility_that_the_caller_sees() -> None:
    world = World()
    world.commit(ann(visibility=b"a"), at=1)
    world.commit(PutValue(subject=ANN, value=given("n", 1)), at=2, caller=A)
    assert world.find("ann", "a").value("n").visibility == b"a"
    with pytest.raises(VertexNotFound, match="no vertex 'ann'"):
        world.commit(PutValue(subject=ANN, value=given("n", 1)), at=3, caller=B)


def test_metadata_belongs_to_the_value_that_it_came_with() -> None:
    world = World()
    source = GivenMetadata(key="source", value="book", visibility=b"a")
    world.commit(ann(given("n", 1, metadata=(source,))), at=1)
    (entry,) = world.find("ann").value("n").metadata
    assert (entry.key, entry.value, entry.visibility) == ("source", "book", b"a")
    assert world.find("ann", ()).value("n").metadata == ()
    world.commit(ann(given("n", 1)), at=2)
    assert world.find("ann").value("n").metadata == ()
    assert world.find("ann", as_of=1).value("n").metadata == (entry,)


def test_metadata_of_a_value_that_is_set_again_in_one_commit_goes_with_it() -> None:
    world = World()
    source = GivenMetadata(key="source", value="book")
    world.commit(ann(given("n", 1, metadata=(source,))), ann(given("n", 2)), at=1)
    assert world.find("ann").value("n").metadata == ()


def test_a_blind_add_does_not_look() -> None:
    class Closed:
        now = 1

        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"a blind add asked for {name}")

    world = World()
    writer = world.writer()
    writer.records._reader = Closed()  # type: ignore[assignment]
    writer.take(ann(given("n", 1), blind=True))
    writer.take(AddEdge(id=1, shape=EdgeShape("KNOWS", "ann", "bob"), blind=True))
    world.store(writer, 1)
    assert world.values("ann") == [("n", 1)]
    assert world.references() == ["ann out KNOWS bob", "bob in KNOWS ann"]


@pytest.mark.parametrize("more", [{"new": True}, {"replace": True}])
def test_a_blind_add_neither_refuses_nor_replaces(more: dict[str, bool]) -> None:
    with pytest.raises(UsageError, match="a blind add does not look"):
        World().commit(ann(blind=True, **more), at=1)


def test_a_blind_add_looks_at_what_its_commit_has_changed() -> None:
    world = World()
    world.commit(ann(given("n", 1)), at=1)
    world.commit(DeleteElement(subject=ANN), ann(given("m", 2), blind=True), at=2, caller=ALL)
    assert world.values("ann") == [("m", 2)]
