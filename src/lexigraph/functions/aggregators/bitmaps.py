"""Sets of integers as 64-bit Roaring bitmaps.

Layer ``functions``. The state is the portable form that all Roaring libraries read. Imported when
the first bitmap is made: the extra ``sketches``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from lexigraph.codec import Codec
from lexigraph.errors import InvalidBytes, InvalidValue, show
from lexigraph.functions.aggregators.base import Aggregator
from lexigraph.functions.aggregators.sketches import SketchOf, load


class Bitmap(SketchOf):
    """All distinct integers from 0 to 2**64 - 1; finishes to a tuple in order.

    >>> from lexigraph.codec import codec_for
    >>> seen = Bitmap(codec_for("int"))
    >>> seen.finish(seen.merge(seen.take([5, 2**40], 1), seen.start(5, 2)))
    (5, 1099511627776)
    """

    name = "bitmap"
    result_kind: ClassVar[str | None] = "integers"
    idempotent: ClassVar[bool] = True
    order_free: ClassVar[bool] = True
    canonical = True
    codecs: ClassVar[tuple[str, ...] | None] = ("int", "int8", "int16", "int32", "int64")

    @property
    def result(self) -> Codec[Any] | None:
        """A collection has none."""
        return None

    def empty(self) -> Any:
        """Make an empty bitmap."""
        return load("pyroaring").BitMap64()

    def add(self, sketch: Any, value: Any) -> None:
        """Add an integer."""
        self.codec.encode(value)
        if not 0 <= value < 1 << 64:
            raise InvalidValue(f"a bitmap holds integers from 0 to 2**64 - 1, not {show(value)}")
        sketch.add(value)

    def merge(self, a: Any, b: Any) -> Any:
        """Unite."""
        return a | b

    def finish(self, state: Any) -> tuple[int, ...]:
        """Return the integers."""
        return tuple(state)

    def encode(self, state: Any) -> bytes:
        """Write the portable form, runs where they are shorter."""
        smallest = state.copy()
        smallest.run_optimize()
        return bytes(smallest.serialize())

    def read(self, data: bytes) -> Any:
        """Read the portable form."""
        bitmap = load("pyroaring").BitMap64.deserialize(data)
        if self.encode(bitmap) != data:
            raise InvalidBytes("the bitmap is not in its shortest form")
        return bitmap


BITMAPS: tuple[type[Aggregator], ...] = (Bitmap,)
