"""Points on the globe in Z-order.

Codec layer. Latitude and longitude are order-preserving doubles, interleaved bit by bit, latitude
first: near points mostly have near keys, and nothing is rounded, so every point comes back
exactly.
"""

from __future__ import annotations

from lexigraph.codec.base import Codec, wrong_type
from lexigraph.codec.kinds.floats import FLOAT
from lexigraph.codec.kinds.integers import check_width
from lexigraph.errors import InvalidBytes, InvalidValue
from lexigraph.types import GeoPoint

# Each byte's bits, moved to the even places of two bytes; and back from those two bytes.
_SPREAD = [sum((byte >> bit & 1) << 2 * bit for bit in range(8)) for byte in range(256)]
_GATHER = {spread: byte for byte, spread in enumerate(_SPREAD)}
_EVEN = 0x5555


class GeoCodec(Codec[GeoPoint]):
    """Points, ordered along the Z-curve of latitude and longitude.

    >>> GeoCodec().encode(GeoPoint(0, 0)).hex()
    'c0000000000000000000000000000000'
    """

    name = "geo"
    width = 16

    def encode(self, value: GeoPoint) -> bytes:
        """Interleave the bits of latitude and longitude."""
        self._check(value)
        latitude, longitude = FLOAT.encode(value.latitude), FLOAT.encode(value.longitude)
        return b"".join(
            (_SPREAD[high] << 1 | _SPREAD[low]).to_bytes(2, "big")
            for high, low in zip(latitude, longitude, strict=True)
        )

    def decode(self, data: bytes) -> GeoPoint:
        """Take the bits apart again."""
        check_width(data, self.width, self.name)
        pairs = [int.from_bytes(data[at : at + 2], "big") for at in range(0, 16, 2)]
        latitude = FLOAT.decode(bytes(_GATHER[pair >> 1 & _EVEN] for pair in pairs))
        longitude = FLOAT.decode(bytes(_GATHER[pair & _EVEN] for pair in pairs))
        return _point(latitude, longitude)

    def encode_value(self, value: GeoPoint) -> bytes:
        """Write latitude, then longitude."""
        self._check(value)
        return FLOAT.encode_value(value.latitude) + FLOAT.encode_value(value.longitude)

    def decode_value(self, data: bytes) -> GeoPoint:
        """Read latitude, then longitude."""
        check_width(data, self.width, self.name)
        return _point(FLOAT.decode_value(data[:8]), FLOAT.decode_value(data[8:]))

    def _check(self, value: GeoPoint) -> None:
        if not isinstance(value, GeoPoint):
            raise wrong_type(self.name, "GeoPoint", value)


def _point(latitude: float, longitude: float) -> GeoPoint:
    try:
        return GeoPoint(latitude, longitude)
    except InvalidValue as error:
        raise InvalidBytes(f"the bytes are not a point: {error}") from error


GEO = GeoCodec()
