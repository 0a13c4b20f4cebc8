"""Dates in the settings of a TimestampFilter."""

from __future__ import annotations

import pytest

from lexigraph.errors import InvalidOption
from lexigraph.store.stages.java_dates import read_millis

NEW_YEAR = 1767225600000  # 2026-01-01T00:00:00Z


@pytest.mark.parametrize(
    ("text", "millis"),
    [
        ("20260101000000GMT", NEW_YEAR),
        ("20260101000000UTC", NEW_YEAR),
        ("20260101010000GMT+01:00", NEW_YEAR),
        ("20260101010000+0100", NEW_YEAR),
        ("20251231160000PST", NEW_YEAR),
        ("20251301000000GMT", NEW_YEAR),
        ("20251232000000GMT", NEW_YEAR),
        ("2026010100000GMT", NEW_YEAR),
        ("20251231235960GMT", NEW_YEAR),
        ("20251231240000GMT", NEW_YEAR),
        ("20260000000000GMT", NEW_YEAR - 32 * 86_400_000),
    ],
)
def test_dates_are_read_leniently(text: str, millis: int) -> None:
    assert read_millis(text) == millis


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "20260101000000",
        "2026GMT",
        "20260101000000XYZ",
        "20260101000000+9900",
        "00000101000000GMT",
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(InvalidOption):
        read_millis(text)
