"""Scans that must prove where their stages ran: by what the servers counted.

Section 4 of ``docs/formats/accumulo.md``. If a scan reaches its end and returned a cell, each stage
that it asked for has counted, in order. Counts stand in the last row that was read, and are left
out if a scan ends before their place in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from struct import unpack_from
from typing import Any


class CountedScan:
    """One scan of the bridge."""

    def __init__(self, scan: Any, asked: list[str]) -> None:
        self._scan, self.asked = scan, asked
        self.gave = self.untold = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._scan, name)

    @staticmethod
    def start(scan: Callable[..., Any], *arguments: Any) -> CountedScan:
        """Start a scan of the bridge; it fails at its end unless servers counted each stage."""
        listed = (one["options"].get("stage") for one in json.loads(arguments[5]))
        asked = [stage for stage in listed if stage is not None]
        made = CountedScan(scan(*arguments), asked)
        made.untold = may_be_untold(asked, bytes(arguments[1]), arguments[3])
        return made

    def next(self, cells: int, millis: int) -> Any:
        """Return the next frame."""
        frame = self._scan.next(cells, millis)
        self.gave = self.gave or frame is not None
        if frame is None and self.gave:
            self.check()
        return frame

    def check(self) -> None:
        """Fail unless every stage that was asked for has counted on a server."""
        told = [json.loads(str(one)) for one in self._scan.counts()]
        counted = [[stage["name"] for stage in one["stages"]] for one in told]
        # A count is of what is above the last one: each names all stages that were asked for.
        if self.asked:
            assert counted or self.untold, f"no server ran {self.asked}"
            assert all(names == self.asked for names in counted), (counted, self.asked)


_COUNTS = b"\0lexigraph counts"
_LARGEST = 2**63 - 1
End = tuple[bytes, bytes, bytes, bytes, int, bool]


def may_be_untold(stages: list[str], ranges: bytes, families: list[bytes]) -> bool:
    """Return whether the place of counts may lie after the end of a scan.

    Columns bound a range as well, and an intersection reads on into the next row.
    """
    bounded = any(map(ends_early, ends_of(ranges))) or (families and max(families) <= _COUNTS)
    return bool(bounded) or any(name.startswith("intersect") for name in stages)


def ends_early(end: End) -> bool:
    """Return whether a range ends in a row before the place of its counts."""
    _, family, *rest = end
    at_its_start = not family and rest == [b"", b"", _LARGEST, False]
    return family <= _COUNTS and not at_its_start


def ends_of(packed: bytes) -> Iterator[End]:
    """Yield the ends of ranges, packed as in section 3 of the format."""
    [number] = unpack_from("<i", packed)
    at = 4
    for _ in range(number):
        flags = packed[at]
        at += 1
        for has, is_end in ((1, False), (4, True)):
            if not flags & has:
                continue
            parts: list[bytes] = []
            for _ in range(4):
                [size] = unpack_from("<i", packed, at)
                parts.append(packed[at + 4 : at + 4 + size])
                at += 4 + size
            time, deleted = unpack_from("<qB", packed, at)
            at += 9
            if is_end:
                row, family, qualifier, label = parts
                yield row, family, qualifier, label, time, bool(deleted or flags & 8)
