"""What a check of an engine found: one line for each step, and what to do where one failed.

Layer ``store``. Plain data: tools print it, tests compare it. A step that another one made
impossible is skipped and says so; nothing that was not looked at counts as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

OK, PROBLEM, SKIPPED = "ok", "problem", "skipped"


@dataclass(frozen=True, slots=True)
class Checked:
    """One step: what was looked at, how it is, and what to do where that is wrong."""

    step: str
    state: str
    what: str
    remedy: str = ""

    def to_json(self) -> dict[str, str]:
        """Return it as data."""
        return {"step": self.step, "state": self.state, "what": self.what, "remedy": self.remedy}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """All steps of a check, in their order.

    >>> CheckReport([Checked("zookeeper", OK, "zk1:2181 answers")])
    nothing is wrong: 1 step checked
      ok       zookeeper    zk1:2181 answers
    >>> CheckReport([Checked("grants", PROBLEM, "ann may not read 'A'", "setauths -u ann -s A")])
    1 problem
      problem  grants       ann may not read 'A'
                            do: setauths -u ann -s A
    """

    steps: tuple[Checked, ...]

    def __init__(self, steps: Iterable[Checked]) -> None:
        object.__setattr__(self, "steps", tuple(steps))

    @property
    def problems(self) -> tuple[Checked, ...]:
        """What is wrong."""
        return tuple(one for one in self.steps if one.state == PROBLEM)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong, as far as it was looked at."""
        return not self.problems

    @property
    def summary(self) -> str:
        """Return the report in one line."""
        count = len(self.problems)
        if count:
            return f"{count} problem{'' if count == 1 else 's'}"
        done = sum(1 for one in self.steps if one.state == OK)
        skipped = len(self.steps) - done
        left = f", {skipped} skipped" if skipped else ""
        return f"nothing is wrong: {done} step{'' if done == 1 else 's'} checked{left}"

    def to_json(self) -> dict[str, Any]:
        """Return it as data."""
        return {"ok": self.ok, "steps": [one.to_json() for one in self.steps]}

    def __repr__(self) -> str:
        """Show every step, and what to do below each that failed."""
        lines = [self.summary]
        for one in self.steps:
            lines.append(f"  {one.state:8} {one.step:12} {one.what}")
            if one.remedy:
                lines.append(f"{'':24}do: {one.remedy}")
        return "\n".join(lines)
