"""The families of the layout ``records``. They are stored: never rename one.

Layer ``layout``. Their order is the order in which a row is judged: what decides whether a subject
is seen comes first, then hides of values, values, and metadata after the values it belongs to.
"""

from __future__ import annotations

from typing import Final

from lexigraph.layout.records.facts import (
    ExistenceFact,
    Fact,
    HideFact,
    LabelFact,
    MetadataFact,
    RequiredFact,
    ValueFact,
    ValueHideFact,
)
from lexigraph.layout.records.subjects import (
    EdgeSubject,
    ReferenceSubject,
    RowSubject,
    Subject,
    VertexSubject,
)

REQUIRED: Final = b"a"
EXISTENCE: Final = b"e"
HIDE: Final = b"h"
VALUE_HIDE: Final = b"hp"
LABEL: Final = b"l"
VALUE: Final = b"p"
METADATA: Final = b"pm"
CELL: Final = b"x"
"""That of the cells of rows: it has no locality group of its own, so no other scan reads it."""
REFERENCE: Final = b"r"
"""What the families of references start with."""

_RECORDS: dict[bytes, type[Fact]] = {
    REQUIRED: RequiredFact,
    EXISTENCE: ExistenceFact,
    HIDE: HideFact,
    VALUE_HIDE: ValueHideFact,
    VALUE: ValueFact,
    METADATA: MetadataFact,
}
FAMILIES: dict[type[Subject], dict[bytes, type[Fact]]] = {
    VertexSubject: {**_RECORDS, LABEL: LabelFact},
    EdgeSubject: _RECORDS,
    ReferenceSubject: {
        REFERENCE + family: _RECORDS[family] for family in (REQUIRED, EXISTENCE, HIDE)
    },
    RowSubject: {CELL: ValueFact},
}
"""The kinds of facts that subjects have, by family."""

FAMILY_OF: dict[type[Subject], dict[type[Fact], bytes]] = {
    subject: {kind: family for family, kind in kinds.items()} for subject, kinds in FAMILIES.items()
}
