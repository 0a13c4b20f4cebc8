"""Answers by column: decoded by the engine, without an element of Python for each.

Layer ``plan``. An engine may read elements by their key plan itself. If a question leaves nothing
to the client but the check of both ends, its columns are the answer. The rows and their order are
those of the elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lexigraph.errors import InternalError
from lexigraph.plan.logical.elements import Elements
from lexigraph.plan.physical.choose import choose_frames, prepare_frames
from lexigraph.plan.physical.execute import Branched, Way
from lexigraph.plan.scope import Scope
from lexigraph.store.answers.frames import Frame, FrameColumn
from lexigraph.store.operators import BATCH_ROWS, Declined, FrameReader


def iter_frames(
    branched: Branched, columns: Sequence[FrameColumn], *, batch_rows: int = BATCH_ROWS
) -> Iterator[Frame] | None:
    """Return the answer by column; ``None`` if elements have to be read.

    ``columns`` name fields of the plan. A limit may be passed by the last frame.
    """
    ways = branched.plan_scans()
    chosen = choose_frames(branched, ways, columns)
    if chosen.reader is None:
        return None
    return _frames(branched, ways, chosen.reader, columns, batch_rows)


def count_rows(asked: Elements, scope: Scope) -> int | None:
    """Count the elements of an answer without making any; ``None`` if they have to be read."""
    found = iter_frames(Branched(replace(asked, limit=None), scope), ())
    return None if found is None else sum(frame.rows for frame in found)


def _frames(
    branched: Branched,
    ways: list[Way],
    readers: list[FrameReader | None],
    columns: Sequence[FrameColumn],
    batch_rows: int,
) -> Iterator[Frame]:
    with branched.scanning(ways) as scope:
        for way, reader in zip(ways, readers, strict=True):
            ready: FrameReader | Declined | None = reader
            for scan in way.planned:
                if scope.record is not None:
                    scope.record(scan.table, scan.spec.ranges)
                ready = ready or prepare_frames(branched, way.scans, scan, columns, scope)
                if isinstance(ready, Declined):
                    # All scans of a branch have the same stages, and the first was taken.
                    raise InternalError(f"a later scan was declined: {ready.reason}")
                yield from ready.frames(
                    snapshot=scope.snapshot, batch_rows=batch_rows, timeout_s=scope.timeout_s
                )
                ready = None
