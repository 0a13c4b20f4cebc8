"""A store by brute force: lists of all cells ever written, and the plainest functions over them.

Written from ``spec/cells.md`` without a look at the engine, to be its oracle. It knows the stages
and labels of ``lexigraph.testing.universe`` and no others.
"""

from __future__ import annotations

from functools import reduce
from itertools import count, groupby
from typing import Any

from lexigraph.errors import Closed, Conflict, InvalidName, TableNotFound
from lexigraph.keyplan import KeyPlan
from lexigraph.store import Cell, Clock, Outcome, Range, ScanSpec
from lexigraph.testing.universe import PLAN

_ids = count()
_VALUE = KeyPlan.parse(PLAN).decoder.groups["f"].value


class ModelTable:
    def __init__(self, settings: Any, cells: list[Cell] | None = None) -> None:
        self.settings, self.cells, self.id = settings, list(cells or []), next(_ids)


class ModelSnapshot:
    def __init__(self, tables: dict[str, ModelTable], commits: int) -> None:
        self.tables: dict[str, ModelTable] | None = {}
        for name, table in tables.items():
            self.tables[name] = ModelTable(table.settings, table.cells)
            self.tables[name].id = table.id
        self.commits = commits

    def close(self) -> None:
        self.tables = None


class Model:
    def __init__(self, *, clock: Clock) -> None:
        self.clock, self.last = clock, -(2**70)
        self.named: dict[str, ModelTable] = {}
        self.log: list[tuple[int, Cell]] = []

    def tables(self) -> list[str]:
        return sorted(self.named)

    def create_table(self, name: str, settings: Any) -> None:
        self._add(name, ModelTable(settings))

    def drop_table(self, name: str) -> None:
        self._find(name)
        del self.named[name]

    def rename_table(self, name: str, new_name: str) -> None:
        self._add(new_name, self._find(name))
        del self.named[name]

    def clone_table(self, name: str, new_name: str) -> None:
        table = self._find(name)
        self._add(new_name, ModelTable(table.settings, table.cells))

    def snapshot(self) -> ModelSnapshot:
        return ModelSnapshot(self.named, len(self.log))

    def write(self, batches: dict[str, Any], if_unchanged: Any = None) -> int:
        for name in batches:
            self._find(name)
        if if_unchanged is not None:
            for name, item in if_unchanged[1]:
                self._check_unchanged(if_unchanged[0], name, item)
        self.last = max(self.clock.now(), self.last + 1)
        for name, mutations in batches.items():
            table, batch = self.named[name], mutations.batch()
            for cell, timed in zip(batch.cells, batch.timed, strict=True):
                written = cell if timed else cell._replace(timestamp=self.last)
                table.cells.append(written)
                self.log.append((table.id, written))
        return self.last

    def conditional_write(self, name: str, mutations: Any, authorizations: Any) -> list[Outcome]:
        self._find(name)
        return [self._write_if(name, mutation, authorizations) for mutation in mutations]

    def compact(self, name: str, range: Range | None = None) -> None:
        table = self._find(name)
        inside = [cell for cell in table.cells if range is None or range.contains(cell)]
        outside = [cell for cell in table.cells if range is not None and not range.contains(cell)]
        kept = apply_stages(undeleted(inside), table.settings.stages("merge"), 0)
        table.cells = [*outside, *kept[::-1]]

    def scan(self, name: str, spec: ScanSpec, snapshot: Any, batch_cells: int) -> list[list[Cell]]:
        table = self._find(name, snapshot)
        seen = [cell for cell in undeleted(table.cells) if wanted(cell, spec)]
        stages = [*table.settings.stages("scan"), *spec.stages]
        limits = [stage.options["cells"] for stage in stages if stage.name == "limit"]
        result: list[Cell] = []
        for item in Range.merge(spec.ranges):
            made = apply_stages([c for c in seen if not item.beyond(c)], stages, spec.now or 0)
            result += [cell for cell in made if item.contains(cell)]
        return [result[: min(limits, default=None)]]

    def close(self) -> None:
        pass

    def _find(self, name: str, snapshot: ModelSnapshot | None = None) -> ModelTable:
        tables = self.named if snapshot is None else snapshot.tables
        if tables is None:
            raise Closed("closed")
        if name not in tables:
            raise TableNotFound(name)
        return tables[name]

    def _add(self, name: str, table: ModelTable) -> None:
        if name in self.named:
            raise InvalidName(name)
        self.named[name] = table

    def _check_unchanged(self, snapshot: ModelSnapshot, name: str, item: Range) -> None:
        before, now = (tables.get(name) for tables in (snapshot.tables or {}, self.named))
        if before is None and now is None:
            raise TableNotFound(name)
        if before is None or now is None or before.id != now.id:
            raise Conflict(name)
        later = self.log[snapshot.commits :]
        if any(table == now.id and item.contains(cell) for table, cell in later):
            raise Conflict(name)

    def _write_if(self, name: str, mutation: Any, authorizations: Any) -> Outcome:
        if not all(readable(item.visibility, authorizations) for item in mutation.conditions):
            return Outcome.INVISIBLE_VISIBILITY
        for item in mutation.conditions:
            spec = ScanSpec(ranges=[item.range(mutation.row)], authorizations=authorizations)
            [cells] = self.scan(name, spec, None, 1)
            if (cells[0].value if cells else None) != item.value:
                return Outcome.REJECTED
        self.write({name: mutation})
        return Outcome.ACCEPTED


def undeleted(written: list[Cell]) -> list[Cell]:
    """Sort, the later written first among equals, and leave out what a marker hides."""
    markers = [cell for cell in written if cell.deleted]
    puts = [
        cell
        for cell in reversed(written)
        if not cell.deleted
        and not any(m[:4] == cell[:4] and m.timestamp >= cell.timestamp for m in markers)
    ]
    return sorted(puts, key=lambda cell: (cell[:4], -cell.timestamp))


def wanted(cell: Cell, spec: ScanSpec) -> bool:
    columns = [f == cell.family and q in (None, cell.qualifier) for f, q in spec.columns]
    return (any(columns) or not columns) and readable(cell.visibility, spec.authorizations)


def readable(label: bytes, authorizations: Any) -> bool:
    if not label or type(authorizations).__name__ == "All":
        return True
    held = set(authorizations)
    if b"&" in label:
        return set(label.split(b"&")) <= held
    return bool(set(label.split(b"|")) & held)


def apply_stages(cells: list[Cell], stages: Any, now: int) -> list[Cell]:
    defaults = {"sum": 15, "versions": 20, "aggregate": 40, "limit": 100}
    for stage in sorted(stages, key=lambda s: s.priority or defaults[s.name]):
        if stage.name == "age-off":
            cells = [
                cell for cell in cells if wrapped(now - cell.timestamp) <= stage.options["ttl"]
            ]
        elif stage.name != "limit":
            columns = [list(group) for _, group in groupby(cells, key=lambda cell: cell[:4])]
            if stage.name == "sum":
                cells = [_summed(versions) for versions in columns]
            elif stage.name == "aggregate":
                cells = [cell for versions in columns for cell in _aggregated(versions)]
            else:
                cells = [cell for versions in columns for cell in versions[: stage.options["max"]]]
    return cells


def _summed(versions: list[Cell]) -> Cell:
    total = sum(int(cell.value) for cell in versions)
    return versions[0]._replace(value=str(total).encode())


def _aggregated(versions: list[Cell]) -> list[Cell]:
    """Merge the states of an element, oldest first; other families are none of the plan's."""
    if versions[0].family != b"f" or len(versions) == 1:
        return versions
    value = _VALUE
    states = [value.read(cell.value, cell.timestamp) for cell in reversed(versions)]
    return [versions[0]._replace(value=value.write(reduce(value.merge, states)))]


def wrapped(age: int) -> int:
    """An age in 64 bits, as Accumulo computes it."""
    return (age + 2**63) % 2**64 - 2**63
