"""What a column holds, by the words that a question names it with.

Layer ``keyplan``. The meaning of ``native/core/src/frames/kind.rs``.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from lexigraph.errors import InvalidOption, InvalidValue, UnsupportedError, show

BYTES = ("text", "binary", "ip", "any", "key")
INTEGERS = {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint64": 8}


class Kind(NamedTuple):
    """A kind by its word, with the kinds of the columns inside it.

    >>> Kind.named("list:decimal:38:0").inside[0].digits
    38
    """

    word: str
    inside: tuple[Kind, ...] = ()
    digits: int = 0
    scale: int = 0

    @staticmethod
    def named(words: str) -> Kind:
        """Read a word, or several joined by colons."""
        found = _read(words.split(":"))
        if found is None or found[1]:
            raise InvalidOption(f"a column cannot hold '{words}'")
        return found[0]

    @property
    def width(self) -> int:
        """How many bytes each entry has, if all have so many."""
        if self.word == "decimal":
            return 32 if self.digits > 38 else 16
        fixed = {"float": 8, "date": 4, "micros": 8, "uuid": 16}
        return INTEGERS.get(self.word) or fixed.get(self.word, 0)

    @property
    def has_offsets(self) -> bool:
        """Whether entries have any length."""
        return self.word in (*BYTES, "list", "map")


_POINT = (Kind("float"), Kind("float"))
_PLAIN = {*BYTES, *INTEGERS, "flag", "float", "date", "micros", "uuid"}


def _read(words: list[str]) -> tuple[Kind, list[str]] | None:
    word, rest = words[0] if words else "", words[1:]
    if word in _PLAIN:
        return Kind(word), rest
    if word == "point":
        return Kind(word, _POINT), rest
    if word == "decimal" and len(rest) >= 2 and rest[0].isdecimal() and rest[1].isdecimal():
        digits, scale = int(rest[0]), int(rest[1])
        fits = 1 <= digits <= 76 and scale <= digits
        return (Kind(word, (), digits, scale), rest[2:]) if fits else None
    if word in ("list", "map"):
        inside, count = [], 1 if word == "list" else 2
        for _ in range(count):
            found = _read(rest)
            if found is None:
                return None
            inside.append(found[0])
            rest = found[1]
        entries = tuple(inside) if word == "list" else (Kind("entry", tuple(inside)),)
        return Kind(word, entries), rest
    return None


class Unheld(Exception):
    """A column cannot hold a value."""

    def __init__(self, value: Any, *, large: bool = False) -> None:
        super().__init__()
        self.value, self.large = value, large

    def refusal(self, column: str, kind: Kind) -> InvalidValue | UnsupportedError:
        """Return the error for the column of that name."""
        if not self.large:
            return UnsupportedError(
                f"column '{column}' does not hold values of type {type(self.value).__name__}"
            )
        if kind.word in ("int8", "int16", "int32", "int64") and type(self.value) is not Decimal:
            return InvalidValue(f"column '{column}' of type {kind.word} cannot hold {self.value}")
        return InvalidValue(f"column '{column}' cannot hold {show(self.value)}")
