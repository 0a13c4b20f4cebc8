"""A graph of records on an engine, for the machine: its runs are merged and it is opened again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby, islice
from typing import Any

from lexigraph.layout.records.assembling.assembler import assemble, column_of
from lexigraph.layout.records.assembling.versions import judge
from lexigraph.layout.records.cells import read_facts
from lexigraph.layout.records.elements import RecordElement, RecordReference
from lexigraph.layout.records.fact_reader import EngineFacts
from lexigraph.layout.records.facts import AnyFact, RequiredFact
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.settings import record_tables, table_name
from lexigraph.layout.records.subjects import EdgeSubject, Subject, VertexSubject
from lexigraph.layout.records.write.writer import RecordWriter
from lexigraph.security import ALL, All, Authorizations, Visibility
from lexigraph.store import Engine, Resume, ScanSpec
from lexigraph.store.clock import ManualClock
from tests.unit.layout.records.write.world import EVERYTHING, GROUPS, ROWS, user

TABLES = {VERTICES: "vertices", EDGES: "edges"}


class EngineWorld:
    """Takes commits and answers readers, as ``World`` does."""

    def __init__(self, make: Callable[..., Engine]) -> None:
        self.clock = ManualClock(0)
        self.engine: Any = make(clock=self.clock)
        settings = record_tables()
        for table, name in TABLES.items():
            self.engine.create_table(name, settings[table_name(table)])

    def writer(self, caller: Authorizations | All, now: int) -> RecordWriter:
        """Return a writer that sees all commits so far."""
        # Facts are judged at the time of the commit, which is after that of the clock.
        self.clock.micros = now - 1
        facts = EngineFacts(self.engine, TABLES, ROWS, groups=GROUPS)
        return RecordWriter(ROWS, facts, caller, GROUPS)

    def store(self, writer: RecordWriter, at: int) -> None:
        """Store what a writer has."""
        self.clock.micros = at

        def made(commit: int) -> Any:
            assert commit == at
            return {TABLES[table]: batch for table, batch in writer.cells(commit).items()}

        self.engine.write_made(TABLES.values(), made)

    def merge(self) -> None:
        """Merge all runs of both tables."""
        for name in TABLES.values():
            self.engine.compact(name)

    def reopen(self) -> None:
        """Close the engine and open what it left, if it leaves anything."""
        if hasattr(self.engine, "reopened"):
            self.engine = self.engine.reopened()

    def read(
        self,
        held: Iterable[str] | All = ALL,
        as_of: int | None = None,
        *,
        hidden: bool = False,
        cut: int | None = None,
    ) -> list[RecordElement]:
        """Return everything that a reader sees; scans are cut after so many cells and resumed."""
        who = held if isinstance(held, All) else user(held)
        hints = FetchHints(**EVERYTHING, hidden=hidden)
        return list(assemble(self.facts(who, cut), RecordReading(who, as_of, hints)))

    def facts(self, who: Authorizations | All, cut: int | None = None) -> Iterator[AnyFact]:
        """Yield the facts that somebody can read."""
        for table, name in TABLES.items():
            yield from read_facts(ROWS, table, self._cells(name, who, cut))

    def _cells(self, name: str, who: Authorizations | All, cut: int | None) -> Iterator[Any]:
        spec = ScanSpec(authorizations=who)
        read: list[Any] = []
        while cut is not None:
            with self.engine.scan(name, spec) as scan:
                part = list(islice(chain.from_iterable(scan), cut))
            yield from part
            if len(part) < cut:
                return
            read += part
            last = read[-1].key
            seen = next((n for n, one in enumerate(reversed(read)) if one.key != last), len(read))
            spec = spec.resumed(Resume(last, seen))
        yield from chain.from_iterable(self.engine.scan(name, spec))

    def by_law(
        self, held: frozenset[str], as_of: int | None, *, hidden: bool
    ) -> list[RecordElement]:
        """Return the owner's answer over the facts that a user can read.

        The owner satisfies every additional visibility, the user those that it satisfies.
        """
        who = user(held)
        facts = [one for one in self.facts(ALL) if _may_read(one.visibility, who)]
        required = (one for one in facts if isinstance(one, RequiredFact))
        closed: set[Subject] = set()
        for _, versions in groupby(required, key=lambda one: (one.subject, column_of(one))):
            said = judge(versions, None).said
            if isinstance(said, RequiredFact) and not _may_read(said.expression, who):
                closed.add(said.subject)
        hints = FetchHints(**EVERYTHING, hidden=hidden)
        every = assemble(facts, RecordReading(ALL, as_of, hints))
        return [one for one in every if _subject(one) not in closed]


def _may_read(visibility: bytes, who: Authorizations) -> bool:
    return Visibility(visibility.decode()).evaluate(who)


def _subject(one: RecordElement) -> Subject:
    if isinstance(one, RecordReference):
        return one.subject
    return EdgeSubject(one.id) if hasattr(one, "shape") else VertexSubject(one.id)
