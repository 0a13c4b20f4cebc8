"""The table of the change log: its rows, and what it says of cursors and limits.

Layer ``layout``; section 2 of ``spec/changes.md``. Entries of commits lie in the order of their
commits. A load does not know its time before it ends: its rows have random names, and the time of
their cells.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import uuid4

from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.ranges import Range
from lexigraph.codec.kinds.integers import INT64
from lexigraph.layout.log.entries import LogEntry
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store import TableSettings

COMMITS, LOADS, CURSORS, STATE = b"\1", b"\2", b"\3", b"\4"
"""What rows start with."""
ENTRY, COUNT, CURSOR, HORIZON, LIMITS = b"e", b"n", b"c", b"h", b"l"
"""The families."""
OWNER: Final = "ALL"


def log_settings() -> TableSettings:
    """Return the settings of the table: sizes are read without entries."""
    groups = {"entries": [ENTRY], "rest": [COUNT, CURSOR, HORIZON, LIMITS]}
    return TableSettings(locality_groups=groups)


@dataclass(frozen=True, slots=True)
class LogLimits:
    """How much is kept for cursors that have not passed."""

    changes: int = 1_000_000
    size_bytes: int = 256 << 20


@dataclass(frozen=True, slots=True, order=True)
class LogPlace:
    """Where a cursor is: after so many changes of a commit, as its reader counts them.

    ``LAST`` changes is the end of the commit.
    """

    commit: int
    passed: int

    def __str__(self) -> str:
        """Show it for messages."""
        return f"{self.commit}:{self.passed}"


LAST: Final = (1 << 62) - 1


@dataclass(frozen=True, slots=True)
class StoredCursor:
    """A cursor as the table has it; ``id`` tells it from another of its name."""

    name: str
    authorizations: Authorizations | All
    place: LogPlace
    """Up to where the log is not needed any more: past all that its reader was not shown, too."""
    seen: LogPlace
    """The last change that its reader acknowledged."""
    id: str
    kind: str = "feed"

    def to_bytes(self) -> bytes:
        """Write it."""
        held = self.authorizations
        bound = OWNER if isinstance(held, All) else sorted(map(_text, held))
        data = {
            "version": 1,
            "kind": self.kind,
            "id": self.id,
            "authorizations": bound,
            "place": [self.place.commit, self.place.passed],
            "seen": [self.seen.commit, self.seen.passed],
        }
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()

    @staticmethod
    def from_bytes(name: str, raw: bytes) -> StoredCursor:
        """Read it."""
        data = json.loads(raw)
        held = data["authorizations"]
        bound = ALL if held == OWNER else Authorizations(one.encode("latin-1") for one in held)
        places = LogPlace(*data["place"]), LogPlace(*data["seen"])
        return StoredCursor(name, bound, *places, data["id"], data["kind"])


def commit_row(commit: int, part: int) -> bytes:
    """Return the row of a part of the entry of a commit."""
    return COMMITS + INT64.encode(commit) + part.to_bytes(4, "big")


def time_of_row(cell: Cell) -> int:
    """Return the commit that a row of an entry is about."""
    if cell.row.startswith(COMMITS):
        time: int = INT64.decode(cell.row[1:9])
        return time
    return cell.timestamp


def commits_after(commit: int) -> Range:
    """Return the rows of the entries of a commit and of later ones."""
    return Range.rows(commit_row(commit, 0), LOADS)


def cursor_row(name: str) -> bytes:
    """Return the row of a cursor."""
    return CURSORS + name.encode()


def name_of_row(row: bytes) -> str:
    """Return the name of a cursor by its row."""
    return row[1:].decode()


def entry_cells(entry: LogEntry, commit: int | None) -> MutationBatch:
    """Return the cells of an entry; without a time they get that of their commit."""
    cells: list[Cell] = []
    name = uuid4().bytes
    for number, part in enumerate(entry.parts()):
        data = part.to_bytes()
        if commit is None:
            row, time = LOADS + name + number.to_bytes(4, "big"), 0
        else:
            row, time = commit_row(commit, number), commit
        cells.append(Cell(row, ENTRY, b"", b"", time, False, data))
        counts = EntrySize(len(part), len(data), entry.kind)
        cells.append(Cell(row, COUNT, b"", b"", time, False, counts.to_bytes()))
    return MutationBatch(CellBatch.from_cells(cells), bytes(len(cells)))


class EntrySize(NamedTuple):
    """What is known of a part of an entry without reading it."""

    changes: int
    size_bytes: int
    kind: str

    def to_bytes(self) -> bytes:
        """Write it."""
        sizes = self.changes.to_bytes(8, "big") + self.size_bytes.to_bytes(8, "big")
        return sizes + self.kind.encode()

    @staticmethod
    def from_bytes(raw: bytes) -> EntrySize:
        """Read it."""
        changes, size_bytes = (int.from_bytes(raw[at : at + 8], "big") for at in (0, 8))
        return EntrySize(changes, size_bytes, raw[16:].decode())


def limits_bytes(limits: LogLimits) -> bytes:
    """Write limits."""
    return json.dumps({"changes": limits.changes, "size_bytes": limits.size_bytes}).encode()


def read_limits(raw: bytes) -> LogLimits:
    """Read limits."""
    data: dict[str, Any] = json.loads(raw)
    return LogLimits(**data)


def _text(one: str | bytes) -> str:
    return (one.encode() if isinstance(one, str) else one).decode("latin-1")
