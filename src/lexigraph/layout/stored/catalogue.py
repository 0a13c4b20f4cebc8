"""Which graphs an engine holds, as what: one row for each in a table of its own.

Layer ``graph``. An entry changes only from what its writer saw to something else, in one
conditional write, so of two who make, change or drop a graph at once only one succeeds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lexigraph.errors import (
    Conflict,
    FormatVersion,
    GraphNotFound,
    InvalidName,
    nearest,
    show,
)
from lexigraph.schema import Schema, schema_from_json, schema_to_json
from lexigraph.security import Authorizations
from lexigraph.store import Condition, ConditionalMutation, Engine, Outcome

CATALOGUE = "lexigraph.meta"
FORMAT = 1
READY, MAKING, DROPPING, DROPPED = "ready", "making", "dropping", "dropped"
"""What may be said of a graph. A dropped one is not there, but its name was used: the tables of the
next graph of that name get other names, so what still has the old one open cannot reach them."""

_FAMILY = b"graph"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}")


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

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """Write it."""
        data = {
            "version": FORMAT,
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
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()

    @staticmethod
    def from_bytes(name: str, raw: bytes) -> Entry:
        """Read it."""
        data = json.loads(raw)
        if data["version"] != FORMAT:
            raise FormatVersion(
                f"graph {name!r} was stored in format {data['version']}, this version reads "
                f"{FORMAT}"
            )
        return Entry(
            data["state"],
            schema_from_json(data["schema"]),
            data["layout"],
            data["options"],
            tuple(data["tables"]),
            data["by"],
            # Entries of before had none.
            data.get("suffix", ""),
            raw,
            # Only in entries of graphs for which some were declared.
            Authorizations.parse(data.get("authorizations", "")),
        )


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
        if not self._has_table():
            return {}
        rows = self.engine.table(CATALOGUE).scan()
        raw = {cell.row.decode(): cell.value for cell in rows if cell.family == _FAMILY}
        entries = {name: Entry.from_bytes(name, value) for name, value in raw.items()}
        return {name: entry for name, entry in entries.items() if entry.state == READY}

    def _has_table(self) -> bool:
        if CATALOGUE in self.engine.tables():
            return True
        # One that the user may not read is there all the same, and cannot be made.
        self.engine.check_readable(CATALOGUE)
        return False

    def find(self, name: str) -> Entry | None:
        """Read an entry, whatever its state; ``None`` where there is none."""
        check_graph_name(name)
        if not self._has_table():
            return None
        for cell in self.engine.table(CATALOGUE).row(name):
            if cell.family == _FAMILY:
                return Entry.from_bytes(name, cell.value)
        return None

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

    def change(self, name: str, old: Entry | None, new: Entry | None) -> Entry | None:
        """Replace the entry that was read by another, or raise Conflict if it has changed."""
        if not self._has_table():
            self._make_table()
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
