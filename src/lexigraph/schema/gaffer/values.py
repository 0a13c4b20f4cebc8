"""Values in Gaffer's JSON: text, integers, floats and booleans bare, all else beside its class.

Layer ``schema``. Sets and lists become tuples and lists, maps become dicts, Gaffer's pairs and
triples of text become tuples; the Java class decides how a value is written back.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from lexigraph.codec import codec_for
from lexigraph.errors import InvalidValue, show
from lexigraph.schema.gaffer.types import (
    BOOLEAN,
    BYTES,
    COLLECTION,
    DATE,
    FREQ_MAP,
    HLL_PLUS,
    MAP,
    STRING,
    TYPE_SUBTYPE_VALUE,
    TYPE_VALUE,
    JavaClass,
    find_class,
)
from lexigraph.schema.keys import in_order

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PARTS = {TYPE_VALUE: ("type", "value"), TYPE_SUBTYPE_VALUE: ("type", "subType", "value")}
_BARE = {STRING, BOOLEAN, "java.lang.Integer", "java.lang.Double"}


def value_from_gaffer(data: Any) -> tuple[str | None, Any]:
    """Return the Java class and the value of Gaffer's JSON; the class of null is ``None``.

    >>> value_from_gaffer({"java.lang.Long": 5}), value_from_gaffer("five")
    (('java.lang.Long', 5), ('java.lang.String', 'five'))
    """
    if data is None:
        return None, None
    if isinstance(data, bool):
        return BOOLEAN, data
    if isinstance(data, int):
        narrow = -(1 << 31) <= data < 1 << 31
        return "java.lang.Integer" if narrow else "java.lang.Long", data
    if isinstance(data, float):
        return "java.lang.Double", data
    if isinstance(data, str):
        return STRING, data
    if isinstance(data, list):
        return "java.util.ArrayList", [value_from_gaffer(one)[1] for one in data]
    if isinstance(data, Mapping) and len(data) == 1:
        ((name, inner),) = data.items()
        found = find_class(name)
        return found.name, _read(found, inner)
    raise InvalidValue(
        f"{show(data)} is not a value in Gaffer's JSON",
        hint='Write a value of another class together with its class: {"java.lang.Long": 5}.',
    )


def value_to_gaffer(value: Any, java: str) -> Any:
    """Write a value of a Java class.

    >>> value_to_gaffer(5, "java.lang.Long"), value_to_gaffer(5, "java.lang.Integer")
    ({'java.lang.Long': 5}, 5)
    """
    if value is None:
        return None
    return value if java in _BARE else {java: _write(find_class(java), value)}


def _read(kind: JavaClass, data: Any) -> Any:
    try:
        return _convert(kind, data)
    except (ValueError, TypeError, AttributeError, ArithmeticError, LookupError):
        raise InvalidValue(f"{show(data)} is not a value of {kind.name}") from None


def _convert(kind: JavaClass, data: Any) -> Any:
    if kind.name == DATE:
        return _EPOCH + timedelta(milliseconds=data)
    if kind.name == BYTES:
        return base64.b64decode(data, validate=True)
    if kind.name in _PARTS:
        return tuple(data.get(part) for part in _PARTS[kind.name])
    if kind.name == HLL_PLUS:
        return [value_from_gaffer(one)[1] for one in data["hyperLogLogPlus"]["offers"]]
    if MAP in kind.supers:
        return {name: value_from_gaffer(one)[1] for name, one in data.items()}
    if kind.collects == "set":
        return in_order(value_from_gaffer(one)[1] for one in data)
    if COLLECTION in kind.supers:
        return [value_from_gaffer(one)[1] for one in data]
    if kind.codec == "float":
        return float(data)
    if kind.codec == "decimal":
        return Decimal(str(data))
    if kind.codec == "uuid":
        return UUID(data)
    if kind.codec == "any":
        return value_from_gaffer(data)[1]
    codec_for(kind.codec).encode(data)
    return data


def _write(kind: JavaClass, value: Any) -> Any:
    if kind.name == DATE:
        return (value - _EPOCH) // timedelta(milliseconds=1)
    if kind.name == BYTES:
        return base64.b64encode(value).decode("ascii")
    if kind.name in _PARTS:
        pairs = zip(_PARTS[kind.name], value, strict=True)
        return {part: one for part, one in pairs if one is not None}
    if MAP in kind.supers:
        return (
            dict(value) if kind.name == FREQ_MAP else {str(k): _bare(v) for k, v in _pairs(value)}
        )
    if COLLECTION in kind.supers:
        return [_bare(one) for one in value]
    return str(value) if kind.codec in ("decimal", "uuid") else value


def _pairs(value: Any) -> Iterable[tuple[Any, Any]]:
    pairs: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, Mapping) else value
    return pairs


def _bare(value: Any) -> Any:
    # Members have no declared class: those of Java that JSON has no word for are the widest ones.
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 31:
        return {"java.lang.Long": value}
    if isinstance(value, datetime):
        return value_to_gaffer(value, DATE)
    return value
