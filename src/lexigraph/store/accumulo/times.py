"""Times for cells that are written: no two of a batch get fully equal keys.

Layer ``store``, only for ``accumulo``. Accumulo stores cells of equal keys and may lose one when it
reads them: a reader of a file that stands behind its first cell takes that for read where the next
cell has the same key.
"""

from __future__ import annotations

from array import array
from collections import Counter

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.mutations import MutationBatch


def spread_times(batch: MutationBatch, time: int) -> tuple[CellBatch, int]:
    """Return the cells of a batch with times from ``time`` on, and the last of these.

    That one is the time of the batch; what has the key of a later cell comes just before it. A time
    that was given stays.

    >>> from lexigraph.store import Mutations
    >>> cells, last = spread_times(Mutations().put("a").put("b").put("a").batch(), 7)
    >>> [(cell.row, cell.timestamp) for cell in cells], last
    ([(b'a', 7), (b'b', 8), (b'a', 8)], 8)
    """
    cells, timed = batch.cells, batch.timed
    # Most rows have one cell of a batch: nothing more needs to be looked at then.
    if b"\0" not in timed or cells.row.is_distinct:
        return batch.at(time), time
    columns = zip(cells.row, cells.family, cells.qualifier, cells.visibility, strict=True)
    # A marker hides what was put with it, whichever came first.
    put = [not (flag or deleted) for flag, deleted in zip(timed, cells.deleted, strict=True)]
    keys = [key if free else None for key, free in zip(columns, put, strict=True)]
    left = Counter(keys)
    del left[None]
    last = time + max(left.values(), default=1) - 1
    if last == time:
        return batch.at(time), time
    times = array("q")
    for key, given, flag in zip(keys, cells.timestamp, timed, strict=True):
        if key is not None:
            left[key] -= 1
            times.append(last - left[key])
        else:
            times.append(given if flag else last)
    spread = CellBatch(
        cells.row,
        cells.family,
        cells.qualifier,
        cells.visibility,
        times,
        cells.deleted,
        cells.value,
    )
    return spread, last
