"""Packed rows and column families come back; garbage is refused."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.codec.accumulo.rows import (
    FamilyCell,
    RowCell,
    pack_family,
    pack_row,
    unpack_family,
    unpack_row,
)
from lexigraph.errors import InvalidBytes, InvalidValue
from tests.unit.codec.samples import longs, quick

cells = st.builds(FamilyCell, st.binary(max_size=3), st.binary(max_size=3), longs, st.binary())


@quick
@given(st.lists(st.tuples(st.binary(max_size=3), cells), max_size=3), st.binary(max_size=20))
def test_packed_rows_come_back_and_garbage_is_refused(
    found: list[tuple[bytes, FamilyCell]], garbage: bytes
) -> None:
    row = [RowCell(family, *rest) for family, rest in found]
    assert unpack_row(pack_row(row)) == row
    assert unpack_family(pack_family(rest for _, rest in found)) == [rest for _, rest in found]
    for spoilt in (garbage, pack_row(row) + b"\x00", pack_row(row)[:-1]):
        for unpack in (unpack_row, unpack_family):
            with suppress(InvalidBytes):
                unpack(spoilt)


@pytest.mark.parametrize("data", ["", "ffffffff", "00000001", "00000001ffffffff", "0000000000"])
def test_a_packed_row_that_is_cut_or_negative_is_refused(data: str) -> None:
    with pytest.raises(InvalidBytes):
        unpack_row(bytes.fromhex(data))


def test_a_timestamp_has_64_bits() -> None:
    with pytest.raises(InvalidValue, match="timestamp"):
        pack_family([FamilyCell(b"", b"", 2**63, b"")])
