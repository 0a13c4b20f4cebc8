"""Answers by column: decoded by the engine, without an element of Python for each.

Layer ``plan``. An engine may read elements by their key plan itself; where a question leaves
nothing to the client but the check of both ends, its columns are the answer. The rows and their
order are those of the elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from lexigraph.errors import InvalidOption, UnsupportedError
from lexigraph.plan.algebra import Elements
from lexigraph.plan.execute import Branched
from lexigraph.plan.scope import Scope
from lexigraph.store import ScanSpec
from lexigraph.store.scan.frames import Frame, FrameColumn, FrameEnds

BATCH = 65_536
"""How many rows a frame has at most."""


@runtime_checkable
class GivesFrames(Protocol):
    """An engine that reads elements by itself."""

    def frames(
        self,
        table: str,
        spec: ScanSpec,
        plan: str,
        columns: Sequence[FrameColumn],
        *,
        ends: FrameEnds | None = None,
        snapshot: Any = None,
        batch_rows: int = BATCH,
        timeout_s: float | None = None,
    ) -> Iterator[Frame]:
        """Give the elements of a scan by column."""
        ...


def iter_frames(
    asked: Elements, scope: Scope, columns: Sequence[FrameColumn], *, batch_rows: int = BATCH
) -> Iterator[Frame] | None:
    """Give the answer by column; ``None`` where elements have to be read.

    ``columns`` name fields of the plan. A limit may be passed by the last frame. Mistakes raise
    here; what the engine cannot read by itself is UnsupportedError or InvalidOption at the first
    frame.
    """
    branched = Branched(asked, scope)
    ends = branched.finder.ends()
    if not isinstance(scope.engine, GivesFrames):
        return None
    if any(steps.transforms for steps in asked.view.values()):
        return None
    if not all(steps.is_plain for _, steps in branched.ways):
        return None
    if branched.check is not None and ends is None:
        return None
    return _frames(branched, scope.engine, columns, ends, batch_rows)


def count_rows(asked: Elements, scope: Scope) -> int | None:
    """Count the elements of an answer without making any; ``None`` where they have to be read."""
    found = iter_frames(replace(asked, limit=None), scope, ())
    try:
        return None if found is None else sum(rows for rows, _ in found)
    except (InvalidOption, UnsupportedError):
        return None


def _frames(
    branched: Branched,
    engine: GivesFrames,
    columns: Sequence[FrameColumn],
    ends: FrameEnds | None,
    batch_rows: int,
) -> Iterator[Frame]:
    with branched.scanning() as (scope, ways):
        for scans, _, planned in ways:
            wanted = [_of_groups(one, scans.branch.groups) for one in columns]
            for scan in planned:
                if scope.record is not None:
                    scope.record(scan.table, scan.spec.ranges)
                yield from engine.frames(
                    scan.table,
                    scan.spec,
                    scans.output_name,
                    wanted,
                    ends=ends,
                    snapshot=scope.snapshot,
                    batch_rows=batch_rows,
                    timeout_s=scope.timeout_s,
                )


def _of_groups(column: FrameColumn, groups: Iterable[str]) -> FrameColumn:
    held = column.fields
    return replace(column, fields={name: held[name] for name in groups if name in held})
