"""The vectors of spec/codec.json hold, and the file is what its maker writes."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from spec.make_codec import FILE, render
from spec.tagged import codec_from_json, from_json, to_json

from lexigraph.codec import Bound, TupleCodec, bounded_range, following_prefix, successor
from lexigraph.codec.buckets import bucket_of, parse_bucket, shard_names, shard_of
from lexigraph.codec.rowid import RowPlan
from lexigraph.errors import InvalidBytes, InvalidValue

SPEC: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))


def section(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", SPEC[name], ids=range(len(SPEC[name])))


def optional(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


def moment(micros: str | None) -> Any:
    return micros and from_json({"t": "datetime", "v": micros, "offset": "0"})


def test_the_file_is_what_its_maker_writes() -> None:
    assert FILE.read_text(encoding="utf-8") == render()


@section("values")
def test_a_value_is_encoded_as_the_vector_says(vector: dict[str, Any]) -> None:
    codec, value = codec_from_json(vector["codec"]), from_json(vector["value"])
    assert to_json(value) == vector["value"]
    assert codec.encode(value).hex() == vector["key"]
    assert codec.encode_part(value).hex() == vector["part"]
    assert codec.encode_value(value).hex() == vector["stored"]


@section("values")
def test_bytes_are_decoded_as_the_vector_says(vector: dict[str, Any]) -> None:
    codec = codec_from_json(vector["codec"])
    canonical = from_json(vector.get("canonical", vector["value"]))
    part = bytes.fromhex(vector["part"])
    assert repr(codec.decode(bytes.fromhex(vector["key"]))) == plain(canonical)
    found, end = codec.decode_part(b"\x05" + part + b"\x05", 1)
    assert (repr(found), end) == (plain(canonical), len(part) + 1)
    stored = codec.decode_value(bytes.fromhex(vector["stored"]))
    expected = from_json(vector["value"])
    assert repr(stored) == (repr(expected) if vector["codec"] == "any" else plain(expected))


def plain(value: Any) -> str:
    """Print without the width of a float, which only self-describing values give back."""
    return repr(float(value)) if isinstance(value, float) else repr(value)


@section("orders")
def test_keys_rise_with_values(vector: dict[str, Any]) -> None:
    codec = codec_from_json(vector["codec"])
    keys = [codec.encode(from_json(value)) for value in vector["values"]]
    assert [key.hex() for key in keys] == vector["keys"]
    assert all(one < other for one, other in pairwise(keys))


@section("refused_bytes")
def test_bytes_are_refused(vector: dict[str, Any]) -> None:
    codec, data = codec_from_json(vector["codec"]), bytes.fromhex(vector["bytes"])
    if vector["form"] == "part":
        try:
            _, end = codec.decode_part(data, 0)
        except InvalidBytes:
            return
        assert end < len(data)
        return
    with pytest.raises(InvalidBytes):
        (codec.decode if vector["form"] == "key" else codec.decode_value)(data)


@section("refused_values")
def test_values_are_refused(vector: dict[str, Any]) -> None:
    codec, value = codec_from_json(vector["codec"]), from_json(vector["value"])
    for encode in (codec.encode, codec.encode_part, codec.encode_value):
        with pytest.raises(InvalidValue):
            encode(value)


@section("prefixes")
def test_a_prefix_ends_where_the_vector_says(vector: dict[str, Any]) -> None:
    prefix = bytes.fromhex(vector["prefix"])
    assert following_prefix(prefix) == optional(vector["end"])
    assert successor(prefix).hex() == vector["successor"]


@section("bounds")
def test_a_range_has_the_bounds_of_the_vector(vector: dict[str, Any]) -> None:
    codec = codec_from_json(vector["codec"])
    assert isinstance(codec, TupleCodec)
    lower, upper = (
        bound and Bound(from_json(bound["value"]), bound["inclusive"])
        for bound in (vector["lower"], vector["upper"])
    )
    prefix = [from_json(value) for value in vector["prefix"]]
    found = bounded_range(codec, prefix, lower=lower, upper=upper)
    assert found == (bytes.fromhex(vector["start"]), optional(vector["end"]))


@section("shards")
def test_a_shard_is_that_of_the_vector(vector: dict[str, Any]) -> None:
    n = vector["n"]
    assert shard_names(n)[shard_of(bytes.fromhex(vector["spread"]), n)] == vector["suffix"]


@section("buckets")
def test_a_bucket_is_that_of_the_vector(vector: dict[str, Any]) -> None:
    found = bucket_of(moment(vector["micros"]), vector["unit"])
    assert found == vector["suffix"]
    assert bucket_of(parse_bucket(found, vector["unit"]), vector["unit"]) == found


@section("rows")
def test_a_row_is_that_of_the_vector(vector: dict[str, Any]) -> None:
    plan, identifier = RowPlan(**vector["plan"]), bytes.fromhex(vector["id"])
    spread = bytes.fromhex(vector["spread"])
    row = plan.row(identifier, moment=moment(vector["moment"]), spread=spread)
    assert row.hex() == vector["row"]
    assert plan.split(row).identifier == identifier


@section("expansions")
def test_ranges_of_rows_are_those_of_the_vector(vector: dict[str, Any]) -> None:
    plan, lower = RowPlan(**vector["plan"]), bytes.fromhex(vector["lower"])
    unit = vector["plan"]["bucket"]
    first_last = vector["dates"] and tuple(parse_bucket(text, unit) for text in vector["dates"])
    if vector["one"]:
        found = plan.ranges_of(lower, dates=first_last)
    else:
        found = plan.ranges_between(lower, optional(vector["upper"]), dates=first_last)
    expected = [(bytes.fromhex(start), optional(end)) for start, end in vector["ranges"]]
    assert found == expected
