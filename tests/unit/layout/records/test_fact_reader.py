"""Facts in memory and facts of engines are the same, with merges anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.cells.ranges import Range
from lexigraph.errors import Conflict, LexigraphError
from lexigraph.layout.records.assembling.retention import DAY, Retention
from lexigraph.layout.records.fact_reader import EngineFacts, MemoryFacts
from lexigraph.layout.records.facts import AnyFact, EdgeShape, ExistenceFact, ValueFact
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.subjects import EdgeSubject, ReferenceSubject, Subject, VertexSubject
from lexigraph.layout.records.write.changes import AddEdge, AddVertex, GivenValue
from lexigraph.layout.records.write.writer import RecordWriter
from lexigraph.schema.model import History
from lexigraph.security import ALL, Authorizations
from lexigraph.store.clock import ManualClock
from lexigraph.store.embedded.engine import EmbeddedEngine
from lexigraph.store.memory.engine import MemoryEngine
from lexigraph.store.settings import TableSettings
from lexigraph.store.spi import Engine
from tests.unit.layout.records.write import drawn
from tests.unit.layout.records.write.world import GROUPS, ROWS, World

TABLES = {VERTICES: "records.vertices", EDGES: "records.edges"}
SETTINGS = TableSettings(
    max_versions=None,
    locality_groups={
        "seen": (b"a", b"e", b"h", b"l"),
        "values": (b"hp", b"p", b"pm"),
        "references": (b"ra", b"re", b"rh"),
    },
)


@contextmanager
def engines(clock: ManualClock) -> Iterator[list[Engine]]:
    with (
        TemporaryDirectory() as home,
        MemoryEngine(clock=clock, join_runs=False) as memory,
        EmbeddedEngine(Path(home) / "d", clock=clock, durability="relaxed") as embedded,
    ):
        for engine in (memory, embedded):
            for table in TABLES.values():
                engine.create_table(table, SETTINGS)
        yield [memory, embedded]


def commit(engine: Engine, reader: EngineFacts, writer: RecordWriter) -> int:
    def make(timestamp: int) -> dict[str, object]:
        return {TABLES[name]: one for name, one in writer.cells(timestamp).items()}

    return engine.write_made(TABLES.values(), make, authorizations=ALL)  # type: ignore[arg-type]


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_engines_give_the_facts_that_memory_has(data: st.DataObject) -> None:
    clock, world = ManualClock(1), World()
    with engines(clock) as both:
        for _ in range(data.draw(st.integers(1, 6))):
            clock.advance(data.draw(st.integers(1, 5)))
            held = data.draw(st.sampled_from(drawn.HELD))
            caller = ALL if held is None else Authorizations(held)
            drawn_changes = data.draw(drawn.commits(clock.now()))
            made = world.writer(caller, clock.now() + 1)
            times = set()
            for engine in both:
                reader = EngineFacts(engine, TABLES, ROWS, engine.snapshot(), groups=GROUPS)
                writer = RecordWriter(ROWS, reader, caller, GROUPS)
                _take(writer, drawn_changes)
                times.add(commit(engine, reader, writer))
            (time,) = times
            _take(made, drawn_changes)
            world.store(made, time)
            for engine in both:
                if data.draw(st.booleans()):
                    engine.compact(TABLES[data.draw(st.sampled_from((VERTICES, EDGES)))])
                _compare(EngineFacts(engine, TABLES, ROWS), world)


def _take(writer: RecordWriter, changes: list[object]) -> None:
    for change in changes:
        try:
            writer.take(change)  # type: ignore[arg-type]
        except LexigraphError:
            continue


def _compare(reader: EngineFacts, world: World) -> None:
    memory = MemoryFacts(ROWS, world.facts())
    subjects: list[Subject] = [*map(VertexSubject, drawn.VERTICES)]
    subjects += map(EdgeSubject, drawn.EDGES)
    subjects += {
        one.subject: None for one in world.facts() if isinstance(one.subject, ReferenceSubject)
    }
    found, expected = reader.many(subjects), memory.many(subjects)
    for subject in subjects:
        # Of versions with one time an engine returns the later one first.
        assert sorted(found[subject], key=repr) == sorted(expected[subject], key=repr)
    vertices = [VertexSubject(one) for one in drawn.VERTICES]
    seen, expected_seen = reader.presence(vertices), memory.presence(vertices)
    for one in vertices:
        assert sorted(seen[one], key=repr) == sorted(expected_seen[one], key=repr)
    for vertex in drawn.VERTICES:
        for how in ((), ("out",), ("in", "KNOWS"), (None, "PAID")):
            mine, other = reader.references(vertex, *how), memory.references(vertex, *how)
            assert sorted(mine, key=repr) == sorted(other, key=repr)


@pytest.mark.parametrize("which", [0, 1])
def test_what_was_read_is_recorded_and_a_write_depends_on_it(which: int) -> None:
    with engines(ManualClock(5)) as both:
        engine = both[which]
        snapshot, ranges = engine.snapshot(), list[tuple[str, Range]]()
        reader = EngineFacts(engine, TABLES, ROWS, snapshot, ranges)
        writer = RecordWriter(ROWS, reader, ALL, GROUPS)
        writer.take(AddEdge(id=1, shape=EdgeShape("BORN", "ann", "bob")))
        assert {name for name, _ in ranges} == set(TABLES.values())
        other = RecordWriter(ROWS, EngineFacts(engine, TABLES, ROWS), ALL, GROUPS)
        other.take(AddEdge(id=2, shape=EdgeShape("BORN", "ann", "eve"), blind=True))
        commit(engine, reader, other)
        with pytest.raises(Conflict):
            engine.write_made(
                TABLES.values(),
                lambda time: {TABLES[name]: one for name, one in writer.cells(time).items()},
                if_unchanged=(snapshot, ranges),
            )


def test_what_the_history_does_not_keep_is_not_read() -> None:
    kept = Retention(History(None, 1))
    groups = RecordGroups("str", retentions={"vertex": kept})
    with engines(ManualClock(DAY)) as both:
        for engine in both:
            for value in (1, 2):
                reader = EngineFacts(engine, TABLES, ROWS, groups=groups)
                writer = RecordWriter(ROWS, reader, ALL, groups)
                given_value = GivenValue(name="n", value=value)
                writer.take(AddVertex(id="ann", values=(given_value,)))
                commit(engine, reader, writer)
            facts = EngineFacts(engine, TABLES, ROWS, groups=groups).facts(VertexSubject("ann"))
            assert len(facts) == 2
            assert len(EngineFacts(engine, TABLES, ROWS).facts(VertexSubject("ann"))) == 4


def test_a_reader_of_an_engine_is_not_before_its_last_commit() -> None:
    with engines(ManualClock(50)) as both:
        for engine in both:
            reader = EngineFacts(engine, TABLES, ROWS)
            writer = RecordWriter(ROWS, reader, ALL, GROUPS)
            writer.take(AddVertex(id="ann"))
            time = commit(engine, reader, writer)
            assert EngineFacts(engine, TABLES, ROWS).now > time


def test_references_in_memory_come_in_the_order_of_their_rows() -> None:
    subjects = [
        ReferenceSubject("ann", "in", "KNOWS", (), "bob", 1),
        ReferenceSubject("ann", "out", "KNOWS", (), "eve", 1),
        ReferenceSubject("ann", "out", "KNOWS", (), "bob", 2),
        ReferenceSubject("bob", "out", "KNOWS", (), "bob", 2),
    ]
    facts = [ExistenceFact(subject=one, time=1) for one in subjects]
    found = MemoryFacts(ROWS, facts).references("ann")
    assert [one.subject for one in found] == [subjects[2], subjects[1], subjects[0]]


def test_a_plain_add_reads_the_presence_and_what_follows_reads_the_rest() -> None:
    ann, read = VertexSubject("ann"), list[str]()

    class Watched(MemoryFacts):
        def facts(self, subject: Subject) -> list[AnyFact]:
            read.append("facts")
            return super().facts(subject)

        def presence(
            self, subjects: Iterable[VertexSubject | EdgeSubject], *, hides: bool = False
        ) -> dict[Subject, list[AnyFact]]:
            read.append("presence")
            held = MemoryFacts(ROWS, stored, self.now)
            return held.presence(subjects, hides=hides)

    stored = [
        ExistenceFact(subject=ann, time=5),
        ValueFact(subject=ann, time=5, name="age", value=3),
    ]
    writer = RecordWriter(ROWS, Watched(ROWS, stored, 9), ALL, GROUPS)
    for number in (1, 2):
        writer.take(AddVertex(id="ann", values=(GivenValue(name="n", value=number),)))
    assert read == ["presence"]
    assert writer.report.updated == 2
    writer.take(AddVertex(id="ann", replace=True))
    assert read == ["presence", "facts"]
    # The stored value and the new one; the stored existence counts once.
    assert writer.report.deleted_values == 2
    assert writer.records.row(ann).stored == stored
