"""The layout ``byte-entity``: Gaffer's default rows, with a flag right behind the first vertex.

Layer ``layout``. Rows are ``V 00 01`` for a vertex, ``S 00 02 00 D 00 02`` and
``D 00 03 00 S 00 03`` for a directed edge, ``S 00 04 00 D 00 04`` from either end for an undirected
one. So each kind of row about a vertex is a range of its own: asking for one reads no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.cells.ranges import trusted_rows
from lexigraph.layout.options import KeyOptions
from lexigraph.layout.row_kinds import ALL_KINDS
from lexigraph.layout.spi import Layout
from lexigraph.layout.two_rows import Kinds, TwoRows
from lexigraph.schema import Schema
from lexigraph.store import Range


class ByteEntity(Layout):
    """Each kind of row in a range of its own; see :class:`KeyOptions` for the options."""

    name = "byte-entity"

    def __init__(self, **options: Any) -> None:
        self.row_options = KeyOptions.from_json(options)

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that are not the default."""
        return self.row_options.to_json()

    def bind(self, schema: Schema) -> BoundByteEntity:
        """Fit it to a schema."""
        return BoundByteEntity(self, schema, self.row_options)


class BoundByteEntity(TwoRows):
    """The layout of one schema."""

    separates = True

    def __init__(self, layout: Layout, schema: Schema, options: KeyOptions) -> None:
        super().__init__(layout, schema, options)
        self._known_runs: dict[Kinds, list[tuple[bytes, bytes]]] = {}

    def flag(self, kind: str) -> bytes:
        """Give 01 for a vertex, 02 out, 03 in, 04 undirected."""
        return bytes([ALL_KINDS.index(kind) + 1])

    def row_parts(self, first: str, second: str | None, flag: bytes | None) -> list[Any]:
        """Put the flag behind each id; its second place only repeats it and can be spared."""
        marked = self.ends.delimiter + (flag or b"")
        if second is None:
            return [first, marked]
        spared = self.row_options.short_columns or self.ends.fixed
        return [first, marked + self.ends.delimiter, second, b"" if spared else marked]

    def rows_of(self, key: bytes, kinds: Kinds) -> list[Range]:
        """Give a range for each run of neighbouring flags."""
        return [trusted_rows(key + first, key + behind) for first, behind in self._runs(kinds)]

    def _runs(self, kinds: Kinds) -> list[tuple[bytes, bytes]]:
        found = self._known_runs.get(kinds)
        if found is None:
            flags = [at + 1 for at, kind in enumerate(ALL_KINDS) if kind in kinds]
            firsts = [flag for flag in flags if flag - 1 not in flags]
            lasts = [flag for flag in flags if flag + 1 not in flags]
            delimiter = self.ends.delimiter
            found = self._known_runs[kinds] = [
                (delimiter + bytes([first]), delimiter + bytes([last + 1]))
                for first, last in zip(firsts, lasts, strict=True)
            ]
        return found
