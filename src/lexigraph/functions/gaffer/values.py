"""Values in Gaffer's typed JSON: ``5`` is an Integer, ``{"java.lang.Long": 5}`` a Long.

Layer ``functions``. What we store does not tell an Integer from a Long, but Gaffer's functions do:
a comparison with a value of another class fails.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from lexigraph.errors import InvalidValue, show

JAVA_CODECS: dict[str, str] = {
    "java.lang.String": "str",
    "java.lang.Character": "str",
    "java.lang.Boolean": "bool",
    "java.lang.Byte": "int",
    "java.lang.Short": "int",
    "java.lang.Integer": "int",
    "java.lang.Long": "int",
    "java.math.BigInteger": "int",
    "java.math.BigDecimal": "decimal",
    "java.lang.Float": "float",
    "java.lang.Double": "float",
    "java.util.Date": "datetime",
    "[B": "bytes",
}
"""The codec for each class of Java that has one value."""

_BARE = {
    bool: "java.lang.Boolean",
    int: "java.lang.Integer",
    float: "java.lang.Double",
    str: "java.lang.String",
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class JavaValue(NamedTuple):
    """A value with its class."""

    java: str | None
    """``None`` for null."""
    value: Any


def read_java(data: Any) -> JavaValue:
    """Read a value of Gaffer's typed JSON.

    >>> read_java({"java.lang.Long": 5})
    JavaValue(java='java.lang.Long', value=5)
    >>> read_java({"java.util.TreeSet": ["a"]})
    JavaValue(java='java.util.TreeSet', value=['a'])
    >>> read_java({"[B": "aGk="})
    JavaValue(java='[B', value=b'hi')
    """
    if data is None:
        return JavaValue(None, None)
    if type(data) in _BARE:
        return JavaValue(_BARE[type(data)], data)
    if isinstance(data, Mapping) and len(data) == 1:
        ((java, inner),) = data.items()
        if java == "java.util.Date":
            return JavaValue(java, _EPOCH + timedelta(milliseconds=int(inner)))
        if java == "[B" and isinstance(inner, str):
            return JavaValue(java, _read_bytes(inner))
        if isinstance(inner, list):
            return JavaValue(java, [read_java(item).value for item in inner])
        if isinstance(inner, Mapping):
            return JavaValue(java, {key: read_java(item).value for key, item in inner.items()})
        return JavaValue(java, inner)
    raise InvalidValue(f"{show(data)} is not a value of Gaffer's JSON")


def _read_bytes(written: str) -> bytes:
    try:
        return b64decode(written, validate=True)
    except ValueError:
        raise InvalidValue(f"{show(written)} is not base64, in which Gaffer writes bytes") from None
