"""Split points of a graph: chosen by a sample of what is to be added, and applied from a file.

Layer ``graph``. Sampling writes nothing to the graph; equal input gives an equal file.
"""

from __future__ import annotations

from os import PathLike, fspath
from os.path import lexists
from pathlib import Path
from typing import Any

from lexigraph.arguments import read_count
from lexigraph.errors import InvalidValue, UsageError, show
from lexigraph.graph.write.add import Adder
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.stored.splits import read_splits, write_splits
from lexigraph.layout.write.sampling import RowSample
from lexigraph.layout.write.writer import Writer


def sample_splits(
    stored: StoredGraph,
    elements: Any,
    file: str | PathLike[str],
    *,
    count: int,
    proportion: float,
    group: Any,
    validate: bool,
) -> int:
    """Write ``count`` split points, chosen by a ``proportion`` of the rows; return how many."""
    read_count(count, "count")
    number = isinstance(proportion, int | float) and not isinstance(proportion, bool)
    if not number or not 0 < proportion <= 1:
        raise InvalidValue(f"proportion is a number above 0, up to 1, not {show(proportion)}")
    path = _path(file)
    if lexists(path):
        raise UsageError(
            f"file {fspath(path)!r} already exists",
            hint="Choose another file, or remove it.",
        )
    sample = RowSample(stored, proportion)
    options = RowOptions(skip_invalid=not validate)
    Adder(Writer(stored, sample)).add(elements, group=group, options=options)
    splits = sample.splits(count)
    if not any(splits.values()):
        raise UsageError(
            "the sample holds no rows, so there are no split points to write",
            hint="Pass a larger proportion, more rows, or check why rows are skipped.",
        )
    return write_splits(path, splits)


def apply_splits(stored: StoredGraph, file: str | PathLike[str]) -> dict[str, int]:
    """Split tables at the points in a file; return the number of split points per table."""
    tables = stored.own_tables
    rows = read_splits(_path(file), tables)
    if not rows:
        raise UsageError(
            f"file {fspath(file)!r} has no split points",
            hint="Make one with graph.admin.sample_splits, or with 'lexigraph splits sample'.",
        )
    for table, wanted in rows.items():
        stored.engine.add_splits(tables[table], wanted)
    return {table: len(wanted) for table, wanted in rows.items()}


def _path(file: Any) -> Path:
    if not isinstance(file, str | PathLike):
        raise UsageError(f"split points are kept in a file, not in {show(file)}")
    return Path(file)
