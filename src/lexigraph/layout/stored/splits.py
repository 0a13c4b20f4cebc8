"""Split points of a graph's tables: chosen among rows, kept in a file that people can look at.

Layer ``layout``. A line of the file is a table, a tab and a row, whose bytes are ASCII or escaped
as in Python.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from os import fspath
from pathlib import Path

from lexigraph.errors import InvalidValue, UsageError, show


def write_splits(path: Path, splits: Mapping[str, Iterable[bytes]]) -> int:
    """Write the rows for each table to a new file; return how many there are."""
    lines = [f"{table}\t{escape(row)}" for table, rows in splits.items() for row in rows]
    try:
        with path.open("x", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in lines)
    except (OSError, ValueError) as problem:
        raise UsageError(
            f"file {show(fspath(path))} cannot be written: {problem}",
            hint="Choose a file that does not exist yet, in a directory that does.",
        ) from None
    return len(lines)


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


def read_splits(path: Path, tables: Collection[str]) -> dict[str, list[bytes]]:
    """Return the rows for each table that a file of split points has."""
    try:
        lines = path.read_text(encoding="ascii").split("\n")
    except (OSError, ValueError) as problem:
        raise UsageError(
            f"file {show(fspath(path))} cannot be read: {problem}",
            hint="Pass the text file that sample_splits or 'lexigraph splits sample' wrote.",
        ) from None
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
            raise InvalidValue(
                f"{where} is about {show(table)}, which is not a table of the graph",
                hint=f"Its tables are: {', '.join(tables)}. Sample the rows for this graph.",
            )
        found.setdefault(table, []).append(split)
    return found
