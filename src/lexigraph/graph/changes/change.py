"""One change of a graph, as somebody is told of it.

Layer ``graph``. It says what changed and never to what: values are read in a session.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lexigraph.errors import UsageError, show
from lexigraph.layout.log.reading import LoggedChange
from lexigraph.layout.log.rows import LogPlace


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GraphChange:
    """One change, in the order of commits."""

    kind: str
    """What happened: ``added``, ``value set``, ``deleted``, ``disappeared`` and so on."""
    visible: bool
    """Whether the reader sees the element after the commit."""
    timestamp: int
    """The time of the commit, in microseconds."""
    number: int
    """Its place among the changes of this commit that the reader is told of, from 1 on."""
    element: str | None = None
    """``vertex`` or ``edge``; ``None`` if it is about no single element."""
    id: Any = None
    """The id of a record, or of a vertex of a summary group."""
    group: str | None = None
    """The summary group, or the group of a load."""
    key: Mapping[str, Any] = field(default_factory=dict)
    """Ids and group-by properties of an element of a summary group."""
    label: str | None = None
    """The label of an edge, or the one that a vertex got or lost."""
    source: Any = None
    destination: Any = None
    directed: bool | None = None
    property: str | None = None
    """The name of the property that changed."""
    metadata: str | None = None
    """The key of the metadata entry that changed."""
    visibility: str | None = None
    """The visibility of what changed."""
    count: int | None = None
    """How many elements were loaded; for the owner only."""
    cursor: str | None = None
    """Where to go on after this change: ``graph.changes(name, after=cursor)``."""

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show what is known."""
        shown = [repr(self.kind)]
        for name in _SHOWN:
            value = getattr(self, name)
            if value is not None and value != {}:
                shown.append(f"{name}={show(value)}")
        return f"<change {' '.join(shown)}{'' if self.visible else ', not visible'}>"


_SHOWN = ("element", "id", "group", "key", "label", "source", "destination", "property", "metadata")


def shown_change(
    logged: LoggedChange, timestamp: int, number: int, cursor: str | None = None
) -> GraphChange:
    """Return a change as people get it."""
    shape, name, key = logged.shape, logged.name, dict(logged.key)
    label = name.label
    if label is None and shape is not None:
        label = shape.label
    return GraphChange(
        kind=logged.kind,
        visible=logged.visible,
        timestamp=timestamp,
        number=number,
        element=logged.element,
        id=key.get("vertex", logged.id),
        group=logged.group,
        key=key,
        label=label,
        source=key.get("source") if shape is None else shape.source,
        destination=key.get("destination") if shape is None else shape.destination,
        directed=None if shape is None else shape.directed,
        property=name.property,
        metadata=name.entry,
        visibility=None
        if logged.visibility is None
        else logged.visibility.decode(errors="replace"),
        count=logged.count,
        cursor=cursor,
    )


def write_place(name: str, place: LogPlace) -> str:
    """Return a place in a feed as text that people pass on."""
    data = json.dumps([name, place.commit, place.passed], separators=(",", ":"))
    return urlsafe_b64encode(data.encode()).decode().rstrip("=")


def read_place(name: str, text: Any) -> LogPlace:
    """Read such a text; UsageError if it is none of this feed."""
    wrong = UsageError(
        f"this is not a cursor of the feed {name!r}: {show(text)}",
        hint="Pass on change.cursor or feed.cursor as it is.",
    )
    if not isinstance(text, str) or not text.isascii():
        raise wrong
    try:
        named, commit, passed = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, TypeError, RecursionError):
        raise wrong from None
    if named != name or type(commit) is not int or type(passed) is not int:
        raise wrong
    return LogPlace(commit, passed)
