"""References and vertices of records by column.

Layer ``store``.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class ReferenceColumns(NamedTuple):
    """Some references, in the order of their rows: of each what its row and its existence say.

    ``edges`` and ``others`` are ids: of the edges, and of the vertices at their other ends.
    ``sort_keys`` are tuples of values, ``signatures`` tuples of pairs of name and value.
    """

    edges: list[Any]
    others: list[Any]
    sort_keys: list[tuple[Any, ...]]
    signatures: list[tuple[tuple[str, Any], ...]]
    times: list[int]
    visibilities: list[bytes]


class VertexValues(NamedTuple):
    """Single values of vertices, by column.

    ``places`` are those of the vertices among the keys that were asked for; ``columns`` have a
    value of each, or ``None``. Vertices at the places ``several`` have more values than one of a
    name; they are not among the others.
    """

    places: list[int]
    columns: list[list[Any]]
    several: list[int]
