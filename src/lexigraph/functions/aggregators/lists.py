"""Lists, the largest values, and samples.

Layer ``functions``. All are bags: sorted by value, whatever the order in which values came.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lexigraph.codec.escape import complement, escape
from lexigraph.functions.aggregators.bags import BagOf
from lexigraph.functions.aggregators.base import Aggregator
from lexigraph.functions.aggregators.murmur3 import murmur3_32
from lexigraph.functions.options import Option, integer

MAX_KEPT = 1 << 20
"""The largest top-n or sample: more would make every cell of a column too large to merge."""


class ListOf(BagOf):
    """All values, repeated as often as they came; finishes to a tuple in key order.

    >>> from lexigraph.codec import codec_for
    >>> seen = ListOf(codec_for("str"))
    >>> seen.finish(seen.merge(seen.take(["b", "a"], 1), seen.start("b", 2)))
    ('a', 'b', 'b')
    """

    name = "list"


class TopN(BagOf):
    """The ``n`` largest values, with repeats; finishes to a tuple, largest first.

    >>> from lexigraph.codec import codec_for
    >>> best = TopN(codec_for("int"), {"n": 2})
    >>> best.finish(best.take([3, 9, 7], 1))
    (9, 7)
    """

    name = "top-n"
    options: ClassVar[Mapping[str, Option]] = {"n": integer(10, 1, MAX_KEPT)}

    @property
    def limit(self) -> int | None:
        """As many as asked for."""
        n: int = self.settings["n"]
        return n

    def rank(self, key: bytes) -> Any:
        """Put larger key forms first."""
        # The complement turns the order round, because no escaped and ended text starts another.
        return complement(escape(key) + b"\x00")


class Reservoir(BagOf):
    """A sample of ``size`` of the distinct values: those with the lowest hash.

    The same values give the same sample, wherever and in whatever order they were seen.

    >>> from lexigraph.codec import codec_for
    >>> sample = Reservoir(codec_for("int"), {"size": 3})
    >>> sample.finish(sample.take(range(1000), 1))
    (391, 34, 409)
    """

    name = "reservoir"
    options: ClassVar[Mapping[str, Option]] = {"size": integer(100, 1, MAX_KEPT)}

    @property
    def distinct(self) -> bool:
        """A value seen twice has one hash."""
        return True

    @property
    def limit(self) -> int | None:
        """As many as asked for."""
        size: int = self.settings["size"]
        return size

    def rank(self, key: bytes) -> Any:
        """Sort by hash; of equal ones by key form."""
        return murmur3_32(key), key


LISTS: tuple[type[Aggregator], ...] = (ListOf, TopN, Reservoir)
