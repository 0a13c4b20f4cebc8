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
    """A measure: how it is shown, and what the ratio may be; ``None`` is only reported.

    ``most`` is what our own figure may be, whatever peers take.
    """

    what: str
    unit: str
    factor: float
    limit: float | None
    most: float | None = None


BARS = {
    "load": Bar("W1 bulk load from Parquet, durable", "s", 1, 1.5),
    "disk": Bar("W1 disk after load", "MB", 1, 2.5),
    "events": Bar("W2 events summed, a batch a commit", "us/event", 1e6, 0.8),
    "neighbours": Bar("W3 neighbours of a vertex, median", "us", 1e6, 0.4),
    "neighbours-in-days": Bar("W3f the same for five days", "us", 1e6, 0.6),
    "pairs": Bar("W3b pairs of many vertices, one call", "ms", 1e3, 0.25),
    "hops-2": Bar("W4 vertices 2 hops away, median", "ms", 1e3, 0.5),
    "hops-3": Bar("W4 vertices 3 hops away, median", "ms", 1e3, 2.3),
    "by-day": Bar("W5 count and sum of all edges by day", "ms", 1e3, 2),
    "to-arrow": Bar("edges as an Arrow table", "ms/million", 1e9, 1.5),
    "load-memory": Bar("W1 peak memory of its own", "MB", 1, None, 250),
    "memory": Bar("peak memory, file pages included", "MB", 1, None),
    "own-memory": Bar("peak memory of its own (anonymous)", "MB", 1, None),
}


@dataclass(frozen=True)
class Verdict:
    """One line of the table."""

    name: str
    bar: Bar
    figures: dict[str, float]
    best: str | None
    ratio: float | None

    @property
    def short(self) -> bool:
        bar = self.bar
        if bar.most is not None:
            return self.figures.get(OURS, bar.most + 1) > bar.most
        return bar.limit is not None and (self.ratio is None or self.ratio > bar.limit)

    def as_json(self) -> dict[str, Any]:
        bar = self.bar
        shown = {system: float(f"{one:.4g}") for system, one in self.figures.items()}
        ratio = None if self.ratio is None else round(self.ratio, 3)
        most = {} if bar.most is None else {"most": bar.most}
        told = {"best": self.best, "ratio": ratio, "bar": bar.limit, **most}
        return {"unit": bar.unit, **shown, **told}


def judge(figures: Figures, bars: Mapping[str, Bar] = BARS) -> list[Verdict]:
    """Compare us with the best peer, measure by measure."""
    found = []
    for name, bar in bars.items():
        shown = {who: one[name] * bar.factor for who, one in figures.items() if name in one}
        peers = {who: one for who, one in shown.items() if who != OURS}
        best = min(peers, key=lambda who: peers[who]) if peers else None
        both = best is not None and OURS in shown
        found.append(Verdict(name, bar, shown, best, shown[OURS] / peers[best] if both else None))
    return found


def table(verdicts: Sequence[Verdict], systems: Sequence[str]) -> str:
    """Show every measure with all systems, the ratio and the bar."""
    head = f"{'':<38} {'unit':<9}" + "".join(f"{who:>10}" for who in systems)
    lines = [f"{head}  {'best peer':<10}{'ratio':>6}{'bar':>6}"]
    for one in verdicts:
        bar = one.bar
        shown = "".join(_number(one.figures.get(who)) for who in systems)
        ratio = "-" if one.ratio is None else f"{one.ratio:.2f}"
        limit = "" if bar.limit is None else f"{bar.limit:g}"
        mark = "  FALLS SHORT" if one.short else ""
        line = f"{bar.what:<38} {bar.unit:<9}{shown}  {one.best or '-':<10}{ratio:>6}{limit:>6}"
        lines.append(line + mark)
    return "\n".join(lines)


def summary(verdicts: Sequence[Verdict]) -> str:
    """Say in one line what falls short, or that nothing does."""
    short = [f"{one.bar.what} ({_missed(one)})" for one in verdicts if one.short]
    return f"bench: {'falls short: ' + '; '.join(short) if short else 'nothing falls short'}"


def _missed(verdict: Verdict) -> str:
    bar = verdict.bar
    if bar.most is not None and OURS in verdict.figures:
        return f"{verdict.figures[OURS]:.0f} {bar.unit}, bar {bar.most:g} {bar.unit}"
    ratio = "not measured" if verdict.ratio is None else f"{verdict.ratio:.2f}"
    return f"{ratio}, bar {bar.limit:g}"


def _number(figure: float | None) -> str:
    if figure is None:
        return f"{'-':>10}"
    return f"{figure:>10,.0f}" if figure >= 100 else f"{figure:>10.3g}"
