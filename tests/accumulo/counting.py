"""Scans that must prove where their stages ran: by what the servers counted.

Section 4 of ``docs/formats/accumulo.md``. A scan that came to its end and gave a cell has been
counted by each stage that it asked for, in order; one whose stages are said to run on the servers
has asked for them. Counts stand in the last row that was read, and are left out where a scan ends
before their place in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from struct import unpack_from
from threading import local
from typing import Any

from lexigraph.store import CellBatch


class CountingBridge:
    """A bridge whose scans are looked at; everything else is the bridge's own."""

    def __init__(self, bridge: Any) -> None:
        self._bridge = bridge
        self._here = local()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bridge, name)

    def scan(self, *arguments: Any) -> CountedScan:
        """Start a scan, for whoever is checked in this thread."""
        listed = (one["options"].get("stage") for one in json.loads(arguments[5]))
        asked = [stage for stage in listed if stage is not None]
        made = CountedScan(self._bridge.scan(*arguments), asked)
        made.untold = may_be_untold(asked, bytes(arguments[1]), arguments[3])
        getattr(self._here, "scans", []).append(made)
        return made

    def checked(self, batches: Iterator[CellBatch], claimed: list[str]) -> Iterator[CellBatch]:
        """Give batches; behind the last, check the scans that were made for them."""
        scans: list[CountedScan] = []
        try:
            while True:
                with self._noting(scans):
                    batch = next(batches, None)
                if batch is None:
                    break
                yield batch
        finally:
            batches.close()  # type: ignore[attr-defined]
        whole = [scan for scan in scans if scan.ended and scan.gave]
        for scan in whole:
            scan.check()
        if claimed and whole:
            # A stage that hides cells may stand below them, and a limit above.
            assert any(holds(scan.asked, claimed) for scan in whole), (
                f"{claimed} are said to run on the servers, which were asked for "
                f"{[scan.asked for scan in whole]}"
            )

    @contextmanager
    def _noting(self, scans: list[CountedScan]) -> Iterator[None]:
        before = getattr(self._here, "scans", [])
        self._here.scans = scans
        try:
            yield
        finally:
            self._here.scans = before


class CountedScan:
    """One scan of the bridge."""

    def __init__(self, scan: Any, asked: list[str]) -> None:
        self._scan, self.asked = scan, asked
        self.gave = self.ended = self.untold = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._scan, name)

    def next(self, cells: int, millis: int) -> Any:
        """Return the next frame."""
        frame = self._scan.next(cells, millis)
        self.gave = self.gave or frame is not None
        self.ended = self.ended or frame is None
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


def holds(asked: list[str], claimed: list[str]) -> bool:
    """Whether stages stand in this order, one above the other, among those that were asked for."""
    places = range(len(asked) - len(claimed) + 1)
    return any(asked[at : at + len(claimed)] == claimed for at in places)


def may_be_untold(stages: list[str], ranges: bytes, families: list[bytes]) -> bool:
    """Whether the place of counts may lie behind the end of a scan.

    Columns bound a range as well, and an intersection reads on into the next row.
    """
    bounded = any(map(ends_early, ends_of(ranges))) or (families and max(families) <= _COUNTS)
    return bool(bounded) or any(name.startswith("intersect") for name in stages)


def ends_early(end: End) -> bool:
    """Whether a range ends in a row before the place where its counts would stand."""
    _, family, *rest = end
    at_its_start = not family and rest == [b"", b"", _LARGEST, False]
    return family <= _COUNTS and not at_its_start


def ends_of(packed: bytes) -> Iterator[End]:
    """Give the ends of ranges, packed as in section 3 of the format."""
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
