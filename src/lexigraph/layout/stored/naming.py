"""What the engine calls the tables of a graph.

Layer ``layout``. Names are stored. Tables of a graph that was dropped are never called the same as
those of the next graph of its name.
"""

from __future__ import annotations

from lexigraph.layout import BoundLayout
from lexigraph.layout.stored.catalogue import DROPPED, Entry


def names_in(graph: str, layout: BoundLayout, suffix: str) -> dict[str, str]:
    """Return the engine's name of each table of a layout."""
    return {table: f"{graph}.{table}{suffix}" for table in layout.tables()}


def next_suffix(old: Entry | None, by: str) -> str:
    """Return a suffix that no table of a graph of that name had: old handles must not reach these.

    If others have begun to make or drop one, they may go on at any time: then it is random.
    """
    if old is None:
        return ""
    number = old.suffix.removeprefix(".") or "1"
    if old.state == DROPPED and number.isdecimal():
        return f".{int(number) + 1}"
    return f".{by[:8]}"
