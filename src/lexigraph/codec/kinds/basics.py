"""Null, bool, text, bytes, UUIDs and IP addresses.

Codec layer. Text is strict UTF-8, whose byte order is code-point order, as in Python; a lone
surrogate has no bytes. UUIDs are in unsigned order, as in Python (Accumulo's lexicoder has Java's
signed order).
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface
from uuid import UUID

from lexigraph.codec.base import Codec, DelimitedCodec, take, wrong_type
from lexigraph.codec.kinds.integers import check_width
from lexigraph.errors import InvalidBytes, InvalidValue


class NullCodec(Codec[None]):
    """``None``, in no bytes at all.

    >>> NullCodec().encode(None)
    b''
    """

    name = "null"
    width = 0

    def encode(self, value: None) -> bytes:
        """Write nothing."""
        if value is not None:
            raise wrong_type(self.name, "None", value)
        return b""

    def decode(self, data: bytes) -> None:
        """Read nothing."""
        check_width(data, 0, self.name)


class BoolCodec(Codec[bool]):
    """``False`` before ``True``.

    >>> BoolCodec().encode(True)
    b'\\x01'
    """

    name = "bool"
    width = 1

    def encode(self, value: bool) -> bytes:  # noqa: FBT001 - the value itself
        """Write 00 or 01."""
        if not isinstance(value, bool):
            raise wrong_type(self.name, "bool", value)
        return b"\x01" if value else b"\x00"

    def decode(self, data: bytes) -> bool:
        """Read 00 or 01."""
        if data not in (b"\x00", b"\x01"):
            raise InvalidBytes("codec 'bool' reads one byte, 00 or 01")
        return data == b"\x01"


class StrCodec(Codec[str]):
    """Text in code-point order.

    >>> StrCodec().encode_part("a\\x00").hex()
    '61010100'
    """

    name = "str"

    def encode(self, value: str) -> bytes:
        """Write UTF-8."""
        if not isinstance(value, str):
            raise wrong_type(self.name, "str", value)
        try:
            return value.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InvalidValue(
                f"character {error.start} of the text is a lone surrogate, which UTF-8 cannot hold",
                hint="Decode the text with the right encoding, or store it as bytes.",
            ) from error

    def decode(self, data: bytes) -> str:
        """Read strict UTF-8."""
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidBytes(f"byte {error.start} of the text is not UTF-8") from error


class BytesCodec(Codec[bytes]):
    """Bytes as they are; gives ``bytes`` back for any kind of buffer.

    >>> BytesCodec().encode_part(b"\\x00\\xff").hex()
    '0101ff00'
    """

    name = "bytes"

    def encode(self, value: bytes) -> bytes:
        """Write the bytes."""
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise wrong_type(self.name, "bytes", value)
        return bytes(value)

    def decode(self, data: bytes) -> bytes:
        """Read the bytes."""
        return bytes(data)


class UuidCodec(Codec[UUID]):
    """UUIDs in the order of their 16 bytes.

    >>> UuidCodec().encode(UUID(int=1)).hex()
    '00000000000000000000000000000001'
    """

    name = "uuid"
    width = 16

    def encode(self, value: UUID) -> bytes:
        """Write the 16 bytes."""
        if not isinstance(value, UUID):
            raise wrong_type(self.name, "UUID", value)
        return value.bytes

    def decode(self, data: bytes) -> UUID:
        """Read the 16 bytes."""
        check_width(data, 16, self.name)
        return UUID(bytes=bytes(data))


class IpCodec(DelimitedCodec[IPv4Address | IPv6Address]):
    """IP addresses: every IPv4 address before every IPv6 address.

    >>> IpCodec().encode(IPv4Address("10.0.0.1")).hex()
    '040a000001'
    """

    name = "ip"

    def encode(self, value: IPv4Address | IPv6Address) -> bytes:
        """Write the version, then the address."""
        if not isinstance(value, (IPv4Address, IPv6Address)) or isinstance(
            value, (IPv4Interface, IPv6Interface)
        ):
            raise wrong_type(self.name, "IPv4Address or IPv6Address", value)
        if isinstance(value, IPv6Address) and value.scope_id is not None:
            raise InvalidValue(
                f"codec 'ip' cannot store an address with a scope: {value}",
                hint="A scope is valid on one machine only: store it separately from the address.",
            )
        return (b"\x04" if value.version == 4 else b"\x06") + value.packed

    def decode_part(self, data: bytes, offset: int = 0) -> tuple[IPv4Address | IPv6Address, int]:
        """Read the version, then 4 or 16 bytes."""
        version = take(data, offset, 1, self.name)[0]
        if version == 4:
            return IPv4Address(bytes(take(data, offset + 1, 4, self.name))), offset + 5
        if version == 6:
            return IPv6Address(bytes(take(data, offset + 1, 16, self.name))), offset + 17
        raise InvalidBytes(f"codec 'ip' starts with 04 or 06, not {version:02x}")


NULL, BOOL, STR, BYTES = NullCodec(), BoolCodec(), StrCodec(), BytesCodec()
UUID_CODEC, IP = UuidCodec(), IpCodec()
