"""Mistakes: whatever a caller does wrong ends in an error of ours, and changes nothing.

Layer ``testing``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lexigraph.errors import Closed, InvalidOption, InvalidValue, TableNotFound, UsageError
from lexigraph.store import (
    ConditionalMutation,
    Engine,
    Mutations,
    Range,
    Snapshot,
    Table,
    TableSettings,
)
from lexigraph.testing.marks import needs
from lexigraph.testing.store.base import StoreTests, read

CALLS: dict[str, Callable[[Engine], Any]] = {
    "drop_table": lambda engine: engine.drop_table("t"),
    "rename_table": lambda engine: engine.rename_table("t", "u"),
    "clone_table": lambda engine: engine.clone_table("t", "u"),
    "settings": lambda engine: engine.settings("t"),
    "configure_table": lambda engine: engine.configure_table("t", TableSettings()),
    "write": lambda engine: engine.write({"t": Mutations()}),
    "conditional_write": lambda engine: engine.conditional_write("t", [ConditionalMutation("r")]),
    "import_sorted": lambda engine: engine.import_sorted("t", []),
    "load": lambda engine: engine.load("t", []),
    "scan": lambda engine: engine.scan("t"),
    "row_reader": lambda engine: engine.row_reader("t"),
    "add_splits": lambda engine: engine.add_splits("t", [b"m"]),
    "splits": lambda engine: engine.splits("t"),
    "compact": lambda engine: engine.compact("t"),
    "stats": lambda engine: engine.stats("t"),
    "placement": lambda engine: engine.placement("t"),
    "table": lambda engine: engine.table("t"),
}
WITHOUT_A_TABLE: dict[str, Callable[[Engine], Any]] = {
    "tables": lambda engine: engine.tables(),
    "create_table": lambda engine: engine.create_table("u"),
    "snapshot": lambda engine: engine.snapshot(),
    "flush": lambda engine: engine.flush(),
}


UNCHANGED: dict[str, Callable[[Snapshot], Any]] = {
    "a snapshot alone": lambda snapshot: snapshot,
    "a snapshot in a tuple": lambda snapshot: (snapshot,),
    "nothing read": lambda snapshot: (snapshot, None),
    "a name alone": lambda snapshot: (snapshot, "plain"),
    "names": lambda snapshot: (snapshot, ["plain"]),
    "a name of two letters": lambda snapshot: (snapshot, ["ab"]),
    "a row": lambda snapshot: (snapshot, [("plain", "a")]),
    "no range": lambda snapshot: (snapshot, [("plain", None)]),
    "a mapping": lambda snapshot: (snapshot, {"plain": Range()}),
    "no name": lambda snapshot: (snapshot, [(5, Range())]),
    "no snapshot": lambda snapshot: (None, [("plain", Range())]),
    "text": lambda snapshot: "plain",
    "a flag": lambda snapshot: True,
}
ARGUMENTS: dict[str, Callable[[Engine], Any]] = {
    "settings of a new table": lambda engine: engine.create_table("u", _any({"version": 1})),
    "settings": lambda engine: engine.configure_table("plain", _any(None)),
    "settings in JSON": lambda engine: engine.configure_table("plain", _any({"version": 1})),
    "mutations without a table": lambda engine: engine.write(_any(Mutations().put("a"))),
    "nothing to write": lambda engine: engine.write(_any(None)),
    "conditional mutations": lambda engine: engine.conditional_write(
        "plain", _any([Mutations().put("a")])
    ),
    "no conditional mutation": lambda engine: engine.conditional_write("plain", _any(5)),
    "sorted cells": lambda engine: engine.import_sorted("plain", _any([Mutations().put("a")])),
    "no sorted cells": lambda engine: engine.import_sorted("plain", _any(5)),
    "a scan in JSON": lambda engine: engine.scan("plain", _any({"version": 1})),
    "a placement in JSON": lambda engine: engine.placement("plain", _any({"version": 1})),
    "a snapshot": lambda engine: engine.scan("plain", snapshot=_any(5)),
    "text for batch_cells": lambda engine: engine.scan("plain", batch_cells=_any("x")),
    "a time limit in text": lambda engine: engine.scan("plain", timeout_s=_any("x")),
    "a time limit of nothing": lambda engine: engine.scan("plain", timeout_s=0),
    "a load of text": lambda engine: engine.load("plain", _any("cells")),
    "a load of numbers": lambda engine: engine.load("plain", _any([5])),
    "a load without memory": lambda engine: engine.load("plain", [], memory_limit_bytes=0),
    "no function for progress": lambda engine: engine.load("plain", [], progress=_any(True)),
    "a word for sorted": lambda engine: engine.load("plain", [], sorted=_any("no")),
    "columns of a reader": lambda engine: engine.row_reader("plain", columns=_any([5])),
    "a row in text": lambda engine: engine.row_reader("plain").row(_any("r")),
    "rows of a merge": lambda engine: engine.compact("plain", range=_any("r")),
    "a time of a merge": lambda engine: engine.compact("plain", now=_any("x")),
    "a time out of bounds": lambda engine: engine.compact("plain", now=2**63),
    "a split": lambda engine: engine.add_splits("plain", _any(5)),
    "authorizations": lambda engine: engine.write({}, authorizations=_any(5)),
}


def _any(value: object) -> Any:
    return value


class Mistakes(StoreTests):
    """Mistakes of callers."""

    @pytest.mark.parametrize("call", CALLS)
    def test_a_table_that_is_not_there_is_not_found(self, engine: Engine, call: str) -> None:
        """By every method that names one, when it is called."""
        with pytest.raises(TableNotFound):
            CALLS[call](engine)

    @pytest.mark.parametrize("call", [*CALLS, *WITHOUT_A_TABLE])
    def test_a_closed_engine_refuses_every_call(self, engine: Engine, call: str) -> None:
        """Closing it twice is fine."""
        engine.create_table("t")
        engine.close()
        engine.close()
        with pytest.raises(Closed):
            {**CALLS, **WITHOUT_A_TABLE}[call](engine)

    def test_a_scan_of_an_engine_closed_meanwhile_says_so(
        self, engine: Engine, table: Table
    ) -> None:
        """It does not end as if there were no more cells."""
        table.write(Mutations().put("a").put("b").put("c"))
        batches = engine.scan("plain", batch_cells=1)
        next(batches)
        engine.close()
        with pytest.raises(Closed):
            list(batches)

    def test_an_engine_is_closed_by_its_with_block(self) -> None:
        """Also when the block fails."""
        with pytest.raises(KeyError), self.backend.make() as engine:
            raise KeyError
        with pytest.raises(Closed):
            engine.tables()

    @pytest.mark.parametrize("thing", [None, 5, "text", [b"cell"], {"row": b"r"}])
    def test_what_is_no_batch_cannot_be_written(self, table: Table, thing: Any) -> None:
        """Nothing is guessed."""
        with pytest.raises(InvalidValue):
            table.engine.write({"plain": thing})
        assert read(table) == []

    def test_an_unknown_durability_is_refused(self, table: Table) -> None:
        """Before anything is written."""
        with pytest.raises(InvalidOption):
            table.write(Mutations().put("a"), durability="forever")
        assert read(table) == []

    @pytest.mark.parametrize("rows", [["text"], [5], [None]])
    def test_splits_that_are_no_bytes_are_refused(
        self, engine: Engine, table: Table, rows: list[Any]
    ) -> None:
        """And none of them is kept."""
        with pytest.raises(UsageError):
            engine.add_splits("plain", [b"m", *rows])
        assert engine.splits("plain") == []

    @pytest.mark.parametrize("argument", ARGUMENTS)
    def test_arguments_of_another_type_are_refused(
        self, engine: Engine, table: Table, argument: str
    ) -> None:
        """With an error of ours, and nothing is changed."""
        with pytest.raises(UsageError):
            ARGUMENTS[argument](engine)
        assert engine.tables() == ["plain"]
        assert read(table) == []

    @needs("snapshots")
    @pytest.mark.parametrize("shape", UNCHANGED)
    def test_a_write_depends_on_a_snapshot_and_ranges_of_tables_only(
        self, engine: Engine, table: Table, shape: str
    ) -> None:
        """Another shape would be a condition that nobody checks."""
        with engine.snapshot() as snapshot:
            given = UNCHANGED[shape](snapshot)
            with pytest.raises(UsageError):
                engine.write({"plain": Mutations().put("a")}, if_unchanged=given)
        assert read(table) == []
