"""Elements of the embedded engine by column: a scan that the core decodes itself.

Layer ``store``, only for ``embedded``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from lexigraph.store.scan.frames import Frame, FrameBuffers, FrameColumn, FrameEnds

EndsParts = tuple[Any, ...]


def columns_text(columns: Sequence[FrameColumn]) -> str:
    """Return columns as JSON text."""
    return json.dumps(
        [
            {
                "name": one.name,
                "kind": one.kind,
                "fields": dict(one.fields),
                "moments": sorted(one.moments),
            }
            for one in columns
        ]
    )


def ends_parts(ends: FrameEnds | None) -> EndsParts | None:
    """Return the check of ends as the native module takes it."""
    if ends is None:
        return None
    return (ends.turns, ends.far_in, ends.again_far, ends.again_ranges, ends.again_near)


def read_frames(scan: Any, batch_rows: int) -> Iterator[Frame]:
    """Give the frames of a native scan and close it, however its reading ends."""
    try:
        while (found := scan.next(batch_rows)) is not None:
            rows, columns = found
            yield Frame(rows, [_buffers(one) for one in columns])
    finally:
        scan.close()


def _buffers(parts: tuple[Any, ...]) -> FrameBuffers:
    length, nulls, present, offsets, data, inside = parts
    return FrameBuffers(length, nulls, present, offsets, data, list(map(_buffers, inside)))
