"""Classes that the tests of the layer share."""

from __future__ import annotations

from datetime import date, datetime

import lexigraph as lg


class Calls(lg.Edge, summary=True, directed=True):
    """Calls by day."""

    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum(check=[lg.this >= 0], doc="how many")
    longest: float | None = lg.max(default=None)
    kinds: set[str] = lg.set_of(default=())
    label: str = lg.visibility(default="")


class Place(lg.Vertex, summary=True, group="place"):
    """Places."""

    id: int
    low: lg.Int32 = lg.min()
    high: lg.Int32 = lg.max()
    road_use: int = lg.sum(name="road-use", default=0)
    seen: datetime | None = lg.timestamp(default=None)

    rules = {"low must not lie above high": low <= high}
