"""Python and the native core write the same bytes and refuse the same bytes."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spec.tagged import part as described_part
from spec.tagged import to_json

from lexigraph.codec import Codec, codec_for, list_codec, part_codec, tuple_codec
from lexigraph.errors import InvalidBytes, InvalidValue
from tests.unit.codec.samples import VALUES

native = pytest.importorskip(
    "lexigraph._native", reason="the native core is not built: run maturin develop"
)

FORMS = ("key", "part", "value")
each_codec = pytest.mark.parametrize("name", sorted(VALUES))

# A codec, the same as JSON, and a strategy for its values.
Described = tuple[Codec[Any], Any, st.SearchStrategy[Any]]


def encode(codec: Codec[Any], form: str, value: Any) -> bytes:
    if form == "key":
        return codec.encode(value)
    return codec.encode_part(value) if form == "part" else codec.encode_value(value)


def decode(codec: Codec[Any], form: str, data: bytes) -> Any:
    if form == "key":
        return codec.decode(data)
    if form == "value":
        return codec.decode_value(data)
    value, end = codec.decode_part(data, 0)
    if end != len(data):
        raise InvalidBytes("bytes follow the part")
    return value


def read_both(codec: Codec[Any], described: Any, form: str, data: bytes) -> tuple[Any, Any]:
    """Give what each made of the bytes: a typed value, or None if refused."""
    try:
        ours = to_json(decode(codec, form, data))
    except InvalidBytes:
        ours = None
    try:
        theirs = json.loads(native.codec_decode(json.dumps(described), form, data))
    except InvalidBytes:
        theirs = None
    return ours, theirs


def part(inner: Described, *, descending: bool, nulls: Any) -> Described:
    codec, described, values = inner
    return (
        part_codec(codec, descending=descending, nulls=nulls),
        {"part": described_part(described, desc=descending, nulls=nulls)},
        values if nulls is None else values | st.none(),
    )


def in_list(inner: Described) -> Described:
    codec, described, values = inner
    return list_codec(codec), {"list": described_part(described)}, st.lists(values, max_size=3)


def in_tuple(parts: list[Described]) -> Described:
    return (
        tuple_codec(*(codec for codec, _, _ in parts)),
        {"tuple": [described_part(described) for _, described, _ in parts]},
        st.tuples(*(values for _, _, values in parts)),
    )


def named(name: str) -> Described:
    return codec_for(name), name, VALUES[name]


@cache
def around(name: str) -> st.SearchStrategy[Described]:
    """The codec itself, or something made from it."""
    single = st.just(named(name))
    parts = st.builds(
        part, single, descending=st.booleans(), nulls=st.sampled_from([None, "first", "last"])
    )
    others = st.sampled_from(sorted(VALUES)).map(named)
    tuples = st.lists(parts | others, max_size=3).map(in_tuple)
    lists = parts.map(in_list)
    nested = st.builds(
        part,
        parts | tuples | lists,
        descending=st.booleans(),
        nulls=st.sampled_from([None, "first", "last"]),
    )
    return single | parts | tuples | lists | nested


@each_codec
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_values_have_the_same_bytes_and_come_back_the_same(name: str, data: st.DataObject) -> None:
    codec, described, values = data.draw(around(name))
    value = data.draw(values)
    for form in FORMS:
        ours = encode(codec, form, value)
        theirs = native.codec_encode(json.dumps(described), form, json.dumps(to_json(value)))
        assert theirs.hex() == ours.hex(), form
        mine, others = read_both(codec, described, form, ours)
        assert mine is not None
        assert mine == others, form


@each_codec
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_damaged_bytes_are_read_or_refused_alike(name: str, data: st.DataObject) -> None:
    codec, described, values = data.draw(around(name))
    form = data.draw(st.sampled_from(FORMS))
    valid = encode(codec, form, data.draw(values))
    at = data.draw(st.integers(0, len(valid)))
    cut = at + data.draw(st.integers(0, 2))
    damaged = valid[:at] + data.draw(st.binary(max_size=2)) + valid[cut:]
    ours, theirs = read_both(codec, described, form, damaged)
    assert ours == theirs, damaged.hex()


@settings(max_examples=300, deadline=None)
@given(
    made=st.sampled_from(sorted(VALUES)).flatmap(around),
    garbage=st.binary(max_size=24),
)
def test_garbage_is_read_or_refused_alike(made: Described, garbage: bytes) -> None:
    codec, described, _ = made
    for form in FORMS:
        ours, theirs = read_both(codec, described, form, garbage)
        assert ours == theirs, garbage.hex()


@each_codec
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_values_of_other_types_are_refused_alike(name: str, data: st.DataObject) -> None:
    codec, value = codec_for(name), data.draw(VALUES["any"])
    for form in FORMS:
        try:
            ours = encode(codec, form, value)
        except InvalidValue:
            ours = None
        try:
            theirs = native.codec_encode(json.dumps(name), form, json.dumps(to_json(value)))
        except InvalidValue:
            theirs = None
        assert ours == theirs, form


def test_a_form_or_codec_that_there_is_not_is_refused() -> None:
    with pytest.raises(InvalidValue, match="key, part or value"):
        native.codec_encode('"int"', "keys", '{"t": "int", "v": "1"}')
    with pytest.raises(InvalidValue, match="no codec"):
        native.codec_decode('"integer"', "key", b"")
    with pytest.raises(InvalidValue, match="not JSON"):
        native.codec_decode("int", "key", b"")
