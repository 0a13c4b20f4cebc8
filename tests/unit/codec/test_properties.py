"""What must hold for every codec and every value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.codec import (
    Bound,
    bounded_range,
    codec_for,
    descending,
    list_codec,
    names,
    nullable,
    part_codec,
    tuple_codec,
    tuple_range,
)
from lexigraph.errors import InvalidBytes
from tests.unit.codec.samples import VALUES, order, quick, sign, thorough

BUILT_IN = sorted(VALUES)
each_codec = pytest.mark.parametrize("name", BUILT_IN)
shapes = st.tuples(
    st.sampled_from(BUILT_IN), st.booleans(), st.sampled_from([None, "first", "last"])
)


def test_every_codec_is_tested_here() -> None:
    assert set(BUILT_IN) <= set(names())
    assert len(BUILT_IN) == 21


@each_codec
@quick
@given(data=st.data())
def test_bytes_are_ordered_as_values(name: str, data: st.DataObject) -> None:
    codec = codec_for(name)
    one, other = data.draw(VALUES[name]), data.draw(VALUES[name])
    expected = sign(order(one), order(other))
    assert sign(codec.encode(one), codec.encode(other)) == expected
    assert sign(codec.encode_part(one), codec.encode_part(other)) == expected


@each_codec
@quick
@given(data=st.data())
def test_descending_bytes_are_ordered_the_other_way(name: str, data: st.DataObject) -> None:
    codec = descending(codec_for(name))
    one, other = data.draw(VALUES[name]), data.draw(VALUES[name])
    assert sign(codec.encode(one), codec.encode(other)) == -sign(order(one), order(other))


@each_codec
@quick
@given(data=st.data())
def test_a_key_gives_an_equal_value_back(name: str, data: st.DataObject) -> None:
    codec, value = codec_for(name), data.draw(VALUES[name])
    key = codec.encode(value)
    assert order(codec.decode(key)) == order(value)
    assert codec.encode(codec.decode(key)) == key


@each_codec
@quick
@given(data=st.data())
def test_a_value_comes_back_as_it_was(name: str, data: st.DataObject) -> None:
    codec, value = codec_for(name), data.draw(VALUES[name])
    found = codec.decode_value(codec.encode_value(value))
    assert repr(found) == repr(value if name != "float32" else float(value))
    assert type(found) is type(value)


@each_codec
@quick
@given(data=st.data(), before=st.binary(max_size=3), after=st.binary(max_size=3))
def test_a_part_is_found_between_other_bytes(
    name: str, data: st.DataObject, before: bytes, after: bytes
) -> None:
    codec = part_codec(
        name,
        descending=data.draw(st.booleans()),
        nulls=data.draw(st.sampled_from([None, "first", "last"])),
    )
    part = codec.encode_part(data.draw(VALUES[name]))
    value, end = codec.decode_part(before + part + after, len(before))
    assert end == len(before) + len(part)
    assert codec.encode_part(value) == part


@each_codec
@quick
@given(data=st.data())
def test_no_part_is_a_prefix_of_another(name: str, data: st.DataObject) -> None:
    codec = codec_for(name)
    one, other = (codec.encode_part(data.draw(VALUES[name])) for _ in range(2))
    assert one == other or not one.startswith(other)


@each_codec
@quick
@given(data=st.data())
def test_a_fixed_width_is_kept(name: str, data: st.DataObject) -> None:
    codec = codec_for(name)
    size = len(codec.encode(data.draw(VALUES[name])))
    assert codec.width in (None, size)


def changed(valid: bytes, data: st.DataObject) -> bytes:
    """Spoil valid bytes: cut, lengthen or replace some."""
    at = data.draw(st.integers(0, len(valid)))
    return (
        valid[:at] + data.draw(st.binary(max_size=2)) + valid[at + data.draw(st.integers(0, 2)) :]
    )


@each_codec
@thorough
@given(data=st.data())
def test_decoders_read_only_what_encoders_write(name: str, data: st.DataObject) -> None:
    codec = codec_for(name)
    if data.draw(st.booleans()):
        codec = nullable(descending(list_codec(codec)))
        values: st.SearchStrategy[Any] = st.lists(VALUES[name], max_size=2)
    else:
        values = VALUES[name]
    value = data.draw(values)
    forms = [
        (codec.encode, codec.decode),
        (codec.encode_part, lambda read: codec.decode_part(read, 0)[0]),
        (codec.encode_value, codec.decode_value),
    ]
    for write, read in forms:
        garbage = data.draw(st.binary(max_size=20)) if data.draw(st.booleans()) else b""
        spoilt = garbage or changed(write(value), data)
        try:
            found = read(spoilt)
        except InvalidBytes:
            continue
        assert spoilt.startswith(write(found))
        if read != forms[1][1]:
            assert write(found) == spoilt


def tuples_of(plan: list[tuple[str, bool, Any]]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(*(VALUES[name] if nulls is None else VALUES[name] | st.none()
                       for name, _, nulls in plan))  # fmt: skip


def compare_tuples(plan: list[tuple[str, bool, Any]], one: Any, other: Any) -> int:
    for (_, falling, nulls), left, right in zip(plan, one, other, strict=True):
        if nulls is not None and (left is None) != (right is None):
            return (1 if left is None else -1) * (1 if nulls == "last" else -1)
        found = sign(order(left), order(right)) * (-1 if falling and left is not None else 1)
        if found:
            return found
    return 0


def codec_of(plan: list[tuple[str, bool, Any]]) -> Any:
    return tuple_codec(
        *(part_codec(name, descending=falling, nulls=nulls) for name, falling, nulls in plan)
    )


plans = st.lists(shapes, min_size=1, max_size=3).filter(
    lambda plan: not any(name in ("null", "any") and nulls for name, _, nulls in plan)
)


@thorough
@given(plan=plans, data=st.data())
def test_tuples_are_ordered_part_by_part(plan: Any, data: st.DataObject) -> None:
    codec = codec_of(plan)
    one, other = data.draw(tuples_of(plan)), data.draw(tuples_of(plan))
    assert sign(codec.encode(one), codec.encode(other)) == compare_tuples(plan, one, other)
    assert compare_tuples(plan, codec.decode(codec.encode(one)), one) == 0
    assert repr(codec.decode_value(codec.encode_value(one))) == repr(one)


@thorough
@given(plan=plans, data=st.data())
def test_a_prefix_bounds_exactly_the_tuples_that_begin_with_it(
    plan: Any, data: st.DataObject
) -> None:
    codec = codec_of(plan)
    one, other = data.draw(tuples_of(plan)), data.draw(tuples_of(plan))
    if data.draw(st.booleans()):
        other = (one[0], *other[1:])
    count = data.draw(st.integers(0, len(plan)))
    start, end = tuple_range(codec, one[:count])
    key = codec.encode(other)
    inside = start <= key and (end is None or key < end)
    assert inside == (compare_tuples(plan[:count], one[:count], other[:count]) == 0)


@thorough
@given(plan=plans, data=st.data())
def test_bounds_on_the_next_part_hold_exactly_the_tuples_between(
    plan: Any, data: st.DataObject
) -> None:
    codec = codec_of(plan)
    other = data.draw(tuples_of(plan))
    count = data.draw(st.integers(0, len(plan) - 1))
    prefix = other[:count] if data.draw(st.booleans()) else data.draw(tuples_of(plan))[:count]
    bounds = st.none() | st.builds(Bound, VALUES[plan[count][0]], st.booleans())
    lower, upper = data.draw(bounds), data.draw(bounds)
    start, end = bounded_range(codec, prefix, lower=lower, upper=upper)
    key = codec.encode(other)
    expected = compare_tuples(plan[:count], prefix, other[:count]) == 0
    bounded = other[count]
    if lower or upper:
        expected &= bounded is not None or plan[count][2] is None
    if expected and lower:
        found = sign(order(bounded), order(lower.value))
        expected = found > 0 or (found == 0 and lower.inclusive)
    if expected and upper:
        found = sign(order(bounded), order(upper.value))
        expected = found < 0 or (found == 0 and upper.inclusive)
    assert (start <= key and (end is None or key < end)) == expected
