"""Stages that search the text or bytes of a cell.

Layer ``store``. ``regex`` reads bytes as text, as Java does, and takes Java's syntax where Python
reads it alike; ``grep`` compares bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.functions.java_regex import compile_java
from lexigraph.store.stages.base import CellSource, StageContext
from lexigraph.store.stages.cells.cell_stage import FilterStage
from lexigraph.store.stages.java_text import DECODERS
from lexigraph.store.stages.options import BOOL, BYTES, NEGATE, TEXT, StageOption, array, choice

_FIELDS = ("row", "family", "qualifier", "visibility", "value")
_PATTERNS = ("row", "family", "qualifier", "value")


class Regex(FilterStage):
    """Keep cells whose fields match: all patterns given, or with ``any`` one of them.

    A pattern matches a whole field, or with ``substring`` a part of it.
    """

    name = "regex"
    default_priority = 35
    options = (
        *(StageOption(field, TEXT) for field in _PATTERNS),
        StageOption("any", BOOL, default=False),
        StageOption("substring", BOOL, default=False),
        StageOption("encoding", choice(*DECODERS), default="UTF-8"),
        NEGATE,
    )

    def __init__(
        self, source: CellSource, options: Mapping[str, Any], context: StageContext
    ) -> None:
        super().__init__(source, options, context)
        self._decode = DECODERS[self.settings["encoding"]]
        self._tests: list[tuple[str, Callable[[str], object]]] = []
        for field in _PATTERNS:
            if self.settings[field] is not None:
                pattern = compile_java(self.settings[field], f"option {field!r} of stage 'regex'")
                test = pattern.search if self.settings["substring"] else pattern.fullmatch
                self._tests.append((field, test))

    def accepts(self, cell: Cell) -> bool:
        """Return whether the patterns match."""
        results = (
            test(self._decode(getattr(cell, field))) is not None for field, test in self._tests
        )
        return any(results) if self.settings["any"] else all(results)


class Grep(FilterStage):
    """Keep cells that have the bytes of ``term`` in one of ``fields``."""

    name = "grep"
    default_priority = 35
    options = (
        StageOption("term", BYTES, required=True),
        StageOption(
            "fields", array(choice(*_FIELDS)), default=["row", "family", "qualifier", "value"]
        ),
        NEGATE,
    )

    def accepts(self, cell: Cell) -> bool:
        """Return whether a field holds the term."""
        term = self.settings["term"]
        return any(term in getattr(cell, field) for field in self.settings["fields"])
