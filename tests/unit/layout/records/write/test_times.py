"""Times: stamps, several changes of one fact, markers that are followed, endings of the future."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import CardinalityViolation, InvalidValue, UsageError
from lexigraph.layout.records.assembling.retention import DAY, Retention
from lexigraph.layout.records.facts import AnyFact, ExistenceFact, FactState, ValueFact
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.subjects import VertexSubject
from lexigraph.layout.records.write.changes import (
    AddVertex,
    DeleteElement,
    DeleteValues,
    GivenMetadata,
    GivenValue,
    Hide,
    MoveElement,
    PutValue,
    RecordChange,
    SetMetadata,
    Show,
)
from lexigraph.schema.model import History
from tests.unit.layout.records.write.world import World

SAID, DELETED, MOVED, REMOVED = list(FactState)[:4]
ANN = VertexSubject("ann")
DELETE, HARD = DeleteElement(subject=ANN), DeleteElement(subject=ANN, hard=True)


def ann(time: int | None = None, **values: Any) -> AddVertex:
    given = tuple(GivenValue(name=name, value=value) for name, value in values.items())
    return AddVertex(id="ann", values=given, time=time)


def written(world: World, *changes: RecordChange, at: int) -> list[AnyFact]:
    writer = world.writer(now=at)
    for change in changes:
        writer.take(change)
    facts = writer.facts(at)
    world.store(writer, at)
    return facts


def existences(facts: list[AnyFact]) -> list[tuple[FactState, int, int | None]]:
    found = [one for one in facts if isinstance(one, ExistenceFact)]
    return [(one.state, one.time, one.ended) for one in found]


def test_a_cell_is_stamped_if_its_time_is_not_that_of_its_commit() -> None:
    facts = written(World(), ann(), at=7)
    assert [(one.time, one.stamp) for one in facts] == [(7, None)]
    facts = written(World(), ann(3, n=1), at=7)
    assert [(one.time, one.stamp) for one in facts] == [(3, 7), (3, 7)]
    facts = written(World(), ann(7), at=7)
    assert [(one.time, one.stamp) for one in facts] == [(7, None)]


def test_metadata_has_the_time_of_its_value_and_later_changes_their_own() -> None:
    entry = GivenMetadata(key="s", value=1)
    value = GivenValue(name="n", value=1, metadata=(entry,), time=3)
    world = World()
    facts = written(world, AddVertex(id="ann", values=(value,)), at=7)
    assert [(one.time, one.stamp) for one in facts] == [(7, None), (3, 7), (3, 7)]
    (later,) = written(world, SetMetadata(subject=ANN, name="n", entry="s", value=2), at=9)
    assert (later.time, later.stamp, later.value_time) == (9, None, 3)  # type: ignore[union-attr]
    assert [one.value for one in world.find("ann").value("n").metadata] == [2]
    assert [one.value for one in world.find("ann", as_of=8).value("n").metadata] == [1]


def test_of_several_changes_of_a_fact_in_one_commit_the_last_is_written() -> None:
    facts = written(World(), ann(n=1), ann(n=2), at=7)
    assert existences(facts) == [(SAID, 7, None)]
    assert [one.value for one in facts if isinstance(one, ValueFact)] == [2]


def test_changes_of_one_commit_with_other_times_are_all_written() -> None:
    world = World()
    world.commit(ann(n=1), ann(3, n=2), at=7)
    assert world.values("ann") == [("n", 1)]
    assert world.values("ann", as_of=3) == [("n", 2)]


def test_a_delete_after_a_said_of_the_same_commit_is_written_alone() -> None:
    assert existences(written(World(), ann(n=1), DELETE, at=7)) == [(DELETED, 7, None)]


def test_a_said_after_a_delete_of_the_same_commit_is_fresh() -> None:
    world = World()
    world.commit(ann(n=1, m=1), at=3)
    facts = written(world, DELETE, ann(n=2), at=7)
    assert existences(facts) == [(SAID, 7, 6)]
    assert world.values("ann") == [("n", 2)]
    assert world.values("ann", as_of=6) == [("m", 1), ("n", 1)]


def test_a_said_that_is_fresh_stays_fresh_and_can_be_deleted_again() -> None:
    world = World()
    world.commit(ann(n=1), at=3)
    assert existences(written(world, DELETE, ann(), ann(), at=7)) == [(SAID, 7, 6)]
    assert existences(written(world, DELETE, ann(), DELETE, at=9)) == [(DELETED, 9, None)]


def test_a_said_after_a_removal_of_the_same_commit_comes_one_microsecond_later() -> None:
    world = World()
    world.commit(ann(n=1), at=3)
    facts = written(world, HARD, ann(m=2), at=7)
    assert existences(facts) == [(REMOVED, 6, None), (SAID, 7, None)]
    assert world.values("ann") == [("m", 2)]
    # The removal also ends what is later written with an earlier date.
    world.commit(ann(4, n=5), at=8)
    assert world.values("ann") == [("m", 2)]
    assert world.find("ann", as_of=5) is None


def test_a_delete_is_dated_after_what_it_ends() -> None:
    world = World()
    world.commit(ann(50, n=1), at=3)
    facts = written(world, DELETE, at=7)
    assert [(one.state, one.time, one.stamp) for one in facts] == [(DELETED, 51, 7)] * 2
    assert world.find("ann") is None
    assert world.values("ann", as_of=50) == [("n", 1)]


def test_what_is_said_after_such_a_delete_takes_its_time_with_all_its_values() -> None:
    world = World()
    world.commit(ann(50, n=1), at=3)
    facts = written(world, DELETE, ann(m=2), at=7)
    assert existences(facts) == [(SAID, 51, 50)]
    assert world.values("ann") == [("m", 2)]


def test_a_delete_with_a_time_of_its_own_keeps_it() -> None:
    world = World()
    world.commit(ann(n=1), at=3)
    world.commit(DeleteElement(subject=ANN, time=2), at=7)
    assert world.values("ann") == [("n", 1)]
    facts = written(world, DeleteElement(subject=ANN, time=5), ann(m=2), at=9)
    assert existences(facts) == [(DELETED, 5, None), (SAID, 9, None)]
    assert world.find("ann", as_of=6) is None
    assert world.values("ann") == [("m", 2)]


def test_a_removal_and_a_move_are_dated_after_what_they_end_too() -> None:
    world = World()
    world.commit(ann(50), at=3)
    facts = written(world, MoveElement(subject=ANN, to=b"a"), at=7)
    assert existences(facts) == [(MOVED, 51, None), (SAID, 51, None)]
    assert existences(written(world, HARD, at=8)) == [(REMOVED, 52, None), (REMOVED, 52, None)]


def test_a_value_that_is_set_after_its_delete_in_one_commit_holds() -> None:
    world = World()
    world.commit(ann(n=1), PutValue(subject=ANN, value=_value("n", 2, 50)), at=3)
    delete, again = DeleteValues(subject=ANN, name="n"), PutValue(subject=ANN, value=_value("n", 3))
    world.commit(delete, again, at=7)
    assert world.values("ann") == [("n", 3)]


def _value(name: str, value: Any, time: int | None = None) -> GivenValue:
    return GivenValue(name=name, value=value, time=time)


def test_a_show_without_a_time_takes_effect_and_so_does_the_next_hide() -> None:
    world = World()
    world.commit(ann(), Hide(subject=ANN, time=50), at=3)
    assert world.find("ann") is None
    world.commit(Show(subject=ANN), at=4)
    assert world.find("ann") is not None
    world.commit(Hide(subject=ANN), at=5)
    assert world.find("ann") is None


def test_at_equal_times_of_their_own_the_later_commit_wins() -> None:
    world = World()
    world.commit(ann(3, n=1), at=7)
    world.commit(ann(3, n=2), at=8)
    assert world.values("ann") == [("n", 2)]


def test_cells_can_be_made_again_for_another_time() -> None:
    world = World()
    world.commit(ann(n=1), at=3)
    writer = world.writer(now=4)
    for change in (DELETE, ann(n=2)):
        writer.take(change)
    first = writer.facts(7)
    assert existences(writer.facts(9)) == [(SAID, 9, 8)]
    assert writer.facts(7) == first
    assert writer.cells(7) == writer.cells(7)


@pytest.mark.parametrize("time", [2**63, True, 1.5, -(2**63)])
def test_a_time_that_no_cell_can_have_is_refused(time: Any) -> None:
    with pytest.raises(InvalidValue, match="time"):
        World().commit(ann(time), at=7)


def test_a_write_before_what_the_history_keeps_is_refused() -> None:
    kept = Retention(History(1, None), {"free": None})
    world = World(groups=RecordGroups("str", retentions={"vertex": kept}))
    with pytest.raises(UsageError, match="goes back 1 days"):
        world.commit(ann(DAY), at=3 * DAY)
    world.commit(ann(3 * DAY), at=3 * DAY + 1)
    world.commit(PutValue(subject=ANN, value=_value("free", 1, DAY)), at=3 * DAY + 2)
    with pytest.raises(UsageError, match="goes back 1 days"):
        world.commit(DeleteElement(subject=ANN, time=DAY), at=3 * DAY + 3)


def test_a_commit_may_come_before_the_time_that_was_expected() -> None:
    world = World()
    world.commit(ann(n=1), at=3)
    writer = world.writer(now=50)
    for change in (DELETE, ann(n=2), MoveElement(subject=ANN, to=b"a")):
        writer.take(change)
    facts = writer.facts(7)
    assert existences(facts) == [(DELETED, 6, None), (MOVED, 7, None), (SAID, 7, 6)]
    world.store(writer, 7)
    assert world.values("ann") == [("n", 2)]


def test_one_add_may_have_several_versions_of_a_value() -> None:
    world = World()
    dated = tuple(GivenValue(name="n", value=f"v{at}", time=at) for at in (1, 3, 2))
    world.commit(AddVertex(id="ann", time=1, values=dated), at=9)
    assert world.values("ann") == [("n", "v3")]
    assert world.values("ann", as_of=2) == [("n", "v2")]
    writer = world.writer()
    twice = (GivenValue(name="n", value=1, time=4), GivenValue(name="n", value=2, time=4))
    with pytest.raises(CardinalityViolation):
        writer.take(AddVertex(id="ann", values=twice))
