"""Streaming values that nothing refers to: left by writers that ended early, and removed here.

Layer ``layout``, for the owner alone. A head is a lease: one that was written lately is left alone.
Of an old one it is said first that it is collected, so that a writer that comes back is refused;
then references are looked for once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import Mutations
from lexigraph.cells.ranges import Range
from lexigraph.codec import typebytes
from lexigraph.codec.kinds.streams import LENGTH
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.facts import ValueFact
from lexigraph.layout.records.families import VALUE
from lexigraph.layout.records.subjects import VertexSubject
from lexigraph.layout.records.values import decode_header, decode_value
from lexigraph.layout.streams.cells import BYTES, HEAD, Head, HeadState
from lexigraph.layout.streams.store import Streams
from lexigraph.store import Outcome, ScanSpec
from lexigraph.streaming import FILE, StreamingValue

_ANY_SUBJECT: Final = VertexSubject("")
"""Which subject a value belongs to makes no difference to how it is read."""

DAY_S: Final = 86_400.0
"""What is younger than this may belong to a write that goes on."""


@dataclass(slots=True)
class StreamFaults:
    """What is wrong with the streaming values of a graph."""

    count: int = 0
    """How many values there are, of all versions."""
    size: int = 0
    """How many bytes they have."""
    orphans: list[Head] = field(default_factory=list)
    """Values that nothing refers to, older than the age that was asked for."""
    stray: list[str] = field(default_factory=list)
    """Files that no head names, older than that."""
    missing: list[StreamingValue] = field(default_factory=list)
    """Values that are referred to and not whole."""


def find_faults(streams: Streams, bound: BoundRecords, older_than_s: float) -> StreamFaults:
    """Return what is wrong; reads all values of records, and no bytes of streams."""
    found = StreamFaults()
    if not streams.is_there():
        return found
    limit = streams.engine.now() - int(older_than_s * 1_000_000)
    # Heads first: what is written after that is referred to later still.
    heads = {head.id: head for head in streams.heads()}
    files = _files(streams)
    referred = {value.stored_as[0]: value for value in references(streams, bound)}
    for own, value in referred.items():
        found.count += 1
        found.size += value.size
        head = heads.get(own)
        if head is None or head.value != value or not _is_whole(value, files):
            # It may have been written, or removed, after heads and files were read.
            again = next(streams.heads([Range.row(own)]), None)
            if again is None or again.value != value or not _is_whole(value, _files(streams)):
                found.missing.append(value)
    found.orphans = [
        head for head in heads.values() if head.id not in referred and head.time <= limit
    ]
    known = {own.hex() for own in (*heads, *referred)}
    found.stray = [
        name for name, (_, age_s) in files.items() if name not in known and age_s >= older_than_s
    ]
    return found


def collect(streams: Streams, bound: BoundRecords, older_than_s: float) -> int:
    """Remove values that nothing refers to; return how many."""
    found = find_faults(streams, bound, older_than_s)
    taken = [head for head in found.orphans if _take(streams, head)]
    if taken:
        again = {value.stored_as[0] for value in references(streams, bound)}
        for head in taken:
            if head.id in again:
                streams.change_head(
                    HeadState.WHOLE, head.value, head.visibility, HeadState.COLLECTED
                )
        taken = [head for head in taken if head.id not in again]
    for head in taken:
        # The head last: whoever is interrupted begins again with it.
        streams.remove_files([head.value])
        _remove_cells(streams, head)
    for name in found.stray:
        if streams.files is not None:
            streams.files.delete(streams.folder, name)
    return len(taken) + len(found.stray)


def references(streams: Streams, bound: BoundRecords) -> Iterator[StreamingValue]:
    """Yield the streaming values that any stored version of a property refers to."""
    for table in bound.tables.values():
        spec = ScanSpec(columns=[(VALUE, None)], authorizations=streams.engine.grants)
        with streams.engine.scan(table, spec) as batches:
            yield from streams_in(chain.from_iterable(batches))


def streams_in(cells: Iterable[Cell]) -> Iterator[StreamingValue]:
    """Yield the streaming values that values of properties refer to."""
    for cell in cells:
        # A reference has one length and is the last thing of a value.
        if len(cell.value) > LENGTH and cell.value[-LENGTH - 1] == typebytes.STREAM:
            header, content = decode_header(cell.value, ValueFact, cell.timestamp, _ANY_SUBJECT)
            value = decode_value(content, header.state)
            if isinstance(value, StreamingValue):
                yield value


def _files(streams: Streams) -> dict[str, tuple[int, float]]:
    if streams.files is None:
        return {}
    return {one.name: (one.size, one.age_s) for one in streams.files.found(streams.folder)}


def _is_whole(value: StreamingValue, files: dict[str, tuple[int, float]]) -> bool:
    own, size, place, _ = value.stored_as
    return place != FILE or (own.hex() in files and files[own.hex()][0] == size)


def _take(streams: Streams, head: Head) -> bool:
    if head.state is HeadState.COLLECTED:
        return True
    outcome = streams.change_head(HeadState.COLLECTED, head.value, head.visibility, head.state)
    return outcome is Outcome.ACCEPTED


def _remove_cells(streams: Streams, head: Head) -> None:
    """Delete what is there of a value: of one that was not finished, nobody knows how much."""
    markers = Mutations()
    spec = ScanSpec(
        ranges=[Range.row(head.id)],
        columns=[(BYTES, None)],
        authorizations=streams.engine.grants,
    )
    with streams.engine.scan(streams.table, spec, batch_cells=8) as batches:
        for cell in chain.from_iterable(batches):
            markers.delete(head.id, BYTES, cell.qualifier, visibility=head.visibility)
    markers.delete(head.id, HEAD, b"", visibility=head.visibility)
    streams.engine.write({streams.table: markers})
