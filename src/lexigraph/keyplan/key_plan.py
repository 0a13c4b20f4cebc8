"""Key plans: what the bytes of a table's cells mean, as data.

Layer ``keyplan``. A plan is read from JSON once, checked, and compiled; after that nothing is
looked up by name for a cell. Stages know elements only through it, so a user's own layout is pushed
down as well as ours.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.cells.key_sets import KeySet
from lexigraph.errors import GroupNotFound, nearest
from lexigraph.keyplan.cell_reader import CellReader
from lexigraph.keyplan.cell_writer import CellWriter
from lexigraph.keyplan.derived.remade import Aggregates
from lexigraph.keyplan.derived.rolled import roll_model
from lexigraph.keyplan.element import StoredElement
from lexigraph.keyplan.fields import GroupFields, PlanField, fields_of
from lexigraph.keyplan.model import GROUP, IDENTITY, Model, fields_in
from lexigraph.keyplan.parse import parse_model
from lexigraph.keyplan.parts import compile_writer

_parsed: dict[bytes, KeyPlan] = {}
"""Plans by their data. What a codec or an aggregator is called never changes its meaning."""
_MAX_KNOWN = 100
_FORM = 2
"""The form of marshalled data in which equal plans have equal bytes; much quicker than JSON."""


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
    >>> [cell] = plan.encode(StoredElement("vertex", "page", {"hits": 3}, vertex="/index"))
    >>> cell.row, cell.value
    (b'/index', b'\\x81\\x03')
    >>> plan.decode(cell).properties
    {'hits': 3}
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._rolled: dict[tuple[tuple[str, ...], str], KeyPlan] = {}

    @staticmethod
    def parse(data: Any, path: str = "plan") -> KeyPlan:
        """Read a plan from JSON; ``path`` names it in errors."""
        if isinstance(data, KeyPlan):
            return data
        # Every scan brings its plans along, and reading one costs more than a small scan.
        try:
            key = marshal.dumps(data, _FORM)
        except ValueError:
            return KeyPlan(parse_model(data, path))
        known = _parsed.get(key)
        if known is None:
            known = KeyPlan(parse_model(data, path))
            if len(_parsed) >= _MAX_KNOWN:
                _parsed.clear()
            _parsed[key] = known
        return known

    def to_json(self) -> dict[str, Any]:
        """Write the plan."""
        return self.model.to_json()

    @cached_property
    def decoder(self) -> CellReader:
        """The compiled reader of cells."""
        return CellReader(self.model)

    def decode(self, cell: Cell) -> StoredElement | None:
        """Read a cell; ``None`` for a group that the plan does not list."""
        return self.decoder.decode(cell)

    def encode(self, element: StoredElement) -> list[Cell]:
        """Give the cells of an element: both rows of an edge, the one that counts once first."""
        return self._encoder.encode(element)

    def rolled(self, by: tuple[str, ...], aggregates: Aggregates | None = None) -> KeyPlan:
        """Return the plan of a roll-up by these group-by properties, and by these aggregators."""
        key = (by, repr(aggregates))
        known = self._rolled.get(key)
        if known is None:
            known = KeyPlan(roll_model(self.model, by, aggregates))
            if len(self._rolled) >= _MAX_KNOWN:
                self._rolled.clear()
            self._rolled[key] = known
        return known

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

    def part(self, groups: Iterable[str]) -> KeyPlan:
        """Return the plan of some of its groups; of all, the plan itself."""
        wanted, model = frozenset(groups), self.model
        if wanted == {group.name for group in model.groups}:
            return self
        kept = tuple(group for group in model.groups if group.name in wanted)
        rows = tuple(shape for shape in model.rows if shape.group in (None, *wanted))
        return KeyPlan(replace(model, groups=kept, rows=rows))

    @cached_property
    def families(self) -> tuple[bytes, ...]:
        """The families of its groups, sorted by group; none if they do not tell groups apart."""
        model = self.model
        if [part.field for part in fields_in(model.family)] != [GROUP]:
            return ()
        write = compile_writer(model.family)
        return tuple(write({GROUP: name}) for name in sorted(one.name for one in model.groups))

    @cached_property
    def id_codecs(self) -> frozenset[str]:
        """The names of the codecs that ids have in keys."""
        model = self.model
        parts = [part for shape in model.rows for part in fields_in(shape.parts)]
        parts += [part for group in model.groups for part in fields_in(group.qualifier)]
        return frozenset(part.codec for part in parts if part.field in IDENTITY)

    @cached_property
    def ids_in_rows(self) -> bool:
        """Whether a row belongs to one vertex or edge, so that qualifiers tell of properties."""
        parts = [part for group in self.model.groups for part in fields_in(group.qualifier)]
        return not any(part.field in IDENTITY for part in parts)

    @cached_property
    def _encoder(self) -> CellWriter:
        return CellWriter(self.model)

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
