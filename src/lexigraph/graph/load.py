"""Bulk loads: data frames of one group, encoded and sorted outside of memory, stored whole.

Layer ``graph``. The next table is read and encoded while the engine sorts the one before. Nothing
is stored before everything is, and a row that does not fit ends the load and leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from typing import Any, TypeVar

from lexigraph.errors import LexigraphError, UsageError, show
from lexigraph.graph.add import AddReport
from lexigraph.graph.checking import Checking
from lexigraph.graph.encoding import TableEncoder
from lexigraph.graph.rows_in import (
    RowClass,
    cells_of_table,
    group_of_frame,
    is_frame,
    iter_tables,
)
from lexigraph.graph.stored import StoredGraph
from lexigraph.security import All
from lexigraph.store import LoadFiles, MutationBatch

LOAD_ROWS = 131_072
"""How many rows are encoded at once."""

T = TypeVar("T")


class Loader:
    """Loads data frames into one graph; ``check`` sees every batch before it is taken."""

    def __init__(self, stored: StoredGraph, check: Callable[[MutationBatch], None]) -> None:
        self._stored, self._check = stored, check
        self._added = 0

    def load(
        self,
        frames: Any,
        group: Any,
        progress: Callable[[int, int], object] | None,
        authorizations: Iterable[str | bytes] | All,
        *,
        memory_limit_bytes: int,
        files: LoadFiles | None,
    ) -> AddReport:
        """Load a data frame, or all that an iterable gives, as elements of one group."""
        listed = iter([frames]) if is_frame(frames) else _each(frames)
        named = group_of_frame(frames, group, self._stored.schema)
        of = RowClass.of(group, self._stored.schema.group(named))
        self._stored.finish_merges()
        report = self._stored.engine.load(
            self._stored.table_of(named),
            _iter_ahead(self._batches(listed, named, of)),
            memory_limit_bytes=memory_limit_bytes,
            files=files,
            progress=progress,
            authorizations=authorizations,
        )
        return AddReport(self._added, commits=1, timestamp=report.timestamp)

    def _batches(self, frames: Iterator[Any], group: str, of: RowClass) -> Iterator[MutationBatch]:
        encoder = TableEncoder(self._stored, group)
        for table in iter_tables(frames, LOAD_ROWS, of):
            batch = self._encode(encoder, group, table)
            self._check(batch)
            self._added += len(table)
            yield batch

    def _encode(self, encoder: TableEncoder, group: str, table: Any) -> MutationBatch:
        encoded = encoder.encode(table, now=Checking(self._stored).now, skips=False)
        if encoded is not None and encoded.batch is not None:
            return encoded.batch
        try:
            # From the row on that does not fit: it is the one to be told of.
            if encoded is not None:
                at = encoded.bad[0]
                cells_of_table(self._stored, group, table.slice(at, 1), first=self._added + at)
            return cells_of_table(self._stored, group, table, first=self._added)
        except LexigraphError as error:
            error.hint = "Mend it and load again: nothing of this load is stored."
            raise


def _each(frames: Any) -> Iterator[Any]:
    if isinstance(frames, str | bytes | PathLike) or not isinstance(frames, Iterable):
        raise _no_frame(frames)
    for frame in frames:
        if not is_frame(frame):
            raise _no_frame(frame)
        yield frame


def _no_frame(given: Any) -> UsageError:
    return UsageError(
        f"a load takes data frames, not {show(given)}",
        hint="Give a frame, a reader of batches or an iterable of frames, for a file that of its "
        "library (pyarrow.parquet.ParquetFile(path).iter_batches()); add takes elements.",
    )


def _iter_ahead(items: Iterator[T]) -> Iterator[T]:
    """Give items, each made in another thread while the one before is used."""
    end = object()
    with ThreadPoolExecutor(1, thread_name_prefix="lexigraph-load") as pool:
        coming = pool.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = pool.submit(next, items, end)
            yield item  # type: ignore[misc]
