"""The type bytes of self-describing values, in this one place.

Codec layer. These numbers are stored. Never renumber, never reuse one; the order of the numbers
is the order of types in keys. 00 ends a tuple and ff is kept free, so neither is ever a type.
"""

from __future__ import annotations

from typing import Final

NULL: Final = 0x10
BOOL: Final = 0x20
INT: Final = 0x30
INT8: Final = 0x31
INT16: Final = 0x32
INT32: Final = 0x33
INT64: Final = 0x34
BIGINT: Final = 0x35
FLOAT: Final = 0x38
FLOAT32: Final = 0x39
DECIMAL: Final = 0x40
STR: Final = 0x48
BYTES: Final = 0x50
DATE: Final = 0x58
TIME: Final = 0x60
NAIVE_DATETIME: Final = 0x68
DATETIME: Final = 0x70
TIMEDELTA: Final = 0x78
UUID: Final = 0x80
IP: Final = 0x88
GEO: Final = 0x90
TUPLE: Final = 0x98
LIST: Final = 0x99
STREAM: Final = 0xA0

#: Types that are one with another type in keys.
KEY_TYPE: Final[dict[int, int]] = {
    INT8: INT,
    INT16: INT,
    INT32: INT,
    INT64: INT,
    BIGINT: INT,
    FLOAT32: FLOAT,
    LIST: TUPLE,
}
