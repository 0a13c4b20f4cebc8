"""Which graphs an engine holds, as what: one row for each in a table of its own.

Layer ``layout``. An entry changes only from what its writer saw to something else, in one
conditional write, so of two who make, change or drop a graph at once only one succeeds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from lexigraph.errors import (
    Conflict,
    FormatVersion,
    GraphNotFound,
    InvalidName,
    nearest,
    show,
)
from lexigraph.layout.stored.indexes import StoredIndex
from lexigraph.layout.table_names import CATALOGUE
from lexigraph.schema import Schema, schema_from_json, schema_to_json
from lexigraph.security import Authorizations
from lexigraph.store import (
    Condition,
    ConditionalMutation,
    Engine,
    MutationBatch,
    Mutations,
    Outcome,
    Range,
    ScanSpec,
)
from lexigraph.store.spi import Unchanged

__all__ = [
    "CATALOGUE",
    "Catalogue",
    "Entry",
    "StoredLayout",
    "StoredRecords",
    "check_graph_name",
]

FORMAT, FORMAT_OF_LAYOUTS, FORMAT_OF_INDEXES, FORMAT_OF_RECORDS, FORMAT_OF_LOGS = 1, 2, 3, 4, 5
"""The formats of entries: the second is of graphs whose groups have several layouts, the third of
graphs with indexes, the fourth of graphs with records, the fifth of graphs with a change log.
Earlier versions refuse them: they would take all groups for those of the default, and would not
keep the indexes or the log."""
READY, MAKING, DROPPING, DROPPED = "ready", "making", "dropping", "dropped"
"""What may be said of a graph. A dropped one is not there, but its name was used: the tables of the
next graph of that name get other names, so what still has the old one open cannot reach them."""

_FAMILY = b"graph"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}")


@dataclass(frozen=True, slots=True)
class StoredLayout:
    """A layout by name, with its options and the groups that have it."""

    layout: str
    options: Mapping[str, Any] = field(default_factory=dict)
    groups: tuple[str, ...] = ()

    __hash__ = None  # type: ignore[assignment]

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        return {"layout": self.layout, "options": dict(self.options), "groups": list(self.groups)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> StoredLayout:
        """Read it."""
        return StoredLayout(data["layout"], data["options"], tuple(data["groups"]))


@dataclass(frozen=True, slots=True)
class StoredRecords:
    """What a graph with records keeps besides its schema; the codec of ids never changes."""

    vertex_codec: str = "any"
    learns: bool = False
    """Whether names that the schema does not have are learnt when they are first used."""

    def to_json(self) -> dict[str, Any]:
        """Write it."""
        return {"vertex_codec": self.vertex_codec, "learns": self.learns}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> StoredRecords:
        """Read it."""
        return StoredRecords(data["vertex_codec"], data["learns"])


@dataclass(frozen=True, slots=True)
class Entry:
    """What the catalogue says of one graph; ``raw`` is the bytes that it was read from."""

    state: str
    schema: Schema = field(default_factory=lambda: Schema({}))
    layout: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    tables: tuple[str, ...] = ()
    """The engine's tables that belong to it."""
    by: str = ""
    """Who is making it."""
    suffix: str = ""
    """What the names of its tables end with, if there was a graph of its name before, or others
    had begun to make one."""
    raw: bytes | None = None
    authorizations: Authorizations = field(default_factory=Authorizations)
    """Those that were declared for it."""
    others: tuple[StoredLayout, ...] = ()
    """The layouts of groups that do not have the one above."""
    indexes: tuple[StoredIndex, ...] = ()
    last_index: int = 0
    """The highest number that an index has had."""
    records: StoredRecords | None = None
    """What it keeps for records; ``None`` if it has no tables for them."""
    logged: bool = False
    """Whether commits write the change log."""

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """Write it."""
        data = {
            "version": self._format,
            "state": self.state,
            "schema": schema_to_json(self.schema),
            "layout": self.layout,
            "options": dict(self.options),
            "tables": list(self.tables),
            "by": self.by,
            "suffix": self.suffix,
        }
        if self.authorizations:
            data["authorizations"] = self.authorizations.serialise().decode()
        if self.others:
            data["others"] = [one.to_json() for one in self.others]
        if self.indexes:
            data["indexes"] = [one.to_json() for one in self.indexes]
        if self.last_index:
            data["last_index"] = self.last_index
        if self.records is not None:
            data["records"] = self.records.to_json()
        if self.logged:
            data["logged"] = True
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()

    @property
    def _format(self) -> int:
        if self.logged:
            return FORMAT_OF_LOGS
        if self.records is not None:
            return FORMAT_OF_RECORDS
        if self.indexes:
            return FORMAT_OF_INDEXES
        return FORMAT_OF_LAYOUTS if self.others else FORMAT

    @staticmethod
    def from_bytes(name: str, raw: bytes) -> Entry:
        """Read it."""
        data = json.loads(raw)
        if data["version"] not in range(FORMAT, FORMAT_OF_LOGS + 1):
            raise FormatVersion(
                f"graph {name!r} was stored in format {data['version']}, this version reads "
                f"{FORMAT} to {FORMAT_OF_LOGS}",
                hint="Open it with the version of lexigraph that stored it, or a later one.",
            )
        records = data.get("records")
        schema = schema_from_json(data["schema"])
        return Entry(
            data["state"],
            schema if records is not None else _without_records(schema),
            data["layout"],
            data["options"],
            tuple(data["tables"]),
            data["by"],
            # Entries of before had none.
            data.get("suffix", ""),
            raw,
            # Only in entries of graphs for which some were declared.
            Authorizations.parse(data.get("authorizations", "")),
            tuple(map(StoredLayout.from_json, data.get("others", ()))),
            tuple(map(StoredIndex.from_json, data.get("indexes", ()))),
            data.get("last_index", 0),
            None if records is None else StoredRecords.from_json(records),
            data.get("logged", False),
        )


def _without_records(schema: Schema) -> Schema:
    """Return a schema of before there were tables of records: its groups keep duplicates."""
    if not schema.records.groups:
        return schema
    groups = {name: replace(group, record=None) for name, group in schema.groups.items()}
    return replace(schema, groups=groups)


class Catalogue:
    """The graphs of one engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def names(self) -> list[str]:
        """List the graphs that are there, sorted."""
        return list(self._ready())

    def shown_names(self) -> list[str]:
        """List the graphs of which the engine shows all tables: those that its user may read."""
        shown = set(self.engine.tables())
        return [name for name, entry in self._ready().items() if shown.issuperset(entry.tables)]

    def _ready(self) -> dict[str, Entry]:
        read = self._read(Range())
        return {name: entry for name, entry in read.items() if entry.state == READY}

    def is_empty(self) -> bool:
        """Return whether there has never been a graph."""
        return not self._read(Range())

    def _read(self, rows: Range) -> dict[str, Entry]:
        """Return the entries in some rows, by the names of their graphs."""
        if not self._has_table():
            return {}
        spec = ScanSpec(ranges=[rows], columns=[(_FAMILY, None)])
        with self.engine.scan(CATALOGUE, spec) as batches:
            found = {cell.row.decode(): cell.value for cell in chain.from_iterable(batches)}
        return {name: Entry.from_bytes(name, raw) for name, raw in found.items()}

    def _has_table(self) -> bool:
        if CATALOGUE in self.engine.tables():
            return True
        # One that the user may not read is there all the same, and cannot be made.
        self.engine.check_readable(CATALOGUE)
        return False

    def find(self, name: str) -> Entry | None:
        """Read an entry, whatever its state; ``None`` where there is none."""
        check_graph_name(name)
        return self._read(Range.row(name)).get(name)

    def get(self, name: str) -> Entry:
        """Read the entry of a graph that is there."""
        entry = self.find(name)
        if entry is None or entry.state != READY:
            names = self.shown_names()
            raise GraphNotFound(
                f"there is no graph {show(name)}",
                near=nearest(name, names),
                hint=f"Available: {', '.join(names) or 'none'}. A new one needs a schema.",
            )
        return entry

    def change(
        self,
        name: str,
        old: Entry | None,
        new: Entry | None,
        unchanged: Unchanged | None = None,
        beside: Mapping[str, MutationBatch] = MappingProxyType({}),
    ) -> Entry | None:
        """Replace the entry that was read by another, or raise Conflict if it has changed.

        With ``unchanged``, which must hold the entry, also if anything of that has changed; then
        cells of other tables may be written ``beside`` it.
        """
        if not self._has_table():
            self._make_table()
        if unchanged is not None and new is not None:
            written = new.to_bytes()
            made = Mutations().put(name, _FAMILY, b"", written)
            self.engine.write({CATALOGUE: made, **beside}, if_unchanged=unchanged)
            return Entry.from_bytes(name, written)
        condition = Condition(_FAMILY, value=None if old is None else old.raw)
        mutation = ConditionalMutation(name, [condition])
        raw = None if new is None else new.to_bytes()
        if raw is None:
            mutation.delete(_FAMILY)
        else:
            mutation.put(_FAMILY, b"", raw)
        [outcome] = self.engine.conditional_write(CATALOGUE, mutation)
        if outcome is not Outcome.ACCEPTED:
            raise Conflict(
                f"graph {name!r} was created, changed or dropped by another process at the same "
                "time",
                hint="Open it again and retry.",
            )
        return None if raw is None else Entry.from_bytes(name, raw)

    def _make_table(self) -> None:
        try:
            self.engine.create_table(CATALOGUE)
        except InvalidName:
            # Somebody else was faster.
            if CATALOGUE not in self.engine.tables():
                raise


def check_graph_name(name: str) -> str:
    """Return a name that a graph may have.

    >>> check_graph_name("2nd")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidName: '2nd' cannot be the name of a graph
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidName(
            f"{show(name)} cannot be the name of a graph",
            hint="Up to 100 letters, digits, '_' and '-', starting with a letter.",
        )
    return name
