"""Records and histories as tables: properties with visibilities, times and metadata; a timeline.

Layer ``plan``. Shows what was fetched and reads nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from html import escape
from typing import Any

from lexigraph.errors import show
from lexigraph.plan.records.found import FoundRecord, FoundValue
from lexigraph.plan.records.history import HistoryEvent
from lexigraph.tables import html_table, text_table

_COLUMNS = ("property", "value", "key", "visibility", "since", "metadata", "hidden")
_EVENTS = ("time", "event", "name", "value", "previous", "from", "visibility", "data")


def text_record(found: FoundRecord) -> str:
    """Return a record as text: what it is, then a table of its values."""
    rows = [_row(one) for one in found.all_values()]
    used = [name for name in _COLUMNS if any(row[name] for row in rows)]
    head = _head(found)
    return f"{head}\n{text_table(rows, used)}" if rows else head


def html_record(found: FoundRecord) -> str:
    """Return a record as HTML."""
    rows = [{n: one or None for n, one in _row(value).items()} for value in found.all_values()]
    table = html_table(rows, _COLUMNS) if rows else "<p>no properties</p>"
    return f"<p><b>{escape(_head(found))}</b></p>{table}"


def text_timeline(events: Iterable[HistoryEvent]) -> str:
    """Return a history as text, newest first."""
    rows = [_event(one) for one in events]
    used = [name for name in _EVENTS if any(row[name] not in (None, "") for row in rows)]
    return text_table(rows, used) if rows else "no events"


def html_timeline(events: Iterable[HistoryEvent]) -> str:
    """Return a history as HTML, newest first."""
    rows = [{n: one for n, one in _event(event).items() if one != ""} for event in events]
    return html_table(rows, _EVENTS) if rows else "<p>no events</p>"


def _head(found: FoundRecord) -> str:
    if found.kind == "vertex":
        what = f"{found.group} {show(found.vertex, 40)}"
    else:
        arrow = "->" if found.directed else "--"
        ends = f"{show(found.source, 40)} {arrow} {show(found.destination, 40)}"
        what = f"{found.group} {show(found.edge, 40)}: {ends}"
    facts = [f"visibility {found.visibility}"] if found.visibility else []
    facts += [f"since {_moment(found.time)}", *(["hidden"] if found.hidden else [])]
    return f"{what} ({', '.join(facts)})"


def _row(value: FoundValue) -> dict[str, Any]:
    metadata = [] if value.entries is None else value.entries
    return {
        "property": value.name,
        "value": value.value if isinstance(value.value, str) else show(value.value, 60),
        "key": "" if not value.key else show(value.key, 30),
        "visibility": value.visibility,
        "since": _moment(value.time),
        "metadata": ", ".join(f"{one.key}={show(one.value, 30)}" for one in metadata),
        "hidden": "hidden" if value.hidden else "",
    }


def _event(event: HistoryEvent) -> dict[str, Any]:
    told = event.told()
    data = "" if event.data is None else show(event.data, 40)
    row = {"time": _moment(event.time), "event": event.kind, "visibility": event.visibility}
    return dict.fromkeys(_EVENTS, "") | row | {"data": data} | told


def _moment(time: datetime | int) -> str:
    if not isinstance(time, datetime):
        return str(time)
    return time.isoformat(sep=" ").removesuffix("+00:00")
