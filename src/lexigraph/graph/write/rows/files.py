"""Files as data frames: CSV and Parquet, read through pyarrow in batches.

Layer ``graph``. A file is never held whole. The columns of a CSV file are text here; ``shaping``
reads them by the types of the group.
"""

from __future__ import annotations

from bisect import bisect_right
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from lexigraph.errors import UsageError, show
from lexigraph.graph.write.rows.skips import Skips

TEXT = {b"lexigraph": b"text"}
"""What the schema of batches says whose columns are the text of a file."""
READ = "CSV (.csv, also .csv.gz, .csv.bz2, .csv.zst) and Parquet (.parquet, .pq)"
_PACKED = (".gz", ".bz2", ".zst")
_BLOCK_BYTES = 4 << 20
_LOOKED_AT_BYTES = 1 << 16


def is_path(data: Any) -> bool:
    """Return whether data names a file."""
    return isinstance(data, str | PathLike)


class RowNumbers:
    """The places of rows in what was given, where lines of a file could not be read as rows."""

    def __init__(self, skips: Skips | None) -> None:
        self._skips = skips
        self._unread: list[int] = []
        self.rows = 0
        """How many rows were read so far."""

    def place(self, row: int) -> int:
        """Return the place of the row that was read as number ``row``."""
        unread = self._unread
        return row + bisect_right(range(len(unread)), row, key=lambda at: unread[at] - at)

    def refuse_line(self, start: int, line: Any) -> str:
        """Answer a reader about a line with too many or too few fields."""
        if self._skips is None:
            return "error"
        # The reader counts lines from 1, and the header is one.
        at = start + line.number - 2
        self._unread.append(at)
        reason = f"the line has {line.actual_columns} fields, the header {line.expected_columns}"
        self._skips.add(at, line.text, None, reason)
        return "skip"

    def start(self) -> int:
        """Return the place of the first row of the next file."""
        return self.rows + len(self._unread)


def iter_file(given: Any, numbers: RowNumbers) -> Iterator[Any]:
    """Yield the record batches of a file."""
    path = Path(fspath(given)) if not isinstance(fspath(given), bytes) else None
    if path is None or "\0" in str(path) or not path.exists():
        raise UsageError(
            f"there is no file {show(given)}",
            hint="Pass the path of a CSV or Parquet file, a data frame, or elements.",
        )
    read = _reader(path)
    arrow = import_module("pyarrow")
    try:
        yield from read(arrow, path, numbers)
    except (arrow.ArrowException, OSError, UnicodeError) as failure:
        hint = "Check the file, or read it with another library and pass the data frame."
        if isinstance(failure, UnicodeError) or "UTF8" in str(failure):
            hint = (
                "The file is not encoded in UTF-8. Save it as UTF-8, or pass the data frame: "
                f'polars.read_csv({show(str(path))}, encoding="latin1"), if it is Latin-1.'
            )
        raise UsageError(f"{path} cannot be read: {_short(failure)}", hint=hint) from None


def _reader(path: Path) -> Callable[[Any, Path, RowNumbers], Iterator[Any]]:
    endings = [one.lower() for one in path.suffixes]
    plain = endings[:-1] if endings and endings[-1] in _PACKED else endings
    if path.is_file() and plain[-1:] == [".csv"]:
        return _iter_csv
    if path.is_file() and endings[-1:] in ([".parquet"], [".pq"]):
        return _iter_parquet
    what = "is not a file" if not path.is_file() else "has a name that does not say its format"
    raise UsageError(
        f"{path} {what}",
        hint=f"Files that can be read: {READ}. Read others with their library "
        "and pass the data frame.",
    )


def _iter_parquet(arrow: Any, path: Path, numbers: RowNumbers) -> Iterator[Any]:
    parquet = import_module("pyarrow.parquet")
    with parquet.ParquetFile(path) as file:
        yield from file.iter_batches()


def _iter_csv(arrow: Any, path: Path, numbers: RowNumbers) -> Iterator[Any]:
    csv = import_module("pyarrow.csv")
    start = numbers.start()
    # Lines are numbered by one thread alone.
    read = csv.ReadOptions(block_size=_BLOCK_BYTES, use_threads=False)
    parse = csv.ParseOptions(
        newlines_in_values=True,
        invalid_row_handler=lambda line: numbers.refuse_line(start, line),
    )
    names = _header(arrow, csv, path)
    convert = csv.ConvertOptions(
        column_types=dict.fromkeys(names, arrow.string()),
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
        null_values=[""],
    )
    with (
        arrow.input_stream(path, compression="detect") as stream,
        csv.open_csv(stream, read, parse, convert) as reader,
    ):
        for batch in reader:
            yield batch.replace_schema_metadata(TEXT)


def _check_text(arrow: Any, path: Path) -> None:
    """Raise UnicodeError if a file does not begin with text: its reader would only print that."""
    with arrow.input_stream(path, compression="detect") as stream:
        getincrementaldecoder("utf-8")().decode(stream.read(_LOOKED_AT_BYTES))


def _header(arrow: Any, csv: Any, path: Path) -> list[str]:
    _check_text(arrow, path)
    parse = csv.ParseOptions(newlines_in_values=True, invalid_row_handler=lambda _: "skip")
    with arrow.input_stream(path, compression="detect") as stream:
        try:
            with csv.open_csv(stream, parse_options=parse) as reader:
                names: list[str] = reader.schema.names
        except arrow.ArrowInvalid as failure:
            if "Empty CSV" in str(failure):
                raise UsageError(
                    f"{path} is empty", hint="Its first line has to be the names of the columns."
                ) from None
            raise
    if len(names) == 1 and any(sign in names[0] for sign in ";\t|"):
        raise UsageError(
            f"{path} has one column, {show(names[0])}: its fields are not separated by commas",
            hint="Write it with commas, or read it with another library and pass the data frame.",
        )
    return names


def _short(failure: BaseException) -> str:
    return str(failure).strip().partition("\n")[0][:300]
