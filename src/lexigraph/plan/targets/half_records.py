"""Edges of records whose references do not say what their own row says.

Layer ``plan``, for the owner alone. References follow their edge, whose row is written first: so
its row is right, and what the rows at its ends lack, or have without it, is found. Sums over what
is expected and what is there tell whether any differ, in a fixed amount of memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any
from zlib import crc32

from lexigraph.cells.ranges import Range
from lexigraph.layout.records.assembling.assembler import column_of
from lexigraph.layout.records.assembling.retention import retain
from lexigraph.layout.records.assembling.versions import judge
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.cells import read_facts, write_cell
from lexigraph.layout.records.facts import AnyFact, ExistenceFact
from lexigraph.layout.records.families import REFERENCE
from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.subjects import EdgeSubject, ReferenceSubject
from lexigraph.layout.records.write.references import EdgeReferences
from lexigraph.security import ALL
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine

MAX_HELD = 100_000
"""How many facts are held at once; a graph with more in doubt is read again for the rest."""
_BUCKETS = 1 << 16
_MASK = (1 << 64) - 1


@dataclass(slots=True)
class HalfRecord:
    """An edge whose references differ from its row."""

    edge: EdgeSubject
    facts: list[AnyFact] = field(default_factory=list)
    """What its own row says; nothing if it is not there."""
    held: dict[ReferenceSubject, list[AnyFact]] = field(default_factory=dict)
    """What its references say."""
    missing: list[AnyFact] = field(default_factory=list)
    """What its references do not say and should."""
    extra: list[ReferenceSubject] = field(default_factory=list)
    """References that it seems to have, and its row says otherwise."""

    __hash__ = None  # type: ignore[assignment]

    @property
    def lacks_row(self) -> bool:
        """Whether a whole row is not there: that of the edge, or of one of its references."""
        absent = {one.subject for one in self.missing} - self.held.keys()
        return not self.facts or bool(absent)


class HalfRecords:
    """Compares the references of one graph with its edges."""

    def __init__(self, engine: Engine, bound: BoundRecords) -> None:
        self._engine, self._bound, self._now = engine, bound, engine.now() + 1
        self._references = EdgeReferences(bound.rows, bound.groups)

    def find(self) -> Iterator[list[HalfRecord]]:
        """Yield the edges whose rows differ, some at a time, in an order of their own."""
        snapshots = self._engine.capabilities.snapshots
        with self._engine.snapshot() if snapshots else nullcontext() as moment:
            sums, counts = array("Q", bytes(8 * _BUCKETS)), array("Q", bytes(8 * _BUCKETS))
            for sign, edge, facts in chain(self._expected(moment), self._there(moment)):
                bucket = _bucket(edge)
                counts[bucket] += len(facts)
                for one in facts:
                    sums[bucket] = (sums[bucket] + sign * self._number(one)) & _MASK
            doubtful = [bucket for bucket, left in enumerate(sums) if left]
            while doubtful:
                chosen = {doubtful.pop()}
                held = sum(counts[bucket] for bucket in chosen)
                while doubtful and held + counts[doubtful[-1]] <= MAX_HELD:
                    held += counts[doubtful[-1]]
                    chosen.add(doubtful.pop())
                yield self._differing(moment, chosen)

    def _expected(
        self, moment: Snapshot | None
    ) -> Iterator[tuple[int, EdgeSubject, list[AnyFact]]]:
        for edge, facts in self._edges(moment):
            found = self._references.of_facts(edge.id, facts)
            yield 1, edge, [one for held in found.values() for one in held]

    def _there(self, moment: Snapshot | None) -> Iterator[tuple[int, EdgeSubject, list[AnyFact]]]:
        for subject, facts in self._rows_of_references(moment):
            yield -1, EdgeSubject(subject.edge), facts

    def _differing(self, moment: Snapshot | None, chosen: set[int]) -> list[HalfRecord]:
        found: dict[EdgeSubject, HalfRecord] = {}
        for edge, facts in self._edges(moment):
            if _bucket(edge) in chosen:
                found.setdefault(edge, HalfRecord(edge)).facts = facts
        for subject, facts in self._rows_of_references(moment):
            edge = EdgeSubject(subject.edge)
            if _bucket(edge) in chosen:
                found.setdefault(edge, HalfRecord(edge)).held[subject] = facts
        return [one for one in found.values() if self._differs(one)]

    def _differs(self, one: HalfRecord) -> bool:
        # Of what the history does not keep, a merge may have dropped some here and none there.
        retention = self._bound.groups.retention(one.edge)
        kept = list(retain(one.facts, retention, self._now))
        expected = self._references.of_facts(one.edge.id, kept)
        for subject, facts in expected.items():
            numbers = set(map(self._number, one.held.get(subject, ())))
            one.missing += [fact for fact in facts if self._number(fact) not in numbers]
        for subject, held in one.held.items():
            # Nor is what has expired.
            facts = list(retain(held, retention, self._now))
            said = expected.get(subject, [])
            if not _live([*facts, *said]) <= _live(said):
                one.extra.append(subject)
        return bool(one.missing or one.extra)

    def _edges(self, moment: Snapshot | None) -> Iterator[tuple[EdgeSubject, list[AnyFact]]]:
        families = [family.removeprefix(REFERENCE) for family in _FAMILIES]
        for subject, facts in self._scan(EDGES, families, moment):
            if isinstance(subject, EdgeSubject):
                yield subject, facts

    def _rows_of_references(
        self, moment: Snapshot | None
    ) -> Iterator[tuple[ReferenceSubject, list[AnyFact]]]:
        for subject, facts in self._scan(VERTICES, list(_FAMILIES), moment):
            if isinstance(subject, ReferenceSubject):
                yield subject, facts

    def _scan(
        self, part: str, families: list[bytes], moment: Snapshot | None
    ) -> Iterator[tuple[Any, list[AnyFact]]]:
        columns = [(family, None) for family in families]
        spec = ScanSpec(ranges=[Range()], columns=columns, authorizations=ALL)
        with self._engine.scan(self._bound.tables[part], spec, snapshot=moment) as batches:
            facts = read_facts(self._bound.rows, part, chain.from_iterable(batches))
            for subject, held in groupby(facts, key=lambda fact: fact.subject):
                yield subject, list(held)

    def _number(self, fact: AnyFact) -> int:
        cell = write_cell(self._bound.rows, fact)
        return hash((cell.row, cell.family, cell.qualifier, cell[3], cell.timestamp, cell.value))


_FAMILIES = tuple(REFERENCE + family for family in (b"a", b"e", b"h"))


def _live(facts: list[AnyFact]) -> set[bytes]:
    """Return the visibilities under which a reference exists."""
    existences = (one for one in facts if isinstance(one, ExistenceFact))
    found = set()
    for _, versions in groupby(sorted(existences, key=lambda one: one.visibility), key=column_of):
        said = judge(list(versions), None).said
        if said is not None:
            found.add(said.visibility)
    return found


def _bucket(edge: EdgeSubject) -> int:
    return crc32(edge.key) & (_BUCKETS - 1)
