"""The stage that merges elements of a row which agree in some of the group-by properties.

Layer ``store``. What it gives has a plan of its own, which later stages find under the name ``as``.
Groups are read whole: all of a row's family. Where the kept fields come first in the qualifier,
results stream; otherwise all results of one row and family are held in memory at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

from lexigraph.errors import InvalidOption
from lexigraph.security import Visibility, conjunction
from lexigraph.store.cells import Cell, order
from lexigraph.store.plan.decoder import Place
from lexigraph.store.plan.parts import Write, compile_writer
from lexigraph.store.plan.rolled import keeps_prefix, kept_parts
from lexigraph.store.plan.values import States, ValueCodec
from lexigraph.store.ranges import Range
from lexigraph.store.stages.base import Families, Source, StageContext
from lexigraph.store.stages.elements.element_stage import PLAN, ElementStage, widen_to_families
from lexigraph.store.stages.elements.mergeable import check_mergeable
from lexigraph.store.stages.options import TEXT, Option, array, choice

MERGE, KEEP = "merge", "keep"

_is_valid = lru_cache(maxsize=4096)(Visibility.is_valid)


class RollUp(ElementStage):
    """Merge elements over all group-by properties but those in ``by``.

    ``visibility``: ``merge`` gives one result over all labels, labelled with their conjunction (a
    label that cannot be parsed merges with none); ``keep`` gives one for each label.
    """

    name = "roll-up"
    default_priority = 60
    combines = True
    scan_only = True
    options = (
        PLAN,
        Option("by", array(TEXT), default=[]),
        Option("visibility", choice(MERGE, KEEP), default=MERGE),
        Option("as", TEXT),
    )

    def __init__(self, source: Source, options: Mapping[str, Any], context: StageContext) -> None:
        super().__init__(source, options, context)
        check_mergeable(self.plan, self.name)
        by = tuple(self.settings["by"])
        self.output = self.plan.rolled(by)
        self._merges_labels = self.settings["visibility"] == MERGE
        self._groups: dict[str, tuple[Write, bool]] = {
            group.name: (compile_writer(kept_parts(group, by)), keeps_prefix(group, by))
            for group in self.plan.model.groups
        }
        self._publish(self.settings["as"])

    def _publish(self, name: str | None) -> None:
        if name is None:
            return
        plans = self.context.plans
        if name in plans and plans[name] != self.output and plans[name] != self.output.to_json():
            raise InvalidOption(
                f"roll-up calls the plan of its output {name!r}, but there is such a plan already",
                hint="Choose another name for 'as'.",
            )
        plans[name] = self.output

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Give the merged elements whose own keys lie in the range."""
        cells = self.source.scan(widen_to_families(range), families)
        for (row, family), members in groupby(cells, lambda cell: cell[:2]):
            place = self.plan.decoder.place(row, family)
            if place is not None:
                yield from filter(range.contains, self._roll(place, members))

    def _roll(self, place: Place, cells: Iterable[Cell]) -> Iterator[Cell]:
        write, streams = self._groups[place.group.name]
        read = self.plan.decoder.read_qualifier
        keyed = ((write(read(place, cell)), cell) for cell in cells)
        if streams:
            for qualifier, pairs in groupby(keyed, lambda pair: pair[0]):
                bundle = _Bundle(qualifier, place.group.value)
                for _, cell in pairs:
                    self._add(bundle, place, cell)
                yield from bundle.results()
            return
        bundles: dict[bytes, _Bundle] = {}
        for qualifier, cell in keyed:
            bundle = bundles.setdefault(qualifier, _Bundle(qualifier, place.group.value))
            self._add(bundle, place, cell)
        for qualifier in sorted(bundles):
            yield from bundles[qualifier].results()

    def _add(self, bundle: _Bundle, place: Place, cell: Cell) -> None:
        merges = self._merges_labels and _is_valid(cell.visibility)
        states = self.plan.decoder.read_value(place.group, cell)
        bundle.add(None if merges else cell.visibility, cell, states)


class _Bundle:
    """The elements of one result, by label where labels are kept apart."""

    def __init__(self, qualifier: bytes, value: ValueCodec) -> None:
        self._qualifier = qualifier
        self._value = value
        self._merged: dict[bytes | None, _Merged] = {}

    def add(self, label: bytes | None, cell: Cell, states: States) -> None:
        merged = self._merged.get(label)
        if merged is None:
            self._merged[label] = _Merged(cell, states)
        else:
            merged.add(cell, states, self._value)

    def results(self) -> list[Cell]:
        cells = [
            merged.result(self._qualifier, self._value, label)
            for label, merged in self._merged.items()
        ]
        return sorted(cells, key=order)


class _Merged:
    def __init__(self, cell: Cell, states: States) -> None:
        self._first = cell
        self._states = states
        self._timestamp = cell.timestamp
        self._labels = {cell.visibility}
        self._alone = True

    def add(self, cell: Cell, states: States, value: ValueCodec) -> None:
        self._states = value.merge(self._states, states)
        self._timestamp = max(self._timestamp, cell.timestamp)
        self._labels.add(cell.visibility)
        self._alone = False

    def result(self, qualifier: bytes, value: ValueCodec, label: bytes | None) -> Cell:
        return self._first._replace(
            qualifier=qualifier,
            visibility=bytes(conjunction(sorted(self._labels))) if label is None else label,
            timestamp=self._timestamp,
            # A lone value is passed on: its bytes may say that its time is the cell's.
            value=self._first.value if self._alone else value.write(self._states),
        )
