"""Whether a run can be trusted: peers do not change, so their figures should not either.

A run in which a peer is more than ``LIMIT`` times off its own recorded figure, slower or faster,
was disturbed by something else on the machine: it is repeated, and the steadiest run counts. The
record holds for one machine and one scale; for others there is nothing to compare with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.graph.bars import BARS, Figures
from benchmarks.graph.systems import OURS

LIMIT = 1.5
REPEATS = 2
RECORD = Path(__file__).parents[1] / "results" / "graph-peers.json"

Run = TypeVar("Run")


@dataclass(frozen=True)
class Off:
    """A figure of a peer that is off its record; ``factor`` is above 1 whichever way."""

    peer: str
    measure: str
    figure: float
    recorded: float

    @property
    def factor(self) -> float:
        return max(self.figure / self.recorded, self.recorded / self.figure)

    def __str__(self) -> str:
        bar = BARS[self.measure]
        return (
            f"{self.peer}: {bar.what}: {self.figure:.4g} {bar.unit}, recorded {self.recorded:.4g}"
        )


def off_record(figures: Figures, recorded: Figures) -> list[Off]:
    """Return what is more than ``LIMIT`` times off, the worst first; only measures with a bar."""
    found = [
        Off(peer, name, figures[peer][name] * bar.factor, recorded[peer][name])
        for peer in figures
        for name, bar in BARS.items()
        if peer != OURS
        and bar.limit is not None
        and name in figures[peer]
        and name in recorded.get(peer, {})
    ]
    off = [one for one in found if one.factor > LIMIT]
    return sorted(off, key=lambda one: -one.factor)


def repeated(
    run: Callable[[], Run], judge: Callable[[Run], list[Off]], say: Callable[[str], None]
) -> tuple[Run, list[Off]]:
    """Run until a run is steady, at most ``REPEATS`` more times; return the steadiest one."""
    tries: list[tuple[Run, list[Off]]] = []
    while True:
        found = run()
        off = judge(found)
        tries.append((found, off))
        if not off or len(tries) > REPEATS:
            return min(tries, key=lambda one: (len(one[1]), one[1][0].factor if one[1] else 0))
        say(f"bench: UNSTEADY, {LIMIT:g} times off and more: {'; '.join(map(str, off))}")
        say(f"bench: the machine was busy; repeated ({len(tries)} of {REPEATS})")


def recorded_for(scale: str, machine: Mapping[str, Any], path: Path = RECORD) -> Figures:
    """Return the recorded figures of the peers, or nothing for another scale or machine."""
    if not path.is_file():
        return {}
    record = json.loads(path.read_text(encoding="utf-8"))
    if record["scale"] != scale or record["machine"] != _kind(machine):
        return {}
    figures: Figures = record["figures"]
    return figures


def record(scale: str, machine: Mapping[str, Any], figures: Figures, path: Path = RECORD) -> None:
    """Write the figures of the peers as what later runs are compared with."""
    shown = {
        peer: {n: float(f"{one[n] * bar.factor:.4g}") for n, bar in BARS.items() if n in one}
        for peer, one in figures.items()
        if peer != OURS
    }
    written = {"scale": scale, "machine": _kind(machine), "figures": shown}
    path.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")


def _kind(machine: Mapping[str, Any]) -> dict[str, Any]:
    return {name: machine[name] for name in ("processor", "cores")}
