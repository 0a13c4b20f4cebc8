"""The tables of a graph by their names in the engine, which are used once and never again.

Layer ``layout``.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from lexigraph.errors import TableNotFound
from lexigraph.layout import BoundLayout
from lexigraph.layout.stored.catalogue import DROPPED, Entry
from lexigraph.store import Engine


def table_names(graph: str, layout: BoundLayout, suffix: str) -> dict[str, str]:
    """Return the engine's names of the tables of a layout, by its own."""
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


def drop_all(engine: Engine, tables: Iterable[str]) -> None:
    """Drop those tables that are there."""
    for table in tables:
        with suppress(TableNotFound):
            engine.drop_table(table)
