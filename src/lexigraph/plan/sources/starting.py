"""Where a prefix of ids looks: a range, whose last vertex need not start so.

Layer ``plan``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lexigraph.codec.prefix import following_prefix
from lexigraph.errors import UsageError, show
from lexigraph.keyplan.element import StoredElement
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import Elements, InRanges, Starting
from lexigraph.plan.sources.finder import EndsCheck, counted
from lexigraph.plan.sources.ranges import FindInRanges
from lexigraph.store.answers.frames import FrameEnds


class FindStarting(FindInRanges):
    """Looks around all vertices whose ids start with some text or bytes."""

    def __init__(self, asked: Elements, keys: Keys) -> None:
        source = asked.source
        assert isinstance(source, Starting)
        self.prefixes = source.prefixes
        ranges = tuple((one, following_text(one)) for one in self.prefixes)
        super().__init__(replace(asked, source=InRanges(ranges)), keys)

    def starts(self, vertex: Any) -> bool:
        """Return whether an id starts with one of the prefixes."""
        return any(
            isinstance(vertex, type(one)) and vertex.startswith(one) for one in self.prefixes
        )

    def check(self) -> EndsCheck:
        """Leave out what the ranges hold besides, and the second row of an edge."""
        twice = self.asked.both_ends

        def keep(element: StoredElement) -> bool:
            if element.kind == "vertex":
                return self.starts(element.vertex)
            near, far = element.source, element.destination
            if element.matched == "destination":
                near, far = far, near
            if not self.starts(near):
                return False
            return twice or element.once or not (self.turns(element) and self.starts(far))

        return keep

    def ends(self) -> FrameEnds | None:
        """Return nothing: the client checks the ids."""
        return None

    def describe(self) -> str:
        """Say how many."""
        return f"starting with {counted(len(self.prefixes), 'prefix', 'prefixes')}"


def following_text(prefix: Any) -> Any:
    """Return the least text, or bytes, after all that start with a prefix.

    >>> following_text("an"), following_text(b"a\\xff")
    ('ao', b'b')
    """
    if isinstance(prefix, bytes) and prefix:
        after = following_prefix(prefix)
        if after is not None:
            return after
    if isinstance(prefix, str) and prefix:
        start = prefix.rstrip("\U0010ffff")
        if start:
            code = ord(start[-1]) + 1
            # Half of a surrogate pair is not a character that can be stored.
            return start[:-1] + chr(0xE000 if 0xD800 <= code <= 0xDFFF else code)
    raise UsageError(
        f"a prefix of ids is text or bytes that is not empty, not {show(prefix)}",
        hint="For all elements, use .all().",
    )
