"""Enum members, stored by value and ordered by value.

Codec layer. Names may change without touching stored bytes; values may not. The bytes are those
of the self-describing value, so members of several value types may live in one enum.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

from lexigraph.codec.base import DelimitedCodec, wrong_type
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidBytes, InvalidValue

E = TypeVar("E", bound=Enum)


class EnumCodec(DelimitedCodec[E]):
    """The members of one enum class; made by :func:`enum_codec`."""

    def __init__(self, enum: type[E], name: str) -> None:
        self.enum = enum
        self.name = name
        keys = {ANY.encode(member): member for member in enum}
        if len(keys) < len(enum):
            raise InvalidValue(f"two members of {enum.__name__} have values with the same key")

    def encode(self, value: E) -> bytes:
        """Write the member's value."""
        return ANY.encode(self._check(value).value)

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[E, int]:
        """Read the member's value."""
        value, end = ANY.decode_part(data, offset)
        member = self._member(value)
        if ANY.encode(member) != data[offset:end]:
            raise InvalidBytes(f"the value at byte {offset} does not have the type of {member}")
        return member, end

    def encode_value(self, value: E) -> bytes:
        """Write the member's value."""
        return ANY.encode_value(self._check(value).value)

    def decode_value(self, data: bytes) -> E:
        """Read the member's value."""
        member = self._member(ANY.decode_value(data))
        if ANY.encode_value(member) != data:
            raise InvalidBytes(f"the value does not have the type of {member}")
        return member

    def _check(self, value: E) -> E:
        if not isinstance(value, self.enum):
            raise wrong_type(self.name, self.enum.__name__, value)
        return value

    def _member(self, value: object) -> E:
        try:
            return self.enum(value)
        except (ValueError, TypeError, KeyError):
            members = ", ".join(member.name for member in self.enum)
            raise InvalidBytes(
                f"{self.enum.__name__} has no member with the value that was read; "
                f"its members are: {members}"
            ) from None


def enum_codec(enum: type[E], name: str | None = None) -> EnumCodec[E]:
    """Store the members of an enum; the name is that of the class unless given.

    >>> from enum import Enum
    >>> class Colour(Enum):
    ...     RED = 1
    ...     BLUE = 2
    >>> enum_codec(Colour).encode(Colour.BLUE).hex()
    '308102'
    """
    return EnumCodec(enum, name or enum.__name__)
