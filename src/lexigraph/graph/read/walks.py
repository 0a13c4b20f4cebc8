"""Walks as an answer: read one by one, shown as a table of the first few.

Layer ``graph``. Iterating reads on; showing reads a few walks of its own and leaves the others
where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lexigraph.plan import Path
from lexigraph.tables import html_table, text_table

PREVIEW = 20
"""How many walks are shown."""


class Walks(Iterator[Path]):
    """The walks of one question, in no order; ``read`` begins to read them, at most so many."""

    def __init__(self, read: Callable[[int | None], Iterator[Path]], hops: int, what: str) -> None:
        self._read, self._hops, self._what = read, hops, what
        # Mistakes are raised here, before anything is read.
        self._left = read(None)

    def __next__(self) -> Path:
        """Read the next walk."""
        return next(self._left)

    def __repr__(self) -> str:
        """Show what is asked, without asking."""
        return f"<walks {self._what}>"

    def __str__(self) -> str:
        """Show the first walks as a table."""
        rows, more = self._preview()
        table = text_table(rows, self._columns()) if rows else "nothing found"
        return f"{table}\nand more" if more else table

    def _repr_html_(self) -> str:
        rows, more = self._preview()
        return html_table(rows, self._columns()) + ("<p>and more</p>" if more else "")

    def _columns(self) -> list[str]:
        hops = (name for at in range(1, self._hops + 1) for name in (f"edge {at}", f"vertex {at}"))
        return ["start", *hops]

    def _preview(self) -> tuple[list[dict[str, Any]], bool]:
        """Return rows of the first walks, and whether there are more."""
        found = list(self._read(PREVIEW + 1))
        return [self._row(one) for one in found[:PREVIEW]], len(found) > PREVIEW

    def _row(self, walk: Path) -> dict[str, Any]:
        first, *others = walk.vertices
        row = {"start": first}
        for at, (edge, vertex) in enumerate(zip(walk.edges, others, strict=True), 1):
            facts = {name: one for name, one in edge.properties.items() if one is not None}
            shown = ", ".join(f"{name}={one}" for name, one in facts.items())
            row[f"edge {at}"] = f"{edge.group}({shown})" if shown else edge.group
            row[f"vertex {at}"] = vertex
        return row
