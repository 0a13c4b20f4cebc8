"""References of records by column.

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
