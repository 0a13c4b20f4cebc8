from __future__ import annotations

import pytest

from lexigraph.errors import InvalidKey, NotGranted
from lexigraph.store import (
    Condition,
    ConditionalMutation,
    Mutations,
    Outcome,
    StageSpec,
    Table,
    TableSettings,
)
from tests.unit.store.engines import EVERY_VERSION, make_table, values

ACCEPTED, REJECTED = Outcome.ACCEPTED, Outcome.REJECTED


def attempt(table: Table, *conditions: Condition, authorizations: tuple[str, ...] = ()) -> Outcome:
    mutation = ConditionalMutation("a", conditions).put("done", "", "yes")
    (outcome,) = table.engine.conditional_write("t", [mutation], authorizations=authorizations)
    written = values(table, columns=["done"]) == [b"yes"]
    assert written is (outcome is ACCEPTED)
    return outcome


def with_cell(settings: TableSettings | None = None) -> Table:
    table = make_table(settings)
    table.write(Mutations().put("a", "f", "q", "old", timestamp=4))
    table.write(Mutations().put("a", "f", "q", "1", timestamp=5))
    return table


@pytest.mark.parametrize(
    ("condition", "outcome"),
    [
        (Condition("f", "q", value="1"), ACCEPTED),
        (Condition("f", "q", value="2"), REJECTED),
        (Condition("f", "q"), REJECTED),
        (Condition("f", "other"), ACCEPTED),
        (Condition("f", "other", value=""), REJECTED),
        (Condition("f", "q", value="1", timestamp=5), ACCEPTED),
        (Condition("f", "q", value="1", timestamp=6), REJECTED),
        (Condition("f", "q", timestamp=6), ACCEPTED),
        (Condition("f", "q", value="old", timestamp=4), REJECTED),
    ],
)
def test_a_condition_compares_what_a_scan_sees(condition: Condition, outcome: Outcome) -> None:
    assert attempt(with_cell(), condition) is outcome


def test_an_older_version_can_be_asked_for_where_it_is_kept() -> None:
    table = with_cell(EVERY_VERSION)
    assert attempt(table, Condition("f", "q", value="old", timestamp=4)) is ACCEPTED


def test_every_condition_must_hold() -> None:
    held, broken = Condition("f", "q", value="1"), Condition("f", "q", value="2")
    assert attempt(with_cell(), held, broken) is REJECTED
    assert attempt(with_cell(), held, held) is ACCEPTED
    assert attempt(with_cell()) is ACCEPTED


def test_a_deleted_cell_is_absent() -> None:
    table = with_cell()
    table.delete("a", "f", "q")
    assert attempt(table, Condition("f", "q")) is ACCEPTED


def test_the_tables_own_stages_count() -> None:
    table = with_cell()
    table.configure(TableSettings(scan_stages=[StageSpec("grep", {"term": "done"}, 30)]))
    assert attempt(table, Condition("f", "q")) is ACCEPTED


@pytest.mark.parametrize("label", ["A", "A&B", "A&"])
def test_a_label_that_the_writer_cannot_see_cannot_be_judged(label: str) -> None:
    outcome = attempt(make_table(), Condition("f", "q", label), authorizations=("B",))
    assert outcome is Outcome.INVISIBLE_VISIBILITY


def test_an_invisible_label_goes_before_a_condition_that_fails() -> None:
    conditions = Condition("f", "q", value="2"), Condition("f", "q", "A")
    assert attempt(with_cell(), *conditions) is Outcome.INVISIBLE_VISIBILITY


def test_a_label_that_the_writer_sees_is_part_of_the_column() -> None:
    table = make_table()
    table.put("a", "f", "q", "1", visibility="A")
    assert attempt(table, Condition("f", "q", "A", value="1"), authorizations=("A",)) is ACCEPTED
    assert attempt(make_table(), Condition("f", "q", "A"), authorizations=("A",)) is ACCEPTED


def test_a_broken_constraint_is_violated_and_writes_nothing() -> None:
    table = make_table()
    mutation = ConditionalMutation("a").put("f").put("g", visibility="(")
    assert table.engine.conditional_write("t", [mutation]) == [Outcome.VIOLATED]
    assert values(table) == []


def test_a_condition_that_fails_goes_before_a_broken_constraint() -> None:
    table = make_table()
    mutation = ConditionalMutation("a", [Condition("f", value="1")]).put("g", visibility="(")
    assert table.engine.conditional_write("t", [mutation]) == [REJECTED]


def test_mutations_of_one_call_see_those_before_them() -> None:
    table = make_table()
    take = [ConditionalMutation("a", [Condition("lock")]).put("lock", "", who) for who in "xy"]
    free = ConditionalMutation("a", [Condition("lock", value="x")]).delete("lock")
    outcomes = table.engine.conditional_write("t", [*take, free, take[1]])
    assert outcomes == [ACCEPTED, REJECTED, ACCEPTED, ACCEPTED]
    assert values(table) == [b"y"]


def test_each_accepted_mutation_is_a_commit_of_its_own() -> None:
    table = make_table()
    table.engine.conditional_write("t", [ConditionalMutation(row).put("f") for row in "ab"])
    assert [cell.timestamp for cell in table.scan()] == [1000, 1001]


def test_the_writers_authorizations_must_be_granted() -> None:
    table = make_table(grants=["A"])
    with pytest.raises(NotGranted):
        table.engine.conditional_write("t", [], authorizations=["B"])


@pytest.mark.parametrize("timestamp", [2**63, "5"])
def test_a_condition_needs_a_real_timestamp(timestamp: object) -> None:
    with pytest.raises(InvalidKey):
        Condition("f", timestamp=timestamp)  # type: ignore[arg-type]
