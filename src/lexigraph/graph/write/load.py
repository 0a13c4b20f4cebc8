"""Bulk loads: frames and files of one group, encoded and sorted outside of memory, stored whole.

Layer ``graph``. The next table is read and encoded while the engine sorts the one before. Nothing
is stored before everything is. A row that does not fit ends the load and leaves nothing behind,
unless such rows are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from lexigraph.errors import UsageError, ValidationError, show
from lexigraph.graph.write.add import AddReport
from lexigraph.graph.write.checking import Checking
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.graph.write.rows.shaping import Shaping
from lexigraph.graph.write.rows.sifting import Sifter
from lexigraph.graph.write.rows.skips import Skips
from lexigraph.graph.write.rows_in import RowClass, group_of_frame, is_frame
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.observe.loading import ObservedLoad
from lexigraph.layout.write.writer import Writer
from lexigraph.security import All
from lexigraph.store.load_files import LoadFiles

LOAD_ROWS = 32_768
"""How many rows are encoded at once."""
FIX_ROW = "Fix the row and load again, or pass skip_invalid=True. Nothing of this load is stored."

T = TypeVar("T")


class Loader:
    """Loads data frames into one graph."""

    def __init__(self, writer: Writer) -> None:
        self._writer, self._stored = writer, writer.stored
        self._added = 0

    def load(
        self,
        frames: Any,
        group: Any,
        options: RowOptions,
        progress: Callable[[int, int], object] | None,
        authorizations: Iterable[str | bytes] | All,
        *,
        memory_limit_bytes: int,
        files: LoadFiles | None,
    ) -> AddReport:
        """Load a data frame or a file, or all that an iterable yields, as elements of one group."""
        listed = iter_frames(frames)
        named = self._stored.schema.group(group_of_frame(frames, group, self._stored.schema))
        if named.record is not None:
            raise UsageError(f"{named.name!r} is a group of records", hint="Use RecordLoader.")
        skips = Skips() if options.skip_invalid else None
        shaping = Shaping(named, RowClass.of(group, named), options)
        sifter = Sifter(self._writer, shaping, skips)
        self._stored.finish_merges()
        writer = self._stored.engine.check_granted(authorizations)
        report = ObservedLoad(self._stored, named.name, writer).load(
            iter_ahead(self._parts(sifter, listed)),
            memory_limit_bytes=memory_limit_bytes,
            files=files,
            progress=progress,
        )
        return AddReport.of(skips, self._added, commits=1, timestamp=report.timestamp)

    def _parts(self, sifter: Sifter, frames: Iterator[Any]) -> Iterator[Changed]:
        try:
            for table in sifter.tables(frames, LOAD_ROWS):
                checking = Checking(self._stored)
                for changed, count in sifter.batches(table, checking, LOAD_ROWS):
                    self._added += count
                    yield self._writer.checked(changed)
        except ValidationError as error:
            error.replace_hint(FIX_ROW)
            raise


def iter_frames(frames: Any) -> Iterator[Any]:
    """Yield a data frame or path, or all that an iterable has of them."""
    return iter([frames]) if is_frame(frames) else _each(frames)


def _each(frames: Any) -> Iterator[Any]:
    if isinstance(frames, bytes | Mapping) or not isinstance(frames, Iterable):
        raise _no_frame(frames)
    for frame in frames:
        if not is_frame(frame):
            raise _no_frame(frame)
        yield frame


def _no_frame(given: Any) -> UsageError:
    return UsageError(
        f"a load takes data frames and paths of files, not {show(given)}",
        hint="Pass a data frame, the path of a CSV or Parquet file, or an iterable of these. "
        "For elements and dicts, use add.",
    )


def iter_ahead(items: Iterator[T]) -> Iterator[T]:
    """Give items, each made in another thread while the one before is used."""
    end = object()
    with ThreadPoolExecutor(1, thread_name_prefix="lexigraph-load") as pool:
        coming = pool.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = pool.submit(next, items, end)
            yield item  # type: ignore[misc]
