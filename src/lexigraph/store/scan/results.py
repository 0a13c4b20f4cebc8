"""The result of a scan: batches of cells, to be closed, cancelled or given a time limit.

Layer ``store``. A scan that was stopped in any way says so at every further step; it never ends
as if there were no more cells.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lexigraph.cells.arrow import cell_schema, import_pyarrow
from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.closing import Closing
from lexigraph.errors import Closed, LexigraphError, QueryCancelled, QueryTimeout, UsageError

if TYPE_CHECKING:
    from lexigraph.cells.batch import CellBatch
    from lexigraph.store.stages.base import CellSource, Families

_CHECK_EVERY = 512


class Watch:
    """Tells a running scan whether it may go on; any thread may cancel it.

    >>> watch = Watch("people")
    >>> watch.cancel()
    >>> watch.check()
    Traceback (most recent call last):
        ...
    lexigraph.errors.QueryCancelled: the scan of table 'people' was cancelled
    """

    __slots__ = ("_deadline", "_followers", "cancelled", "table", "timeout_s")

    def __init__(self, table: str, timeout_s: float | None = None) -> None:
        self.table, self.timeout_s = table, timeout_s
        self.cancelled = False
        self._deadline: float | None = None
        self._followers: list[Callable[[], object]] = []

    def start(self) -> None:
        """Let the time run; a second start changes nothing."""
        if self.timeout_s is not None and self._deadline is None:
            self._deadline = time.monotonic() + self.timeout_s

    def cancel(self) -> None:
        """Let the next check fail, and tell those that follow."""
        self.cancelled = True
        for stop in list(self._followers):
            stop()

    def follow(self, stop: Callable[[], object]) -> None:
        """Call something when the scan is cancelled; at once when it was."""
        self._followers.append(stop)
        if self.cancelled:
            stop()

    def unfollow(self, stop: Callable[[], object]) -> None:
        """Forget what was to be called."""
        self._followers.remove(stop)

    @property
    def left_s(self) -> float | None:
        """How many seconds are left; ``None`` without a limit."""
        if self._deadline is None:
            return self.timeout_s
        return max(0.0, self._deadline - time.monotonic())

    def check(self) -> None:
        """Raise when the scan was cancelled or its time is over."""
        if self.cancelled:
            raise QueryCancelled(f"the scan of table {self.table!r} was cancelled")
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise QueryTimeout(
                f"the scan of table {self.table!r} took more than {self.timeout_s:g} s",
                timeout_s=self.timeout_s,
            )

    def over(self, source: CellSource) -> CellSource:
        """Return a source that checks now and then while it is read."""
        return _Watched(source, self)


class _Watched:
    def __init__(self, source: CellSource, watch: Watch) -> None:
        self.source, self.watch = source, watch

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        for number, cell in enumerate(self.source.scan(range, families)):
            if not number % _CHECK_EVERY:
                self.watch.check()
            yield cell


class Scan(Closing, Iterator["CellBatch"]):
    """What a scan gives, batch by batch. What it reads is fixed at the first one.

    >>> from lexigraph.store import MemoryEngine
    >>> engine = MemoryEngine()
    >>> _ = engine.create_table("people").put("ann", "age", "", "41")
    >>> with engine.scan("people") as batches:
    ...     print(*batches)
    CellBatch(1 cells, 8 bytes)
    """

    def __init__(self, batches: Iterator[CellBatch], watch: Watch) -> None:
        self._batches = batches
        self._watch = watch
        self._closed = False
        self._failure: LexigraphError | None = None

    def __next__(self) -> CellBatch:
        """Return the next batch."""
        if self._failure is not None:
            raise self._failure
        if self._closed:
            raise Closed(f"this scan of table {self._watch.table!r} was closed")
        try:
            self._watch.start()
            self._watch.check()
            return next(self._batches)
        except LexigraphError as failure:
            self._failure = failure
            self._release()
            raise
        except ValueError as failure:
            if "already executing" not in str(failure):
                raise
            raise UsageError(
                f"another thread is already reading this scan of table {self._watch.table!r}",
                hint="Read a scan in one thread at a time, or start one scan for each thread.",
            ) from None

    def cancel(self) -> None:
        """Stop the scan, from any thread: its reader gets QueryCancelled."""
        self._watch.cancel()

    def close(self) -> None:
        """Let go of what it holds. Closing twice is fine, reading on afterwards raises Closed."""
        self._closed = True
        self._release()
        self._watch.cancel()

    def _release(self) -> None:
        close = getattr(self._batches, "close", None)
        if close is not None:
            # Another thread is reading just now: then the scan ends at its next check.
            with suppress(ValueError):
                close()

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.RecordBatchReader`` over the batches that are left."""
        reader = import_pyarrow().RecordBatchReader
        return reader.from_batches(cell_schema(), (batch.to_arrow() for batch in self))

    def __repr__(self) -> str:
        """Show the table and how it stands."""
        state = "closed" if self._closed else "failed" if self._failure else "open"
        return f"{type(self).__name__}({self._watch.table!r}, {state})"
