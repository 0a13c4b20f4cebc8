"""An explanation: a readable tree, and the same as JSON.

Layer ``plan``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any


@dataclass(frozen=True, slots=True)
class Explanation:
    """A tree of the steps of a question, with facts. ``print`` it, or use ``to_json``."""

    what: str
    facts: dict[str, Any] = field(default_factory=dict)
    parts: tuple[Explanation, ...] = ()

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> dict[str, Any]:
        """Return the tree as plain data."""
        data: dict[str, Any] = {"what": self.what, **self.facts}
        if self.parts:
            data["parts"] = [part.to_json() for part in self.parts]
        return data

    def lines(self) -> Iterator[str]:
        """Yield the tree line by line.

        >>> print(Explanation("scan", {"ranges": 2}, (Explanation("filter"),)))
        scan: ranges 2
        └─ filter
        """
        facts = ", ".join(_fact(name, item) for name, item in self._told())
        yield f"{self.what}: {facts}" if facts else self.what
        for at, part in enumerate(self.parts):
            first, rest = ("└─ ", "   ") if at == len(self.parts) - 1 else ("├─ ", "│  ")
            for number, line in enumerate(part.lines()):
                yield (rest if number else first) + line

    def _told(self) -> list[tuple[str, Any]]:
        return [(name, item) for name, item in self.facts.items() if item not in (None, [], ())]

    def find(self, what: str) -> list[Explanation]:
        """Return all parts of the tree with this name, at any depth."""
        here = [self] if self.what == what else []
        return here + [found for part in self.parts for found in part.find(what)]

    def __str__(self) -> str:
        """Show the tree."""
        return "\n".join(self.lines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _fact(name: str, item: Any) -> str:
    # What is asked for says itself what it is: "around 1 vertex", "everything".
    return _shown(item) if name == "of" else f"{name.replace('_', ' ')} {_shown(item)}"


def _shown(item: Any) -> str:
    return " ".join(map(str, item)) if isinstance(item, list | tuple) else str(item)
