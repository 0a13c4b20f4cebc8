"""How Accumulo's iterator options write columns and lists of terms as text.

Codec layer. A column is ``family`` or ``family:qualifier``; bytes other than letters, digits,
``_`` and ``-`` are ``%xx``. Terms are base64, one to a line. Reading follows Java: empty fields
at the end of a ``split`` vanish, so ``f:`` is a family and a trailing empty term is lost.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Sequence

from lexigraph.errors import InvalidOption

ColumnName = tuple[bytes, bytes | None]

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_COLUMN = re.compile(r"[A-Za-z0-9_\-%:]*")
_CODED = re.compile(r"(?:[A-Za-z0-9_\-]|%[0-9A-Fa-f]{2})*")


def encode_column(family: bytes, qualifier: bytes | None = None) -> str:
    """Write one column.

    >>> encode_column(b"c:f", b"q q")
    'c%3af:q%20q'
    """
    text = _encode(family)
    return text if qualifier is None else f"{text}:{_encode(qualifier)}"


def decode_column(text: str) -> ColumnName:
    """Read one column; a missing or empty qualifier means the whole family.

    >>> decode_column("c%3af:"), decode_column(":q")
    ((b'c:f', None), (b'', b'q'))
    """
    if not _COLUMN.fullmatch(text):
        raise InvalidOption(
            f"a column is written with letters, digits, '_', '-' and %xx, not {text!r}"
        )
    fields = text.split(":")
    while len(fields) > 1 and not fields[-1]:
        fields.pop()
    if len(fields) > 2 or (text and not text.strip(":")):
        raise InvalidOption(f"a column is family or family:qualifier, not {text!r}")
    return _decode(fields[0]), _decode(fields[1]) if len(fields) == 2 else None


def encode_columns(columns: Iterable[ColumnName]) -> str:
    """Write columns with commas between.

    >>> encode_columns([(b"cf", None), (b"c", b"q")])
    'cf,c:q'
    """
    return ",".join(encode_column(family, qualifier) for family, qualifier in columns)


def decode_columns(text: str) -> list[ColumnName]:
    """Read columns with commas between; an empty one is the empty family.

    >>> decode_columns("cf,c:q")
    [(b'cf', None), (b'c', b'q')]
    """
    if not text:
        raise InvalidOption("the list of columns is empty", hint="Name a column, or set all=true.")
    return [decode_column(column) for column in text.split(",")]


def encode_terms(terms: Sequence[bytes]) -> str:
    """Write terms in base64, one to a line.

    >>> encode_terms([b"t1", b"t2"])
    'dDE=\\ndDI=\\n'
    """
    return "".join(base64.b64encode(term).decode() + "\n" for term in terms)


def decode_terms(text: str) -> list[bytes]:
    """Read terms in base64; empty lines at the end do not count.

    >>> decode_terms("dDE=\\n\\n")
    [b't1']
    """
    lines = text.split("\n")
    while len(lines) > 1 and not lines[-1]:
        lines.pop()
    # Java's split gives one empty field for no text, but none for empty lines alone.
    return [] if lines == [""] and text else [_decode_base64(line) for line in lines]


def encode_flags(flags: Sequence[bool]) -> str:
    """Write which terms are negated, in base64.

    >>> encode_flags([False, True])
    'AAE='
    """
    return base64.b64encode(bytes(flags)).decode()


def decode_flags(text: str) -> list[bool]:
    """Read which terms are negated.

    >>> decode_flags("AAE=")
    [False, True]
    """
    return [byte == 1 for byte in _decode_base64(text)]


def _encode(field: bytes) -> str:
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02x}" for byte in field)


def _decode(text: str) -> bytes:
    if not _CODED.fullmatch(text):
        raise InvalidOption(f"'%' must be followed by two hexadecimal digits in {text!r}")
    return re.sub(rb"%(..)", lambda match: bytes([int(match[1], 16)]), text.encode("ascii"))


def _decode_base64(text: str) -> bytes:
    # Java also reads base64 whose padding is missing.
    padded = text if "=" in text else text + "=" * (-len(text) % 4)
    try:
        return base64.b64decode(padded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidOption(f"{text[:40]!r} is not base64") from error
