"""A check of a directory, step by step: what may be wrong with it, and what to do about it.

Layer ``store``, only for ``embedded``. Each step is a function in ``STEPS`` that looks at one thing
and changes nothing; none reads the cells of a table. ``verify`` does that.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexigraph.store.checks import OK, PROBLEM, Checked
from lexigraph.store.reports import TableStats

if TYPE_CHECKING:
    from lexigraph.store.embedded.base import EmbeddedBase

FORMAT = 1
"""The format that this version reads; opening a directory of another one is FormatVersion."""
WAITING_CELLS = 1_000_000
"""More unmerged cells than this are a problem, if they are also more than all others."""
OLD_READER_S = 600.0
OLD_READER_COMMITS = 10_000
AHEAD_S = 1.0
"""Commits of one moment get times one microsecond apart, so the newest may be a little ahead."""
MAP_USED = 0.9
LITTLE_ROOM_BYTES = 100 << 20
MOST_SHOWN = 5

_MICROS = {"micros": 1, "millis": 1000}


@dataclass(frozen=True, slots=True)
class Look:
    """What the steps look at."""

    engine: EmbeddedBase
    tables: list[TableStats]
    file_bytes: int


def check_directory(engine: EmbeddedBase, tables: Iterable[str]) -> list[Checked]:
    """Take all steps, for these tables or for all."""
    names = list(tables) or engine.tables()
    stats = [engine.stats(name) for name in names]
    look = Look(engine, stats, (engine.path / "data.mdb").stat().st_size)
    return [found for step in STEPS for found in step(look)]


def _format(look: Look) -> Iterable[Checked]:
    yield Checked("format", OK, f"format {FORMAT}, which this version writes")


def _counts(look: Look) -> Iterable[Checked]:
    cells = sum(one.cells for one in look.tables)
    markers = sum(one.delete_markers for one in look.tables)
    yield Checked(
        "counts",
        OK,
        f"{_many(len(look.tables), 'table')}, {_many(cells, 'cell')}, "
        f"{_many(markers, 'delete marker')}",
    )


def _delta(look: Look) -> Iterable[Checked]:
    wrong = False
    for one in look.tables:
        waiting = one.delta_cells or 0
        if one.merge_failure is not None:
            wrong = True
            yield Checked(
                "delta",
                PROBLEM,
                f"the last merge of table {one.table!r} failed: {one.merge_failure}",
                "Correct or delete the element that it names, then run graph.admin.compact().",
            )
        elif waiting > max(WAITING_CELLS, one.cells - waiting):
            wrong = True
            yield Checked(
                "delta",
                PROBLEM,
                f"{waiting:,} of {one.cells:,} cells of table {one.table!r} are not merged, which "
                "makes every question slower",
                "Run graph.admin.compact().",
            )
    if not wrong:
        waiting = sum(one.delta_cells or 0 for one in look.tables)
        yield Checked("delta", OK, f"{_many(waiting, 'cell')} not merged yet")


def _readers(look: Look) -> Iterable[Checked]:
    readers = look.engine.readers()
    old = [
        one
        for one in readers
        if one.behind > OLD_READER_COMMITS or (one.age_s or 0.0) > OLD_READER_S
    ]
    for one in old[:MOST_SHOWN]:
        since = "" if one.age_s is None else f" for {one.age_s:,.0f} s"
        yield Checked(
            "readers",
            PROBLEM,
            f"process {one.process} reads a state{since} that is {_many(one.behind, 'commit')} "
            "old, so the file grows",
            "Close the snapshots and scans of that process, or end it.",
        )
    if not old:
        oldest = max((one.behind for one in readers), default=0)
        what = f"{_many(len(readers), 'open snapshot')}, the oldest {_many(oldest, 'commit')} old"
        yield Checked("readers", OK, what if readers else "no open snapshots")


def _clock(look: Look) -> Iterable[Checked]:
    now, ahead = look.engine.now(), 0.0
    for one in look.tables:
        unit = _MICROS.get(look.engine.settings(one.table).time_unit)
        if unit is not None and one.newest is not None:
            ahead = max(ahead, (one.newest * unit - now) / 1e6)
    if ahead > AHEAD_S:
        yield Checked(
            "clock",
            PROBLEM,
            f"the newest commit is {ahead:,.0f} s ahead of the clock of this machine",
            "Set the clock. Until it gets there, new commits get times just after the newest.",
        )
    else:
        yield Checked("clock", OK, "no commit is ahead of the clock")


def _space(look: Look) -> Iterable[Checked]:
    most, used = look.engine.map_size_bytes, look.file_bytes
    free = shutil.disk_usage(look.engine.path).free
    if used > MAP_USED * most:
        yield Checked(
            "space",
            PROBLEM,
            f"the file has {_size(used)} of at most {_size(most)}",
            "Open the directory with a greater map_size_bytes.",
        )
    if free < max(LITTLE_ROOM_BYTES, used // 10):
        yield Checked(
            "space",
            PROBLEM,
            f"the disk has {_size(free)} left, and the file has {_size(used)}",
            "Free space on the disk, or move the directory to a larger one.",
        )
    elif used <= MAP_USED * most:
        yield Checked(
            "space", OK, f"{_size(used)} of at most {_size(most)}; {_size(free)} free on the disk"
        )


def _pages(look: Look) -> Iterable[Checked]:
    # Of all tables, whichever were asked for: they share the file.
    engine = look.engine
    stored = sum(engine.stats(name).stored_bytes or 0 for name in engine.tables())
    rest = max(look.file_bytes - stored, 0)
    what = f"{_size(stored)} of the file are cells, {_size(rest)} are free or the store's own pages"
    if rest > max(stored, LITTLE_ROOM_BYTES):
        what += "; graph.admin.vacuum() gives free pages back to the disk"
    yield Checked("pages", OK, what)


STEPS: tuple[Callable[[Look], Iterable[Checked]], ...] = (
    _format,
    _counts,
    _delta,
    _readers,
    _clock,
    _space,
    _pages,
)
"""The steps, in their order."""


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _size(size_bytes: int) -> str:
    size, unit = float(size_bytes), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if size < 1024 or unit == "TiB":
            break
        size /= 1024
    return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"
