"""Frames and names on this side of the bridge."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.errors import InvalidBytes
from lexigraph.store import Cell, CellBatch, Key, Range
from lexigraph.store.accumulo.bridge.frames import from_frame, pack_ranges, to_frame
from lexigraph.store.accumulo.names import from_remote, to_remote
from lexigraph.store.accumulo.table_properties import from_properties, to_properties, to_remove
from lexigraph.store.settings import TableSettings

PARTS = st.binary(max_size=20)
CELLS = st.lists(
    st.builds(
        Cell, PARTS, PARTS, PARTS, PARTS, st.integers(-(2**63), 2**63 - 1), st.booleans(), PARTS
    )
)


@given(CELLS)
def test_what_was_written_is_read(cells: list[Cell]) -> None:
    assert list(from_frame(memoryview(to_frame(CellBatch.from_cells(cells))))) == cells


@given(CELLS, st.integers(0, 5), st.integers(0, 5))
def test_a_slice_is_written_alone(cells: list[Cell], first: int, rest: int) -> None:
    part = CellBatch.from_cells(cells)[first : first + rest]
    assert list(from_frame(memoryview(to_frame(part)))) == cells[first : first + rest]


def test_a_frame_has_the_bytes_of_its_description() -> None:
    frame = to_frame(CellBatch.from_cells([Cell(b"r", b"f", b"q", b"A", 5, False, b"v")]), b"\0")
    wanted = b"LXF1" + struct.pack("<iq", 0, 1)
    for part in (b"r", b"f", b"q", b"A", b"v"):
        wanted += struct.pack("<qq", 0, 1) + part + bytes(7)
    wanted += struct.pack("<qqq", 5, 0, 0)
    assert bytes(frame) == wanted


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(InvalidBytes, match="LXF1"):
        from_frame(memoryview(b"LXF2" + bytes(100)))


def test_ranges_have_the_bytes_of_their_description() -> None:
    key = Key(b"r", b"f", b"", b"", 5)
    packed = pack_ranges([Range(key, False, None, True)])
    parts = struct.pack("<i", 1) + b"r" + struct.pack("<i", 1) + b"f" + struct.pack("<ii", 0, 0)
    assert packed == struct.pack("<iB", 1, 1 | 8) + parts + struct.pack("<qb", 5, 0)


def test_a_range_between_markers_is_one_between_the_puts_behind_them() -> None:
    put, later = Key(b"r", b"f", b"", b"", 5), Key(b"s")
    marker = put._replace(deleted=True)
    assert pack_ranges([Range(marker, False, later)]) == pack_ranges([Range(put, True, later)])
    assert pack_ranges([Range(None, True, marker)]) == pack_ranges([Range(None, True, put, False)])
    nothing = [Range(marker, one, marker, two) for one in (True, False) for two in (True, False)]
    assert pack_ranges([*nothing, Range.row(b"s")]) == pack_ranges([Range.row(b"s")])


NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_.\-]{0,20}", fullmatch=True)


@given(NAMES | st.sampled_from(["a_2d", "a-", "a_5f2d", "a__2e", "a.b_c-d", "a_5f_5f"]))
def test_a_name_comes_back_from_what_accumulo_calls_it(name: str) -> None:
    for namespace in ("", "ns"):
        remote = to_remote(name, namespace)
        assert remote.removeprefix("ns.").replace("_", "").isalnum()
        assert from_remote(remote, namespace) == name


def test_a_table_of_another_namespace_is_none_of_ours() -> None:
    assert from_remote("other.t", "ns") is None
    assert from_remote("t", "ns") is None
    assert from_remote("ns.t", "") is None


def test_settings_come_back_from_properties() -> None:
    settings = TableSettings(
        max_versions=3,
        locality_groups={"own name": [b"a,b", b"c\\\0"]},
        bloom="family",
        durability="relaxed",
        default_visibility=b"A",
        time_unit="millis",
        splits=[b"m"],
    )
    properties = to_properties(settings)
    assert from_properties("t", properties, (b"m",)) == settings
    assert properties["table.iterator.majc.vers.opt.maxVersions"] == "3"
    assert properties["table.groups.enabled"] == "g0"
    assert properties["table.group.g0"] == "a\\x2cb,c\\x5c\\x00"
    assert properties["table.durability"] == "flush"


def test_properties_of_settings_that_are_gone_go_too() -> None:
    before = {**to_properties(TableSettings(max_versions=3, bloom="row")), "table.split.size": "1G"}
    after = to_properties(TableSettings(max_versions=None))
    removed = to_remove(before, after)
    assert "table.bloom.enabled" in removed
    assert "table.iterator.majc.vers" in removed
    assert "table.split.size" not in removed
