"""Conditional writes: one row changes only if it still is what its writer thinks.

Layer ``testing``. Four of the five outcomes are made to happen here. ``UNKNOWN`` is the fate of an
answer that is lost between a server and its client, and no engine can be asked to lose one.
"""

from __future__ import annotations

import pytest

from lexigraph.security import ALL
from lexigraph.store import (
    Condition,
    ConditionalMutation,
    Engine,
    Outcome,
    Table,
    TableSettings,
)
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import SUM, StoreTests, read, times, values

ACCEPTED, REJECTED = Outcome.ACCEPTED, Outcome.REJECTED


def attempt(table: Table, *conditions: Condition, value: str = "new") -> Outcome:
    """Try to write column ``f`` of row ``r``."""
    mutation = ConditionalMutation("r", conditions).put("f", value=value)
    [outcome] = table.engine.conditional_write(table.name, [mutation])
    return outcome


@needs("conditional_writes")
class Conditions(StoreTests):
    """Conditional writes."""

    def test_an_absent_column_can_be_asked_for(self, table: Table) -> None:
        """The first writer is accepted, the second is not."""
        outcomes = [attempt(table, Condition("f"), value=value) for value in "12"]
        assert (outcomes, values(read(table))) == ([ACCEPTED, REJECTED], ["1"])

    @pytest.mark.parametrize(
        ("expected", "outcome"), [("old", ACCEPTED), ("other", REJECTED), (None, REJECTED)]
    )
    def test_a_value_can_be_asked_for(
        self, table: Table, expected: str | None, outcome: Outcome
    ) -> None:
        """Compared byte by byte."""
        table.put("r", "f", value="old")
        assert attempt(table, Condition("f", value=expected)) is outcome
        assert values(read(table)) == ["new" if outcome is ACCEPTED else "old"]

    def test_an_empty_value_is_not_an_absent_one(self, table: Table) -> None:
        """They are told apart."""
        table.put("r", "f", value="")
        assert attempt(table, Condition("f")) is REJECTED
        assert attempt(table, Condition("f", value="")) is ACCEPTED

    def test_a_deleted_column_is_absent(self, table: Table) -> None:
        """Conditions see what a scan sees."""
        table.put("r", "f", value="old")
        table.delete("r", "f")
        assert attempt(table, Condition("f", value="old")) is REJECTED
        assert attempt(table, Condition("f")) is ACCEPTED

    def test_every_condition_must_hold(self, table: Table) -> None:
        """One that does not is enough."""
        table.put("r", "f", value="1")
        assert attempt(table, Condition("f", value="1"), Condition("g", value="2")) is REJECTED
        table.put("r", "g", value="2")
        assert attempt(table, Condition("f", value="1"), Condition("g", value="2")) is ACCEPTED

    def test_without_conditions_a_mutation_is_accepted(self, table: Table) -> None:
        """Nothing is asked, so nothing can fail."""
        assert attempt(table) is ACCEPTED

    def test_a_condition_may_ask_for_a_timestamp(self, raw: Table) -> None:
        """For one version of the column."""
        raw.put("r", "f", value="5", timestamp=5)
        raw.put("r", "f", value="7", timestamp=7)
        assert attempt(raw, Condition("f", value="5", timestamp=6)) is REJECTED
        assert attempt(raw, Condition("f", timestamp=6)) is ACCEPTED
        assert attempt(raw, Condition("f", value="5", timestamp=5)) is ACCEPTED

    def test_a_condition_looks_at_its_own_column_and_row(self, table: Table) -> None:
        """Family, qualifier and row are compared whole."""
        table.put("r", "ff", value="1")
        table.put("r", "f", "q", value="1")
        table.put("r\0", "f", value="1")
        assert attempt(table, Condition("f", value="1")) is REJECTED
        assert attempt(table, Condition("f")) is ACCEPTED

    def test_mutations_of_one_call_are_judged_one_after_another(
        self, engine: Engine, table: Table
    ) -> None:
        """The second sees what the first wrote."""
        chain = [
            ConditionalMutation("r", [Condition("f")]).put("f", value="1"),
            ConditionalMutation("r", [Condition("f", value="1")]).put("f", value="2"),
            ConditionalMutation("r", [Condition("f", value="1")]).put("f", value="3"),
        ]
        outcomes = engine.conditional_write("plain", chain)
        assert (outcomes, values(read(table))) == ([ACCEPTED, ACCEPTED, REJECTED], ["2"])

    def test_a_mutation_is_written_whole_with_one_timestamp(
        self, engine: Engine, table: Table
    ) -> None:
        """Puts and deletes of its row together."""
        table.put("r", "old")
        mutation = ConditionalMutation("r").put("a").put("b").delete("old")
        assert engine.conditional_write("plain", [mutation]) == [ACCEPTED]
        assert [cell.family for cell in read(table)] == [b"a", b"b"]
        assert len(set(times(read(table)))) == 1

    def test_a_rejected_mutation_writes_none_of_its_cells(
        self, engine: Engine, table: Table
    ) -> None:
        """Not even those that no condition is about."""
        mutation = ConditionalMutation("r", [Condition("f", value="x")]).put("a").put("b")
        assert engine.conditional_write("plain", [mutation]) == [REJECTED]
        assert read(table) == []

    def test_a_broken_constraint_violates_and_writes_nothing(
        self, engine: Engine, table: Table
    ) -> None:
        """The conditions held; others of the call go on."""
        bad = ConditionalMutation("r", [Condition("f")]).put("a").put("b", visibility="A&")
        good = ConditionalMutation("s").put("a")
        outcomes = engine.conditional_write("plain", [bad, good])
        assert outcomes == [Outcome.VIOLATED, ACCEPTED]
        assert [cell.row for cell in read(table)] == [b"s"]

    def test_a_broken_constraint_does_not_hide_a_condition_that_fails(
        self, engine: Engine, table: Table
    ) -> None:
        """Conditions are judged first."""
        bad = ConditionalMutation("r", [Condition("f", value="1")]).put("b", visibility="A&")
        assert engine.conditional_write("plain", [bad]) == [REJECTED]

    def test_a_label_that_the_writer_cannot_see_cannot_be_judged(
        self, engine: Engine, table: Table
    ) -> None:
        """Not even as absent: the outcome must not tell what is there."""
        asks = ConditionalMutation("r", [Condition("f", visibility="A")]).put("f")
        outcomes = [engine.conditional_write("plain", [asks])]
        table.put("r", "f", visibility="A")
        outcomes.append(engine.conditional_write("plain", [asks]))
        assert outcomes == [[Outcome.INVISIBLE_VISIBILITY]] * 2
        assert [cell.visibility for cell in read(table)] == [b"A"]

    @pytest.mark.parametrize("label", ["A&", "(", "A B"])
    def test_a_malformed_label_cannot_be_judged(
        self, engine: Engine, table: Table, label: str
    ) -> None:
        """Nobody sees it."""
        asks = ConditionalMutation("r", [Condition("f", visibility=label)]).put("f")
        outcomes = engine.conditional_write("plain", [asks], authorizations=["A", "B"])
        assert outcomes == [Outcome.INVISIBLE_VISIBILITY]

    def test_a_label_that_the_writer_sees_is_judged(self, engine: Engine, table: Table) -> None:
        """With the authorizations of the call."""
        table.put("r", "f", value="1", visibility="A|B")
        asks = Condition("f", visibility="A|B", value="1")
        mutation = ConditionalMutation("r", [asks]).put("g")
        assert engine.conditional_write("plain", [mutation], authorizations=["B"]) == [ACCEPTED]
        assert engine.conditional_write("plain", [mutation], authorizations=ALL) == [ACCEPTED]

    def test_a_condition_sees_what_the_tables_stages_make(self, engine: Engine) -> None:
        """A sum, where the table sums."""
        table = engine.create_table("t", TableSettings(max_versions=None, scan_stages=[SUM]))
        table.put("r", "f", value="1")
        table.put("r", "f", value="2")
        assert attempt(table, Condition("f", value="2"), value="4") is REJECTED
        assert attempt(table, Condition("f", value="3"), value="4") is ACCEPTED
        assert values(read(table)) == ["7"]

    def test_no_mutations_give_no_outcomes(self, engine: Engine, table: Table) -> None:
        """And no commit."""
        assert engine.conditional_write("plain", []) == []
