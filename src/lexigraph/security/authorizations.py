"""Authorizations: the tokens that a reader holds.

An immutable set of non-empty byte tokens (text means its UTF-8), and ``ALL``, the owner's view
that sees everything. Security layer. The serialised form is Accumulo's: ``!AUTH1:`` and the
sorted tokens in base64, joined by commas.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Set
from enum import Enum
from typing import Any

from lexigraph.errors import InvalidBytes, InvalidValue, NotGranted, show
from lexigraph.types import to_bytes

_HEADER = b"!AUTH1:"
# Padding may be left out but not cut in half, as Java's decoder has it.
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?")
# What Java's String.trim() takes off: every control character and the space.
_BLANK = "".join(map(chr, range(0x21)))


class All(Enum):
    """The type of ``ALL``; it has no other member."""

    ALL = "ALL"

    def __repr__(self) -> str:
        """Show the name it is imported by."""
        return "ALL"

    __str__ = __repr__


ALL = All.ALL
"""The owner's view: sees every cell, even one whose label cannot be parsed."""


class Authorizations(Set[bytes]):
    """An immutable set of tokens; text and bytes are taken alike.

    >>> held = Authorizations(["legal", b"admin"])
    >>> "admin" in held, held | ["audit"]
    (True, Authorizations(['admin', 'audit', 'legal']))
    >>> held.serialise()
    b'!AUTH1:YWRtaW4=,bGVnYWw='
    """

    __slots__ = ("_tokens",)

    _tokens: frozenset[bytes]

    def __init__(self, tokens: Iterable[str | bytes] = ()) -> None:
        if isinstance(tokens, Authorizations):
            self._tokens = tokens._tokens
            return
        if isinstance(tokens, str | bytes | bytearray | memoryview):
            raise InvalidValue(
                f"authorizations are a collection of tokens, not one token: {show(tokens)}",
                hint='Pass a list, ["fraud"]; Authorizations.parse("A,B") reads text.',
            )
        if not isinstance(tokens, Iterable):
            raise InvalidValue(
                f"authorizations are a collection of tokens, not {type(tokens).__name__}",
                hint='Pass a list, ["fraud"]; [] sees unlabelled data, lexigraph.ALL everything.',
            )
        self._tokens = frozenset([to_bytes(token, what="token") for token in tokens])
        if b"" in self._tokens:
            raise InvalidValue("an authorization cannot be empty")

    @classmethod
    def parse(cls, text: str | bytes) -> Authorizations:
        """Read the serialised form, or the older list of tokens joined by commas.

        >>> Authorizations.parse("B, A") == Authorizations.parse(b"!AUTH1:QQ==,Qg==")
        True
        """
        raw = to_bytes(text, what="list of authorizations")
        if raw.startswith(_HEADER):
            parts = [_decode(part) for part in _split(raw.removeprefix(_HEADER))]
        else:
            decoded = raw.decode("utf-8", "replace")
            parts = [part.strip(_BLANK).encode() for part in _split(decoded)]
        if b"" in parts:
            raise InvalidBytes(f"authorization {parts.index(b'') + 1} of {show(raw)} is empty")
        return cls(parts)

    def serialise(self) -> bytes:
        """Return ``!AUTH1:`` and the sorted tokens in base64; ``parse`` reads it back."""
        return _HEADER + b",".join(map(base64.b64encode, sorted(self._tokens)))

    def contains(self, token: str | bytes) -> bool:
        """Return whether the token is held.

        >>> Authorizations(["A"]).contains("a")
        False
        """
        return token in self

    def __contains__(self, token: object) -> bool:
        """Return whether the token is held; text means its UTF-8."""
        if isinstance(token, str):
            return token.encode("utf-8", "surrogatepass") in self._tokens
        return isinstance(token, bytes) and token in self._tokens

    def __iter__(self) -> Iterator[bytes]:
        """Yield the tokens in byte order."""
        return iter(sorted(self._tokens))

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self._tokens)

    def __eq__(self, other: object) -> bool:
        """Compare as sets, also with plain sets of bytes."""
        if isinstance(other, Authorizations):
            return self._tokens == other._tokens
        return self._tokens == other

    def __hash__(self) -> int:
        """Hash as the frozenset of the tokens."""
        return hash(self._tokens)

    def __or__(self, other: Iterable[Any]) -> Authorizations:
        """Return the tokens of both."""
        return Authorizations(self._tokens | Authorizations(other)._tokens)

    def __and__(self, other: Iterable[Any]) -> Authorizations:
        """Return the tokens held by both."""
        return Authorizations(self._tokens & Authorizations(other)._tokens)

    def __sub__(self, other: Iterable[Any]) -> Authorizations:
        """Return the tokens that the other lacks."""
        return Authorizations(self._tokens - Authorizations(other)._tokens)

    def __xor__(self, other: Iterable[Any]) -> Authorizations:
        """Return the tokens held by exactly one of the two."""
        return Authorizations(self._tokens ^ Authorizations(other)._tokens)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __rsub__(self, other: Iterable[Any]) -> Authorizations:
        """Return the tokens of the other that this one lacks."""
        return Authorizations(other) - self

    def __le__(self, other: Iterable[Any]) -> bool:
        """Return whether the other holds every token of this one."""
        return self._tokens <= Authorizations(other)._tokens

    def __lt__(self, other: Iterable[Any]) -> bool:
        """Return whether the other holds every token of this one and more."""
        return self._tokens < Authorizations(other)._tokens

    def __ge__(self, other: Iterable[Any]) -> bool:
        """Return whether this one holds every token of the other."""
        return self._tokens >= Authorizations(other)._tokens

    def __gt__(self, other: Iterable[Any]) -> bool:
        """Return whether this one holds every token of the other and more."""
        return self._tokens > Authorizations(other)._tokens

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        """Return whether both have no token in common."""
        return self._tokens.isdisjoint(Authorizations(other)._tokens)

    def __repr__(self) -> str:
        """Show the tokens, as text where they are text."""
        return f"Authorizations([{_listed(self)}])"


def check_granted(asked: Iterable[str | bytes] | All, granted: Iterable[str | bytes] | All) -> None:
    """Refuse authorizations that were asked for but never granted.

    >>> check_granted(Authorizations(["A", "B"]), Authorizations(["A", "C"]))
    Traceback (most recent call last):
        ...
    lexigraph.errors.NotGranted: asked for 'B', which was not granted; granted: 'A', 'C'
    """
    if granted is ALL:
        return
    granted = Authorizations(granted)
    has = _listed(granted) or "none"
    if asked is ALL:
        raise NotGranted(
            f"ALL (the owner's view) was asked for but not granted; granted: {has}", missing=ALL
        )
    missing = Authorizations(asked) - granted
    if missing:
        were = "which was" if len(missing) == 1 else "which were"
        raise NotGranted(
            f"asked for {_listed(missing)}, {were} not granted; granted: {has}", missing=missing
        )


def _listed(tokens: Iterable[bytes]) -> str:
    return ", ".join(map(_shown, tokens))


def _shown(token: bytes) -> str:
    try:
        return repr(token.decode())
    except UnicodeDecodeError:
        return repr(token)


def _split(text: Any) -> list[Any]:
    # As Java splits: fields that are empty at the end do not count.
    comma = "," if isinstance(text, str) else b","
    stripped = text.rstrip(comma)
    return stripped.split(comma) if stripped else []


def _decode(part: bytes) -> bytes:
    if not _BASE64.fullmatch(part):
        raise InvalidBytes(f"{show(part)} is not a token in base64")
    return base64.b64decode(part + b"=" * (-len(part) % 4))
