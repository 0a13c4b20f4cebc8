from __future__ import annotations

import pytest

from lexigraph.errors import UnsupportedError
from lexigraph.store.clock import HybridClock, ManualClock, SystemClock, in_unit


def test_a_commit_takes_the_clocks_time_when_it_is_newer() -> None:
    clock = ManualClock(100)
    commits = HybridClock(clock)
    commits.tick()
    clock.advance(50)
    assert commits.tick() == 150


def test_a_clock_that_stands_or_jumps_back_never_makes_a_commit_older() -> None:
    clock = ManualClock(100)
    commits = HybridClock(clock)
    first = commits.tick()
    clock.advance(-90)
    assert [commits.tick(), commits.tick()] == [first + 1, first + 2]


def test_a_reader_is_never_before_the_last_commit() -> None:
    clock = ManualClock(100)
    commits = HybridClock(clock)
    commits.tick()
    clock.advance(-50)
    assert (commits.reading(), commits.last) == (100, 100)


def test_another_clock_is_followed_and_not_forgotten() -> None:
    clock = ManualClock(100)
    commits = HybridClock(clock)
    commits.follow(500)
    assert [commits.tick(), commits.tick()] == [500, 501]
    commits.follow(200)
    assert commits.tick() == 502
    clock.advance(1000)
    assert commits.tick() == 1100


def test_a_clock_more_than_a_minute_ahead_is_not_followed() -> None:
    commits = HybridClock(ManualClock(100))
    with pytest.raises(UnsupportedError, match="61 s ahead of this clock"):
        commits.follow(100 + 61_000_000)
    assert commits.tick() == 100


def test_a_negative_clock_is_kept() -> None:
    assert HybridClock(ManualClock(-5)).tick() == -5


@pytest.mark.parametrize(
    ("micros", "unit", "last", "expected"),
    [
        (1999, "micros", None, 1999),
        (1999, "millis", None, 1),
        (-1, "millis", None, -1),
        (1999, "millis", 5, 6),
        (9000, "millis", 5, 9),
        (1999, "logical", None, 1),
        (1999, "logical", 41, 42),
    ],
)
def test_time_units(micros: int, unit: str, last: int | None, expected: int) -> None:
    assert in_unit(micros, unit, last) == expected


def test_the_system_clock_counts_microseconds_since_1970() -> None:
    assert SystemClock().now() > 1_600_000_000_000_000
