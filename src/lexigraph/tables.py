"""Rows as a table, in HTML and in text.

Above ``errors`` alone, so that every layer can show itself. Values are shown short and always
escaped: a property may hold markup. Columns of numbers are aligned at the right, and floats of one
column have equally many decimals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from html import escape
from math import isfinite
from typing import Any

from lexigraph.errors import show

MAX_DECIMALS = 4
# The line is seen on light and on dark pages; a long word does not widen the table.
_CELL = (
    "padding:2px 8px;border-bottom:1px solid #8886;max-width:24em;overflow-wrap:break-word;"
    "text-align:"
)
_NUMBER = "right;font-variant-numeric:tabular-nums"


def shown_value(value: Any, limit: int = 60) -> str:
    """Show a value in a cell of a table.

    >>> shown_value(None), shown_value("ann"), shown_value(date(2026, 1, 2)), shown_value(1 / 3)
    ('', 'ann', '2026-01-02', '0.3333')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value if len(value) <= limit else value[: limit - 3] + "..."
    if isinstance(value, float):
        return _shown_float(value, _decimals([value]))
    if isinstance(value, date | Decimal):
        return str(value)
    return show(value, limit)


def html_table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Return a table as HTML; columns that no row fills are left out.

    >>> html_table([{"name": "<b>"}], ["name", "age"]).count("&lt;b&gt;")
    1
    """
    listed = list(rows)
    if not listed:
        return "<p>nothing found</p>"
    used = [name for name in columns if any(row.get(name) is not None for row in listed)]
    styles = {name: _CELL + (_NUMBER if _is_numeric(listed, name) else "left") for name in used}
    shown = [_shown_column(listed, name, 60) for name in used]
    head = "".join(f'<th style="{styles[name]}">{escape(name)}</th>' for name in used)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="{styles[name]}">{escape(text)}</td>'
            for name, text in zip(used, line, strict=True)
        )
        + "</tr>"
        for line in zip(*shown, strict=True)
    )
    return f'<table style="border-collapse:collapse"><tr>{head}</tr>{body}</table>'


def text_table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Return a table as text.

    >>> rows = [{"day": "mon", "hits": 20.5}, {"day": "tue", "hits": 3}]
    >>> print(text_table(rows, ["day", "hits"]))
    day | hits
    ----+-----
    mon | 20.5
    tue |  3.0
    """
    listed = list(rows)
    numeric = [_is_numeric(listed, name) for name in columns]
    shown = [_shown_column(listed, name, 30) for name in columns]
    table = [list(columns), *map(list, zip(*shown, strict=True))]
    widths = [max(len(line[at]) for line in table) for at in range(len(columns))]
    lines = [
        " | ".join(
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in table
    ]
    return "\n".join([lines[0], "-+-".join("-" * width for width in widths), *lines[1:]])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _is_numeric(rows: Sequence[Mapping[str, Any]], name: str) -> bool:
    held = [row[name] for row in rows if row.get(name) is not None]
    return bool(held) and all(map(_is_number, held))


def _shown_column(rows: Sequence[Mapping[str, Any]], name: str, limit: int) -> list[str]:
    held = [row.get(name) for row in rows]
    floats = [value for value in held if isinstance(value, float)]
    if not floats or not _is_numeric(rows, name):
        return [shown_value(value, limit) for value in held]
    decimals = _decimals(floats)
    return [
        _shown_float(value, decimals)
        if isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**15)
        else shown_value(value, limit)
        for value in held
    ]


def _decimals(floats: Iterable[float]) -> int:
    """Return how many decimals show all that four of them show."""
    plain = [value for value in floats if _is_plain(value)]
    for decimals in range(1, MAX_DECIMALS):
        if all(round(value, decimals) == round(value, MAX_DECIMALS) for value in plain):
            return decimals
    return MAX_DECIMALS


def _is_plain(value: float) -> bool:
    return value == 0 or (isfinite(value) and 10**-MAX_DECIMALS <= abs(value) < 10**15)


def _shown_float(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}" if _is_plain(value) else f"{value:.5g}"
