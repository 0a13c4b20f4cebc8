"""The stage that makes a table of figures out of all elements of a scan.

Layer ``store``. Results are held in memory, one for each distinct combination of ``by``; nothing is
given before the last element was read. Their values are partial states: readers finish them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidOption, show
from lexigraph.keyplan.derived.summary import FigureStates, Summary
from lexigraph.store.stages.base import CellSource, Families, StageContext
from lexigraph.store.stages.elements.element_stage import PLAN, ElementStage
from lexigraph.store.stages.options import TEXT, OptionKind, StageOption, array, record


def _read_aggregate(value: Any, what: str) -> Any:
    if not isinstance(value, str | Mapping):
        raise InvalidOption(f"{what} is a name, or an object with it, not {show(value)}")
    return value


_NAMED = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
AGGREGATE = OptionKind(_read_aggregate, {"anyOf": [{"type": "string"}, _NAMED]})


class SummariseStage(ElementStage):
    """Give one cell for each distinct combination of ``by``, with the states of ``measures``."""

    name = "summarise"
    default_priority = 90
    whole_scan = True
    scan_only = True
    options = (
        PLAN,
        StageOption("by", array(TEXT), default=[]),
        StageOption(
            "measures",
            array(
                record(
                    StageOption("name", TEXT, required=True),
                    StageOption("aggregate", AGGREGATE, required=True),
                    StageOption("field", TEXT),
                )
            ),
            required=True,
        ),
    )

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        measures = [
            {name: item for name, item in measure.items() if item is not None}
            for measure in self.settings["measures"]
        ]
        self.summary = Summary(self.plan, self.settings["by"], measures)

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Read everything below, then give the results that lie in the range."""
        results: dict[bytes, tuple[FigureStates, int]] = {}
        for cell in self.source.scan(Range(), families):
            element = self.plan.decode(cell)
            if element is None:
                continue
            row, states, time = (
                self.summary.row(element),
                self.summary.states(element),
                cell.timestamp,
            )
            if row in results:
                earlier, newest = results[row]
                states, time = self.summary.merge(earlier, states), max(newest, time)
            results[row] = (states, time)
        for row in sorted(results):
            states, time = results[row]
            result = Cell(row, timestamp=time, value=self.summary.write(states))
            if range.contains(result):
                yield result
