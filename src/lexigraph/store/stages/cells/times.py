"""Stages that choose cells by their timestamps.

Layer ``store``. The clock is ``now`` of the options or of the scan, never the machine's. Ages are
computed in 64 bits and wrap, as they do in Accumulo: a cell of the smallest timestamp has a
negative age and is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell
from lexigraph.errors import InvalidOption
from lexigraph.store.stages.base import CellSource, StageContext
from lexigraph.store.stages.cells.cell_stage import FilterStage
from lexigraph.store.stages.options import (
    BOOL,
    BYTES,
    NEGATE,
    TIMESTAMP,
    StageOption,
    array,
    record,
)


class AsOf(FilterStage):
    """Keep what is not newer than ``timestamp``."""

    name = "as-of"
    default_priority = 10
    options = (StageOption("timestamp", TIMESTAMP, required=True), NEGATE)

    def accepts(self, cell: Cell) -> bool:
        """Return whether the cell is not newer."""
        return bool(cell.timestamp <= self.settings["timestamp"])


class TimeRange(FilterStage):
    """Keep what lies between ``start`` and ``end``; one of them must be given."""

    name = "time-range"
    default_priority = 10
    options = (
        StageOption("start", TIMESTAMP),
        StageOption("end", TIMESTAMP),
        StageOption("start_inclusive", BOOL, default=True),
        StageOption("end_inclusive", BOOL, default=True),
        NEGATE,
    )

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        start, end = self.settings["start"], self.settings["end"]
        if start is None and end is None:
            raise InvalidOption("stage 'time-range' needs the option 'start', 'end' or both")
        # Exclusive bounds become inclusive ones; beyond 64 bits they simply exclude everything.
        self._first = MIN_TIMESTAMP if start is None else start
        self._last = MAX_TIMESTAMP if end is None else end
        if start is not None and not self.settings["start_inclusive"]:
            self._first += 1
        if end is not None and not self.settings["end_inclusive"]:
            self._last -= 1

    def accepts(self, cell: Cell) -> bool:
        """Return whether the cell lies between the bounds."""
        return bool(self._first <= cell.timestamp <= self._last)


class AgeOffStage(FilterStage):
    """Keep what is at most ``ttl`` old."""

    name = "age-off"
    default_priority = 10
    options = (StageOption("ttl", TIMESTAMP, required=True), StageOption("now", TIMESTAMP), NEGATE)

    def accepts(self, cell: Cell) -> bool:
        """Return whether the cell is young enough."""
        now = self.settings["now"]
        age = wrapped_age(self.context.now if now is None else now, cell.timestamp)
        return bool(age <= self.settings["ttl"])


class ColumnAgeOff(FilterStage):
    """Keep what is at most as old as its column or else its family allows; others are kept."""

    name = "column-age-off"
    default_priority = 10
    options = (
        StageOption(
            "ttls",
            array(
                record(
                    StageOption("family", BYTES, required=True),
                    StageOption("qualifier", BYTES),
                    StageOption("ttl", TIMESTAMP, required=True),
                )
            ),
            required=True,
        ),
        StageOption("now", TIMESTAMP),
        NEGATE,
    )

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        self._ttls: dict[tuple[bytes, bytes | None], int] = {}
        for entry in self.settings["ttls"]:
            column = entry["family"], entry["qualifier"]
            if column in self._ttls:
                raise InvalidOption(f"stage 'column-age-off' names the column {column} twice")
            self._ttls[column] = entry["ttl"]

    def accepts(self, cell: Cell) -> bool:
        """Return whether the cell is young enough for its column."""
        ttl = self._ttls.get((cell.family, cell.qualifier))
        if ttl is None:
            ttl = self._ttls.get((cell.family, None))
        if ttl is None:
            return True
        now = self.settings["now"]
        return wrapped_age(self.context.now if now is None else now, cell.timestamp) <= ttl


def wrapped_age(now: int, timestamp: int) -> int:
    """Return ``now - timestamp`` as a signed 64-bit integer.

    >>> wrapped_age(5, 3), wrapped_age(1, MIN_TIMESTAMP) < 0
    (2, True)
    """
    return (now - timestamp - MIN_TIMESTAMP) % 2**64 + MIN_TIMESTAMP
