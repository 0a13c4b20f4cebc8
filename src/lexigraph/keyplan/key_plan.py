"""Key plans: what the bytes of a table's cells mean, as data.

Layer ``store``. A plan is read from JSON once, checked, and compiled; after that nothing is looked
up by name for a cell. Stages know elements only through it, so a user's own layout is pushed down
as well as ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.cells.key_sets import KeySet
from lexigraph.errors import GroupNotFound, nearest
from lexigraph.keyplan.decoder import Decoder
from lexigraph.keyplan.derived.remade import Aggregates
from lexigraph.keyplan.derived.rolled import roll_model
from lexigraph.keyplan.element import Element
from lexigraph.keyplan.encoder import Encoder
from lexigraph.keyplan.fields import GroupFields, PlanField, fields_of
from lexigraph.keyplan.model import Model
from lexigraph.keyplan.parse import parse_model

_parsed: dict[str, KeyPlan] = {}
"""Plans by their JSON text. What a codec or an aggregator is called never changes its meaning."""
_MAX_PARSED = 100


class KeyPlan:
    """A checked and compiled plan.

    >>> plan = KeyPlan.parse({
    ...     "version": 1,
    ...     "rows": [{"kind": "vertex", "group": "page",
    ...               "parts": [{"field": "vertex", "codec": "str", "form": "rest"}]}],
    ...     "family": [],
    ...     "groups": {"page": {"kind": "vertex", "qualifier": [], "value": {
    ...         "form": "single", "property": {"id": 1, "field": "hits", "codec": "int",
    ...                                        "aggregate": {"name": "sum"}}}}},
    ... })
    >>> [cell] = plan.encode(Element("vertex", "page", {"hits": 3}, vertex="/index"))
    >>> cell.row, cell.value
    (b'/index', b'\\x81\\x03')
    >>> plan.decode(cell).properties
    {'hits': 3}
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    @staticmethod
    def parse(data: Any, path: str = "plan") -> KeyPlan:
        """Read a plan from JSON; ``path`` names it in errors."""
        if isinstance(data, KeyPlan):
            return data
        # Every scan brings its plans along, and reading one costs more than a small scan.
        try:
            text = json.dumps(data)
        except (TypeError, ValueError, RecursionError):
            return KeyPlan(parse_model(data, path))
        known = _parsed.get(text)
        if known is None:
            known = KeyPlan(parse_model(data, path))
            if len(_parsed) >= _MAX_PARSED:
                _parsed.clear()
            _parsed[text] = known
        return known

    def to_json(self) -> dict[str, Any]:
        """Write the plan."""
        return self.model.to_json()

    @cached_property
    def decoder(self) -> Decoder:
        """The compiled reader of cells."""
        return Decoder(self.model)

    def decode(self, cell: Cell) -> Element | None:
        """Read a cell; ``None`` for a group that the plan does not list."""
        return self.decoder.decode(cell)

    def encode(self, element: Element) -> list[Cell]:
        """Give the cells of an element: both rows of an edge, the one that counts once first."""
        return self._encoder.encode(element)

    def rolled(self, by: tuple[str, ...], aggregates: Aggregates | None = None) -> KeyPlan:
        """Give the plan of a roll-up by these group-by properties, and by these aggregators."""
        return KeyPlan(roll_model(self.model, by, aggregates))

    def fields(
        self, group: str | None = None, now: int = 0, sets: Mapping[str, KeySet] | None = None
    ) -> GroupFields:
        """Give the fields of one group, or of all; ``now`` and ``sets`` are for predicates."""
        if group is None:
            return GroupFields(self._fields.values(), "the plan", now, sets)
        if group not in self._fields:
            raise GroupNotFound(
                f"the plan has no group {group!r}", near=nearest(group, self._fields)
            )
        return GroupFields([self._fields[group]], f"group {group!r}", now, sets)

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(self.model)

    @cached_property
    def _fields(self) -> dict[str, dict[str, PlanField]]:
        readers = self.decoder.groups
        return {name: fields_of(self.model, reader) for name, reader in readers.items()}

    def __eq__(self, other: object) -> bool:
        """Compare what the plans say."""
        return isinstance(other, KeyPlan) and self.model == other.model

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash(self.model)

    def __repr__(self) -> str:
        """Show the groups."""
        return f"<key plan of {', '.join(group.name for group in self.model.groups)}>"
