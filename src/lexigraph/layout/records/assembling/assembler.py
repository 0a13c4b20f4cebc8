"""Facts become elements: what a reader sees of vertices, edges and references.

Layer ``layout``; sections 4, 5 and 8 of ``spec/facts.md``. A subject is judged by its own facts
alone and in one pass: those that decide whether it is seen come first. So the answer is the same
wherever a scan is cut, if it goes on with a whole row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Any

from lexigraph.errors import InvalidBytes
from lexigraph.layout.records.assembling.expiry import without_expired
from lexigraph.layout.records.assembling.versions import is_newer, judge
from lexigraph.layout.records.cells import qualifier_of
from lexigraph.layout.records.elements import (
    RecordEdge,
    RecordElement,
    RecordMetadata,
    RecordReference,
    RecordValue,
    RecordVertex,
)
from lexigraph.layout.records.facts import (
    AnyFact,
    ExistenceFact,
    HideFact,
    LabelFact,
    MetadataFact,
    RequiredFact,
    ValueFact,
    ValueHideFact,
)
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.subjects import (
    EdgeSubject,
    ReferenceSubject,
    RowSubject,
    VertexSubject,
)
from lexigraph.security import LabelCache

AnElement = VertexSubject | EdgeSubject | ReferenceSubject


def assemble(facts: Iterable[AnyFact], reading: RecordReading) -> Iterator[RecordElement]:
    """Yield the elements that a reader sees, of facts in the order of their cells."""
    labels = LabelCache(reading.authorizations)
    if reading.now is not None:
        facts = without_expired(facts, reading.now)
    for subject, of_subject in groupby(facts, key=lambda fact: fact.subject):
        if isinstance(subject, ReferenceSubject) and not reading.hints.wants_reference(subject):
            continue
        if isinstance(subject, RowSubject):
            # Rows of tables are no elements: see ``under``.
            continue
        row = _Row(subject, reading, labels)
        for _, versions in groupby(of_subject, key=column_of):
            row.take(versions)
        found = row.element()
        if found is not None:
            yield found


def column_of(fact: AnyFact) -> tuple[type[AnyFact], bytes, bytes]:
    """Return what versions of one fact have in common, besides the subject."""
    return type(fact), qualifier_of(fact), fact.visibility


class _Row:
    def __init__(self, subject: AnElement, reading: RecordReading, labels: LabelCache) -> None:
        self._subject, self._reading, self._labels = subject, reading, labels
        self._required_met = True
        self._hidden = False
        self._shown: ExistenceFact | None = None
        self._cover: int | None = None
        """Facts up to this time ended with every live existence."""
        self._hides: set[tuple[str, bytes, bytes]] = set()
        self._names: dict[str, None] = {}
        self._values: dict[tuple[str, bytes, bytes], ValueFact] = {}
        self._metadata: dict[tuple[str, bytes, bytes], list[RecordMetadata]] = {}

    def take(self, versions: Iterator[AnyFact]) -> None:
        """Take the versions of one fact; what the reader cannot see is dropped here."""
        first = next(versions)
        if not self._labels.can_see(first.visibility) or not self._asked(first):
            return
        as_of = None if isinstance(first, RequiredFact) else self._reading.as_of
        judged = judge(chain((first,), versions), as_of)
        newest = judged.said
        if newest is None:
            return
        if isinstance(newest, RequiredFact):
            self._required_met &= self._labels.can_see(newest.expression)
        elif isinstance(newest, ExistenceFact):
            self._take_existence(newest, judged.end)
        elif isinstance(newest, HideFact):
            self._hidden = True
        elif isinstance(newest, ValueHideFact):
            self._hides.add((newest.name, newest.key, newest.value_visibility))
        elif isinstance(newest, MetadataFact):
            self._take_metadata(newest)
        elif self._is_covered(newest):
            if isinstance(newest, LabelFact):
                self._names[newest.label] = None
            else:
                self._take_value(newest)

    def element(self) -> RecordElement | None:
        """Return the element, if it is seen."""
        shown, hints = self._shown, self._reading.hints
        if shown is None or not self._seen:
            return None
        common: dict[str, Any] = {
            "visibility": shown.visibility,
            "time": shown.time,
            "hidden": self._hidden,
        }
        if isinstance(self._subject, ReferenceSubject):
            return RecordReference(self._subject, signature=shown.signature, **common)
        properties = self._properties() if hints.any_property else None
        common |= {"id": self._subject.id, "properties": properties, "hints": hints}
        if isinstance(self._subject, EdgeSubject):
            if shown.shape is None:
                raise InvalidBytes("the existence of an edge has no shape")
            return RecordEdge(shape=shown.shape, **common)
        return RecordVertex(labels=tuple(self._names) if hints.labels else None, **common)

    @property
    def _seen(self) -> bool:
        hidden = self._hidden and not self._reading.hints.hidden
        return self._required_met and self._shown is not None and not hidden

    def _asked(self, fact: AnyFact) -> bool:
        hints = self._reading.hints
        if isinstance(fact, RequiredFact | ExistenceFact | HideFact):
            return True
        # Everything that decides whether the subject is seen came before.
        if not self._seen:
            return False
        if isinstance(fact, LabelFact):
            return hints.labels
        if isinstance(fact, MetadataFact):
            return hints.wants_metadata(fact.entry)
        return hints.any_property and hints.wants_property(fact.name)

    def _take_existence(self, newest: ExistenceFact, end: int | None) -> None:
        if self._shown is None:
            self._shown, self._cover = newest, end
            return
        both = (end, self._cover)
        self._cover = None if None in both else min(one for one in both if one is not None)
        # Columns come by ascending visibility: of equal versions the last is shown.
        if not is_newer(self._shown, newest):
            self._shown = newest

    def _is_covered(self, fact: AnyFact) -> bool:
        return self._cover is None or fact.time > self._cover

    def _take_value(self, newest: ValueFact) -> None:
        property_ = (newest.name, newest.key, newest.visibility)
        if property_ not in self._hides or self._reading.hints.hidden:
            self._values[property_] = newest

    def _take_metadata(self, newest: MetadataFact) -> None:
        property_ = (newest.name, newest.key, newest.value_visibility)
        value = self._values.get(property_)
        if value is None or value.time != newest.value_time or newest.written < value.written:
            return
        found = RecordMetadata(newest.entry, newest.visibility, newest.value)
        self._metadata.setdefault(property_, []).append(found)

    def _properties(self) -> tuple[RecordValue, ...]:
        wanted = bool(self._reading.hints.metadata)
        return tuple(
            RecordValue(
                fact,
                property_ in self._hides,
                tuple(self._metadata.get(property_, ())) if wanted else None,
            )
            for property_, fact in self._values.items()
        )
