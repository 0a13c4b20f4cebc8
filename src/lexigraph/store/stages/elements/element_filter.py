"""The stage that keeps elements by a predicate.

Layer ``store``. It decides cell by cell, so any range is passed down as it is. Below ``aggregate``
or ``roll-up`` it filters before aggregation, above them after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.store.stages.base import CellSource, Families, StageContext
from lexigraph.store.stages.elements.element_stage import PLAN, ElementStage
from lexigraph.store.stages.elements.predicate_option import WHERE, bind_where
from lexigraph.store.stages.options import BOOL, StageOption


class ElementFilter(ElementStage):
    """Keep elements that satisfy ``where``; with ``once``, one of an edge's two rows.

    Where predicates are given by group, elements of other groups are left out.
    """

    name = "filter"
    default_priority = 50
    options = (PLAN, StageOption("where", WHERE), StageOption("once", BOOL, default=False))

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        self._tests = bind_where(self.settings["where"], self.plan, context)

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield the cells of elements that are kept, and every delete marker."""
        once = self.settings["once"]
        for cell in self.source.scan(range, families):
            if cell.deleted:
                yield cell
                continue
            element = self.plan.decode(cell)
            if element is None or (once and not element.once):
                continue
            test = self._tests.get(element.group)
            if test is not None and test(element):
                yield cell
