"""Elements that were left out of an add or a load: the first of them, and counts of all reasons.

Layer ``graph``. Memory is bounded however many there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lexigraph.errors import LexigraphError, show

MAX_KEPT = 1000
"""How many skipped elements a report lists one by one, and how many different reasons it counts."""
OTHER_REASONS = "other reasons"


@dataclass(frozen=True, slots=True)
class Skipped:
    """An element that was not added, and why."""

    number: int
    element: Any
    property: str | None
    reason: str


class Skips:
    """What was skipped by one call."""

    def __init__(self) -> None:
        self.count = 0
        self.kept: list[Skipped] = []
        self._reasons: dict[str, int] = {}

    def add(self, number: int, element: Any, name: str | None, reason: str) -> None:
        """Take one; ``name`` is the property or id that does not fit."""
        self.count += 1
        if len(self.kept) < MAX_KEPT:
            self.kept.append(Skipped(number, element, name, reason))
        key = _key(element, name, reason)
        if key not in self._reasons and len(self._reasons) >= MAX_KEPT:
            key = OTHER_REASONS
        self._reasons[key] = self._reasons.get(key, 0) + 1

    def add_error(self, number: int, element: Any, error: LexigraphError) -> None:
        """Take one that was refused by an error."""
        reason = getattr(error, "reason", None) or str(error)
        self.add(number, element, getattr(error, "property", None), reason)

    def reasons(self) -> dict[str, int]:
        """Return how many there were for each reason, the most frequent first."""
        return dict(sorted(self._reasons.items(), key=lambda pair: -pair[1]))


def _key(element: Any, name: str | None, reason: str) -> str:
    """Return a reason without the value that it is about, so that equal mistakes count together."""
    if name is None:
        return reason
    if isinstance(element, Mapping) and name in element:
        shown = show(element[name])
        if len(shown) > 2:
            reason = reason.removesuffix(f": {shown}").replace(shown, "a value")
    return f"{name}: {reason}"
