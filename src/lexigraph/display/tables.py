"""Rows as a table, in HTML and in text.

Layer ``display``. Values are shown short and always escaped: a property may hold markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from html import escape
from typing import Any

from lexigraph.errors import show

_CELL = "padding:2px 8px;text-align:left;border-bottom:1px solid #ddd"


def shown_value(value: Any, limit: int = 60) -> str:
    """Show a value in a cell of a table.

    >>> shown_value(None), shown_value("ann"), shown_value(date(2026, 1, 2))
    ('', 'ann', '2026-01-02')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value if len(value) <= limit else value[: limit - 3] + "..."
    if isinstance(value, date):
        return str(value)
    return show(value, limit)


def html_table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Give a table as HTML; columns that no row fills are left out.

    >>> html_table([{"name": "<b>"}], ["name", "age"]).count("&lt;b&gt;")
    1
    """
    listed = list(rows)
    used = [name for name in columns if any(row.get(name) is not None for row in listed)]
    head = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in used)
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{_CELL}">{escape(shown_value(row.get(name)))}</td>' for name in used)
        + "</tr>"
        for row in listed
    )
    if not listed:
        return "<p>nothing found</p>"
    return f'<table style="border-collapse:collapse"><tr>{head}</tr>{body}</table>'


def text_table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Give a table as text.

    >>> print(text_table([{"day": 1, "hits": 20}], ["day", "hits"]))
    day | hits
    ----+-----
    1   | 20
    """
    listed = [[shown_value(row.get(name), 30) for name in columns] for row in rows]
    table = [list(columns), *listed]
    widths = [max(len(line[at]) for line in table) for at in range(len(columns))]
    lines = [
        " | ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]
    return "\n".join([lines[0], "-+-".join("-" * width for width in widths), *lines[1:]])
