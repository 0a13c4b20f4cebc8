"""How an id stands in a row: escaped with delimiters, or as it is where all have one width.

Layer ``layout``. The key of an id is never a proper prefix of another's followed by the delimiter,
so the rows of one vertex are a range of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lexigraph.cells.jsonbytes import bytes_from_json, bytes_to_json
from lexigraph.codec import codec_for
from lexigraph.codec.escape import escape
from lexigraph.codec.prefix import following_prefix
from lexigraph.errors import UnsupportedError
from lexigraph.layout.groups import id_codec
from lexigraph.schema import Schema
from lexigraph.schema.model import Group
from lexigraph.store import Range

_WIDE = {8: "int8", 16: "int16", 32: "int32", 64: "int64"}


class Ends:
    """The ids of one schema as rows hold them."""

    def __init__(self, schema: Schema, *, fixed: bool) -> None:
        self.fixed = fixed
        self.codec = _fixed_codec(schema) if fixed else id_codec(schema)
        self.delimiter = b"" if fixed else b"\x00"
        self.width = codec_for(self.codec).width or 0
        self._encode = codec_for(self.codec).encode

    def encode(self, value: Any) -> bytes:
        """Give the key form of an id; one of another type is InvalidValue."""
        return self._encode(value)

    def key(self, value: Any) -> bytes:
        """Give the bytes that all rows of a vertex start with."""
        data = self._encode(value)
        return data if self.fixed else escape(data)

    def part(self, field: str) -> dict[str, Any]:
        """Give the part of a plan that holds an id."""
        form = "part" if self.fixed else "escaped"
        return {"field": field, "codec": self.codec, "form": form}

    def behind(self, key: bytes) -> bytes | None:
        """Give the first row behind those that start with this id; ``None`` behind all rows."""
        return following_prefix(key) if self.fixed else key + b"\x01"

    def own_rows(self, start: bytes, key: bytes) -> Range:
        """Give the rows from ``start`` to the last that starts with ``key``."""
        return Range.rows(start, self.behind(key), end_inclusive=False)

    def predicate(self, group: Group, where: Mapping[str, Any]) -> Mapping[str, Any]:
        """Give a predicate with the key forms of ids as rows hold them."""
        if all(kind.codec == self.codec for kind in group.ids.values()):
            return where
        hidden = {one.name for one in group.properties}
        changed = {
            name: self._recode(kind.codec)
            for name, kind in group.ids.items()
            if name not in hidden and kind.codec != self.codec
        }
        return _recoded(where, changed)

    def _recode(self, codec: str) -> Callable[[Any], Any]:
        decode = codec_for(codec).decode

        def recode(data: Any) -> Any:
            plain = data if isinstance(data, bytes) else bytes_from_json(data, "a value")
            return bytes_to_json(self._encode(decode(plain)))

        return recode


def _recoded(
    where: Mapping[str, Any], changed: Mapping[str, Callable[[Any], Any]]
) -> Mapping[str, Any]:
    inner = where.get("of")
    if isinstance(inner, Mapping):
        return {**where, "of": _recoded(inner, changed)}
    if inner is not None:
        return {**where, "of": [_recoded(one, changed) for one in inner]}
    recode = changed.get(where.get("field", ""))
    if recode is None:
        return where
    if "values" in where:
        return {**where, "values": [recode(value) for value in where["values"]]}
    return {**where, "value": recode(where["value"])} if "value" in where else where


def _fixed_codec(schema: Schema) -> str:
    kinds = schema.id_types
    codec, bits = next(iter(kinds)) if len(kinds) == 1 else ("any", None)
    if codec == "int" and bits in _WIDE:
        codec = _WIDE[bits]
    if codec_for(codec).width is None:
        raise UnsupportedError(
            f"rows of a fixed length need ids of one type and width, and codec {codec!r} has none",
            hint="Leave fixed_length out, or give all ids one type such as Int64, UUID or date.",
        )
    return codec
