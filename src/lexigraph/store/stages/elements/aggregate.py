"""The stage that combines the versions of one column into one element.

Layer ``store``. Nothing is combined across a delete marker, nor in a merge where an unseen cell
could lie between two seen ones. A lone cell is passed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.store.stages.base import CellSource, Families, StageContext
from lexigraph.store.stages.elements.element_stage import ElementStage, widen_to_columns
from lexigraph.store.stages.elements.mergeable import check_mergeable

_column = attrgetter("column")
_deleted = attrgetter("deleted")


class AggregateStage(ElementStage):
    """Combine versions property by property; the result has the newest timestamp.

    Cells of groups that the plan does not list are passed on.
    """

    name = "aggregate"
    default_priority = 40
    combines = True
    combines_versions = True

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        check_mergeable(self.plan, self.name)

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield one cell for each column, or for each stretch between its delete markers."""
        if not self.context.combine:
            yield from self.source.scan(range, families)
            return
        cells = self.source.scan(widen_to_columns(range), families)
        for _, versions in groupby(cells, _column):
            for deleted, stretch in groupby(versions, _deleted):
                for cell in stretch if deleted else self._combine(stretch):
                    if range.contains(cell):
                        yield cell

    def _combine(self, versions: Iterator[Cell]) -> Iterator[Cell]:
        newest = next(versions)
        second = next(versions, None)
        if second is None:
            yield newest
            return
        decoder = self.plan.decoder
        place = decoder.place(newest.row, newest.family)
        if place is None:
            yield newest
            yield second
            yield from versions
            return
        decoder.read_qualifier(place, newest)
        value = place.group.value
        states = decoder.read_value(place.group, newest)
        states = value.merge(states, decoder.read_value(place.group, second))
        for version in versions:
            states = value.merge(states, decoder.read_value(place.group, version))
        yield newest._replace(value=value.write(states))
