"""What sketches share: values fed as texts, and states that are the bytes of the libraries.

Layer ``functions``. A sketch is fed with ``k`` and the hexadecimal key form of each value: every
language can hash a text, it is never empty, and texts sort as the key forms do. Equal content may
have different bytes, but all languages read them and come to the same estimate. Apache
DataSketches is imported when the first sketch is made: the extra ``sketches``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, ClassVar

from lexigraph.codec import Codec, codec_for
from lexigraph.errors import InvalidBytes, UnsupportedError
from lexigraph.extras import install_hint
from lexigraph.functions.aggregators.base import Aggregator, values_in
from lexigraph.functions.options import Option, integer


@cache
def load(module: str) -> Any:
    """Import a library, or say how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise UnsupportedError(
            f"this aggregator needs the package {module!r} in Python, which is not installed",
            hint=install_hint("sketches"),
        ) from error


def fed(key: bytes) -> str:
    """Return the text that a key form is fed as.

    >>> fed(b"\\x81\\x05")
    'k8105'
    """
    return "k" + key.hex()


def read_fed(text: str) -> bytes:
    """Return the key form that a text stands for.

    >>> read_fed("k8105")
    b'\\x81\\x05'
    """
    try:
        key = bytes.fromhex(text[1:])
    except ValueError:
        key = b""
    if text != fed(key):
        raise InvalidBytes("an item of the sketch is not a valid key")
    return key


class SketchOf(Aggregator):
    """An aggregator whose state is a sketch; subclasses say which."""

    takes: ClassVar[tuple[str, ...]] = ("list",)
    canonical: ClassVar[bool] = False

    @abstractmethod
    def empty(self) -> Any:
        """Make a sketch of nothing."""

    @abstractmethod
    def add(self, sketch: Any, value: Any) -> None:
        """Add a value to a sketch that nobody else holds."""

    @abstractmethod
    def read(self, data: bytes) -> Any:
        """Read a sketch; may raise anything."""

    def start(self, value: Any, timestamp: int) -> Any:
        """Make a sketch of one value."""
        return self.take((value,), timestamp)

    def take(self, given: Any, timestamp: int) -> Any:
        """Make a sketch of one value or of all in a collection."""
        sketch = self.empty()
        for value in values_in(given):
            self.add(sketch, value)
        return sketch

    def decode(self, data: bytes, timestamp: int) -> Any:
        """Read a sketch."""
        try:
            return self.read(data)
        except (InvalidBytes, UnsupportedError):
            raise
        except Exception as error:
            # The library raises many kinds of errors on bytes that are no sketch.
            raise InvalidBytes(f"the state is not a valid {self.name!r}: {error}") from error


class Hll(SketchOf):
    """How many distinct values there are, estimated by HyperLogLog with ``2**lg_k`` registers.

    >>> from lexigraph.codec import codec_for
    >>> people = Hll(codec_for("str"))
    >>> round(people.finish(people.merge(people.take("ab", 1), people.take(["ab", "c"], 2))))
    2
    """

    name = "hll"
    result_kind: ClassVar[str | None] = "float"
    idempotent: ClassVar[bool] = True
    options: ClassVar[Mapping[str, Option]] = {"lg_k": integer(12, 7, 21)}

    @property
    def result(self) -> Codec[Any] | None:
        """It is finished to a number."""
        return codec_for("float")

    def empty(self) -> Any:
        """Make an empty sketch of the smallest kind."""
        library = load("datasketches")
        return library.hll_sketch(self.settings["lg_k"], library.HLL_4)

    def add(self, sketch: Any, value: Any) -> None:
        """Hash the key form."""
        sketch.update(fed(self.codec.encode(value)))

    def merge(self, a: Any, b: Any) -> Any:
        """Unite."""
        library = load("datasketches")
        union = library.hll_union(self.settings["lg_k"])
        union.update(a)
        union.update(b)
        return union.get_result(library.HLL_4)

    def finish(self, state: Any) -> float:
        """Return the estimate; through a union, so that it is the same before and after merges."""
        return float(self.merge(state, self.empty()).get_estimate())

    def encode(self, state: Any) -> bytes:
        """Write the compact form."""
        return bytes(state.serialize_compact())

    def read(self, data: bytes) -> Any:
        """Read the compact form."""
        return load("datasketches").hll_sketch.deserialize(data)


class Theta(SketchOf):
    """How many distinct values there are, estimated by a theta sketch of ``2**lg_k`` hashes.

    >>> from lexigraph.codec import codec_for
    >>> people = Theta(codec_for("int"))
    >>> people.finish(people.take(range(1000), 1))
    1000.0
    """

    name = "theta"
    result_kind: ClassVar[str | None] = "float"
    idempotent: ClassVar[bool] = True
    options: ClassVar[Mapping[str, Option]] = {"lg_k": integer(12, 5, 26)}

    @property
    def result(self) -> Codec[Any] | None:
        """It is finished to a number."""
        return codec_for("float")

    def empty(self) -> Any:
        """Make an empty sketch."""
        return load("datasketches").update_theta_sketch(self.settings["lg_k"])

    def add(self, sketch: Any, value: Any) -> None:
        """Hash the key form."""
        sketch.update(fed(self.codec.encode(value)))

    def merge(self, a: Any, b: Any) -> Any:
        """Unite."""
        union = load("datasketches").theta_union(self.settings["lg_k"])
        union.update(a)
        union.update(b)
        return union.get_result()

    def finish(self, state: Any) -> float:
        """Return the estimate; through a union, so that it is the same before and after merges."""
        return float(self.merge(state, self.empty()).get_estimate())

    def encode(self, state: Any) -> bytes:
        """Write the ordered compact form."""
        return bytes(load("datasketches").compact_theta_sketch(state, True).serialize())

    def read(self, data: bytes) -> Any:
        """Read the compact form."""
        return load("datasketches").compact_theta_sketch.deserialize(data)


SKETCHES: tuple[type[Aggregator], ...] = (Hll, Theta)
