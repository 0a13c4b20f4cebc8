"""The history of a record as an answer: a list of events, shown as a timeline.

Layer ``graph``.
"""

from __future__ import annotations

from lexigraph.plan import HistoryEvent
from lexigraph.plan.records.showing import html_timeline, text_timeline


class Timeline(list[HistoryEvent]):
    """Events of a record, newest first; the last one is where the next page starts."""

    def __str__(self) -> str:
        """Show the events as a table."""
        return text_timeline(self)

    def _repr_html_(self) -> str:
        return html_timeline(self)
