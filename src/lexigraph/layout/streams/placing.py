"""Storing the streams of one commit before it is judged, and again if visibilities turn out others.

Layer ``layout``. A commit may be judged several times, and a stream can often be read once: what
was stored for the same visibility is used again.
"""

from __future__ import annotations

from time import monotonic
from typing import Final, Protocol

from lexigraph.layout.streams.store import Streams
from lexigraph.streaming import FILE, GivenStream, StreamingValue

_LEASE_S: Final = 600.0
"""For how long what was stored needs no touch: far less than anything is collected after."""
_Given = GivenStream | StreamingValue


class StreamPlace(Protocol):
    """Returns the stored value that is to be written for a stream, under a visibility."""

    def __call__(self, given: GivenStream | StreamingValue, visibility: bytes) -> StreamingValue:
        """Return it."""
        ...


class Placer:
    """Stores the streams of one commit or transaction, each once for each visibility."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        # The given are kept, so that no other gets the identity of one.
        self._placed: dict[tuple[int, bytes], tuple[_Given, StreamingValue]] = {}
        self._noted: list[tuple[_Given, bytes]] = []
        self._touched = monotonic()

    def note(self, given: GivenStream | StreamingValue, visibility: bytes) -> StreamingValue:
        """Note that a stream will be needed; what is returned stands for it."""
        self._noted.append((given, visibility))
        return StreamingValue(bytes(16), 0, FILE, 0)

    def store_noted(self) -> None:
        """Store what was noted."""
        noted, self._noted = self._noted, []
        for given, visibility in noted:
            self.place(given, visibility)

    def place(self, given: GivenStream | StreamingValue, visibility: bytes) -> StreamingValue:
        """Return the stored value of a stream under a visibility; store it if there is none."""
        key = (id(given), visibility)
        if key not in self._placed:
            self._placed[key] = (given, self._streams.put(self._source(given), visibility))
        return self._placed[key][1]

    def _source(self, given: GivenStream | StreamingValue) -> GivenStream:
        if isinstance(given, GivenStream):
            # Under another visibility it was stored before: it cannot be read twice.
            held = (two for one, two in self._placed.values() if one is given)
            found = next(held, None)
            if found is None:
                return given
        else:
            found = given
        stored = self._streams.bound(found, self._streams.engine.grants)
        return GivenStream(stored, stored.size)

    def touch(self) -> None:
        """Keep all that was stored from being collected before the commit."""
        if self._placed and monotonic() - self._touched > _LEASE_S:
            for (_, visibility), (_, value) in self._placed.items():
                self._streams.touch(value, visibility)
            self._touched = monotonic()
