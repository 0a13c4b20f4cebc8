"""Random changes by random callers at random times, against a model in plain dicts."""

from __future__ import annotations

from functools import partial

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from lexigraph.errors import LexigraphError
from lexigraph.layout.records.elements import RecordEdge, RecordElement, RecordReference
from lexigraph.security import ALL, Authorizations
from lexigraph.store import MemoryEngine
from tests.conformance.store.embedded_engines import Temporary
from tests.unit.layout.records.write import drawn
from tests.unit.layout.records.write.engine_world import EngineWorld
from tests.unit.layout.records.write.model import Model, Reader, Refused, references_of
from tests.unit.layout.records.write.world import World, described

READS = st.tuples(
    st.sampled_from(drawn.HELD),
    st.none() | st.integers(1, 40),
    st.booleans(),
    st.integers(1, 9),
)
_embedded = partial(Temporary, durability="buffered")


class RecordMachine(RuleBasedStateMachine):
    """Cells of the writer on one side, the model on the other."""

    @initialize()
    def start(self) -> None:
        self.engines = (EngineWorld(MemoryEngine), EngineWorld(_embedded))
        self.worlds = (World(), World(markers=False), *self.engines)
        self.model, self.clock = Model(), 0

    def teardown(self) -> None:
        for world in getattr(self, "engines", ()):
            world.engine.close()

    @rule(
        data=st.data(),
        held=st.sampled_from(drawn.HELD),
        step=st.integers(1, 4),
        then=st.sampled_from(("", "", "merge", "reopen")),
    )
    def commit(
        self, data: st.DataObject, held: frozenset[str] | None, step: int, then: str
    ) -> None:
        """Store some changes of a caller, refused or not; merge or open again; read.

        It is one rule: of several, many would never meet in one run.
        """
        self.clock += step
        caller = ALL if held is None else Authorizations(held)
        writers = [one.writer(caller, self.clock) for one in self.worlds]
        self.model.begin(self.clock, Reader(None if held is None else set(held)))
        for change in data.draw(drawn.commits(self.clock)):
            refusals = []
            for writer in writers:
                try:
                    writer.take(change)
                    refusals.append(None)
                except LexigraphError as error:
                    refusals.append(type(error).__name__)
            expected = None
            try:
                self.model.apply(change)
            except Refused as refused:
                expected = str(refused)
            assert refusals == [expected] * len(self.worlds)
        for world, writer in zip(self.worlds, writers, strict=True):
            world.store(writer, self.clock)
        self.model.finish()
        for world in self.engines:
            {"": lambda _: None, "merge": EngineWorld.merge, "reopen": EngineWorld.reopen}[then](
                world
            )
        self.check(None, None, hidden=True)
        for _ in range(2):
            self.read(*data.draw(READS))

    def read(
        self,
        held: frozenset[str] | None,
        as_of: int | None,
        hidden: bool,  # noqa: FBT001
        cut: int,
    ) -> None:
        """Read everything as somebody, as of some time, in scans that are cut and resumed."""
        self.check(held, as_of, hidden=hidden)
        for world in self.engines:
            who = ALL if held is None else held
            found = world.read(who, as_of, hidden=hidden, cut=cut)
            assert found == world.read(who, as_of, hidden=hidden)
            if held is not None:
                by_law = world.by_law(held, as_of, hidden=hidden)
                assert list(map(described, found)) == list(map(described, by_law))

    def check(self, held: frozenset[str] | None, as_of: int | None, *, hidden: bool) -> None:
        reader = Reader(None if held is None else set(held), as_of, hidden=hidden)
        places = [("v", one) for one in drawn.VERTICES] + [("e", one) for one in drawn.EDGES]
        expected = {place: self.model.see(place, reader) for place in places}
        whole = {place: seen for place, seen in expected.items() if seen is not None}
        whole |= self.model.references(reader)  # type: ignore[arg-type]
        for world in self.worlds:
            elements = world.read(ALL if held is None else held, as_of, hidden=hidden)
            found = [described(one) for one in elements]
            assert dict(found) == whole
            assert len(found) == len(whole)
            check_law(elements)


def check_law(elements: list[RecordElement]) -> None:
    """A reference is seen exactly if its edge is, and the one of the edge's shape says the same."""
    edges = {one.id: one for one in elements if isinstance(one, RecordEdge)}
    references = {described(one)[0]: one for one in elements if isinstance(one, RecordReference)}
    assert {place[-1] for place in references} == set(edges)
    for edge in edges.values():
        shape = edge.shape
        whole = (shape.label, shape.source, shape.destination, shape.directed, shape.properties)
        for place, signature in references_of(edge.id, whole).items():
            one = references[place]
            assert (one.visibility, one.time, one.hidden) == (
                edge.visibility,
                edge.time,
                edge.hidden,
            )
            assert one.signature == signature


TestRecordMachine = RecordMachine.TestCase
TestRecordMachine.settings = settings(max_examples=60, stateful_step_count=15, deadline=None)
