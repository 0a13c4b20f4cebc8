"""Ids spread over rows: nothing is missed, and nothing else is read where ranges are exact."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.codec.buckets import bucket_of, buckets_between, parse_bucket, shard_names, shard_of
from lexigraph.codec.rowid import RowPlan, reverse_domain
from lexigraph.errors import InvalidBytes, InvalidOption, InvalidValue
from tests.unit.codec.samples import quick

# Bytes around the separators, so that ids contain them and are prefixes of each other.
identifiers = st.lists(st.sampled_from(b"\x00\x01!_0a"), max_size=4).map(bytes)
days = st.dates(date(2010, 2, 27), date(2010, 3, 3))
SHAPES: list[dict[str, Any]] = [
    {"shards": 3},
    {"bucket": "day"},
    {"bucket": "week", "shards": 2},
    {"bucket": "month"},
]
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)
each_form = pytest.mark.parametrize("form", ["terminated", "plain", "leading"])


def rows_of(plan: RowPlan, ids: list[bytes], moments: list[date]) -> set[tuple[bytes, bytes, Any]]:
    spreads = [b"a", b"b", b"c", b"d"] if plan.shards else [b""]
    found: set[tuple[bytes, bytes, Any]] = set()
    for identifier in ids:
        for moment in moments if plan.bucket else [None]:
            rows = {plan.row(identifier, moment=moment, spread=spread) for spread in spreads}
            found |= {(row, identifier, moment) for row in rows}
    return found


def inside(row: bytes, ranges: list[Any]) -> bool:
    return any(start <= row and (end is None or row < end) for start, end in ranges)


def in_dates(plan: RowPlan, moment: Any, dates: Any) -> bool:
    if dates is None:
        return True
    unit: Any = plan.bucket
    return bucket_of(dates[0], unit) <= bucket_of(moment, unit) <= bucket_of(dates[1], unit)


def dates_for(plan: RowPlan, data: st.DataObject) -> Any:
    if plan.bucket is None:
        return None
    needed = plan.form == "leading"
    return data.draw(st.tuples(days, days) if needed else st.none() | st.tuples(days, days))


@each_form
@each_shape
@quick
@given(data=st.data(), ids=st.lists(identifiers, min_size=2, max_size=6, unique=True))
def test_the_rows_of_one_id_are_found_and_no_others(
    form: Any, shape: dict[str, Any], data: st.DataObject, ids: list[bytes]
) -> None:
    plan = RowPlan(form=form, **shape)
    dates, wanted = dates_for(plan, data), ids[0]
    ranges = plan.ranges_of(wanted, dates=dates)
    exact = not (form == "plain" and plan.bucket and dates is None)
    for row, identifier, moment in rows_of(plan, ids, data.draw(st.lists(days, max_size=3))):
        expected = identifier == wanted and in_dates(plan, moment, dates)
        assert inside(row, ranges) or not expected
        assert expected or not exact or not inside(row, ranges)
        after = wanted + b"\x00"
        assert plan.matches(row, lower=wanted, upper=after, dates=dates) == expected


@each_form
@each_shape
@quick
@given(data=st.data(), ids=st.lists(identifiers, min_size=2, max_size=6, unique=True))
def test_the_rows_of_a_range_of_ids_are_found(
    form: Any, shape: dict[str, Any], data: st.DataObject, ids: list[bytes]
) -> None:
    plan = RowPlan(form=form, **shape)
    dates = dates_for(plan, data)
    lower, upper = data.draw(identifiers), data.draw(st.none() | identifiers)
    ranges = plan.ranges_between(lower, upper, dates=dates)
    exact = form == "leading" or (form == "terminated" and dates is None)
    for row, identifier, moment in rows_of(plan, ids, data.draw(st.lists(days, max_size=3))):
        between = lower <= identifier and (upper is None or identifier < upper)
        expected = between and in_dates(plan, moment, dates)
        assert inside(row, ranges) or not expected
        assert expected or not exact or not inside(row, ranges)
        assert plan.matches(row, lower=lower, upper=upper, dates=dates) == expected


@each_form
@each_shape
@quick
@given(row=st.binary(max_size=16) | identifiers.map(lambda found: found + b"_00"))
def test_a_row_is_taken_apart_or_refused(form: Any, shape: dict[str, Any], row: bytes) -> None:
    plan = RowPlan(form=form, **shape)
    try:
        parts = plan.split(row)
    except InvalidBytes:
        assert not plan.matches(row)
        return
    suffix = "_".join(text for text in (parts.bucket, parts.shard) if text).encode()
    assert suffix in row
    assert plan.matches(row)


def test_the_rows_of_the_documented_examples() -> None:
    code = reverse_domain("code.google.com").encode()
    months = RowPlan(bucket="month", form="plain")
    shards = RowPlan(shards=3, form="plain")
    assert months.row(code, moment=date(2010, 3, 9)) == b"com.google.code_201003"
    assert {shards.row(code, spread=bytes([n])) for n in range(9)} == {
        b"com.google.code_00",
        b"com.google.code_01",
        b"com.google.code_02",
    }


def test_one_id_and_dates_read_one_range_of_the_terminated_form() -> None:
    plan = RowPlan(bucket="month", shards=2)
    found = plan.ranges_of(b"ab", dates=(date(2010, 3, 31), date(2010, 5, 1)))
    assert found == [(b"ab\x00201003", b"ab\x00201006")]


def test_dates_the_wrong_way_round_hold_nothing() -> None:
    wrong = (date(2010, 3, 2), date(2010, 3, 1))
    for form in ("terminated", "plain", "leading"):
        plan = RowPlan(bucket="day", form=form)
        assert plan.ranges_of(b"a", dates=wrong) == []
        assert plan.ranges_between(b"a", b"b", dates=wrong) == []


def test_an_id_that_is_a_prefix_of_the_upper_end_is_not_missed_in_the_plain_form() -> None:
    plan = RowPlan(shards=1, form="plain")
    # a_00 sorts after a!z, although a sorts before it.
    assert plan.ranges_between(b"a", b"a!z") == [(b"a", b"a!z"), (b"a_", b"a`")]


def test_buckets_are_those_of_utc() -> None:
    west = timezone(timedelta(hours=-5))
    assert bucket_of(datetime(2009, 12, 31, 22, tzinfo=west), "hour") == "2010010103"
    assert bucket_of(datetime(2009, 12, 31, 22, tzinfo=west), "week") == "2009W53"
    assert bucket_of(datetime(999, 1, 2, tzinfo=UTC), "day") == "09990102"


@pytest.mark.parametrize(
    ("unit", "first", "last", "expected"),
    [
        ("day", date(2012, 2, 28), date(2012, 3, 1), ["20120228", "20120229", "20120301"]),
        ("week", date(2009, 12, 28), date(2010, 1, 4), ["2009W53", "2010W01"]),
        ("month", date(9999, 11, 1), date(9999, 12, 31), ["999911", "999912"]),
        ("week", date(9999, 12, 31), date(9999, 12, 31), ["9999W52"]),
        ("day", date(2000, 1, 2), date(2000, 1, 1), []),
    ],
)
def test_all_buckets_between_two_dates_are_listed(
    unit: Any, first: date, last: date, expected: list[str]
) -> None:
    assert buckets_between(first, last, unit) == expected


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("201013", "month"),
        ("20100230", "day"),
        ("2010010124", "hour"),
        ("2010W54", "week"),
        ("2010X01", "week"),
        ("+201-1", "month"),
        ("\uff12\uff10\uff11\uff10\uff10\uff11", "month"),
        ("00000101", "day"),
        ("", "month"),
    ],
)
def test_text_that_names_no_bucket_is_refused(text: str, unit: Any) -> None:
    with pytest.raises(InvalidBytes, match=f"is not a valid {unit}"):
        parse_bucket(text, unit)


def test_a_shard_is_the_crc_of_what_spreads() -> None:
    # CRC-32 of "123456789" is the well-known check value cbf43926.
    assert shard_of(b"123456789", 10_000) == 0xCBF43926 % 10_000
    assert shard_names(101)[7] == "007"
    assert shard_names(100)[7] == "07"


@pytest.mark.parametrize("shards", [0, -1, 10_001, "3"])
def test_a_wrong_number_of_shards_is_refused(shards: Any) -> None:
    with pytest.raises(InvalidOption, match="shards must be 1 to 10000"):
        RowPlan(shards=shards)


def test_a_plan_that_there_is_not_is_refused() -> None:
    with pytest.raises(InvalidOption, match="shards, a bucket, or both"):
        RowPlan()
    with pytest.raises(InvalidOption, match="form"):
        RowPlan(shards=1, form="fancy")  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="hour, day, week, month"):
        RowPlan(bucket="year")  # type: ignore[arg-type]


def test_a_moment_is_needed_where_there_are_buckets_and_only_there() -> None:
    with pytest.raises(InvalidValue, match="needs a time"):
        RowPlan(bucket="day").row(b"a")
    with pytest.raises(InvalidValue, match="does not take a time"):
        RowPlan(shards=2).row(b"a", moment=date(2000, 1, 1))
    with pytest.raises(InvalidValue, match="no hour"):
        RowPlan(bucket="hour").row(b"a", moment=date(2000, 1, 1))
    with pytest.raises(InvalidValue, match="aware"):
        RowPlan(bucket="hour").row(b"a", moment=datetime(2000, 1, 1))


def test_dates_are_refused_where_there_are_no_buckets() -> None:
    with pytest.raises(InvalidValue, match="dates cannot narrow"):
        RowPlan(shards=2).ranges_of(b"a", dates=(date(2000, 1, 1), date(2000, 1, 2)))


def test_the_leading_form_asks_for_dates() -> None:
    with pytest.raises(InvalidValue, match="needs dates"):
        RowPlan(bucket="day", form="leading").ranges_between(b"a", None)


@pytest.mark.parametrize("form", ["terminated", "plain", "leading"])
def test_text_stands_for_its_utf8(form: Any) -> None:
    plan = RowPlan(shards=4, form=form)
    assert plan.row("é", spread="x") == plan.row("é".encode(), spread=b"x")
    assert plan.ranges_of("é") == plan.ranges_of("é".encode())
    assert plan.ranges_between("a", "é") == plan.ranges_between(b"a", "é".encode())


@pytest.mark.parametrize("identifier", [5, None, ["a"], "\ud800"])
def test_an_id_that_is_no_text_is_refused(identifier: Any) -> None:
    with pytest.raises(InvalidValue):
        RowPlan(shards=4).row(identifier)
