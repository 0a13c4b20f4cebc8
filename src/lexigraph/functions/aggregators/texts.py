"""Texts joined into one.

Layer ``functions``. Until it is finished, a joined text is a sorted bag of its parts, so the order
in which they came does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from lexigraph.codec import Codec
from lexigraph.errors import InvalidBytes
from lexigraph.functions.aggregators.bags import Bag, BagOf, Item
from lexigraph.functions.aggregators.base import Aggregator
from lexigraph.functions.options import Option, flag, text


class Concat(BagOf):
    """All texts in order, joined by ``separator``.

    With ``distinct`` each text is first cut at the separator, and every part comes once.

    >>> from lexigraph.codec import codec_for
    >>> tags = Concat(codec_for("str"), {"separator": "|", "distinct": True})
    >>> tags.finish(tags.merge(tags.start("a|b", 1), tags.start("c|b", 2)))
    'a|b|c'
    """

    name = "concat"
    result_kind: ClassVar[str | None] = "same"
    codecs: ClassVar[tuple[str, ...] | None] = ("str",)
    options: ClassVar[Mapping[str, Option]] = {"separator": text(","), "distinct": flag()}

    @property
    def distinct(self) -> bool:
        """As the option says."""
        return bool(self.settings["distinct"])

    @property
    def result(self) -> Codec[Any] | None:
        """It is finished to one text."""
        return self.codec

    def start(self, value: Any, timestamp: int) -> Bag:
        """Take the text, or its parts."""
        separator = self.settings["separator"]
        if not (self.distinct and separator and isinstance(value, str)):
            return super().start(value, timestamp)
        parts = [self.codec.encode_value(part) for part in value.split(separator)]
        return self._settle(sorted(Item(part, part) for part in parts))

    def finish(self, state: Bag) -> str:
        """Join the parts."""
        separator: str = self.settings["separator"]
        return separator.join(item.value.decode() for item in state)

    def decode(self, data: bytes, timestamp: int) -> Bag:
        """Read the parts; of distinct ones none holds the separator."""
        state = super().decode(data, timestamp)
        separator = self.settings["separator"].encode()
        if self.distinct and separator and any(separator in item.value for item in state):
            raise InvalidBytes("a part of a distinct 'concat' holds the separator")
        return state


TEXTS: tuple[type[Aggregator], ...] = (Concat,)
