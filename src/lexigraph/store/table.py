"""A table as people use it: text is taken as UTF-8, cells come out one by one.

Layer ``store``. A handle holds a name and an engine, nothing else: two handles of one table are
the same, and a handle outlives any change of its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import Mutations, Writable
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidKey, InvalidOption, show
from lexigraph.security import All, Authorizations
from lexigraph.security.visibility import Label
from lexigraph.store.conditions import ConditionalMutation, Outcome
from lexigraph.store.reports import MergeReport, TableStats
from lexigraph.store.scan.spec import EVERYTHING, ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot
from lexigraph.store.spi import Engine, Unchanged
from lexigraph.store.stages.spec import AnyStage, read_stages
from lexigraph.types import Text, to_bytes

AnyColumn = Text | tuple[Text, Text | None]


class Table:
    """One table of an engine.

    >>> from lexigraph.store.memory.engine import MemoryEngine
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
        visibility: Label = b"",
        timestamp: int | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Write one cell and return the commit timestamp."""
        mutations = Mutations().put(
            row, family, qualifier, value, visibility=visibility, timestamp=timestamp
        )
        return self.write(mutations, authorizations=authorizations)

    def delete(
        self,
        row: Text,
        family: Text = b"",
        qualifier: Text = b"",
        *,
        visibility: Label = b"",
        timestamp: int | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Hide one column, under one label, up to now or to a timestamp."""
        mutations = Mutations().delete(
            row, family, qualifier, visibility=visibility, timestamp=timestamp
        )
        return self.write(mutations, authorizations=authorizations)

    def write(
        self,
        mutations: Writable,
        *,
        if_unchanged: Unchanged | None = None,
        durability: str | None = None,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> int:
        """Write a batch, all of it or nothing, and return the commit timestamp.

        ``if_unchanged`` is as in :meth:`Engine.write`: it names tables, because the reads may be
        from other tables too. ``authorizations`` are the writer's.
        """
        return self.engine.write(
            {self.name: mutations},
            if_unchanged=if_unchanged,
            durability=durability,
            authorizations=authorizations,
        )

    def conditional_write(
        self,
        mutations: ConditionalMutation | Iterable[ConditionalMutation],
        *,
        authorizations: Iterable[str | bytes] | All = (),
    ) -> list[Outcome]:
        """Write rows whose conditions hold, one after another, each atomically."""
        return self.engine.conditional_write(self.name, mutations, authorizations=authorizations)

    def scan(
        self,
        *,
        rows: Text | Iterable[Text] | None = None,
        ranges: Range | Iterable[Range] | None = None,
        columns: Text | Iterable[AnyColumn] = (),
        authorizations: Iterable[str | bytes] | All = (),
        stages: AnyStage | Iterable[AnyStage] = (),
        now: int | None = None,
        plans: Mapping[str, Any] | None = None,
        snapshot: Snapshot | None = None,
        timeout_s: float | None = None,
    ) -> Iterator[Cell]:
        """Yield the cells of some rows or ranges, or of all, lazily and in key order.

        Rows and ranges together are a union: every cell that lies in one of them, once. A column
        is a family or a pair of family and qualifier; a stage is its name, a pair of name and
        options, or a StageSpec.
        """
        spec = ScanSpec(
            ranges=_read_ranges(rows, ranges),
            columns=_read_columns(columns),
            authorizations=(
                authorizations
                if isinstance(authorizations, All)
                else Authorizations(authorizations)
            ),
            stages=read_stages(stages),
            now=now,
            plans={} if plans is None else plans,
        )
        batches = self.engine.scan(self.name, spec, snapshot=snapshot, timeout_s=timeout_s)
        return chain.from_iterable(batches)

    def row(
        self,
        row: Text,
        *,
        authorizations: Iterable[str | bytes] | All = (),
        snapshot: Snapshot | None = None,
    ) -> list[Cell]:
        """Return the cells of one row."""
        if not isinstance(row, str | bytes):
            raise InvalidKey(f"a row is text or bytes, not {show(row)}")
        if snapshot is not None:
            return list(self.scan(rows=row, authorizations=authorizations, snapshot=snapshot))
        key = to_bytes(row, what="row", error=InvalidKey)
        return self.engine.row_reader(self.name, authorizations=authorizations).row(key)

    def compact(self, *, range: Range | None = None, now: int | None = None) -> MergeReport:
        """Merge all cells of the table, or of a range of its rows."""
        return self.engine.compact(self.name, range=range, now=now)

    def stats(self) -> TableStats:
        """Count what the table holds, under all labels."""
        return self.engine.stats(self.name)

    @property
    def settings(self) -> TableSettings:
        """How the table behaves; change it with ``configure``.

        An engine stores every setting, even one that it cannot use: see ``engine.capabilities``.
        """
        return self.engine.settings(self.name)

    def configure(self, settings: TableSettings) -> None:
        """Replace the settings, except the time unit; splits are added to the existing ones."""
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
    rows: Text | Iterable[Text] | None, ranges: Range | Iterable[Range] | None
) -> Sequence[Range]:
    given: tuple[Range, ...] = ()
    if ranges is not None:
        given = (ranges,) if isinstance(ranges, Range) else tuple(_listed(ranges, "ranges"))
    if rows is None:
        return EVERYTHING if ranges is None else given
    return [*(Range.row(row) for row in _listed(rows, "rows")), *given]


def _read_columns(columns: Text | Iterable[AnyColumn]) -> list[tuple[bytes, bytes | None]]:
    if isinstance(columns, tuple) and len(columns) == 2 and all(map(_is_text, columns)):
        first, second = columns
        raise InvalidOption(
            f"columns={show(columns)} may be two families or one column",
            hint=f"Write [{first!r}, {second!r}] for two families, "
            f"[({first!r}, {second!r})] for one column.",
        )
    return [_read_column(column) for column in _listed(columns, "columns")]


def _is_text(item: object) -> bool:
    return isinstance(item, str | bytes)


def _listed(items: Any, what: str) -> Iterable[Any]:
    if isinstance(items, str | bytes):
        return (items,)
    if not isinstance(items, Iterable):
        raise InvalidOption(f"{what} is text or a list of them, not {show(items)}")
    return items


def _read_column(column: AnyColumn) -> tuple[bytes, bytes | None]:
    if not isinstance(column, str | bytes) and not (isinstance(column, tuple) and len(column) == 2):
        raise InvalidOption(f"a column is a family or (family, qualifier), not {show(column)}")
    family, qualifier = (column, None) if isinstance(column, str | bytes) else column
    return (
        to_bytes(family, what="family", error=InvalidKey),
        None if qualifier is None else to_bytes(qualifier, what="qualifier", error=InvalidKey),
    )
