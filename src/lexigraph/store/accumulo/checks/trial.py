"""A table to try things on: made, used and dropped within one check.

Layer ``store``, only for ``accumulo``. Iterators that fail at a flush block a table for good, so
whether they work is tried on one that nobody needs.
"""

from __future__ import annotations

import re
from contextlib import suppress
from time import time
from types import TracebackType
from typing import TYPE_CHECKING, Self
from uuid import uuid4

from lexigraph.errors import LexigraphError
from lexigraph.store.settings import TableSettings
from lexigraph.store.stages.spec import StageSpec

if TYPE_CHECKING:
    from lexigraph.store.accumulo.checks.access import ClusterAccess

_PREFIX = "lexigraph_check_"
_LEFT_S = 3600
"""How old a table is that some check has left behind."""
SUMMED = StageSpec("sum", {"encoding": "text"}, 10)


class Trial:
    """At most one table: none where the user may make none, or nothing is to be written."""

    def __init__(self, engine: ClusterAccess, *, read_only: bool) -> None:
        self.engine = engine
        self.tables: list[str] = []
        self.problem: LexigraphError | None = None
        self._makes = not read_only and engine.may_create()

    def __enter__(self) -> Self:
        """Make the table."""
        if self._makes:
            try:
                self._make()
            except LexigraphError as error:
                self.problem = error
        return self

    def _make(self) -> None:
        # A cluster that did not answer may have made one later, which nobody waited for.
        now = int(time())
        for name in self.engine.tables():
            made = re.fullmatch(rf"{_PREFIX}(\d+)_[0-9a-f]+", name)
            if made is not None and int(made[1]) < now - _LEFT_S:
                self.engine.drop_table(name)
        name = f"{_PREFIX}{now}_{uuid4().hex[:8]}"
        self.engine.create_table(name, TableSettings(max_versions=None, merge_stages=[SUMMED]))
        self.tables.append(name)

    def merge(self) -> bytes:
        """Write two cells of one key, merge the table, and return what is there then."""
        if self.problem is not None:
            raise self.problem
        [name] = self.tables
        table = self.engine.table(name)
        for value in ("1", "2"):
            table.put("row", "family", "", value)
        self.engine.compact(name)
        return b",".join(cell.value for cell in table.scan())

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Drop the table that was made."""
        for name in self.tables:
            with suppress(LexigraphError):
                self.engine.drop_table(name)
