"""Who reads records, as of when, and what of them: authorizations, as-of time, fetch hints.

Layer ``layout``. Fetch hints choose families, so that what was not asked for is not read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lexigraph.layout.records.families import (
    EXISTENCE,
    HIDE,
    LABEL,
    METADATA,
    REFERENCE,
    REQUIRED,
    VALUE,
    VALUE_HIDE,
)
from lexigraph.layout.records.subjects import IN, OUT, ReferenceSubject
from lexigraph.security import ALL, All, Authorizations

Names = bool | frozenset[str]
"""All of them, none of them, or those of these names."""


def _wants(asked: Names, name: str) -> bool:
    return asked if isinstance(asked, bool) else name in asked


@dataclass(frozen=True, slots=True)
class FetchHints:
    """What of each subject is read besides its existence.

    ``metadata`` implies ``properties``. ``hidden`` also returns what is hidden, which then says so.

    >>> FetchHints(metadata=True).families
    (b'a', b'e', b'h', b'hp', b'p', b'pm')
    """

    labels: bool = False
    properties: Names = False
    metadata: Names = False
    out_edges: Names = False
    in_edges: Names = False
    hidden: bool = False

    @property
    def families(self) -> tuple[bytes, ...]:
        """The families to read in rows of vertices and edges."""
        found = [REQUIRED, EXISTENCE, HIDE]
        if self.labels:
            found.append(LABEL)
        if self.any_property:
            found += [VALUE_HIDE, VALUE]
        if self.metadata:
            found.append(METADATA)
        return tuple(sorted(found))

    @property
    def reference_families(self) -> tuple[bytes, ...]:
        """The families to read in rows of references; none if no edges are asked for."""
        if not (self.out_edges or self.in_edges):
            return ()
        return tuple(REFERENCE + family for family in (REQUIRED, EXISTENCE, HIDE))

    @property
    def any_property(self) -> bool:
        """Whether properties are read at all."""
        return bool(self.properties or self.metadata)

    def wants_property(self, name: str) -> bool:
        """Return whether properties of a name are read."""
        if self.metadata and not self.properties:
            return True
        return _wants(self.properties, name)

    def wants_metadata(self, entry: str) -> bool:
        """Return whether metadata entries of a key are read."""
        return _wants(self.metadata, entry)

    def wants_reference(self, subject: ReferenceSubject) -> bool:
        """Return whether a reference is read; one of an undirected edge is out and in."""
        asked = {OUT: (self.out_edges,), IN: (self.in_edges,)}
        either = (self.out_edges, self.in_edges)
        return any(_wants(one, subject.label) for one in asked.get(subject.direction, either))


EVERYTHING = FetchHints(labels=True, properties=True, metadata=True, out_edges=True, in_edges=True)
"""All but what is hidden."""


@dataclass(frozen=True, slots=True)
class RecordReading:
    """How records are read. Without ``as_of`` facts that are dated in the future count too.

    ``now`` is when times to live are judged; without it nothing expires.
    """

    authorizations: Authorizations | All = ALL
    as_of: int | None = None
    hints: FetchHints = field(default=EVERYTHING)
    now: int | None = None
