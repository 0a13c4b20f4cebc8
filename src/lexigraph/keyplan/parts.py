"""Readers and writers of keys, compiled from the parts of a plan.

Layer ``keyplan``. A reader accepts exactly what the writer of the same parts gives and raises
nothing but InvalidBytes; names are looked up when compiling, not for each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from lexigraph.codec import Codec, Nulls, codec_for, part_codec
from lexigraph.codec.escape import escape, unescape
from lexigraph.errors import InvalidBytes
from lexigraph.keyplan.model import ESCAPED, REST, Const, FieldPart, Part, Parts, fields_in

Read = Callable[[bytes], dict[str, Any]]
Write = Callable[[Mapping[str, Any]], bytes]
_Step = Callable[[bytes, int, dict[str, Any]], int]


def compile_reader(parts: Parts) -> Read:
    """Give a function that reads the fields of a whole key part.

    >>> read = compile_reader((Const(b"v"), FieldPart("day", "int8", "part")))
    >>> read(b"v\\x81")
    {'day': 1}
    """
    steps = [_compile_step(part) for part in parts]

    def read(data: bytes) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        offset = 0
        for step in steps:
            offset = step(data, offset, fields)
        if offset != len(data):
            raise InvalidBytes(f"{len(data) - offset} bytes follow the last part")
        return fields

    return read


def compile_writer(parts: Parts) -> Write:
    """Give a function that writes fields; they must all be there.

    >>> compile_writer((FieldPart("host", "str", "escaped"), Const(b"\\0")))({"host": "a"})
    b'a\\x00'
    """
    steps = [part.data if isinstance(part, Const) else compile_encoder(part) for part in parts]
    names = [part.field if isinstance(part, FieldPart) else "" for part in parts]
    pairs = list(zip(names, steps, strict=True))

    def write(fields: Mapping[str, Any]) -> bytes:
        return b"".join(
            step if isinstance(step, bytes) else step(fields[name]) for name, step in pairs
        )

    return write


def nullable_fields(parts: Parts) -> set[str]:
    """Give the names of fields that may be null."""
    return {part.field for part in fields_in(parts) if part.nulls is not None}


def _bound_codec(part: FieldPart) -> Codec[Any]:
    nulls = cast("Nulls | None", part.nulls)
    return part_codec(part.codec, descending=part.descending, nulls=nulls)


def compile_encoder(part: FieldPart) -> Callable[[Any], bytes]:
    """Give a function that writes one field as its part says.

    >>> compile_encoder(FieldPart("host", "str", "escaped"))("a\\x00")
    b'a\\x01\\x01'
    """
    codec = codec_for(part.codec)
    if part.form == ESCAPED:
        return lambda value: escape(codec.encode(value))
    if part.form == REST:
        return codec.encode
    return _bound_codec(part).encode_part


def compile_skip(part: FieldPart) -> Callable[[bytes, int], int]:
    """Give a function that finds the end of a field of form ``part`` that starts at an offset.

    >>> compile_skip(FieldPart("day", "int8", "part"))(b"v\\x81", 1)
    2
    """
    bound = _bound_codec(part)
    return lambda data, offset: bound.decode_part(data, offset)[1]


def _compile_step(part: Part) -> _Step:
    if isinstance(part, Const):
        return _compile_const(part.data)
    name, codec = part.field, codec_for(part.codec)
    if part.form == ESCAPED:

        def read_escaped(data: bytes, offset: int, fields: dict[str, Any]) -> int:
            end = data.find(b"\x00", offset)
            end = len(data) if end < 0 else end
            fields[name] = codec.decode(unescape(data[offset:end]))
            return end

        return read_escaped
    if part.form == REST:

        def read_rest(data: bytes, offset: int, fields: dict[str, Any]) -> int:
            fields[name] = codec.decode(data[offset:])
            return len(data)

        return read_rest
    bound = _bound_codec(part)

    def read_part(data: bytes, offset: int, fields: dict[str, Any]) -> int:
        fields[name], end = bound.decode_part(data, offset)
        return end

    return read_part


def _compile_const(expected: bytes) -> _Step:
    def read_const(data: bytes, offset: int, fields: dict[str, Any]) -> int:
        if not data.startswith(expected, offset):
            raise InvalidBytes(f"byte {offset} is not the start of the const {expected.hex()}")
        return offset + len(expected)

    return read_const
