"""Walks and paths as an answer: read one by one, shown as a table of the first few.

Layer ``graph``. Iterating reads on; showing reads a few of its own and leaves the others where they
are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from lexigraph.plan import Path
from lexigraph.tables import html_table, text_table

PREVIEW = 20
"""How many of them are shown."""


T = TypeVar("T")


class Previewed(Iterator[T]):
    """Answers that are read one by one; ``read`` begins to read them, at most so many."""

    _plural: str

    def __init__(self, read: Callable[[int | None], Iterator[T]], what: str) -> None:
        self._read, self._what = read, what
        # Mistakes are raised here, before anything is read.
        self._left = read(None)

    def __next__(self) -> T:
        """Read the next one."""
        return next(self._left)

    def __repr__(self) -> str:
        """Show what is asked, without asking."""
        return f"<{self._plural} {self._what}>"

    def __str__(self) -> str:
        """Show the first ones as a table."""
        rows, more = self._preview()
        table = text_table(rows, _columns(rows)) if rows else "nothing found"
        return f"{table}\nand more" if more else table

    def _repr_html_(self) -> str:
        rows, more = self._preview()
        return html_table(rows, _columns(rows)) + ("<p>and more</p>" if more else "")

    def _preview(self) -> tuple[list[dict[str, Any]], bool]:
        """Return rows of the first ones, and whether there are more."""
        found = list(self._read(PREVIEW + 1))
        return [self._row(one) for one in found[:PREVIEW]], len(found) > PREVIEW

    @abstractmethod
    def _row(self, one: T) -> dict[str, Any]:
        """Return one as a row of a table."""


class Walks(Previewed[Path]):
    """The walks of one question, in no order."""

    _plural = "walks"

    def _row(self, one: Path) -> dict[str, Any]:
        first, *others = one.vertices
        row = {"start": first}
        for at, (edge, vertex) in enumerate(zip(one.edges, others, strict=True), 1):
            facts = {name: one for name, one in edge.properties.items() if one is not None}
            shown = ", ".join(f"{name}={one}" for name, one in facts.items())
            row[f"edge {at}"] = f"{edge.group}({shown})" if shown else edge.group
            row[f"vertex {at}"] = vertex
        return row


class Paths(Previewed[tuple[Any, ...]]):
    """The paths between two vertices, each a tuple of the ids along it; shorter ones first."""

    _plural = "paths"

    def _row(self, one: tuple[Any, ...]) -> dict[str, Any]:
        return {"start" if not at else f"vertex {at}": vertex for at, vertex in enumerate(one)}


def _columns(rows: list[dict[str, Any]]) -> list[str]:
    return list(max(rows, key=len, default={"start": None}))
