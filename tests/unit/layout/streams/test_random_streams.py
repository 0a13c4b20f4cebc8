"""Any order of stream writes, moves and deletes gives what a model in plain Python holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import lexigraph as lg
from lexigraph.layout.streams.collecting import references
from lexigraph.store import ManualClock

SECOND = 1_000_000
START = 2_000_000_000 * SECOND
CHUNK, MOST = 7, 40
USERS: tuple[tuple[str, ...], ...] = ((), ("a",), ("b",), ("a", "b"))
NAMES, VISIBILITIES = ("p", "q"), ("", "a", "b")

names = st.sampled_from(NAMES)
visibilities = st.sampled_from(VISIBILITIES)
offsets = st.integers(0, 70)
sizes = st.one_of(st.integers(0, 60), st.sampled_from([CHUNK, 2 * CHUNK, MOST, MOST + 1]))


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    """Yield bytes in pieces."""
    for start in range(0, len(data), size):
        yield data[start : start + size]


class StreamMachine(RuleBasedStateMachine):
    """One vertex whose streams are written, moved, deleted and read."""

    def open(self, home: Path, clock: ManualClock) -> lg.Engine:
        """Open the engine."""
        return lg.MemoryEngine(clock=clock)

    def __init__(self) -> None:
        super().__init__()
        self._home = TemporaryDirectory()
        self.clock = ManualClock(START)
        self.engine = self.open(Path(self._home.name) / "g", self.clock)
        self.graph = lg.open(self.engine, authorizations=lg.ALL)
        stored = self.graph._access.stored
        stored.stream_options = replace(stored.stream_options, max_in_table=MOST, chunk_bytes=CHUNK)
        self.graph.add_vertex("v", n=1)
        self.clock.advance(SECOND)
        self.versions: dict[tuple[str, str], list[tuple[int, bytes | None]]] = {}
        self.written = 0

    def teardown(self) -> None:
        """Close everything."""
        self.graph.close()
        self.engine.close()
        self._home.cleanup()

    def _bytes(self, size: int) -> bytes:
        self.written += 1
        return bytes((self.written * 31 + i * 7) % 251 for i in range(size))

    def _given(self, data: bytes, piece: int) -> Any:
        return lg.stream(data) if piece == 0 else lg.stream(pieces(data, piece))

    def _say(self, name: str, visibility: str, data: bytes | None) -> None:
        self.versions.setdefault((name, visibility), []).append((self.clock.now(), data))
        self.clock.advance(SECOND)

    def _now(self, name: str, visibility: str) -> bytes | None:
        return self._at(name, visibility, self.clock.now())

    def _at(self, name: str, visibility: str, time: int) -> bytes | None:
        past = [data for at, data in self.versions.get((name, visibility), []) if at <= time]
        return past[-1] if past else None

    @rule(name=names, visibility=visibilities, size=sizes, piece=st.integers(0, 20))
    def put(self, name: str, visibility: str, size: int, piece: int) -> None:
        """Write a value."""
        data = self._bytes(size)
        self.graph.vertex("v").set(name, self._given(data, piece), visibility=visibility)
        self._say(name, visibility, data)

    @rule(name=names, visibility=visibilities, size=sizes)
    def put_in_vain(self, name: str, visibility: str, size: int) -> None:
        """Write a value in a transaction that is rolled back."""
        with suppress(ZeroDivisionError), self.graph.transaction() as transaction:
            given = lg.stream(self._bytes(size))
            transaction.vertex("v").set(name, given, visibility=visibility)
            raise ZeroDivisionError
        self.clock.advance(SECOND)

    @rule(name=names, visibility=visibilities, to=visibilities)
    def move(self, name: str, visibility: str, to: str) -> None:
        """Change the visibility of a value."""
        data = self._now(name, visibility)
        if data is not None and visibility != to:
            self.graph.vertex("v").set_visibility(to, name, of=visibility)
            self.versions.setdefault((name, visibility), []).append((self.clock.now(), None))
            self._say(name, to, data)

    @rule(name=names, source=names, visibility=visibilities)
    def copy(self, name: str, source: str, visibility: str) -> None:
        """Write a value that was read."""
        value = self.graph.vertex("v").one().get(source)
        if value is not None:
            with value.open() as file:
                data = file.read()
            self.graph.vertex("v").set(name, value, visibility=visibility)
            self._say(name, visibility, data)

    @rule(name=names, visibility=visibilities)
    def unset(self, name: str, visibility: str) -> None:
        """Delete a value softly."""
        if self._now(name, visibility) is not None:
            self.graph.vertex("v").unset(name, visibility=visibility)
            self._say(name, visibility, None)

    @rule(name=names, visibility=visibilities)
    def remove(self, name: str, visibility: str) -> None:
        """Delete all versions of a value for good."""
        self.graph.vertex("v").unset(name, visibility=visibility, hard=True)
        self.versions.pop((name, visibility), None)
        self.clock.advance(SECOND)

    @rule()
    def collect(self) -> None:
        """Collect what nobody refers to: afterwards there are as many values as versions."""
        self.graph.admin.collect_streams(older_than=timedelta(0))
        kept = sum(one is not None for held in self.versions.values() for _, one in held)
        streams, records = self.graph._access.stored.streams, self.graph._access.stored.records
        if streams.is_there() and records is not None:
            assert len(list(streams.heads())) == kept
            assert len(list(references(streams, records))) == kept

    @rule()
    def merge(self) -> None:
        """Merge all tables."""
        self.graph.admin.compact()

    @precondition(lambda self: self.versions)
    @rule(
        data=st.data(), start=st.integers(0, 70), length=st.integers(0, 70), back=st.integers(0, 9)
    )
    def read_part(self, data: Any, start: int, length: int, back: int) -> None:
        """Read some bytes, now or as of an earlier time."""
        name, visibility = data.draw(st.sampled_from(sorted(self.versions)))
        # Commits of one moment get times one microsecond apart.
        time = max(START, self.clock.now() - back * SECOND) - SECOND // 2
        wanted = self._at(name, visibility, time)
        past = self.graph.as_of(time).vertex("v").first()
        found = [] if past is None else past.values(name)
        [*held] = [one.value for one in found if one.visibility == visibility]
        assert [one.read_range(start, start + length) for one in held] == (
            [] if wanted is None else [wanted[start : start + length]]
        )

    @invariant()
    def everybody_reads_what_the_model_has(self) -> None:
        """Each user reads all bytes that it may read, and no others."""
        for user in USERS:
            record = self.graph.session(user).vertex("v").one()
            for name in NAMES:
                found = {one.visibility: one.value for one in record.values(name)}
                wanted = {
                    visibility: data
                    for visibility in VISIBILITIES
                    if visibility in ("", *user)
                    and (data := self._now(name, visibility)) is not None
                }
                assert {at: b"".join(one.blocks()) for at, one in found.items()} == wanted


class EmbeddedStreamMachine(StreamMachine):
    """The same in a directory."""

    def open(self, home: Path, clock: ManualClock) -> lg.Engine:
        """Open the engine."""
        return lg.EmbeddedEngine(home, clock=clock, durability="relaxed")


TestMemory = StreamMachine.TestCase
TestMemory.settings = settings(max_examples=16, stateful_step_count=15, deadline=None)
TestEmbedded = EmbeddedStreamMachine.TestCase
TestEmbedded.settings = settings(max_examples=8, stateful_step_count=15, deadline=None)
