"""Bytes read as Java reads them: bad UTF-8 replaced, text ordered by UTF-16 units.

Layer ``store``. Java and Python replace the same ill-formed sequences, one U+FFFD for each maximal
part, but for encoded surrogates: Java replaces those whole, Python byte by byte.
"""

from __future__ import annotations

from collections.abc import Callable

REPLACEMENT = "\ufffd"


def decode_utf8(data: bytes) -> str:
    """Decode UTF-8; ill-formed parts become U+FFFD as they do in Java.

    >>> decode_utf8(b"a\\xff"), decode_utf8(b"\\xed\\xa0\\x80!")
    ('a\\ufffd', '\\ufffd!')
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    parts: list[str] = []
    at = 0
    while at < len(data):
        try:
            parts.append(data[at:].decode())
            break
        except UnicodeDecodeError as error:
            parts.append(data[at : at + error.start].decode())
            parts.append(REPLACEMENT)
            at += _bad_end(data[at:], error)
    return "".join(parts)


def _bad_end(data: bytes, error: UnicodeDecodeError) -> int:
    # ED A0..BF starts a surrogate: Java takes the two bytes and a continuation byte behind them.
    head = data[error.start : error.start + 2]
    if len(head) == 2 and head[0] == 0xED and 0xA0 <= head[1] <= 0xBF:
        end = error.start + 2
        return end + 1 if end < len(data) and data[end] & 0xC0 == 0x80 else end
    return error.end


def _decode_ascii(data: bytes) -> str:
    return (
        data.decode("ascii", "replace")
        if data.isascii()
        else "".join(chr(byte) if byte < 0x80 else REPLACEMENT for byte in data)
    )


def _decode_latin1(data: bytes) -> str:
    return data.decode("latin-1")


DECODERS: dict[str, Callable[[bytes], str]] = {
    "UTF-8": decode_utf8,
    "ISO-8859-1": _decode_latin1,
    "US-ASCII": _decode_ascii,
}
"""The character sets that text stages read, under Java's names."""


def utf16_order(text: str) -> bytes:
    """Return bytes that compare as Java compares strings: by UTF-16 units.

    >>> utf16_order("\\U0001f600") < utf16_order("\\uff5e")
    True
    """
    return text.encode("utf-16-be", "surrogatepass")
