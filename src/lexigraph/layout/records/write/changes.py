"""Record changes: the closed type of everything that can happen to the records of a graph.

Layer ``layout``. The :class:`~.writer.RecordWriter` makes facts of them. ``time`` is a time of the
change's own, in microseconds; ``None`` is the time of the commit. ``note`` is for the history.
Visibilities are normalised by the caller; an empty one is seen by everybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.under.changes import DeleteRows, PutRows
from lexigraph.schema.model import ONE

ChangedRecord = VertexSubject | EdgeSubject
"""What changes are about. References follow their edges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenMetadata:
    """One metadata entry of a value. ``visibility`` is that of the value if it is ``None``."""

    key: str
    value: Any
    visibility: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenValue:
    """One value of a property; ``value`` ``None`` writes nothing.

    ``key`` ``None`` is the key that the cardinality (single, list, set) gives. ``visibility``
    ``None`` is that of the add, or that of the element as the caller sees it.
    """

    name: str
    value: Any
    key: bytes | None = None
    visibility: bytes | None = None
    metadata: tuple[GivenMetadata, ...] = ()
    time: int | None = None
    cardinality: str = ONE


@dataclass(frozen=True, slots=True, kw_only=True)
class AddVertex:
    """Add a vertex or update it.

    ``replace`` deletes the values that the caller can read and did not give. ``new`` refuses an id
    that the caller can read. ``blind`` does not look: for new ids and unchanged shapes only.
    ``generated`` says that nobody else was given the id.
    """

    id: Any
    labels: tuple[str, ...] = ()
    values: tuple[GivenValue, ...] = ()
    visibility: bytes = b""
    time: int | None = None
    note: Any = None
    replace: bool = False
    new: bool = False
    blind: bool = False
    generated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AddVertices:
    """Add vertices of one label, or update them: plain adds, each id once, as cells.

    The cells are those of their adds; they have no time of their own.
    """

    label: str
    ids: tuple[Any, ...]
    visibilities: tuple[bytes, ...]
    """Those of the existences, in the order of the ids."""
    cells: MutationBatch

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddEdge:
    """Add an edge or update it; ``shape`` has the values of its sort key and signature."""

    id: Any
    shape: EdgeShape
    values: tuple[GivenValue, ...] = ()
    visibility: bytes = b""
    time: int | None = None
    note: Any = None
    replace: bool = False
    new: bool = False
    blind: bool = False
    generated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PutValue:
    """Set a value of an element that exists for the caller."""

    subject: ChangedRecord
    value: GivenValue
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendValue:
    """Append a value to a list: it takes the next occurrence that the caller can read."""

    subject: ChangedRecord
    value: GivenValue
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteValues:
    """Delete values of a name; without ``key`` and ``visibility`` all that the caller can read."""

    subject: ChangedRecord
    name: str
    key: bytes | None = None
    visibility: bytes | None = None
    hard: bool = False
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMetadata:
    """Set a metadata entry of the present version of a value; ``value`` ``None`` deletes it."""

    subject: ChangedRecord
    name: str
    key: bytes = b""
    visibility: bytes = b""
    entry: str
    value: Any
    entry_visibility: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveElement:
    """Change the visibility of an element.

    ``frm`` is the visibility that it has now; ``None`` is the one that the caller sees. ``past``
    moves its history too: those who saw it before no longer see that it existed.
    """

    subject: ChangedRecord
    to: bytes
    frm: bytes | None = None
    past: bool = False
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveValue:
    """Change the visibility of a value, with its metadata."""

    subject: ChangedRecord
    name: str
    key: bytes = b""
    frm: bytes
    to: bytes
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddLabel:
    """Add a label to a vertex."""

    vertex: VertexSubject
    label: str
    visibility: bytes = b""
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteLabel:
    """Delete a label of a vertex; ``visibility`` ``None``: under all that the caller can read."""

    vertex: VertexSubject
    label: str
    visibility: bytes | None = None
    hard: bool = False
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relabel:
    """Change the label of an edge, under each visibility that the caller can read."""

    edge: EdgeSubject
    label: str
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide:
    """Hide an element for a visibility; of a vertex also the edges at it."""

    subject: ChangedRecord
    visibility: bytes = b""
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """Undo a hide for the same visibility; of a vertex also at the edges that it hid."""

    subject: ChangedRecord
    visibility: bytes = b""
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HideValue:
    """Hide a value (name, key, visibility) for a visibility."""

    subject: ChangedRecord
    name: str
    key: bytes = b""
    value_visibility: bytes = b""
    visibility: bytes = b""
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowValue:
    """Undo a hide of a value for the same visibility."""

    subject: ChangedRecord
    name: str
    key: bytes = b""
    value_visibility: bytes = b""
    visibility: bytes = b""
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteElement:
    """Delete an element, of a vertex also the edges at it that the caller can read.

    ``visibility`` ``None``: everything that the caller can read. With one, only what has exactly
    this visibility ends, and the edges only if the caller does not see the vertex any more.
    """

    subject: ChangedRecord
    hard: bool = False
    visibility: bytes | None = None
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Require:
    """Add an additional visibility: readers must satisfy this expression too."""

    subject: ChangedRecord
    expression: bytes
    time: int | None = None
    note: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Take an additional visibility back."""

    subject: ChangedRecord
    expression: bytes
    time: int | None = None
    note: Any = None


RecordChange = (
    AddVertex
    | AddVertices
    | AddEdge
    | PutValue
    | AppendValue
    | DeleteValues
    | SetMetadata
    | MoveElement
    | MoveValue
    | AddLabel
    | DeleteLabel
    | Relabel
    | Hide
    | Show
    | HideValue
    | ShowValue
    | DeleteElement
    | Require
    | Release
    | PutRows
    | DeleteRows
)
