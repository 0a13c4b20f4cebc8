"""Cells and keys: what a table is made of, and the one order they have.

Layer ``cells``. Order: row, family, qualifier, visibility ascending as unsigned bytes; timestamp
descending; a delete marker before a put at the same timestamp. Visibility is part of a cell's
identity. Everything that compares keys goes through :func:`order`; nothing else may.
"""

from __future__ import annotations

from typing import NamedTuple

MAX_TIMESTAMP = 2**63 - 1
MIN_TIMESTAMP = -(2**63)

Order = tuple[bytes, bytes, bytes, bytes, int, bool]


class Key(NamedTuple):
    """The identity of a cell, with its time.

    Parts that are left out are empty. The default timestamp is the largest, which sorts first, so a
    key of a row alone comes before every put in that row.

    >>> Key(b"ann") < Key(b"bob"), order(Key(b"ann")) < order(Key(b"ann", timestamp=5))
    (True, True)
    """

    row: bytes
    family: bytes = b""
    qualifier: bytes = b""
    visibility: bytes = b""
    timestamp: int = MAX_TIMESTAMP
    deleted: bool = False


class Cell(NamedTuple):
    """One entry of a table: a key and its value. ``deleted`` marks a delete marker."""

    row: bytes
    family: bytes = b""
    qualifier: bytes = b""
    visibility: bytes = b""
    timestamp: int = MAX_TIMESTAMP
    deleted: bool = False
    value: bytes = b""

    @property
    def key(self) -> Key:
        """The cell without its value."""
        return Key(*self[:6])

    @property
    def text(self) -> tuple[str, str, str, str, str]:
        """Row, family, qualifier, visibility and value to look at: UTF-8, other bytes escaped.

        >>> Cell(b"ann", b"age", value=b"41").text
        ('ann', 'age', '', '', '41')
        """
        row, family, qualifier, visibility = (_show(part) for part in self[:4])
        return row, family, qualifier, visibility, _show(self.value)

    @property
    def column(self) -> tuple[bytes, bytes, bytes, bytes]:
        """Row, family, qualifier and visibility: what versions of one cell share."""
        return self[:4]


def leading_key(*parts: bytes) -> Key:
    """Return the first key that has these leading parts (row, family, qualifier, visibility).

    That is where a delete marker of the largest timestamp would stand.

    >>> order(leading_key(b"ann", b"age")) < order(Key(b"ann", b"age"))
    True
    """
    row, family, qualifier, visibility = (*parts, b"", b"", b"")[:4]
    return Key(row, family, qualifier, visibility, MAX_TIMESTAMP, True)


def order(key: Key | Cell) -> Order:
    """Return a tuple that compares as keys do.

    >>> newer, older = Key(b"r", timestamp=2), Key(b"r", timestamp=1)
    >>> order(newer) < order(older)
    True
    """
    return key[0], key[1], key[2], key[3], -key[4], not key[5]


def _show(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")
