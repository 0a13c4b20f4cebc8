"""Records and histories as tables: properties with visibilities, times and metadata; a timeline.

Layer ``plan``. Shows what was fetched and reads nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Any, TypeVar
from uuid import UUID

from lexigraph.errors import show
from lexigraph.layout.records.elements import RecordMetadata
from lexigraph.plan.records.found import FoundRecord, FoundValue, shown_visibility
from lexigraph.plan.records.history import HistoryEvent
from lexigraph.tables import html_table, shown_value, text_table

MAX_ROWS = 100
"""A list may have any number of values, and a history of events: so many are shown."""

_T = TypeVar("_T")
_COLUMNS = ("property", "value", "key", "visibility", "since", "metadata", "hidden")
_EVENTS = ("time", "event", "name", "value", "previous", "from", "visibility", "note")


def text_record(found: FoundRecord) -> str:
    """Return a record as text: what it is, then a table of its values."""
    rows, more = _bounded([_row(one) for one in found.all_values()])
    used = [name for name in _COLUMNS if any(row[name] for row in rows)]
    head = _head(found)
    return f"{head}\n{text_table(rows, used)}{_text_more(more)}" if rows else head


def html_record(found: FoundRecord) -> str:
    """Return a record as HTML."""
    values, more = _bounded(found.all_values())
    rows = [{n: one or None for n, one in _row(value).items()} for value in values]
    table = html_table(rows, _COLUMNS) if rows else "<p>no properties</p>"
    return f"<p><b>{escape(_head(found))}</b></p>{table}{_html_more(more)}"


def text_timeline(events: Sequence[HistoryEvent]) -> str:
    """Return a history as text, newest first."""
    shown, more = _bounded(events)
    rows = [_event(one) for one in shown]
    used = [name for name in _EVENTS if any(row[name] not in (None, "") for row in rows)]
    return f"{text_table(rows, used)}{_text_more(more)}" if rows else "no events"


def html_timeline(events: Sequence[HistoryEvent]) -> str:
    """Return a history as HTML, newest first; a moment of several events is shown once."""
    shown, more = _bounded(events)
    rows = [{n: one for n, one in _event(event).items() if one != ""} for event in shown]
    moments = [row["time"] for row in rows]
    for row, moment, newer in zip(rows[1:], moments[1:], moments, strict=False):
        row["time"] = None if moment == newer else moment
    return f"{html_table(rows, _EVENTS)}{_html_more(more)}" if rows else "<p>no events</p>"


def _bounded(rows: Sequence[_T]) -> tuple[Sequence[_T], int]:
    """Return the rows to show, and how many are left out."""
    return rows[:MAX_ROWS], max(0, len(rows) - MAX_ROWS)


def _text_more(more: int) -> str:
    return f"\n({more:,} more)" if more else ""


def _html_more(more: int) -> str:
    return f"<p>{more:,} more</p>" if more else ""


def _head(found: FoundRecord) -> str:
    if found.kind == "vertex":
        what = f"{found.group} {show(found.vertex, 40)}"
    else:
        arrow = "->" if found.directed else "--"
        ends = f"{show(found.source, 40)} {arrow} {show(found.destination, 40)}"
        # UUIDs, which generated ids are, are shown as people write them.
        own = str(found.edge) if isinstance(found.edge, UUID) else show(found.edge, 40)
        what = f"{found.group} {ends} #{own}"
    facts = [f"visibility {found.visibility}"] if found.visibility else []
    facts += [f"since {_moment(found.time)}", *(["hidden"] if found.hidden else [])]
    return f"{what} ({', '.join(facts)})"


def _row(value: FoundValue) -> dict[str, Any]:
    metadata = [] if value.entries is None else value.entries
    return {
        "property": value.name,
        "value": shown_value(value.value),
        "key": _key(value),
        "visibility": value.visibility,
        "since": _moment(value.time),
        "metadata": ", ".join(_entry(one, value.visibility) for one in metadata),
        "hidden": "hidden" if value.hidden else "",
    }


def _entry(one: RecordMetadata, seen_by: str) -> str:
    """Return a metadata entry, with its visibility if that is not the one of its value."""
    own = shown_visibility(one.visibility)
    seen_by = "" if own == seen_by else f" [{own or 'everybody'}]"
    return f"{one.key}={shown_value(one.value, 30)}{seen_by}"


def _key(value: FoundValue) -> str:
    """Return the key that a user gave; those of lists and sets are made of the value."""
    text = value.key.decode("utf-8", "backslashreplace")
    made = not text.isprintable() or value.value in (text, text[1:])
    return "" if made else shown_value(text, 30)


def _event(event: HistoryEvent) -> dict[str, Any]:
    told = event.told()
    note = "" if event.note is None else shown_value(event.note, 40)
    row = {"time": _moment(event.time), "event": event.kind, "visibility": event.visibility}
    return dict.fromkeys(_EVENTS, "") | row | {"note": note} | told


def _moment(time: datetime | int) -> str:
    if not isinstance(time, datetime):
        return str(time)
    return time.isoformat(sep=" ").removesuffix("+00:00")
