"""Stages that look at visibility labels, above the check that every scan makes.

Layer ``store``. ``visibility`` hides what it cannot parse, as a scan does; ``labelled`` fails on
it, because it cannot tell whether such a cell is labelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.errors import InvalidValue, InvalidVisibility
from lexigraph.security import Authorizations, LabelCache, Visibility
from lexigraph.store.stages.base import CellSource, StageContext
from lexigraph.store.stages.cells.cell_stage import FilterStage
from lexigraph.store.stages.options import BOOL, BYTES, NEGATE, StageOption, array


class VisibilityFilter(FilterStage):
    """Keep what ``authorizations`` may see, or with ``filter_invalid`` every label that parses."""

    name = "visibility"
    default_priority = 15
    options = (
        StageOption("authorizations", array(BYTES), default=[]),
        StageOption("filter_invalid", BOOL, default=False),
        NEGATE,
    )

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        try:
            self._cache = LabelCache(Authorizations(self.settings["authorizations"]))
        except InvalidValue as error:
            raise InvalidValue(f"stage 'visibility': {error.message}") from error
        self._valid: dict[bytes, bool] = {}

    def accepts(self, cell: Cell) -> bool:
        """Return whether the label lets the cell through."""
        if not self.settings["filter_invalid"]:
            return self._cache.can_see(cell.visibility)
        if cell.visibility not in self._valid:
            self._valid[cell.visibility] = _parses(cell.visibility)
        return self._valid[cell.visibility]


class Labelled(FilterStage):
    """Keep what has a label at all."""

    name = "labelled"
    default_priority = 15

    def accepts(self, cell: Cell) -> bool:
        """Return whether the cell has a label; one that cannot be parsed is an error."""
        Visibility(cell.visibility)
        return bool(cell.visibility)


def _parses(label: bytes) -> bool:
    try:
        Visibility(label)
    except InvalidVisibility:
        return False
    return True
