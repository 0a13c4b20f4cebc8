"""Columns and frames as the native module takes and gives them.

Layer ``keyplan``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from lexigraph.keyplan.columns.frames import Frame, FrameBuffers, FrameColumn, FrameEnds

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


def frame_of(found: tuple[int, list[Any]]) -> Frame:
    """Return a frame that the native module gave."""
    rows, columns = found
    return Frame(rows, list(map(_buffers, columns)))


def _buffers(parts: tuple[Any, ...]) -> FrameBuffers:
    length, nulls, present, offsets, data, inside = parts
    return FrameBuffers(length, nulls, present, offsets, data, list(map(_buffers, inside)))
