"""The stage that merges elements of a row which agree in some of the group-by properties.

Layer ``store``. What it gives has a plan of its own, which later stages find under the name ``as``.
Groups are read whole: all of a row's family. Where the kept fields come first in the qualifier,
results stream; otherwise all results of one row and family are held in memory at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, starmap
from typing import Any

from lexigraph.cells.cell import Cell, order
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidOption
from lexigraph.keyplan.cell_reader import Match
from lexigraph.keyplan.derived.remade import Remake, read_aggregates
from lexigraph.keyplan.derived.rolled import keeps_prefix, kept_parts
from lexigraph.keyplan.model import GroupPlan
from lexigraph.keyplan.parts import Write, compile_writer
from lexigraph.keyplan.reader import JsonNode
from lexigraph.keyplan.values import States, ValueCodec
from lexigraph.security import Visibility, conjunction
from lexigraph.store.stages.base import CellSource, Families, StageContext
from lexigraph.store.stages.elements.element_stage import PLAN, ElementStage, widen_to_families
from lexigraph.store.stages.elements.mergeable import check_mergeable
from lexigraph.store.stages.options import TEXT, OptionKind, StageOption, array, choice

MERGE, KEEP = "merge", "keep"

_AGGREGATE = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
AGGREGATES = OptionKind(
    # By the plan, in the stage: only that knows what each property holds.
    lambda value, what: value,
    {
        "type": "object",
        "additionalProperties": {"type": "object", "additionalProperties": _AGGREGATE},
    },
)

_is_valid = lru_cache(maxsize=4096)(Visibility.is_valid)


class RollUp(ElementStage):
    """Merge elements over all group-by properties but those in ``by``.

    ``visibility``: ``merge`` gives one result over all labels, labelled with their conjunction (a
    label that cannot be parsed merges with none); ``keep`` gives one for each label.
    ``aggregates``, as ``{group: {property: aggregate}}``, replace those of the plan; a group-by
    property that has one there stays, in the value, while the others are gone.
    """

    name = "roll-up"
    default_priority = 60
    combines = True
    scan_only = True
    options = (
        PLAN,
        StageOption("by", array(TEXT), default=[]),
        StageOption("visibility", choice(MERGE, KEEP), default=MERGE),
        StageOption("as", TEXT),
        StageOption("aggregates", AGGREGATES, default={}),
    )

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        by = tuple(self.settings["by"])
        asked = JsonNode(self.settings["aggregates"], f"stage {self.name!r}.aggregates")
        aggregates = read_aggregates(asked, self.plan.model, by)
        self.output = self.plan.rolled(by, aggregates)
        check_mergeable(self.output, self.name)
        self._merges_labels = self.settings["visibility"] == MERGE
        self._groups = {
            group.name: self._rolling(group, by, remakes=group.name in aggregates)
            for group in self.plan.model.groups
        }
        self._publish(self.settings["as"])

    def _rolling(self, group: GroupPlan, by: tuple[str, ...], *, remakes: bool) -> _Rolling:
        value = self.output.decoder.groups[group.name].value
        own = self.plan.decoder.groups[group.name].value
        return _Rolling(
            compile_writer(kept_parts(group, by)),
            keeps_prefix(group, by),
            value,
            Remake(own, value) if remakes else None,
        )

    def _publish(self, name: str | None) -> None:
        if name is None:
            return
        plans = self.context.plans
        if name in plans and plans[name] != self.output and plans[name] != self.output.to_json():
            raise InvalidOption(
                f"roll-up calls the plan of its output {name!r}, but a plan with that name "
                "already exists",
                hint="Choose another name for 'as'.",
            )
        plans[name] = self.output

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the merged elements whose own keys lie in the range."""
        cells = self.source.scan(widen_to_families(range), families)
        for (row, family), members in groupby(cells, lambda cell: cell[:2]):
            place = self.plan.decoder.place(row, family)
            if place is not None:
                yield from filter(range.contains, self._roll(place, members))

    def _roll(self, place: Match, cells: Iterable[Cell]) -> Iterator[Cell]:
        rolling = self._groups[place.group.name]
        read = self.plan.decoder.read_qualifier
        fields = ((read(place, cell), cell) for cell in cells)
        keyed = ((rolling.write(held), held, cell) for held, cell in fields)
        if rolling.streams:
            for qualifier, members in groupby(keyed, lambda member: member[0]):
                bundle = _Bundle(qualifier, rolling)
                for _, held, cell in members:
                    self._add(bundle, place, held, cell)
                yield from bundle.results()
            return
        bundles: dict[bytes, _Bundle] = {}
        for qualifier, held, cell in keyed:
            bundle = bundles.setdefault(qualifier, _Bundle(qualifier, rolling))
            self._add(bundle, place, held, cell)
        for qualifier in sorted(bundles):
            yield from bundles[qualifier].results()

    def _add(self, bundle: _Bundle, place: Match, held: dict[str, Any], cell: Cell) -> None:
        merges = self._merges_labels and _is_valid(cell.visibility)
        states = self.plan.decoder.read_value(place.group, cell)
        remake = self._groups[place.group.name].remake
        if remake is not None:
            states = remake.states(held, states, cell.timestamp)
        bundle.add(None if merges else cell.visibility, cell, states)


@dataclass(frozen=True, slots=True)
class _Rolling:
    """How the cells of one group become results."""

    write: Write
    streams: bool
    value: ValueCodec
    remake: Remake | None


class _Bundle:
    """The elements of one result, by label where labels are kept apart."""

    def __init__(self, qualifier: bytes, rolling: _Rolling) -> None:
        self._qualifier = qualifier
        self._value = rolling.value
        # A lone value is passed on, unless it has to be made anew: its bytes may say that its time
        # is the cell's.
        self._passes_on = rolling.remake is None
        self._merged: dict[bytes | None, _Merged] = {}

    def add(self, label: bytes | None, cell: Cell, states: States) -> None:
        merged = self._merged.get(label)
        if merged is None:
            self._merged[label] = _Merged(cell, states)
        else:
            merged.add(cell, states, self._value)

    def results(self) -> list[Cell]:
        return sorted(starmap(self._result, self._merged.items()), key=order)

    def _result(self, label: bytes | None, merged: _Merged) -> Cell:
        passes = merged.alone and self._passes_on
        return merged.first._replace(
            qualifier=self._qualifier,
            visibility=bytes(conjunction(sorted(merged.labels))) if label is None else label,
            timestamp=merged.timestamp,
            value=merged.first.value if passes else self._value.write(merged.states),
        )


class _Merged:
    def __init__(self, cell: Cell, states: States) -> None:
        self.first = cell
        self.states = states
        self.timestamp = cell.timestamp
        self.labels = {cell.visibility}
        self.alone = True

    def add(self, cell: Cell, states: States, value: ValueCodec) -> None:
        self.states = value.merge(self.states, states)
        self.timestamp = max(self.timestamp, cell.timestamp)
        self.labels.add(cell.visibility)
        self.alone = False
