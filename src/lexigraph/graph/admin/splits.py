"""Split points: chosen by a sample of what is to be added, kept in a file that people can look at.

Layer ``graph``. A line of the file is a table, a tab and a row, whose bytes are ASCII or escaped as
in Python. Sampling writes nothing to the graph; equal input gives an equal file.
"""

from __future__ import annotations

from collections.abc import Container
from os import PathLike, fspath
from pathlib import Path
from random import Random
from typing import Any

from lexigraph.errors import InvalidValue, UsageError, show
from lexigraph.graph.write.add import Adder
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.sinks import Batches
from lexigraph.layout.write.writer import Writer
from lexigraph.store.arguments import read_count


class SplitSample:
    """Chooses ``count`` split points by a ``proportion`` of the rows."""

    def __init__(self, stored: StoredGraph, *, count: int, proportion: float) -> None:
        self._stored, self._count = stored, read_count(count, "count")
        number = isinstance(proportion, int | float) and not isinstance(proportion, bool)
        if not number or not 0 < proportion <= 1:
            raise InvalidValue(f"proportion is a number above 0, up to 1, not {show(proportion)}")
        self._proportion = proportion
        self._random = Random(0)
        self._rows: dict[str, list[bytes]] = {}

    def write_file(
        self, file: str | PathLike[str], elements: Any, *, group: Any, validate: bool
    ) -> int:
        """Look at elements, write the split points, and return how many there are."""
        path = _path(file)
        if path.exists():
            raise UsageError(
                f"file {fspath(path)!r} already exists",
                hint="Choose another file, or remove it.",
            )
        options = RowOptions(skip_invalid=not validate)
        Adder(Writer(self._stored, self)).add(elements, group=group, options=options)
        names = {remote: table for table, remote in self._stored.tables.items()}
        lines = [
            f"{names[remote]}\t{escape(row)}"
            for remote, rows in sorted(self._rows.items())
            for row in choose(sorted(set(rows)), self._count)
        ]
        try:
            with path.open("x", encoding="utf-8") as out:
                out.writelines(f"{line}\n" for line in lines)
        except (OSError, ValueError) as problem:
            raise UsageError(f"file {show(fspath(path))} cannot be written: {problem}") from None
        return len(lines)

    def write(self, batches: Batches) -> None:
        """Look at cells: a sample is the sink of a writer, and stores nothing."""
        chance = self._random.random
        for remote, batch in batches.items():
            kept = [row for row in batch.cells.row if chance() < self._proportion]
            self._rows.setdefault(remote, []).extend(kept)


def choose(rows: list[bytes], count: int) -> list[bytes]:
    """Return so many of sorted rows, as evenly apart as can be; all where there are fewer.

    >>> choose([b"a", b"b", b"c", b"d", b"e"], 2)
    [b'b', b'd']
    """
    if len(rows) <= count:
        return rows
    return [rows[(number + 1) * len(rows) // (count + 1)] for number in range(count)]


def escape(row: bytes) -> str:
    """Write a row so that people can read it, on one line.

    >>> print(escape(b"ann\\x00\\n"))
    ann\\x00\\n
    """
    return row.decode("latin-1").encode("unicode_escape").decode("ascii")


def unescape(text: str) -> bytes:
    """Read such a row; what is none is a ValueError.

    >>> unescape(escape(bytes(range(256)))) == bytes(range(256))
    True
    """
    return text.encode("ascii").decode("unicode_escape").encode("latin-1")


def read_splits(file: str | PathLike[str], tables: Container[str]) -> dict[str, list[bytes]]:
    """Return the rows for each table that a file of split points has."""
    path = _path(file)
    try:
        lines = path.read_text(encoding="ascii").split("\n")
    except (OSError, ValueError) as problem:
        raise UsageError(f"file {show(fspath(path))} cannot be read: {problem}") from None
    found: dict[str, list[bytes]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"line {number} of {fspath(path)!r}"
        try:
            table, row = line.split("\t")
            split = unescape(row)
        except ValueError:
            raise InvalidValue(
                f"{where} is not a split point: {show(line)}",
                hint="A line is a table, a tab and a row, with escapes such as \\x00.",
            ) from None
        if table not in tables:
            raise InvalidValue(f"{where} is about {show(table)}, which is not a table of the graph")
        found.setdefault(table, []).append(split)
    return found


def _path(file: Any) -> Path:
    if not isinstance(file, str | PathLike):
        raise UsageError(f"split points are kept in a file, not in {show(file)}")
    return Path(file)
