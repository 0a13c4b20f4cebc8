"""What must hold for every aggregator, whatever the values."""

from __future__ import annotations

from datetime import UTC, date
from decimal import Decimal
from functools import reduce
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.codec import codec_for
from lexigraph.errors import InvalidBytes, InvalidOption, InvalidValue
from lexigraph.functions import AGGREGATORS, Aggregator, aggregator_for

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(-(2**70), 2**70),
    "decimal": st.decimals(allow_nan=False, allow_infinity=False, places=3),
    "float": st.floats(),
    "str": st.text(),
    "date": st.dates(),
    "bool": st.booleans(),
    "datetime": st.datetimes(timezones=st.just(UTC)),
    "any": st.one_of(st.integers(), st.text(), st.none(), st.floats(), st.decimals()),
}


def fits(name: str, codec: str) -> bool:
    try:
        aggregator_for(name, codec_for(codec))
    except InvalidOption:
        return False
    # Bitmaps hold no negative numbers; sketches have their own tests.
    canonical = AGGREGATORS.find(name).canonical and name != "bitmap"
    return canonical and (name, codec) not in (("sum", "float"), ("product", "float"))


PAIRS = [(name, codec) for name in AGGREGATORS.names for codec in VALUES if fits(name, codec)]
each_pair = pytest.mark.parametrize(("name", "codec"), PAIRS)


@st.composite
def shuffled_groups(draw: st.DrawFn, codec: str) -> tuple[list[Any], list[list[Any]]]:
    values = VALUES[codec].filter(lambda v: not (isinstance(v, Decimal) and v.is_snan()))
    items = draw(
        st.lists(st.tuples(values, st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=8)
    )
    other = draw(st.permutations(items))
    cuts = sorted(draw(st.sets(st.integers(0, len(other)))) | {0, len(other)})
    groups = [other[a:b] for a, b in pairwise(cuts)]
    return items, [group for group in groups if group]


def merged(aggregator: Aggregator, items: list[Any]) -> Any:
    return reduce(aggregator.merge, [aggregator.start(value, time) for value, time in items])


@each_pair
@settings(max_examples=25)
@given(data=st.data())
def test_any_order_and_grouping_gives_the_same_bytes(
    name: str, codec: str, data: st.DataObject
) -> None:
    items, groups = data.draw(shuffled_groups(codec))
    aggregator = aggregator_for(name, codec_for(codec))
    partial = [aggregator.encode(merged(aggregator, group)) for group in groups]
    whole = reduce(aggregator.merge, [aggregator.decode(one, 0) for one in partial])
    assert aggregator.encode(whole) == aggregator.encode(merged(aggregator, items))


@given(st.lists(st.floats(-1e12, 1e12), min_size=1), st.randoms())
def test_float_sums_agree_within_rounding(values: list[float], random: Any) -> None:
    aggregator = aggregator_for("sum", codec_for("float"))
    shuffled = list(values)
    random.shuffle(shuffled)
    one = merged(aggregator, [(value, 0) for value in values])
    other = merged(aggregator, [(value, 0) for value in shuffled])
    assert one == pytest.approx(other, abs=1e-12 * sum(map(abs, values)))


@each_pair
@given(data=st.binary())
def test_reading_garbage_raises_only_invalid_bytes(name: str, codec: str, data: bytes) -> None:
    aggregator = aggregator_for(name, codec_for(codec))
    try:
        state = aggregator.decode(data, 0)
    except InvalidBytes:
        return
    aggregator.finish(state)


def test_a_written_result_takes_the_time_of_its_cell() -> None:
    last = aggregator_for("last", codec_for("str"))
    old, new = (last.decode(last.encode_result(text), time) for text, time in (("a", 1), ("b", 2)))
    assert last.finish(last.merge(new, old)) == "b"


def test_a_merged_state_keeps_its_own_time_in_a_newer_cell() -> None:
    last = aggregator_for("last", codec_for("str"))
    stored = last.encode(last.start("a", 1))
    assert last.finish(last.merge(last.decode(stored, 99), last.start("b", 2))) == "b"


@pytest.mark.parametrize("members", [b"ann", 3, None, [3]])
def test_a_set_property_takes_no_other_type(members: Any) -> None:
    with pytest.raises(InvalidValue, match="holds str"):
        aggregator_for("set", codec_for("str")).encode_result(members)


def test_a_set_property_takes_a_single_member() -> None:
    assert aggregator_for("set", codec_for("str")).encode_result("ann") == b"\x03ann"


@pytest.mark.parametrize("members", [{"b", "a"}, ["b", "a", "b"], ("a", "b"), frozenset("ab")])
def test_a_set_property_takes_any_collection(members: Any) -> None:
    assert aggregator_for("set", codec_for("str")).encode_result(members) == b"\x01a\x01b"


def test_a_decimal_sum_that_would_fill_the_memory_is_refused() -> None:
    total = aggregator_for("sum", codec_for("decimal"))
    with pytest.raises(InvalidValue, match="digits"):
        total.merge(Decimal("1E+900000000"), Decimal("1E-900000000"))


def test_decimals_of_one_huge_exponent_are_added() -> None:
    total = aggregator_for("sum", codec_for("decimal"))
    assert total.merge(Decimal("1E+900000000"), Decimal("2E+900000000")) == Decimal("3E+900000000")


def test_opposite_infinities_are_not_a_number() -> None:
    total = aggregator_for("sum", codec_for("decimal"))
    assert total.merge(Decimal("Infinity"), Decimal("-Infinity")).is_nan()


def test_merging_sets_leaves_its_inputs_alone() -> None:
    union = aggregator_for("set", codec_for("date"))
    one, other = union.start(date(2026, 1, 1), 0), union.start(date(2026, 1, 2), 0)
    union.merge(one, other)
    assert union.finish(one) == (date(2026, 1, 1),)
