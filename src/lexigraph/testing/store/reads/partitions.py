"""Ways to merge runs: every order in which contiguous runs can become fewer.

Layer ``testing``. A merge is (first, last) as ``compact(runs=...)`` takes it, counted in the runs
that are there when it happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lexigraph.store import Engine, MergeReport

Merge = tuple[int, int]


def merge_orders(runs: int) -> Iterator[list[Merge]]:
    """Yield every partition of the runs into contiguous parts, as merges of the parts.

    >>> list(merge_orders(3))
    [[], [(1, 3)], [(0, 2)], [(0, 3)]]
    """
    for cuts in range(2 ** (runs - 1)):
        lengths = [1]
        for place in range(runs - 1):
            if cuts >> place & 1:
                lengths[-1] += 1
            else:
                lengths.append(1)
        lengths.reverse()
        yield [(place, place + length) for place, length in enumerate(lengths) if length > 1]


def merge_runs(
    engine: Any, table: str, first: int, last: int, *, now: int | None = None
) -> MergeReport:
    """Merge some runs alone; only engines that have ``partial-merges`` can."""
    report: MergeReport = engine.compact(table, runs=(first, last), now=now)
    return report


def run_count(engine: Engine, table: str) -> int:
    """Return how many runs a table has."""
    return engine.stats(table).runs
