"""Values of columns whose types Arrow does not have: read back from the form that tables give them.

Layer ``graph``. Addresses are text in a table, UUIDs sixteen bytes (Polars has no type for them),
points a struct. What has another form stays as it is, and the validator says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from typing import Any
from uuid import UUID

from lexigraph.errors import LexigraphError
from lexigraph.types import GeoPoint

ReadValue = Callable[[Any], Any]
_POINT = {"latitude", "longitude"}


def _address(value: Any) -> Any:
    return ip_address(value) if isinstance(value, str) else value


def _uuid(value: Any) -> Any:
    if isinstance(value, bytes):
        return UUID(bytes=value)
    return UUID(value) if isinstance(value, str) else value


def _point(value: Any) -> Any:
    is_point = isinstance(value, dict) and set(value) == _POINT
    return GeoPoint(value["latitude"], value["longitude"]) if is_point else value


_READERS: dict[str, ReadValue] = {"ip": _address, "uuid": _uuid, "geo": _point}


def reader_of(codec: str) -> ReadValue | None:
    """Return what reads values of a codec from a table, members of lists too; ``None`` for none.

    >>> read = reader_of("ip")
    >>> read("10.0.0.1"), read(["::1"]), read("here")
    (IPv4Address('10.0.0.1'), [IPv6Address('::1')], 'here')
    """
    read = _READERS.get(codec)
    if read is None:
        return None

    def read_any(value: Any) -> Any:
        if isinstance(value, list):
            return [read_any(one) for one in value]
        try:
            return read(value)
        except (ValueError, TypeError, LexigraphError):
            return value

    return read_any
