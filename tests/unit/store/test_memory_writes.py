from __future__ import annotations

from threading import Thread

import pytest

from lexigraph.errors import ConstraintError, InvalidKey, InvalidOption, NotGranted, TableNotFound
from lexigraph.security import ALL
from lexigraph.store import (
    Cell,
    CellBatch,
    ManualClock,
    MemoryEngine,
    Mutations,
    TableSettings,
)
from lexigraph.store.constraints import MAX_KEY_BYTES
from tests.unit.store.engines import (
    EVERY_VERSION,
    clock_of,
    everything,
    make_table,
    put,
    rows,
    values,
)


def test_a_write_over_several_tables_has_one_timestamp() -> None:
    engine = MemoryEngine(clock=ManualClock(7))
    tables = [engine.create_table(name) for name in ("a", "b")]
    timestamp = engine.write({"a": Mutations().put("x").put("y"), "b": Mutations().put("z")})
    assert {cell.timestamp for table in tables for cell in table.scan()} == {timestamp} == {7}


def test_a_write_that_fails_in_one_table_writes_to_none() -> None:
    engine = MemoryEngine()
    table = engine.create_table("a")
    engine.create_table("b", TableSettings(append_only=True))
    with pytest.raises(ConstraintError):
        engine.write({"a": Mutations().put("x"), "b": Mutations().delete("y")})
    with pytest.raises(TableNotFound):
        engine.write({"a": Mutations().put("x"), "c": Mutations().put("y")})
    assert rows(table) == []


def test_a_failed_write_takes_no_timestamp() -> None:
    table = make_table()
    with pytest.raises(ConstraintError):
        table.put("a", visibility="(")
    assert table.put("a") == 1000


def test_a_clock_that_jumps_back_makes_no_older_commit() -> None:
    table = make_table(EVERY_VERSION)
    put(table, "a", "1")
    clock_of(table).advance(-500)
    put(table, "a", "2")
    assert [(c.timestamp, c.value) for c in everything(table)] == [(1001, b"2"), (1000, b"1")]


@pytest.mark.parametrize(
    ("unit", "expected"), [("micros", [1000, 1001]), ("millis", [1, 2]), ("logical", [1, 2])]
)
def test_times_are_assigned_in_the_tables_unit(unit: str, expected: list[int]) -> None:
    table = make_table(TableSettings(time_unit=unit))
    table.write(Mutations().put("a").put("a2"))
    put(table, "b")
    assert [cell.timestamp for cell in everything(table)] == [expected[0], *expected]


def test_a_given_timestamp_is_kept_whatever_it_is() -> None:
    table = make_table(EVERY_VERSION)
    for timestamp in (5, -(2**63), 2**63 - 1):
        put(table, "a", "", timestamp)
    assert [cell.timestamp for cell in everything(table)] == [2**63 - 1, 5, -(2**63)]


@pytest.mark.parametrize("join_runs", [True, False])
def test_of_equal_keys_the_one_written_later_comes_first(join_runs: object) -> None:
    table = make_table(EVERY_VERSION, join_runs=join_runs)
    table.write(Mutations().put("a", value="1", timestamp=5).put("a", value="2", timestamp=5))
    put(table, "a", "3", 5)
    assert values(table) == [b"3", b"2", b"1"]


def test_joined_runs_read_as_runs_apart_and_are_few() -> None:
    apart, joined = make_table(EVERY_VERSION), make_table(EVERY_VERSION, join_runs=True)
    for number in range(100):
        for table in (apart, joined):
            put(table, str(number * 7 % 10), str(number))
    assert everything(apart) == everything(joined)
    assert apart.engine.stats("t").runs == 100
    assert joined.engine.stats("t").runs < 10


def test_an_empty_write_leaves_no_run() -> None:
    table = make_table()
    table.write(Mutations())
    assert table.engine.stats("t").runs == 0


def test_any_durability_is_taken_but_not_any_word() -> None:
    table = make_table()
    table.write(Mutations().put("a"), durability="sync")
    assert table.engine.capabilities.durabilities == ()
    with pytest.raises(InvalidOption, match="unknown durability 'hope'"):
        table.write(Mutations().put("b"), durability="hope")


def test_a_key_past_the_limit_is_refused_with_its_number() -> None:
    table = make_table()
    longest = b"x" * (MAX_KEY_BYTES - 2)
    table.write(Mutations().put(longest, "f", "q"))
    with pytest.raises(ConstraintError, match=f"cell 1 .* {MAX_KEY_BYTES + 1} bytes") as caught:
        table.write(Mutations().put("a").put(longest, "fam"))
    assert caught.value.context["cell"] == 1


def test_a_label_that_cannot_be_parsed_is_refused_unless_the_table_takes_it() -> None:
    table = make_table()
    with pytest.raises(ConstraintError, match=r"(?s)cell 1 .* cannot be parsed.*A&\|B"):
        table.write(Mutations().put("a").put("b", visibility="A&|B"))
    table.configure(TableSettings(constraints=[]))
    table.put("b", visibility="A&|B")
    assert rows(table) == []
    assert rows(table, authorizations=ALL) == [b"b"]


def test_where_writers_must_read_what_they_write_other_labels_are_refused() -> None:
    settings = TableSettings(constraints=["readable-visibility"])
    table = make_table(settings, grants=["A", "B"])
    table.put("a", visibility="A", authorizations=["A"])
    for writer in ([], ["B"]):
        with pytest.raises(ConstraintError, match="cannot read"):
            table.put("a", visibility="A", authorizations=writer)
    with pytest.raises(ConstraintError, match="cannot read"):
        table.engine.write({"t": Mutations().put("a", visibility="B")}, authorizations=["A"])
    with pytest.raises(NotGranted):
        table.engine.write({"t": Mutations().put("a")}, authorizations=["C"])


def test_an_append_only_table_refuses_delete_markers() -> None:
    table = make_table(TableSettings(append_only=True))
    with pytest.raises(ConstraintError, match="append-only"):
        table.delete("a")


def test_sorted_cells_are_imported_as_one_run() -> None:
    table = make_table()
    batches = [CellBatch.from_cells([Cell(row, timestamp=5)]) for row in (b"a", b"b", b"b")]
    assert table.engine.import_sorted("t", batches) == 1000
    assert table.engine.stats("t").runs == 1
    assert rows(table) == [b"a", b"b"]


def test_an_import_out_of_order_is_refused_naming_the_cell() -> None:
    table = make_table()
    batches = [
        CellBatch.from_cells([Cell(b"a", timestamp=5), Cell(b"b", timestamp=1)]),
        CellBatch.from_cells([Cell(b"b", timestamp=2)]),
    ]
    with pytest.raises(InvalidKey, match="cell 2 is out of order"):
        table.engine.import_sorted("t", batches)
    assert rows(table) == []


def test_an_import_keeps_the_constraints() -> None:
    table = make_table()
    with pytest.raises(ConstraintError):
        table.engine.import_sorted("t", [CellBatch.from_cells([Cell(b"a", visibility=b"(")])])


def test_writers_in_many_threads_lose_nothing() -> None:
    table = make_table(EVERY_VERSION, join_runs=True)

    def write(name: str) -> None:
        for number in range(50):
            put(table, "a", f"{name}{number}")

    threads = [Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cells = everything(table)
    assert len({cell.value for cell in cells}) == 200
    assert len({cell.timestamp for cell in cells}) == 200
