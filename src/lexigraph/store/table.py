"""A table as people use it: text is taken as UTF-8, cells come out one by one.

Layer ``store``. A handle holds a name and an engine, nothing else: two handles of one table are
the same, and a handle outlives any change of its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from lexigraph.errors import InvalidKey, InvalidOption
from lexigraph.security import All, Authorizations
from lexigraph.security.grammar import to_bytes
from lexigraph.store.cells import Cell
from lexigraph.store.mutations import Mutations, Writable
from lexigraph.store.ranges import Range, Text
from lexigraph.store.reports import MergeReport
from lexigraph.store.scan import EVERYTHING, ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine
from lexigraph.store.stages.spec import StageSpec

AnyStage = StageSpec | str | tuple[str, Mapping[str, Any]]
AnyColumn = Text | tuple[Text, Text | None]


class Table:
    """One table of an engine.

    >>> from lexigraph.store.memory import MemoryEngine
    >>> people = MemoryEngine().create_table("people")
    >>> _ = people.put("ann", "age", "", "41")
    >>> [(cell.row, cell.value) for cell in people.scan(rows="ann")]
    [(b'ann', b'41')]
    """

    __slots__ = ("engine", "name")

    def __init__(self, engine: Engine, name: str) -> None:
        self.engine, self.name = engine, name

    def put(
        self,
        row: Text,
        family: Text = b"",
        qualifier: Text = b"",
        value: Text = b"",
        *,
        visibility: Text = b"",
        timestamp: int | None = None,
    ) -> int:
        """Write one cell and return the commit timestamp."""
        mutations = Mutations().put(
            row, family, qualifier, value, visibility=visibility, timestamp=timestamp
        )
        return self.write(mutations)

    def delete(
        self,
        row: Text,
        family: Text = b"",
        qualifier: Text = b"",
        *,
        visibility: Text = b"",
        timestamp: int | None = None,
    ) -> int:
        """Hide one column, under one label, up to now or to a timestamp."""
        return self.write(
            Mutations().delete(row, family, qualifier, visibility=visibility, timestamp=timestamp)
        )

    def write(self, mutations: Writable, *, durability: str | None = None) -> int:
        """Write a batch, all of it or nothing, and return the commit timestamp."""
        return self.engine.write({self.name: mutations}, durability=durability)

    def scan(
        self,
        *,
        rows: Text | Iterable[Text] | None = None,
        ranges: Iterable[Range] | None = None,
        columns: Iterable[AnyColumn] = (),
        authorizations: Iterable[str | bytes] | All = (),
        stages: Iterable[AnyStage] = (),
        now: int | None = None,
        snapshot: Snapshot | None = None,
    ) -> Iterator[Cell]:
        """Give the cells of some rows or ranges, or of all, lazily and in key order.

        A column is a family or a pair of family and qualifier; a stage is its name, a pair of
        name and options, or a StageSpec.
        """
        spec = ScanSpec(
            ranges=_read_ranges(rows, ranges),
            columns=[_read_column(column) for column in columns],
            authorizations=(
                authorizations
                if isinstance(authorizations, All)
                else Authorizations(authorizations)
            ),
            stages=[_read_stage(stage) for stage in stages],
            now=now,
        )
        return chain.from_iterable(self.engine.scan(self.name, spec, snapshot=snapshot))

    def row(self, row: Text, *, authorizations: Iterable[str | bytes] | All = ()) -> list[Cell]:
        """Return the cells of one row."""
        return list(self.scan(rows=row, authorizations=authorizations))

    def compact(self, *, now: int | None = None) -> MergeReport:
        """Merge everything the table has."""
        return self.engine.compact(self.name, now=now)

    @property
    def settings(self) -> TableSettings:
        """How the table behaves; change it with ``configure``."""
        return self.engine.settings(self.name)

    def configure(self, settings: TableSettings) -> None:
        """Replace the settings."""
        self.engine.configure_table(self.name, settings)

    def __eq__(self, other: object) -> bool:
        """Compare name and engine."""
        return isinstance(other, Table) and self.engine is other.engine and self.name == other.name

    def __hash__(self) -> int:
        """Hash in step with equality."""
        return hash((id(self.engine), self.name))

    def __repr__(self) -> str:
        """Show the name and the engine."""
        return f"Table({self.name!r}, {self.engine!r})"


def _read_ranges(
    rows: Text | Iterable[Text] | None, ranges: Iterable[Range] | None
) -> Sequence[Range]:
    if rows is None:
        return EVERYTHING if ranges is None else tuple(ranges)
    listed = [rows] if isinstance(rows, str | bytes) else list(rows)
    own = [Range.row(to_bytes(row, what="row", error=InvalidKey)) for row in listed]
    return [*own, *(ranges or ())]


def _read_column(column: AnyColumn) -> tuple[bytes, bytes | None]:
    family, qualifier = (column, None) if isinstance(column, str | bytes) else column
    return (
        to_bytes(family, what="family", error=InvalidKey),
        None if qualifier is None else to_bytes(qualifier, what="qualifier", error=InvalidKey),
    )


def _read_stage(stage: AnyStage) -> StageSpec:
    if isinstance(stage, StageSpec):
        return stage
    if isinstance(stage, str):
        return StageSpec(stage)
    if isinstance(stage, tuple) and len(stage) == 2:
        return StageSpec(*stage)
    raise InvalidOption(f"a stage is a name, a name with options or a StageSpec, not {stage!r:.80}")
