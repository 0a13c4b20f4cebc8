from __future__ import annotations

from array import array
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells import arrow
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell
from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.mutations import MutationBatch, Mutations, as_batch
from lexigraph.errors import InvalidKey, InvalidValue, UnsupportedError
from tests.unit.store.strategies import cells

TWO = [Cell(b"ann", b"age", b"", b"A", 5, False, b"41"), Cell(b"bob", timestamp=4, deleted=True)]


@given(st.lists(cells, max_size=6))
def test_cells_come_back_as_they_went_in(listed: list[Cell]) -> None:
    assert list(CellBatch.from_cells(listed)) == listed


@given(st.lists(cells, max_size=6))
def test_arrow_gives_the_same_cells_back(listed: list[Cell]) -> None:
    batch = CellBatch.from_cells(listed)
    assert CellBatch.from_arrow(batch.to_arrow()) == batch


@given(st.lists(cells, max_size=6), st.integers(-7, 7), st.integers(-7, 7))
def test_a_slice_is_the_slice_of_the_cells(listed: list[Cell], start: int, stop: int) -> None:
    part = CellBatch.from_cells(listed)[start:stop]
    assert list(part) == listed[start:stop]
    assert CellBatch.from_arrow(part.to_arrow()) == part


@given(st.lists(st.lists(cells, max_size=3), max_size=3))
def test_concat_joins_in_order(groups: list[list[Cell]]) -> None:
    joined = CellBatch.concat(map(CellBatch.from_cells, groups))
    assert list(joined) == [cell for group in groups for cell in group]


def test_one_cell_can_be_asked_for_from_either_end() -> None:
    batch = CellBatch.from_cells(TWO)
    assert [batch[0], batch[-1]] == TWO
    assert batch[1].deleted is True
    with pytest.raises(IndexError):
        batch[2]


def test_arrow_shares_the_bytes_of_a_column() -> None:
    batch = CellBatch.from_cells(TWO)
    data = batch.to_arrow().column("row").buffers()[2]
    assert data.address == pa.py_buffer(batch.row.data).address


def test_arrow_types_are_large_binary_int64_and_bool() -> None:
    types = {str(field.type) for field in CellBatch.from_cells(TWO).to_arrow().schema}
    assert types == {"large_binary", "int64", "bool"}


def test_text_and_small_binary_columns_of_arrow_are_read() -> None:
    table = pa.table(
        {
            "row": pa.array(["ann", "bob"]),
            "family": pa.array([b"age", b""], pa.binary()),
            "qualifier": pa.array(["", ""], pa.large_string()),
            "visibility": ["A", ""],
            "timestamp": pa.array([5, 4], pa.int32()),
            "deleted": [False, True],
            "value": [b"41", b""],
        }
    )
    assert list(CellBatch.from_arrow(table)) == TWO


def test_chunks_and_offsets_of_arrow_are_followed() -> None:
    table = pa.Table.from_batches([CellBatch.from_cells(TWO).to_arrow()] * 2).slice(1, 2)
    assert list(CellBatch.from_arrow(table)) == [TWO[1], TWO[0]]


def _with(name: str, column: Any) -> Any:
    table = pa.Table.from_batches([CellBatch.from_cells(TWO).to_arrow()])
    return table.set_column(table.column_names.index(name), name, column)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_with("value", pa.array([b"x", None])), "'value' is null at cell 1"),
        (_with("timestamp", pa.array([1, None])), "'timestamp' is null at cell 1"),
        (_with("timestamp", pa.array(["1", "2"])), "not integers"),
        (_with("timestamp", pa.array([2**63, 1], pa.uint64())), "cannot be read as int64"),
        (_with("row", pa.array([1, 2])), "'row' cannot be read"),
        (_with("row", pa.array([[b"a"], []])), "'row' cannot be read"),
        (_with("row", pa.array([b"a", b"b"])).drop_columns(["value"]), "missing: .'value'."),
        (_with("row", pa.array([b"a", b"b"])).append_column("x", [[1, 2]]), "unknown: .'x'."),
        (3, "not a valid Arrow batch"),
    ],
)
def test_arrow_data_that_holds_no_cells_is_refused(data: Any, message: str) -> None:
    with pytest.raises(InvalidValue, match=message):
        CellBatch.from_arrow(data)


def test_arrow_offsets_outside_the_data_are_refused() -> None:
    offsets = pa.py_buffer(array("q", [0, 99, 2]))
    broken = pa.Array.from_buffers(pa.large_binary(), 2, [None, offsets, pa.py_buffer(b"ab")])
    with pytest.raises(InvalidValue):
        CellBatch.from_arrow(_with("value", broken))


def test_without_pyarrow_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(arrow, "import_module", missing)
    with pytest.raises(UnsupportedError, match="pyarrow") as caught:
        CellBatch.from_cells(TWO).to_arrow()
    assert "pip install" in caught.value.hint


@pytest.mark.parametrize(
    ("offsets", "data", "message"),
    [
        ([], b"", "one offset more"),
        ([0, 2, 1], b"ab", "offset 2 is 1"),
        ([-1, 1], b"ab", "offset 0 is -1"),
        ([0, 3], b"ab", "outside the data of 2"),
        ([0, 2**63], b"ab", "64-bit"),
        (b"123", b"ab", "8 bytes each"),
        ([0, 1], "text", "contiguous bytes"),
        ([0, "1"], b"ab", "64-bit"),
    ],
)
def test_a_malformed_column_is_refused(offsets: Any, data: Any, message: str) -> None:
    with pytest.raises(InvalidValue, match=message):
        BytesColumn(offsets, data)


def test_columns_of_unequal_length_are_refused() -> None:
    one, two = BytesColumn.of([b"a"]), BytesColumn.of([b"a", b"b"])
    with pytest.raises(InvalidValue, match="'value' has 2 entries"):
        CellBatch(one, one, one, one, [1], b"\0", two)
    with pytest.raises(InvalidValue, match="0 or 1"):
        CellBatch(one, one, one, one, [1], b"\2", one)


@pytest.mark.parametrize("bad", [Cell("text"), (b"short",), Cell(b"r", timestamp=2**63)])  # type: ignore[arg-type]
def test_what_is_not_a_cell_is_refused(bad: Any) -> None:
    with pytest.raises(InvalidValue):
        CellBatch.from_cells([bad])


def test_a_column_is_not_sliced_in_steps() -> None:
    with pytest.raises(InvalidValue, match="steps of 1"):
        BytesColumn.of([b"a", b"b"])[::2]


def test_cells_without_a_time_take_the_commits() -> None:
    batch = Mutations().put("ann", value="1").put("ann", value="2", timestamp=3).batch()
    assert [cell.timestamp for cell in batch.at(9)] == [9, 3]


def test_a_mutation_batch_survives_arrow_with_its_missing_times() -> None:
    batch = Mutations().put("ann", "f", "q", "1").delete("é", timestamp=MIN_TIMESTAMP).batch()
    arrowed = batch.to_arrow()
    assert arrowed.column("timestamp").to_pylist() == [None, MIN_TIMESTAMP]
    assert MutationBatch.from_arrow(arrowed) == batch


def test_text_becomes_utf8() -> None:
    cell = Mutations().put("é", "f", b"\xff", "ü", visibility="A|B").batch().at(1)[0]
    assert cell == Cell("é".encode(), b"f", b"\xff", b"A|B", 1, False, "ü".encode())


@pytest.mark.parametrize("timestamp", [MAX_TIMESTAMP + 1, MIN_TIMESTAMP - 1, 1.5, True, "1"])
def test_a_timestamp_that_is_no_int64_is_refused(timestamp: Any) -> None:
    with pytest.raises(InvalidKey, match="timestamp"):
        Mutations().put("ann", timestamp=timestamp)


@pytest.mark.parametrize("part", [5, None, "\ud800"])
def test_a_key_part_that_is_neither_text_nor_bytes_is_refused(part: Any) -> None:
    with pytest.raises(InvalidKey, match="key part"):
        Mutations().put(part)


def test_a_builder_goes_on_after_giving_a_batch() -> None:
    mutations = Mutations().put("a")
    first = mutations.batch()
    mutations.put("b")
    assert (len(first), len(mutations.batch())) == (1, 2)


def test_only_mutations_and_batches_can_be_written() -> None:
    with pytest.raises(InvalidValue, match="not list"):
        as_batch([])  # type: ignore[arg-type]


def test_flags_must_fit_the_cells() -> None:
    with pytest.raises(InvalidValue, match="needs a flag"):
        MutationBatch(CellBatch.from_cells(TWO), b"\1")
