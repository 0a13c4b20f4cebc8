"""From what was given to what is stored: an element checked by its group, ready for its table.

Layer ``graph``. One of these holds one moment of the engine's clock: rules about age go by it.
"""

from __future__ import annotations

from typing import Any

from lexigraph.errors import UnsupportedError
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.changes import Add
from lexigraph.layout.write.given import read_given
from lexigraph.schema import ClassElement, Validator
from lexigraph.schema.validate import Reason


class Checking:
    """Checks elements of one graph."""

    def __init__(self, stored: StoredGraph) -> None:
        self._stored = stored
        self.now = stored.engine.now()
        self._validators: dict[str, Validator] = {}

    def fit(self, item: Any, number: int | None) -> Add:
        """Return the change that adds an element; ``number`` is its place in what was given."""
        given, validator, timed = self._read(item, number)
        return Add(validator.check(given, number=number), timed)

    def offer(self, item: Any) -> Add | Reason:
        """Return the change that adds an element, or what does not fit, without an error."""
        given, validator, timed = self._read(item, None)
        element, reasons = validator.examine(given)
        return reasons[0] if reasons else Add(element, timed)

    def _read(self, item: Any, number: int | None) -> tuple[Any, Validator, bool]:
        # An instance of a class says everything itself; the others are read first.
        direct = isinstance(item, ClassElement) and item.group in self._stored.schema.groups
        given = item if direct else read_given(item, self._stored.schema, number)
        if self._stored.schema.group(given.group).record is not None:
            raise UnsupportedError(
                f"{given.group!r} is a group of records, and this takes elements of summary groups",
                hint="Add records with graph.add.",
            )
        validator = self._validator(given.group)
        time = validator.group.timestamp
        return given, validator, time is not None and given.properties.get(time) is not None

    def _validator(self, group: str) -> Validator:
        found = self._validators.get(group)
        if found is None:
            found = Validator(self._stored.schema.group(group), now=self.now)
            self._validators[group] = found
        return found
