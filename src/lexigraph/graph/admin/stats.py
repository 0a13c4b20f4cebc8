"""What the tables of a graph hold, as a table of its own.

Layer ``graph``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from lexigraph.store.reports import TableStats
from lexigraph.tables import html_table, text_table

_NAMES = [one.name for one in fields(TableStats) if one.name != "table"]


class GraphStats(dict[str, TableStats]):
    """The stats of each table, by its name in the graph."""

    def __repr__(self) -> str:
        """Show a table."""
        rows = list(self._rows())
        filled = [name for name in _NAMES if any(row[name] is not None for row in rows)]
        return text_table(rows, ["table", *filled])

    def _repr_html_(self) -> str:
        return html_table(self._rows(), ["table", *_NAMES])

    def _rows(self) -> Iterator[dict[str, Any]]:
        for name, one in self.items():
            yield {"table": name, **{field: getattr(one, field) for field in _NAMES}}
