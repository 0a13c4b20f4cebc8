"""Visibility: labels as part of a cell's identity, and who sees what.

Layer ``testing``. Labels are applied before any stage, so nothing above can tell what is hidden.
"""

from __future__ import annotations

import pytest

from lexigraph.errors import NotGranted
from lexigraph.security import ALL, Authorizations
from lexigraph.store import Engine, Mutations, ScanSpec, Table, TableSettings
from lexigraph.testing.store.base import KEEP_ALL, SUM, StoreTests, read, stage, values

UNCHECKED = TableSettings(max_versions=None, constraints=())


def seen(table: Table, *authorizations: str, **options: bytes) -> list[str]:
    """Return the values that somebody sees."""
    spec = ScanSpec(authorizations=Authorizations(authorizations), **options)  # type: ignore[arg-type]
    return values(read(table, spec))


class Labels(StoreTests):
    """Labels and authorizations."""

    @pytest.mark.parametrize(
        ("authorizations", "expected"),
        [
            ([], ["none"]),
            (["A"], ["none", "A", "A|B"]),
            (["B"], ["none", "A|B"]),
            (["A", "B"], ["none", "A", "A&B", "A|B"]),
            (["a"], ["none"]),
        ],
    )
    def test_a_reader_sees_what_its_authorizations_satisfy(
        self, raw: Table, authorizations: list[str], expected: list[str]
    ) -> None:
        """Unlabelled cells are for all."""
        raw.put("r", value="none")
        for label in ("A", "A&B", "A|B"):
            raw.put("r", value=label, visibility=label)
        assert seen(raw, *authorizations) == expected

    def test_the_owner_sees_everything(self, raw: Table) -> None:
        """Whatever the label."""
        raw.put("r", value="1", visibility="A&B")
        assert values(read(raw, ScanSpec(authorizations=ALL))) == ["1"]

    def test_equal_labels_in_other_words_are_two_cells(self, table: Table) -> None:
        """Labels are kept as written: A&B is not B&A, though the same people see them."""
        table.put("r", value="1", visibility="A&B")
        table.put("r", value="2", visibility="B&A")
        assert seen(table, "A", "B") == ["1", "2"]

    def test_each_label_has_its_own_newest_version(self, table: Table) -> None:
        """A newer version under one label hides none under another."""
        for number, label in enumerate(["A", "B", "A", "B", ""]):
            table.put("r", value=str(number), visibility=label)
        assert seen(table, "A", "B") == ["4", "2", "3"]

    def test_an_unreadable_newer_version_does_not_hide_a_readable_older_one(
        self, table: Table
    ) -> None:
        """They are different cells."""
        table.put("r", value="open", timestamp=1)
        table.put("r", value="secret", visibility="A", timestamp=2)
        assert seen(table) == ["open"]

    def test_each_label_has_its_own_sum(self, engine: Engine) -> None:
        """A sum never holds what its reader may not see."""
        table = engine.create_table("sums", TableSettings(max_versions=None, scan_stages=[SUM]))
        for number, label in ((1, "A"), (2, "B"), (4, "A"), (8, "")):
            table.put("r", value=str(number), visibility=label)
        assert seen(table, "A", "B") == ["8", "5", "2"]
        assert seen(table, "B") == ["8", "2"]

    @pytest.mark.parametrize("label", ["A&", "&", "A&B|C", "(A", "A B", '""', "A&(", "é"])
    def test_a_malformed_stored_label_hides_its_cell_and_fails_no_scan(
        self, engine: Engine, label: str
    ) -> None:
        """From everyone but the owner."""
        table = engine.create_table("unchecked", UNCHECKED)
        table.put("r", value="bad", visibility=label)
        table.put("s", value="good")
        assert seen(table, "A", "B", "C") == ["good"]
        assert values(read(table)) == ["bad", "good"]

    def test_quoted_labels_mean_their_text(self, raw: Table) -> None:
        """With characters that plain tokens cannot have."""
        raw.put("r", value="1", visibility='"a b"')
        raw.put("r", value="2", visibility='"A"')
        assert seen(raw, "a b") == ["1"]
        assert seen(raw, "A") == ["2"]

    def test_many_labels_are_each_judged(self, raw: Table) -> None:
        """More than any cache of labels would be made for."""
        for number in range(500):
            raw.put("r", value=str(number), visibility=f"L{number:04}|X{number % 3}")
        expected = [str(n) for n in range(500) if n % 3 == 1 or n == 17]
        assert seen(raw, "X1", "L0017") == expected

    def test_a_stage_never_sees_what_its_reader_may_not(self, raw: Table) -> None:
        """A limit counts readable cells only, so it cannot tell how many are hidden."""
        for number in range(6):
            raw.put(f"r{number}", value=str(number), visibility="A" if number % 2 else "")
        spec = ScanSpec(stages=[stage("limit", cells=2)])
        assert values(read(raw, spec)) == ["0", "2"]

    def test_the_tables_default_label_stands_in_for_none(self, engine: Engine) -> None:
        """At scan; the cell itself keeps its empty label."""
        settings = TableSettings(max_versions=None, default_visibility=b"A")
        table = engine.create_table("labelled", settings)
        table.put("r", value="1")
        table.put("r", value="2", visibility="B")
        assert seen(table, "B") == ["2"]
        assert [(c.visibility, c.value) for c in table.scan(authorizations=["A"])] == [(b"", b"1")]

    def test_a_scans_default_label_adds_to_the_tables(self, engine: Engine) -> None:
        """It may ask for more, never for less; an unparsable one hides what has no label."""
        settings = TableSettings(max_versions=None, default_visibility=b"A")
        engine.create_table("labelled", settings).put("r", value="1")
        table = engine.table("labelled")
        assert seen(table, "A", "B", default_visibility=b"B") == ["1"]
        assert seen(table, "A", default_visibility=b"") == ["1"]
        assert seen(table, "B", default_visibility=b"B") == []
        assert seen(table, "B", default_visibility=b"") == []
        assert seen(table, "A", default_visibility=b"A&") == []

    def test_the_owner_sees_past_a_default_label(self, engine: Engine) -> None:
        """ALL is everything."""
        settings = TableSettings(max_versions=None, default_visibility=b"A")
        table = engine.create_table("labelled", settings)
        table.put("r", value="1")
        assert values(read(table)) == ["1"]


class Grants(StoreTests):
    """Grants: which authorizations may be asked for."""

    @pytest.fixture
    def granted(self) -> Table:
        """Return a table of an engine that grants A and B."""
        engine = self.backend.make(grants=["A", "B"])
        table = engine.create_table("t", KEEP_ALL)
        for label in ("", "A", "B"):
            table.put("r", value=label or "none", visibility=label)
        return table

    def test_granted_authorizations_may_be_used_in_part(self, granted: Table) -> None:
        """Less than granted is fine."""
        assert seen(granted, "B") == ["none", "B"]

    @pytest.mark.parametrize("asked", [["C"], ["A", "C"], ["a"]])
    def test_asking_for_more_is_an_error(self, granted: Table, asked: list[str]) -> None:
        """Before any cell is read, and never a silent filter."""
        with pytest.raises(NotGranted):
            granted.scan(authorizations=asked)

    def test_the_owners_view_must_be_granted(self, granted: Table) -> None:
        """ALL is more than A and B."""
        with pytest.raises(NotGranted):
            granted.scan(authorizations=ALL)

    def test_writing_as_somebody_else_is_an_error(self, granted: Table) -> None:
        """A writer's authorizations are asked for as a reader's are."""
        with pytest.raises(NotGranted):
            granted.engine.write({"t": Mutations().put("s")}, authorizations=["C"])
        assert seen(granted) == ["none"]

    def test_conditions_as_somebody_else_are_an_error(self, granted: Table) -> None:
        """They would read what may not be read."""
        with pytest.raises(NotGranted):
            granted.engine.conditional_write("t", [], authorizations=["C"])
