"""What an engine can be asked to run, as data, and what it answers: a reader, or why not.

Layer ``store``. ``Engine.prepare`` takes an operator and returns its reader, ready to run many
times, or :class:`Declined` with a reason. Mistakes of the caller raise when an operator is
prepared; a reader never finds out later that it cannot run what it was prepared for. No answer
depends on them: ``Engine.scan``, which every engine has, gives the same from cells, only slower.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from lexigraph.cells.cell import Cell
from lexigraph.cells.columns import BytesColumn
from lexigraph.cells.ranges import Range
from lexigraph.security import All, Authorizations
from lexigraph.store.answers.frames import Frame, FrameColumn, FrameEnds
from lexigraph.store.answers.references import ReferenceColumns, VertexValues
from lexigraph.store.answers.vertices import Vertices
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.snapshot import Snapshot

CELLS = "cells"
"""What explain calls a scan whose cells the client decodes: what is left if all is declined."""
BATCH_ROWS = 65_536
"""How many rows a frame has at most, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Declined:
    """An operator that an engine does not run, and why, as a sentence for ``explain``."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReadRows:
    """Single rows as they are now, read many times. Every engine runs it, by scans at worst."""

    name: ClassVar[str] = "rows"
    instead: ClassVar[str] = "reads no single rows"

    table: str
    authorizations: Iterable[str | bytes] | Authorizations | All = ()
    columns: Sequence[tuple[bytes, bytes | None]] = ()

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class ReadFrames:
    """The elements of a scan, decoded to columns.

    ``plan`` names the key plan of what the stages of the scan return. ``ends`` leaves out rows of
    edges that count by another row.
    """

    name: ClassVar[str] = "frames"
    instead: ClassVar[str] = "returns cells, which the client decodes one by one"

    table: str
    spec: ScanSpec
    plan: str
    columns: Sequence[FrameColumn] = ()
    ends: FrameEnds | None = None

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class FollowEdges:
    """Edges to follow from vertices that are given later.

    Edges are those of the key plan ``plan`` of the table or of ``spec``. The stages and other
    fields of ``spec`` apply at every hop, except its ranges. ``groups`` are all if they are
    ``None``. Undirected edges are followed in every direction.
    """

    name: ClassVar[str] = "edges"
    instead: ClassVar[str] = "returns the edges of each vertex as cells, which the client follows"

    table: str
    plan: str
    direction: str = "out"
    groups: str | Iterable[str] | None = None
    spec: ScanSpec = field(default_factory=ScanSpec)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class ReadRecords:
    """The records of a table, assembled from their cells of some families.

    ``prepared`` is what the layout of records prepared the core with, for the same authorizations.
    """

    name: ClassVar[str] = "records"
    instead: ClassVar[str] = "returns the cells of records, which the client assembles"

    table: str
    prepared: Any
    families: Sequence[bytes]
    authorizations: Iterable[str | bytes] | Authorizations | All = ()

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class FollowReferences:
    """Edges of records to follow from vertices that are given later, by their references.

    ``prepared`` is what the layout of records prepared the core with, for the same authorizations.
    ``spans`` say what follows the id of a vertex in the rows of references that are followed: from
    the first up to, but without, the second. ``codec`` names the codec of vertices.
    """

    name: ClassVar[str] = "references"
    instead: ClassVar[str] = "returns the references of each vertex, which the client follows"

    table: str
    prepared: Any
    spans: Sequence[tuple[bytes, bytes]]
    codec: str
    authorizations: Iterable[str | bytes] | Authorizations | All = ()

    __hash__ = None  # type: ignore[assignment]


AnyOperator = ReadRows | ReadFrames | FollowEdges | ReadRecords | FollowReferences


class RowReader(Protocol):
    """Runs :class:`ReadRows`."""

    def row(self, row: bytes, /) -> list[Cell]:
        """Return the cells of a row as they are now."""
        ...


class FrameReader(Protocol):
    """Runs :class:`ReadFrames`."""

    def frames(
        self,
        *,
        snapshot: Snapshot | None = None,
        batch_rows: int = BATCH_ROWS,
        timeout_s: float | None = None,
    ) -> Iterator[Frame]:
        """Yield the elements of the scan by column, some rows at a time."""
        ...


class EdgeReader(Protocol):
    """Runs :class:`FollowEdges` and :class:`FollowReferences`. Vertices are values of a codec."""

    def expand(
        self,
        seeds: Iterable[Any],
        *,
        steps: int = 1,
        within: bool = False,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> Vertices:
        """Return the vertices that lie ``steps`` hops from the seeds, or ``within`` so many.

        The distance of a vertex is the fewest hops that reach it; that of seeds is 0.
        """
        ...

    def neighbours(
        self,
        vertices: Iterable[Any],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> list[Any]:
        """Return the other ends of the edges at some vertices, each once, in key order."""
        ...

    def neighbours_of(
        self, vertex: Any, *, snapshot: Snapshot | None = None, timeout_s: float | None = None
    ) -> list[Any]:
        """Return the same for one vertex, as quickly as the engine can."""
        ...

    def pairs(
        self,
        vertices: Iterable[Any],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> tuple[BytesColumn, BytesColumn]:
        """Return each vertex with each of its neighbours, both in key form, sorted, each once."""
        ...


class AssembledReader(Protocol):
    """Runs :class:`ReadRecords`. Ranges have whole rows."""

    def rows(self, rows: Iterable[bytes], *, snapshot: Snapshot | None = None) -> list[Any]:
        """Return the elements of some rows, in their order, those that the reader sees."""
        ...

    def vertex_values(
        self,
        keys: BytesColumn,
        label: str,
        names: Sequence[str],
        *,
        snapshot: Snapshot | None = None,
    ) -> VertexValues:
        """Return the values of vertices of a label by column; keys are sorted, each once."""
        ...

    def elements(
        self,
        ranges: Iterable[Range],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> Iterator[Any]:
        """Yield the elements of all rows in some ranges."""
        ...

    def references(
        self,
        ranges: Iterable[Range],
        *,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> Iterator[ReferenceColumns]:
        """Yield the references in some ranges by column."""
        ...
