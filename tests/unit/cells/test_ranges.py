from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP, Key, order
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidKey
from tests.unit.store.strategies import keys, parts, ranges, timestamps


@given(ranges(), keys)
def test_a_key_is_inside_exactly_when_it_is_neither_before_nor_beyond(
    item: Range, key: Key
) -> None:
    place = order(key)
    inside = True
    if item.start is not None:
        start = order(item.start)
        inside = inside and (place > start or (item.start_inclusive and place == start))
    if item.end is not None:
        end = order(item.end)
        inside = inside and (place < end or (item.end_inclusive and place == end))
    assert item.contains(key) is inside


@given(ranges(), ranges(), keys)
def test_a_clip_holds_what_both_hold(left: Range, right: Range, key: Key) -> None:
    clipped = left.clip(right)
    both = left.contains(key) and right.contains(key)
    assert (clipped is not None and clipped.contains(key)) is both


@given(st.lists(ranges(), max_size=5), keys)
def test_merged_ranges_hold_what_any_of_them_held(items: list[Range], key: Key) -> None:
    merged = Range.merge(items)
    assert any(r.contains(key) for r in merged) is any(r.contains(key) for r in items)


@given(st.lists(ranges(), max_size=5))
def test_merged_ranges_are_sorted_and_do_not_touch(items: list[Range]) -> None:
    merged = Range.merge(items)
    for left, right in pairwise(merged):
        assert left.end is not None
        assert right.start is not None
        end, start = order(left.end), order(right.start)
        assert end < start or (
            end == start and not left.end_inclusive and not right.start_inclusive
        )


@given(ranges(), keys, st.booleans(), keys)
def test_another_start_cuts_off_what_lies_before_it(
    item: Range, start: Key, inclusive: Any, key: Key
) -> None:
    cut = item.starting(start, inclusive=inclusive)
    behind = order(key) > order(start) or (inclusive and order(key) == order(start))
    assert cut.contains(key) is (behind and not item.beyond(key))


@given(ranges(), keys)
def test_an_empty_range_holds_nothing(item: Range, key: Key) -> None:
    assert not (item.empty and item.contains(key))


@given(parts, keys)
def test_a_row_holds_all_of_its_keys_and_no_other(row: bytes, key: Key) -> None:
    assert Range.row(row).contains(key) is (key.row == row)


@given(parts, keys)
def test_a_row_prefix_holds_exactly_the_rows_that_start_with_it(prefix: bytes, key: Key) -> None:
    assert Range.prefix(prefix).contains(key) is key.row.startswith(prefix)


@given(parts, parts, keys)
def test_a_family_prefix_holds_exactly_the_families_that_start_with_it(
    row: bytes, prefix: bytes, key: Key
) -> None:
    wanted = key.row == row and key.family.startswith(prefix)
    assert Range.prefix(row, prefix).contains(key) is wanted


@given(parts, parts, keys)
def test_an_exact_family_holds_exactly_its_keys(row: bytes, family: bytes, key: Key) -> None:
    assert Range.exact(row, family).contains(key) is (key[:2] == (row, family))


@given(parts, parts, timestamps, keys)
def test_an_exact_timestamp_holds_its_put_and_its_marker(
    row: bytes, family: bytes, timestamp: int, key: Key
) -> None:
    item = Range.exact(row, family, b"", b"", timestamp)
    assert item.contains(key) is (key[:5] == (row, family, b"", b"", timestamp))


@given(st.none() | parts, st.none() | parts, st.booleans(), st.booleans(), keys)
def test_row_ranges_compare_whole_rows(
    start: bytes | None, end: bytes | None, first: Any, last: Any, key: Key
) -> None:
    try:
        item = Range.rows(start, end, start_inclusive=first, end_inclusive=last)
    except InvalidKey:
        assert start is not None
        assert end is not None
        assert start >= end
        return
    after = start is None or key.row > start or (first and key.row == start)
    before = end is None or key.row < end or (last and key.row == end)
    assert item.contains(key) is (after and before)


def test_a_start_behind_the_end_is_refused() -> None:
    with pytest.raises(InvalidKey, match="after its end"):
        Range(Key(b"b"), True, Key(b"a"), True)


def test_a_newer_version_as_end_of_an_older_start_is_refused() -> None:
    with pytest.raises(InvalidKey):
        Range(Key(b"a", timestamp=1), True, Key(b"a", timestamp=2), True)


def test_an_exact_timestamp_without_all_parts_is_refused() -> None:
    with pytest.raises(InvalidKey, match="needs row, family"):
        Range.exact(b"a", b"f", timestamp=5)


def test_a_part_left_out_before_a_given_one_is_refused() -> None:
    with pytest.raises(InvalidKey, match="left out"):
        Range.exact(b"a", None, b"q")


@pytest.mark.parametrize("timestamp", [MIN_TIMESTAMP, MAX_TIMESTAMP])
def test_the_outermost_timestamps_have_an_exact_range(timestamp: int) -> None:
    key = Key(b"a", b"", b"", b"", timestamp)
    assert Range.exact(b"a", b"", b"", b"", timestamp).contains(key)


def test_text_stands_for_its_utf8() -> None:
    assert Range.row("é") == Range.row("é".encode())
    assert Range.exact("a", "f") == Range.exact(b"a", b"f")


@pytest.mark.parametrize("bound", [b"a", "a", (b"a",), 5])
def test_a_bound_that_is_no_key_is_refused(bound: Any) -> None:
    with pytest.raises(InvalidKey, match="from Key to Key"):
        Range(bound)
    with pytest.raises(InvalidKey, match="from Key to Key"):
        Range(None, True, bound)
