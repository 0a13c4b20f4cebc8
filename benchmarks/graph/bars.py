"""The bars of a graph: how long it may take beside the best peer, and figures printed with them.

Every figure is smaller where it is better. A bar is a ratio to the best peer in the same run, since
machines differ and one machine differs from hour to hour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.graph.systems import OURS

Figures = Mapping[str, Mapping[str, float]]
"""The figures of each system, by the name of their bar."""


@dataclass(frozen=True)
class Bar:
    """A measure: how it is shown, and what the ratio may be; ``None`` is only reported."""

    what: str
    unit: str
    factor: float
    limit: float | None


BARS = {
    "load": Bar("W1 bulk load from Parquet, durable", "s", 1, 2),
    "disk": Bar("W1 disk after load", "MB", 1, 3),
    "events": Bar("W2 events summed, a batch a commit", "us/event", 1e6, 1),
    "neighbours": Bar("W3 neighbours of a vertex, median", "us", 1e6, 0.6),
    "neighbours-in-days": Bar("W3f the same for five days", "us", 1e6, 0.8),
    "pairs": Bar("W3b pairs of many vertices, one call", "ms", 1e3, 0.4),
    "hops-2": Bar("W4 vertices 2 hops away, median", "ms", 1e3, 0.9),
    "hops-3": Bar("W4 vertices 3 hops away, median", "ms", 1e3, 5),
    "by-day": Bar("W5 count and sum of all edges by day", "ms", 1e3, 4),
    "to-arrow": Bar("edges as an Arrow table", "ms/million", 1e9, 1.5),
    "load-memory": Bar("W1 peak memory of its own", "MB", 1, None),
    "memory": Bar("peak memory, file pages included", "MB", 1, None),
    "own-memory": Bar("peak memory of its own (anonymous)", "MB", 1, None),
}


@dataclass(frozen=True)
class Verdict:
    """One line of the table."""

    name: str
    figures: dict[str, float]
    best: str | None
    ratio: float | None

    @property
    def short(self) -> bool:
        limit = BARS[self.name].limit
        return limit is not None and (self.ratio is None or self.ratio > limit)

    def as_json(self) -> dict[str, Any]:
        bar = BARS[self.name]
        shown = {system: float(f"{one:.4g}") for system, one in self.figures.items()}
        ratio = None if self.ratio is None else round(self.ratio, 3)
        return {"unit": bar.unit, **shown, "best": self.best, "ratio": ratio, "bar": bar.limit}


def judge(figures: Figures) -> list[Verdict]:
    """Compare us with the best peer, measure by measure."""
    found = []
    for name, bar in BARS.items():
        shown = {who: one[name] * bar.factor for who, one in figures.items() if name in one}
        peers = {who: one for who, one in shown.items() if who != OURS}
        best = min(peers, key=lambda who: peers[who]) if peers else None
        both = best is not None and OURS in shown
        found.append(Verdict(name, shown, best, shown[OURS] / peers[best] if both else None))
    return found


def table(verdicts: Sequence[Verdict], systems: Sequence[str]) -> str:
    """Show every measure with all systems, the ratio and the bar."""
    head = f"{'':<38} {'unit':<9}" + "".join(f"{who:>10}" for who in systems)
    lines = [f"{head}  {'best peer':<10}{'ratio':>6}{'bar':>6}"]
    for one in verdicts:
        bar = BARS[one.name]
        shown = "".join(_number(one.figures.get(who)) for who in systems)
        ratio = "-" if one.ratio is None else f"{one.ratio:.2f}"
        limit = "" if bar.limit is None else f"{bar.limit:g}"
        mark = "  FALLS SHORT" if one.short else ""
        line = f"{bar.what:<38} {bar.unit:<9}{shown}  {one.best or '-':<10}{ratio:>6}{limit:>6}"
        lines.append(line + mark)
    return "\n".join(lines)


def summary(verdicts: Sequence[Verdict]) -> str:
    """Say in one line what falls short, or that nothing does."""
    short = [
        f"{BARS[one.name].what} ({'not measured' if one.ratio is None else f'{one.ratio:.2f}'}"
        f", bar {BARS[one.name].limit:g})"
        for one in verdicts
        if one.short
    ]
    return f"bench: {'falls short: ' + '; '.join(short) if short else 'nothing falls short'}"


def _number(figure: float | None) -> str:
    if figure is None:
        return f"{'-':>10}"
    return f"{figure:>10,.0f}" if figure >= 100 else f"{figure:>10.3g}"
