"""Whatever a caller passes ends in an answer or in an error of ours, never in one of Python's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lexigraph.errors import (
    InvalidKey,
    InvalidOption,
    InvalidValue,
    LexigraphError,
    TableNotFound,
)
from lexigraph.security import Visibility
from lexigraph.store import (
    Cell,
    CellBatch,
    Condition,
    ConditionalMutation,
    Key,
    MemoryEngine,
    Mutations,
    Outcome,
    Range,
    Resume,
    ScanSpec,
    StageSpec,
    Table,
    TableSettings,
)


def make_table() -> Table:
    return MemoryEngine().create_table("t")


def wrong(value: object) -> Any:
    """Return a value as if it were of the type that is asked for."""
    return value


BUILT: dict[str, tuple[type[LexigraphError], Callable[[], Any]]] = {
    "cut_every": (InvalidOption, lambda: MemoryEngine(cut_every=wrong("a"))),
    "clock": (InvalidOption, lambda: MemoryEngine(clock=wrong(5))),
    "grants": (InvalidValue, lambda: MemoryEngine(grants=wrong(5))),
    "text in a key": (InvalidKey, lambda: Range(start=Key(wrong("a")))),
    "text in the second key": (InvalidKey, lambda: Range(end=Key(b"a", wrong("f")))),
    "time of a key": (InvalidKey, lambda: Range(start=Key(b"a", timestamp=wrong("x")))),
    "time too large": (InvalidKey, lambda: Range(start=Key(b"a", timestamp=2**63))),
    "exact time": (InvalidKey, lambda: Range.exact("a", "", "", "", wrong("x"))),
    "resumed after a key": (InvalidOption, lambda: ScanSpec().resumed(wrong(Key(b"a")))),
    "after a number": (InvalidOption, lambda: ScanSpec(after=wrong(5))),
    "resume at no key": (InvalidKey, lambda: Resume(wrong(b"a"))),
    "plans of a scan": (InvalidOption, lambda: ScanSpec(plans=wrong(5))),
    "label of a scan": (LexigraphError, lambda: ScanSpec(default_visibility=wrong(5))),
    "plans of a table": (InvalidOption, lambda: TableSettings(plans=wrong(5))),
    "groups": (InvalidOption, lambda: TableSettings(locality_groups=wrong(5))),
    "a group": (InvalidOption, lambda: TableSettings(locality_groups={"a": wrong(5)})),
    "a group of one": (InvalidOption, lambda: TableSettings(locality_groups={"a": wrong(b"f")})),
    "text in a group": (InvalidOption, lambda: TableSettings(locality_groups={"a": wrong(["f"])})),
    "constraints": (InvalidOption, lambda: TableSettings(constraints=wrong(5))),
    "splits": (InvalidOption, lambda: TableSettings(splits=wrong(5))),
    "label": (LexigraphError, lambda: TableSettings(default_visibility=wrong(5))),
    "priority": (InvalidOption, lambda: StageSpec("sum", {}, wrong("a"))),
    "priority of a flag": (InvalidOption, lambda: StageSpec("sum", {}, wrong(True))),
    "condition": (InvalidValue, lambda: ConditionalMutation("j", wrong(["owner"]))),
    "conditions": (InvalidValue, lambda: ConditionalMutation("j", wrong(5))),
    "text as conditions": (InvalidValue, lambda: ConditionalMutation("j", wrong("owner"))),
}


@pytest.mark.parametrize("mistake", BUILT)
def test_what_cannot_be_is_refused_when_it_is_built(mistake: str) -> None:
    error, call = BUILT[mistake]
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("runs", ["x", 5, (1,), ("a", "b"), (0, 1, 2)])
def test_runs_to_merge_are_a_pair_of_numbers(runs: Any) -> None:
    engine = make_table().engine
    assert isinstance(engine, MemoryEngine)
    with pytest.raises(InvalidOption):
        engine.compact("t", runs=runs)


@pytest.mark.parametrize("name", [5, None, [], b"t"])
def test_a_name_of_another_type_is_no_table(name: Any) -> None:
    with pytest.raises(TableNotFound):
        make_table().engine.settings(name)


def test_a_scan_in_json_says_how_it_is_read() -> None:
    with pytest.raises(InvalidOption) as caught:
        make_table().engine.scan("t", wrong({"version": 1}))
    assert "ScanSpec.from_json" in caught.value.hint


def test_one_thing_is_taken_for_a_list_of_one() -> None:
    table = make_table()
    batch = CellBatch.from_cells([Cell(b"a", timestamp=1), Cell(b"b", timestamp=1)])
    table.engine.import_sorted("t", wrong(batch))
    assert [cell.row for cell in table.scan()] == [b"a", b"b"]
    mutation = ConditionalMutation("j", Condition("owner")).put("owner", "", "ann")
    assert table.conditional_write(wrong(mutation)) == [Outcome.ACCEPTED]
    assert TableSettings(constraints="key-size").constraints == ("key-size",)


def test_text_is_taken_for_a_label() -> None:
    assert TableSettings(default_visibility=wrong("hr")).default_visibility == b"hr"
    assert ScanSpec(default_visibility=wrong("hr")).default_visibility == b"hr"


def test_a_visibility_is_taken_for_its_label() -> None:
    label = Visibility("hr|legal")
    table = make_table()
    table.put("a", "f", visibility=label)
    assert table.row("a", authorizations=["hr"])[0].visibility == b"hr|legal"
    table.delete("a", "f", visibility=label)
    assert table.row("a", authorizations=["hr"]) == []
    assert Condition("f", visibility=label).visibility == b"hr|legal"
    written = ConditionalMutation("r").put("f", visibility=label).delete("g", visibility=label)
    assert [cell.visibility for cell in written.batch().cells] == [b"hr|legal"] * 2
    assert TableSettings(default_visibility=label).default_visibility == b"hr|legal"
    assert Range.exact("r", "f", "", label) == Range.exact("r", "f", "", b"hr|legal")


def test_rows_in_the_wrong_order_are_named_as_they_were_given() -> None:
    with pytest.raises(InvalidKey, match="a range of rows starts at b'b' after its end b'a'"):
        Range.rows(b"b", b"a")


def test_a_write_without_a_table_says_how_it_is_written() -> None:
    with pytest.raises(InvalidValue) as caught:
        make_table().engine.write(wrong(Mutations()))
    assert "table.write" in caught.value.hint
