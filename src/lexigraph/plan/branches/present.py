"""Elements of cells to elements of answers: the schema's names, labels as text, times as times.

Layer ``plan``. The names are looked up once for each group. The way back serves filters that look
at what transforms made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from lexigraph.errors import SemanticProblem, show
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.model import BUILT_IN_FIELDS, GROUP, IDENTITY
from lexigraph.plan.element import Element
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import Derive
from lexigraph.plan.records.found import FoundRecord
from lexigraph.schema.keys import EDGE_FIELD
from lexigraph.schema.model import Group

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_RESERVED = {*BUILT_IN_FIELDS, *IDENTITY, GROUP}


def shown_label(label: bytes) -> str | None:
    """Return a label as text; none is ``None``.

    >>> shown_label(b"a&b"), shown_label(b"")
    ('a&b', None)
    """
    return label.decode("utf-8", "backslashreplace") or None


def shown_time(group: Group, timestamp: int) -> Any:
    """Return a timestamp as its property has it: a number, or a moment."""
    assert group.timestamp is not None
    if group.property(group.timestamp).type.codec == "datetime":
        return _EPOCH + timedelta(microseconds=timestamp)
    return timestamp


class Presenter:
    """Turns elements of one group into those of an answer, and back."""

    def __init__(self, group: Group, keys: Keys, *, shows_matched: bool) -> None:
        self.group = group
        self._names = {keys.field(group.name, one.name): one.name for one in group.properties}
        self._fields = {name: field for field, name in self._names.items()}
        self._matched = shows_matched
        self._defaults = keys.defaults(group.name).shown

    def present(self, element: StoredElement) -> Element:
        """Give the element under the schema's names."""
        held, properties = element.properties, {}
        for field, name in self._names.items():
            # In the schema's order; what the layout adds for itself is not shown.
            if field == "visibility":
                value: Any = shown_label(element.visibility)
            elif field == "timestamp":
                value = shown_time(self.group, element.timestamp)
            else:
                value = held.get(field)
                if value is None:
                    value = self._defaults.get(field)
            if value is not None:
                properties[name] = value
        return Element(
            element.kind,
            element.group,
            properties,
            element.vertex,
            element.source,
            element.destination,
            element.directed,
            element.matched if self._matched else None,
        )

    def store(self, element: Element, before: StoredElement) -> StoredElement:
        """Give an element of an answer under the plan's names, as predicates read it."""
        properties = {
            self._fields.get(name, plain_field(name)): item
            for name, item in element.properties.items()
        }
        return StoredElement(
            element.kind,
            element.group,
            properties,
            element.vertex,
            element.source,
            element.destination,
            element.directed,
            before.matched,
            visibility=before.visibility,
            timestamp=before.timestamp,
        )


def plain_field(name: str) -> str:
    """Return the field of a property that only transforms make.

    >>> plain_field("total"), plain_field("kind")
    ('total', '.kind')
    """
    return f".{name}" if name in _RESERVED else name


def reader_of(name: str) -> Callable[[Element], Any]:
    """Give a reader of a property or id of an answer; a property hides an id of the same name."""
    is_id = name in ("vertex", "source", "destination", "directed", "matched", "group")

    def read(element: Element) -> Any:
        if name == EDGE_FIELD and isinstance(element, FoundRecord):
            return element.properties.get(name, element.edge)
        if name in element.properties or not is_id:
            return element.properties.get(name)
        return getattr(element, name)

    return read


def results_of(transform: Derive, values: Iterable[Any]) -> tuple[Any, ...]:
    """Return what a function makes of some values: one result for each of its names."""
    result, into = transform.function(*values), transform.into
    if len(into) == 1:
        return (result,)
    found = _several(result)
    if len(found) != len(into):
        what = transform.text or "a transform"
        raise SemanticProblem(
            f"{what} returned {len(found)} values for {len(into)} names: {show(result)}",
            hint=f"It must return one value for each of: {', '.join(into)}.",
        )
    return found


def _several(result: Any) -> tuple[Any, ...]:
    if result is None:
        return ()
    return tuple(result) if isinstance(result, Iterable) else (result,)
