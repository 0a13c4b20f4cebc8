"""A stream of events by ends and day with a property for every aggregator, and what it must give.

What is expected is computed with numpy and plain Python, never with the aggregators themselves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

import lexigraph as lg

DAYS = 5
FIRST_DAY = date(2026, 1, 1)
START = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = np.array(["x", "y", "zz", "ä", ""])
SKETCHED = 1000
"""How many distinct values the sketches see."""


class Events(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    total: int = lg.sum()
    times: int = lg.product()
    least: int = lg.min()
    most: int = lg.max()
    every: bool = lg.all_of()
    some: bool = lg.any_of()
    oldest: int = lg.first()
    newest: int = lg.last()
    kinds: set[int] = lg.set_of()
    listed: tuple[int, ...] = lg.list_of()
    text: str = lg.concat(separator="|")
    often: Any = lg.frequencies(of=str)
    best: tuple[int, ...] = lg.top(5)
    series: Any = lg.time_series(of=datetime, bucket="hour")
    sample: tuple[int, ...] = lg.reservoir(size=20)
    distinct: float = lg.hll(of=int)
    people: float = lg.theta(of=int)
    quarters: Any = lg.quantiles(of=int)
    frequent: Any = lg.frequent(of=int, size=64)
    bits: tuple[int, ...] = lg.bitmap()


class Stream:
    """So many events between so many vertices, always the same."""

    def __init__(self, events: int, vertices: int) -> None:
        rng = np.random.default_rng(7)
        self.events = events
        self.source = rng.integers(0, vertices, events)
        self.destination = rng.integers(0, vertices, events)
        self.day = rng.integers(0, DAYS, events)
        self.number = rng.integers(-5, 60, events)
        self.factor = rng.choice([-1, 1, 1, 2], events)
        self.flag = rng.random(events) < 0.97
        self.word = rng.integers(0, len(WORDS), events)
        self.hour = rng.integers(0, 24, events)
        self.wide = rng.integers(0, SKETCHED, events)
        self.skewed = np.minimum(rng.zipf(1.5, events), 1000)
        key = (self.source * vertices + self.destination) * DAYS + self.day
        self._order = np.argsort(key, kind="stable")  # in the order of time within each key
        self._cuts = np.flatnonzero(np.diff(key[self._order])) + 1

    def tables(self, rows: int) -> Iterator[pa.Table]:
        """Give the stream in order, as Arrow tables."""
        days = np.datetime64(FIRST_DAY)
        start = np.datetime64(START.replace(tzinfo=None), "us")
        for at in range(0, self.events, rows):
            cut = slice(at, at + rows)
            number, wide = self.number[cut], self.wide[cut]
            columns = {
                "source": [f"v{one}" for one in self.source[cut]],
                "destination": [f"v{one}" for one in self.destination[cut]],
                "day": pa.array(days + self.day[cut], pa.date32()),
                **dict.fromkeys(("total", "least", "most", "oldest", "newest"), number),
                "times": self.factor[cut],
                "every": self.flag[cut],
                "some": ~self.flag[cut],
                **dict.fromkeys(("kinds", "listed", "best"), number),
                "text": WORDS[self.word[cut]],
                "often": WORDS[self.word[cut]],
                "series": pa.array(
                    start + self.hour[cut].astype("timedelta64[h]"), pa.timestamp("us", "UTC")
                ),
                **dict.fromkeys(("sample", "distinct", "people", "quarters", "bits"), wide),
                "frequent": self.skewed[cut],
            }
            yield pa.table(columns)

    def by_key(self) -> Iterator[tuple[tuple[str, str, date], np.ndarray[Any, Any]]]:
        """Give every key with the places of its events, in order."""
        for places in np.split(self._order, self._cuts):
            at = places[0]
            day = FIRST_DAY + timedelta(days=int(self.day[at]))
            yield (f"v{self.source[at]}", f"v{self.destination[at]}", day), places

    def exact(self, places: np.ndarray[Any, Any]) -> dict[str, Any]:
        """Give what the exact aggregators make of some events."""
        number = self.number[places].tolist()
        words = [str(WORDS[one]) for one in self.word[places]]
        hours = Counter(self.hour[places].tolist())
        flags = self.flag[places].tolist()
        return {
            "total": sum(number),
            "times": math.prod(self.factor[places].tolist()),
            "least": min(number),
            "most": max(number),
            "every": all(flags),
            "some": not all(flags),
            "oldest": number[0],
            "newest": number[-1],
            "kinds": tuple(sorted(set(number))),
            "listed": tuple(sorted(number)),
            "text": "|".join(sorted(words)),
            "often": dict(sorted(Counter(words).items())),
            "best": tuple(sorted(number, reverse=True)[:5]),
            "series": {START + timedelta(hours=h): n for h, n in sorted(hours.items())},
            "bits": tuple(sorted(set(self.wide[places].tolist()))),
        }

    def check_estimates(self, found: Mapping[str, Any], places: np.ndarray[Any, Any]) -> None:
        """Compare what sketches say with the truth, by the error that each of them promises."""
        wide, skewed = self.wide[places].tolist(), Counter(self.skewed[places].tolist())
        values = set(wide)
        for name in ("distinct", "people"):
            assert abs(found[name] - len(values)) <= max(0.5, 0.08 * len(values)), name
        assert len(found["sample"]) == min(20, len(values))
        assert set(found["sample"]) <= values
        _check_quantiles(found["quarters"], sorted(wide))
        slack = 3.5 / 64 * len(places)
        for value, count in found["frequent"].items():
            assert skewed[value] <= count <= skewed[value] + slack
        assert {one for one, count in skewed.items() if count > slack} <= set(found["frequent"])


def _check_quantiles(found: tuple[int, ...], values: list[int]) -> None:
    assert (found[0], found[-1]) == (values[0], values[-1])
    for rank, value in zip((0.25, 0.5, 0.75), found[1:-1], strict=True):
        low = np.searchsorted(values, value, "left") / len(values)
        high = np.searchsorted(values, value, "right") / len(values)
        assert low - 0.05 <= rank <= high + 0.05
