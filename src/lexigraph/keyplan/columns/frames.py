"""Elements by column: the words for asking, and what is returned.

Layer ``keyplan``. A frame is some rows of a table: for each column the buffers that Arrow has for
it, in the byte order of the machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class FrameColumn:
    """One column: what it holds, and the field of each group that has one.

    ``kind`` is ``text``, ``binary``, ``flag``, ``int8`` to ``int64``, ``uint64``, ``float``,
    ``decimal:DIGITS:SCALE``, ``date`` (days), ``micros``, ``uuid``, ``ip`` (as text), ``point``,
    ``list:KIND``, ``map:KIND:KIND``, ``any``: the stored form of the codec ``any``, or ``key``: the
    key form of the field as bytes, which sort as its values do. In ``moments`` are the groups whose
    field is the time of a cell and is shown as a moment.
    """

    name: str
    kind: str
    fields: Mapping[str, str]
    moments: frozenset[str] = frozenset()

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class FrameEnds:
    """Which rows of edges are left out; vertices in key form.

    An edge must lead into ``far_in``. Where its far end is among ``again_far`` (or in one of
    ``again_ranges``), and its near end in ``again_near``, the edge's other row is found too: then
    only the one that stands for the edge counts. Directed edges are found by both ends if they
    ``turn``.
    """

    turns: bool
    far_in: Sequence[bytes] | None = None
    again_far: Sequence[bytes] | None = None
    again_ranges: Sequence[tuple[bytes, bytes]] | None = None
    again_near: Sequence[bytes] | None = None


class FrameBuffers(NamedTuple):
    """A column of a frame: its buffers, and the columns inside lists, maps and points.

    How many entries there are, how many are null, which are there, their offsets if they have any
    length, and the entries.
    """

    length: int
    nulls: int
    present: bytes | None
    offsets: bytes | memoryview | None
    data: bytes | memoryview
    children: list[FrameBuffers]


class Frame(NamedTuple):
    """Some rows."""

    rows: int
    columns: list[FrameBuffers]
