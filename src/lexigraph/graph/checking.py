"""From what was given to what is stored: an element checked by its group, ready for its table.

Layer ``graph``. One of these holds one moment of the engine's clock: rules about age go by it.
"""

from __future__ import annotations

from typing import Any

from lexigraph.graph.batching import Batching
from lexigraph.graph.given import read_given
from lexigraph.graph.stored import StoredGraph
from lexigraph.schema import ClassElement, Validator
from lexigraph.store.plan import Element


class Checking:
    """Checks elements of one graph."""

    def __init__(self, stored: StoredGraph) -> None:
        self._stored = stored
        self.now = stored.engine.now()
        self._validators: dict[str, Validator] = {}

    def take(self, item: Any, number: int | None, batching: Batching) -> None:
        """Check an element and put it into a batch; ``number`` is its place in what was given."""
        element, timed = self.fit(item, number)
        table = self._stored.table_of(element.group)
        batching.add(table, self._stored.layout.derive(element), timed=timed)

    def fit(self, item: Any, number: int | None) -> tuple[Element, bool]:
        """Give an element as the plan has it, and whether it brings a time of its own."""
        # An instance of a class says everything itself; the others are read first.
        direct = isinstance(item, ClassElement) and item.group in self._stored.schema.groups
        given = item if direct else read_given(item, self._stored.schema, number)
        validator = self._validator(given.group)
        time = validator.group.timestamp
        timed = time is not None and given.properties.get(time) is not None
        return validator.check(given, number=number), timed

    def _validator(self, group: str) -> Validator:
        found = self._validators.get(group)
        if found is None:
            found = Validator(self._stored.schema.group(group), now=self.now)
            self._validators[group] = found
        return found
