"""The stage that turns values into tuples of fields which describe themselves.

Layer ``store``. Keys stay as they are. Readers need no plan any more: see ``plan.results``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.codec import codec_for
from lexigraph.functions import as_plain
from lexigraph.store.stages.base import CellSource, Families, StageContext
from lexigraph.store.stages.elements.element_stage import PLAN, ElementStage
from lexigraph.store.stages.options import TEXT, StageOption, array


class Decode(ElementStage):
    """Give for each element the tuple of ``fields``, null where one is absent."""

    name = "decode"
    default_priority = 80
    scan_only = True
    options = (PLAN, StageOption("fields", array(TEXT), required=True))

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        # Groups may disagree on what a field holds: the tuple says what each one is.
        self._gets = [self.plan.fields().getter(name) for name in self.settings["fields"]]

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        """Yield each element's cell with the tuple as its value."""
        encode = codec_for("any").encode_value
        for cell in self.source.scan(range, families):
            element = self.plan.decode(cell)
            if element is not None:
                yield cell._replace(
                    value=encode(tuple(as_plain(get(element)) for get in self._gets))
                )
