"""Cells of ``decode`` and ``summarise`` as things that people use: dicts and columns.

Layer ``keyplan``. The reader's half of those stages: it finishes states, and merges partial results
that several servers gave for one row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.codec import codec_for
from lexigraph.errors import InvalidBytes, show
from lexigraph.keyplan.derived.summary import FigureStates, Summary


def read_decoded(cells: Iterable[Cell], fields: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the fields of each cell that ``decode`` made, by name.

    >>> value = codec_for("any").encode_value(("ann", 3))
    >>> list(read_decoded([Cell(b"r", value=value)], ["vertex", "count"]))
    [{'vertex': 'ann', 'count': 3}]
    """
    names = tuple(fields)
    for cell in cells:
        values = codec_for("any").decode_value(cell.value)
        if not isinstance(values, tuple) or len(values) != len(names):
            raise InvalidBytes(
                f"the value in row {show(cell.row)} is not a tuple of {len(names)} fields",
                hint="Pass the fields that the stage 'decode' was given, in their order.",
            )
        yield dict(zip(names, values, strict=True))


def read_summary(cells: Iterable[Cell], summary: Summary) -> Iterator[dict[str, Any]]:
    """Yield the finished results of ``summarise``; partial ones for one row are merged first."""
    results: dict[bytes, FigureStates] = {}
    for cell in cells:
        states = summary.read(cell.value, cell.timestamp)
        earlier = results.get(cell.row)
        results[cell.row] = states if earlier is None else summary.merge(earlier, states)
    for row in sorted(results):
        yield summary.finish(row, results[row])


def to_columns(rows: Iterable[dict[str, Any]]) -> dict[str, list[Any]]:
    """Turn dicts of the same names into one list for each name.

    >>> to_columns([{"day": 1, "hits": 5}, {"day": 2, "hits": 7}])
    {'day': [1, 2], 'hits': [5, 7]}
    """
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return columns
