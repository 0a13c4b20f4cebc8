"""Bytes, keys and cells as JSON: the one form of ``spec/scan.md`` section 1.

Layer ``cells``. Printable ASCII is a JSON string, everything else ``{"hex": ...}``; reading accepts
exactly what writing gives, plus Python bytes for callers that never leave Python.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lexigraph.arguments import read_int64
from lexigraph.cells.cell import Cell, Key
from lexigraph.errors import InvalidOption, show

_HEX = re.compile("(?:[0-9a-f]{2})*")


def bytes_to_json(data: bytes) -> Any:
    """Write bytes.

    >>> bytes_to_json(b"ann"), bytes_to_json(b"\\x00a")
    ('ann', {'hex': '0061'})
    """
    if all(0x20 <= byte <= 0x7E for byte in data):
        return data.decode("ascii")
    return {"hex": data.hex()}


def bytes_from_json(value: Any, what: str = "byte string") -> bytes:
    """Read bytes; ``what`` names the option in the error.

    >>> bytes_from_json({"hex": "00ff"})
    b'\\x00\\xff'
    """
    if isinstance(value, bytes):
        return value
    if isinstance(value, str) and all(" " <= char <= "~" for char in value):
        return value.encode("ascii")
    if isinstance(value, dict) and set(value) == {"hex"} and isinstance(value["hex"], str):
        digits = value["hex"]
        # Not all that fromhex takes: blanks and capitals would be a second form of the same bytes.
        if _HEX.fullmatch(digits):
            return bytes.fromhex(digits)
    raise InvalidOption(
        f"{what} must be printable ASCII text or {{'hex': '..'}}, not {show(value)}",
        hint='Write bytes outside 0x20..0x7e as {"hex": "00ff"}.',
    )


def key_to_json(key: Key) -> list[Any]:
    """Write a key as a list of six."""
    return [*map(bytes_to_json, key[:4]), key.timestamp, int(key.deleted)]


def key_from_json(value: Any) -> Key:
    """Read a key."""
    parts = _entries(value, 6, "key")
    row, family, qualifier, visibility = _texts(parts)
    timestamp = read_int64(parts[4], "a timestamp")
    return Key(row, family, qualifier, visibility, timestamp, _flag(parts[5]))


def cell_to_json(cell: Cell) -> list[Any]:
    """Write a cell as a list of seven."""
    return [*key_to_json(cell.key), bytes_to_json(cell.value)]


def cell_from_json(value: Any) -> Cell:
    """Read a cell.

    >>> cell_from_json(["ann", "age", "", "", 5, 0, "41"]).value
    b'41'
    """
    parts = _entries(value, 7, "cell")
    return Cell(*key_from_json(parts[:6]), bytes_from_json(parts[6], "value"))


def _entries(value: Any, count: int, what: str) -> Sequence[Any]:
    if not isinstance(value, list | tuple) or len(value) != count:
        raise InvalidOption(f"a {what} in JSON is a list of {count} entries, not {show(value)}")
    return value


def _texts(parts: Sequence[Any]) -> list[bytes]:
    return [bytes_from_json(part, "key part") for part in parts[:4]]


def _flag(value: Any) -> bool:
    if isinstance(value, bool | float) or value not in (0, 1):
        raise InvalidOption(f"a delete flag is 0 or 1, not {show(value)}")
    return bool(value)
