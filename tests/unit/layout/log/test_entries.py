"""Entries of the log: what is written is read, values are not in it, damage is InvalidBytes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.errors import InvalidBytes
from lexigraph.layout.log import entries
from lexigraph.layout.log.condition import ElementCondition
from lexigraph.layout.log.entries import (
    FACT_KINDS,
    LogEntry,
    SubjectChanges,
    SummaryKeys,
)
from lexigraph.layout.log.packing import pack, unpack
from lexigraph.layout.log.rows import commit_row, cursor_row, entry_cells, time_of_row
from lexigraph.layout.records.facts import EdgeShape

BYTES = st.binary(max_size=6)
LABELS = st.lists(st.sampled_from([b"", b"a", b"a&b", b"\xff"]), max_size=2).map(tuple)
CONDITIONS = st.builds(ElementCondition, LABELS, LABELS, LABELS)
SHAPES = st.builds(
    EdgeShape, st.text(max_size=3), st.integers(), st.text(max_size=3), st.booleans()
)
FACTS = st.tuples(st.sampled_from(FACT_KINDS), st.integers(1, 5), BYTES, BYTES)


@st.composite
def subjects(draw: Any) -> SubjectChanges:
    edge = draw(st.booleans())
    before, after = draw(CONDITIONS), draw(CONDITIONS)
    shapes = [
        tuple(draw(SHAPES) for _ in one.existences) if edge else () for one in (before, after)
    ]
    facts = draw(st.lists(FACTS, max_size=3))
    return SubjectChanges(edge, draw(BYTES), before, after, *shapes, facts)


KEYS = st.lists(st.tuples(BYTES, BYTES, BYTES, BYTES), min_size=1, max_size=4)
SUMMARIES = st.builds(
    lambda group, what, keys: SummaryKeys(
        group, what, CellBatch.from_cells(Cell(*key) for key in keys)
    ),
    st.text(max_size=3),
    st.sampled_from(["added", "deleted", "restored"]),
    KEYS,
)
ENTRIES = st.builds(
    LogEntry,
    summaries=st.lists(SUMMARIES, max_size=2),
    subjects=st.lists(subjects(), max_size=3),
)


def seen(entry: LogEntry) -> Any:
    keys = [(one.group, one.what, [cell[:4] for cell in one.cells]) for one in entry.summaries]
    rows = [
        (one.edge, one.row, one.before, one.after, one.shapes_before, one.shapes_after, one.facts)
        for one in entry.subjects
    ]
    return entry.kind, entry.counts, entry.labels, keys, rows


@given(ENTRIES)
def test_what_is_written_is_read(entry: LogEntry) -> None:
    assert seen(LogEntry.from_bytes(entry.to_bytes())) == seen(entry)


@given(ENTRIES, st.integers(1, 3))
def test_parts_hold_all_and_no_record_is_cut(entry: LogEntry, size: int) -> None:
    most, entries.PART_CHANGES = entries.PART_CHANGES, size
    try:
        parts = list(entry.parts())
    finally:
        entries.PART_CHANGES = most
    found = [row for part in parts for row in seen(part)[4]]
    assert found == seen(entry)[4]
    cells = [key for part in parts for one in seen(part)[3] for key in one[2]]
    assert cells == [key for one in seen(entry)[3] for key in one[2]]


@given(ENTRIES, st.randoms(use_true_random=False))
def test_damage_is_an_error_of_ours(entry: LogEntry, chance: random.Random) -> None:
    data = bytearray(entry.to_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    for damaged in (bytes(data), bytes(data[: chance.randrange(len(data))])):
        try:
            LogEntry.from_bytes(damaged)
        except InvalidBytes:
            continue


@pytest.mark.parametrize("shrinks", [True, False])
def test_the_forms_that_the_specification_names(shrinks: bool) -> None:  # noqa: FBT001
    data = pack({"kind": "commit"}, [b"ab"], shrinks=shrinks)
    assert data[0] == (1 if shrinks else 2)
    assert unpack(data) == ({"kind": "commit"}, [b"ab"])
    if not shrinks:
        sizes = b"\x11\0\0\0" + b"\1\0\0\0" + b"\2\0\0\0"
        assert data == b"\2" + sizes + b'{"kind":"commit"}' + b"ab"


def test_rows_are_those_of_the_specification() -> None:
    assert commit_row(5, 1).hex() == "01" + "8000000000000005" + "00000001"
    assert cursor_row("x") == b"\3x"
    later, earlier = commit_row(5, 0), commit_row(-5, 7)
    assert earlier < later
    load = entry_cells(LogEntry("load", counts={"A": 1}, labels=[b""]), None)
    assert {cell.row[:1] for cell in load.cells} == {b"\2"}
    assert load.timed == b"\0\0"
    assert time_of_row(Cell(commit_row(9, 0))) == 9


def test_keys_that_are_all_equal_are_written_once() -> None:
    cells = CellBatch.from_cells(Cell(b"r%d" % one, b"f" * 100) for one in range(1000))
    data = LogEntry(summaries=[SummaryKeys("A", "added", cells)]).to_bytes()
    assert data.count(b"f" * 100) == 1
