"""The layout ``classic``: Gaffer's first rows, with a flag at the end.

Layer ``layout``. Rows are ``V`` for a vertex, ``S 00 D 00 02`` and ``D 00 S 00 03`` for a directed
edge, ``S 00 D 00 01`` from either end for an undirected one. All edges between two vertices lie
together; which way they go is left to a predicate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.cells.ranges import trusted_rows
from lexigraph.layout.options import KeyOptions
from lexigraph.layout.row_kinds import EDGE_KINDS, EITHER, VERTEX
from lexigraph.layout.spi import Layout
from lexigraph.layout.two_rows import Kinds, TwoRows
from lexigraph.layout.wanted import IN, OUT
from lexigraph.schema import Schema
from lexigraph.store import Range

_FLAGS = {OUT: b"\x02", IN: b"\x03", EITHER: b"\x01"}


class Classic(Layout):
    """Edges between two vertices together; see :class:`KeyOptions` for the options."""

    name = "classic"

    def __init__(self, **options: Any) -> None:
        self.row_options = KeyOptions.from_json(options)

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that are not the default."""
        return self.row_options.to_json()

    def bind(self, schema: Schema) -> BoundClassic:
        """Fit it to a schema."""
        return BoundClassic(self, schema, self.row_options)


class BoundClassic(TwoRows):
    """The layout of one schema."""

    separates = False

    def flag(self, kind: str) -> bytes | None:
        """Give 01 for undirected, 02 out, 03 in; a vertex has none, and nor do short columns."""
        return None if self.row_options.short_columns else _FLAGS.get(kind)

    def row_parts(self, first: str, second: str | None, flag: bytes | None) -> list[Any]:
        """Put the flag at the end."""
        if second is None:
            return [first]
        return [
            first,
            self.ends.delimiter,
            second,
            b"" if flag is None else self.ends.delimiter + flag,
        ]

    def rows_of_pair(self, rows: list[bytes]) -> list[Range]:
        """Give one range: the rows of a pair are neighbours, and nothing lies between them."""
        return [Range.rows(rows[0], rows[-1])]

    def rows_of(self, key: bytes, kinds: Kinds) -> list[Range]:
        """Give the row of the vertex itself, those of its edges, or both in one range."""
        if not kinds & EDGE_KINDS:
            return [Range.row(key)]
        if not self.ends.fixed:
            # The row of the vertex itself has no delimiter; those of its edges have.
            start = key if VERTEX in kinds else key + b"\x00"
            return [trusted_rows(start, key + b"\x01")]
        if VERTEX in kinds:
            return [self.ends.own_rows(key, key)]
        # The row of the vertex alone is the first of all that start with it.
        return [Range.rows(key, self.ends.behind(key), start_inclusive=False, end_inclusive=False)]
