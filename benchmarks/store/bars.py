"""The bars of the embedded engine, and how figures are printed beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bar:
    """What a measure should reach; ``None`` is a measure that is only reported."""

    what: str
    limit: float | None
    unit: str
    at_least: bool = False

    def reached(self, figure: float) -> bool:
        if self.limit is None:
            return True
        return figure >= self.limit if self.at_least else figure <= self.limit


BARS = {
    "load": Bar("load incl. sort and fsync", 1.7, "M cells/s", at_least=True),
    "disk": Bar("disk after load", 150, "MB"),
    "disk-unique": Bar("disk after load, unique microsecond timestamps", 200, "MB"),
    "sum": Bar("full scan, labels checked, group sum, both cores", 3, "x DuckDB"),
    "sum-delta": Bar("the same with 900k cells in the delta", 3, "x DuckDB"),
    "rows": Bar("1,000 random rows of about 15 cells, one call", 4, "ms"),
    "row": Bar("one row of about 15 cells from Python, median", 8, "us"),
    "prefixes": Bar("1,000 random vertices' edges (a row each), one call", None, "ms"),
    "hops-2": Bar("2 hops, distinct", 2.5, "ms"),
    "hops-3": Bar("3 hops, distinct", 300, "ms"),
    "batches": Bar("durable batches of 200k cells onto the loaded store", 800, "k cells/s", True),
    "churn": Bar("file after 10 rounds of overwriting everything", 3, "x fresh"),
    "commits": Bar("single-cell commits, buffered", 10, "k/s", at_least=True),
    "memory": Bar("own (anonymous) memory in a scan", 100, "MB"),
    "load-url": Bar("60-byte URL ids: load", None, "M cells/s", at_least=True),
    "disk-url": Bar("60-byte URL ids: disk after load", None, "MB"),
    "sum-url": Bar("60-byte URL ids: group sum", None, "x DuckDB"),
    "disk-labels": Bar("200 labels: disk after load", None, "MB"),
    "sum-labels": Bar("200 labels: group sum", None, "x DuckDB"),
}


def table_line(name: str, figure: float) -> str:
    """Print one figure beside its bar."""
    bar = BARS[name]
    if bar.limit is None:
        verdict = "reported"
    else:
        side = "at least" if bar.at_least else "at most"
        verdict = f"bar: {side} {bar.limit:g}{'' if bar.reached(figure) else '  FALLS SHORT'}"
    return f"  {bar.what:<56} {figure:>9.3g} {bar.unit:<10} {verdict}"


def summary(figures: dict[str, float], missing: list[str]) -> str:
    """Say in one line what falls short, or that nothing does."""
    short = [BARS[name].what for name, figure in figures.items() if not BARS[name].reached(figure)]
    short += [f"{BARS[name].what} (not measured)" for name in missing]
    if not short:
        return "bench-store: nothing falls short of its bar"
    return "bench-store: falls short: " + "; ".join(short)


def as_json(figures: dict[str, float]) -> dict[str, Any]:
    """Return the figures with their bars."""
    return {
        name: {"figure": round(figure, 4), "unit": BARS[name].unit, "bar": BARS[name].limit}
        for name, figure in figures.items()
    }
