"""A table of rows under a vertex or an edge, to be read. Nothing is read before a method asks.

Layer ``graph``. A reader sees rows if it sees the element, and of them what it can read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from lexigraph.codec import codec_for
from lexigraph.errors import InvalidValue, UsageError, show
from lexigraph.graph.read import frames
from lexigraph.graph.read.arguments import read_limit
from lexigraph.graph.read.results import MORE_ROWS, SHOWN_ROWS, Results
from lexigraph.plan.records.under import FoundRow, TableSpan, TablesUnder
from lexigraph.tables import html_table

if TYPE_CHECKING:
    from lexigraph.graph.read.records.handles import RecordHandle

ROW = "row"
"""What the column of ids is called in frames."""


class TableRows(Results[FoundRow]):
    """Rows of a table: read during iteration, in the order of the keys of their ids."""

    _called = "an answer"

    def __init__(self, read: Callable[[], Iterator[FoundRow]], what: str) -> None:
        self._read, self._what = read, what

    def __iter__(self) -> Iterator[FoundRow]:
        """Read and give one row after another."""
        return self._read()

    def count(self) -> int:
        """Count the rows."""
        return sum(1 for _ in self)

    def _rows(self) -> Iterator[Mapping[str, Any]]:
        # The names of the columns are found by reading, so that is done first.
        named = next(iter(self._columns()))
        return ({named: one.id, **one} for one in self)

    def _columns(self) -> frames.Columns:
        names = dict.fromkeys(name for one in self for name in one)
        called = ROW
        while called in names:
            called += "_"
        return {called: None, **dict.fromkeys(names)}

    def __repr__(self) -> str:
        """Show what is asked, without asking."""
        return f"<{self._what}: not read yet; iterating reads them>"

    def _repr_html_(self) -> str:
        found = list(islice(self, SHOWN_ROWS + 1))
        names = dict.fromkeys(name for one in found for name in one)
        shown = [{ROW: one.id, **one} for one in found[:SHOWN_ROWS]]
        more = MORE_ROWS if len(found) > SHOWN_ROWS else ""
        return html_table(shown, [ROW, *names]) + more


class TableReading:
    """One table under one element, by its name."""

    def __init__(self, element: RecordHandle, name: str) -> None:
        self._element, self._name = element, name

    @property
    def name(self) -> str:
        """The name of the table."""
        return self._name

    def get(self, row: Any) -> FoundRow | None:
        """Return the row of an id, or ``None`` if there is none that can be seen."""
        return self._under().row(self._name, read_row_id(row))

    def rows(
        self,
        *,
        start: Any = None,
        stop: Any = None,
        prefix: str | bytes | None = None,
        after: Any = None,
        limit: int | None = None,
    ) -> TableRows:
        """Return rows in the order of their ids: all, or some of them, which alone are read.

        They go from ``start`` up to and without ``stop``; ``prefix`` is what the ids start with.
        With ``limit`` they are a page, and the next one comes ``after`` the id of its last row.
        """
        bounds = [None if one is None else read_row_id(one) for one in (start, stop, after)]
        if prefix is not None and not isinstance(prefix, str | bytes):
            raise UsageError(f"prefix= takes text or bytes, not {show(prefix)}")
        if prefix is not None:
            codec_for("any").encode(prefix)
        span = TableSpan(bounds[0], bounds[1], prefix, bounds[2])
        most = None if limit is None else read_limit(limit)
        return TableRows(
            lambda: self._under().rows(self._name, span, most),
            f"rows of {show(self._name)} under {self._element.kind} {show(self._element.id)}",
        )

    def _under(self) -> TablesUnder:
        return self._element._tables_under()

    def __repr__(self) -> str:
        """Show which table it is, without reading it."""
        element = f"{self._element.kind} {show(self._element.id)}"
        return f"<table {show(self._name)} under {element}: .rows() reads it, .get(id) one row>"


def read_row_id(given: Any) -> Any:
    """Return the id of a row; InvalidValue if it cannot be one.

    >>> read_row_id("r1"), read_row_id(("2026", 3))
    ('r1', ('2026', 3))
    """
    if type(given) is int:
        return given
    if given is None or isinstance(given, bool | float):
        raise InvalidValue(f"{show(given)} is not the id of a row: give text or a number")
    codec_for("any").encode(given)
    return given
