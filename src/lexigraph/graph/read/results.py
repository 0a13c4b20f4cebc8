"""What a question gives: elements or rows that stream, and the tables they can become.

Layer ``graph``. Iterating reads; iterating again reads again, unless inside a snapshot. Nothing is
held: an answer of any size can be looked through in little memory.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Generic, TypeVar

from lexigraph.errors import InvalidValue, UsageError
from lexigraph.graph.other_names import ANSWER_OPERATORS, SUMMARY, NamesNearest
from lexigraph.graph.read import frames
from lexigraph.graph.read.arguments import read_most
from lexigraph.graph.read.column_types import DIGITS

T = TypeVar("T")

SHOWN_ROWS = 50
MORE_ROWS = (
    f"<p>These are the first {SHOWN_ROWS}: there are more. "
    "Use .to_list() or .to_polars() for all.</p>"
)
"""What a notebook says below a table that was cut."""


class Results(NamesNearest, ABC, Generic[T]):
    """Anything that streams, and can become a table."""

    _called, _elsewhere = "an answer", SUMMARY
    _operators = ANSWER_OPERATORS

    @abstractmethod
    def __iter__(self) -> Iterator[T]:
        """Read and give one after another."""

    def __bool__(self) -> bool:
        """Raise: an answer would be true whether it holds anything or not."""
        raise self._no_operator("bool")

    @abstractmethod
    def _rows(self) -> Iterator[Mapping[str, Any]]:
        """Give each as a mapping of columns to values."""

    @abstractmethod
    def _columns(self) -> frames.Columns:
        """Say which columns there are."""

    def _decoded(
        self, rows: int = frames.BATCH, digits: int | None = None
    ) -> frames.ArrowBatches | None:
        """Return what an engine decoded by itself; ``None`` if rows have to be read."""
        return None

    def _batched(self, rows: int = frames.BATCH, digits: int | None = None) -> frames.ArrowBatches:
        try:
            found = self._decoded(rows, digits)
        except InvalidValue:
            found = None
        if found is None:
            return frames.batched(self._rows(), self._columns(), rows, digits)
        return frames.ArrowBatches(found.schema, self._naming(found.batches, digits))

    def _naming(self, batches: Iterable[Any], digits: int | None) -> Iterator[Any]:
        try:
            yield from batches
        except InvalidValue:
            # The engine names the column alone; reading row by row names the element.
            frames.to_arrow(self._rows(), self._columns(), digits)
            raise

    def to_list(self) -> list[T]:
        """Return all results as a list."""
        return list(self)

    def first(self) -> T | None:
        """Return the first result, or ``None``."""
        return next(iter(islice(self, 1)), None)

    def to_arrow(self, *, decimals: bool | int = False) -> Any:
        """Return a ``pyarrow.Table``.

        Integers have 64 bits; a larger one raises InvalidValue, which names the element. With
        ``decimals=True``, columns of ``int`` are decimals of 38 digits; a number up to 76 sets the
        digits.
        """
        digits = frames.read_digits(decimals)
        try:
            found = self._decoded(digits=digits)
            table = None if found is None else found.to_table()
        except InvalidValue:
            table = None
        return frames.to_arrow(self._rows(), self._columns(), digits) if table is None else table

    def to_batches(
        self, *, rows: int = frames.BATCH, decimals: bool | int = False
    ) -> Iterator[Any]:
        """Yield the table as ``pyarrow.RecordBatch``es of at most ``rows`` rows.

        Memory is bounded, unless the type of a column can only be found from its values: then all
        rows are read first. ``decimals`` is that of ``to_arrow``.
        """
        digits = frames.read_digits(decimals)
        return iter(self._batched(read_most(rows, "the size of a batch", 1), digits).batches)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Give the batches to whoever takes Arrow: Polars, DuckDB, pyarrow."""
        return self._batched().to_reader().__arrow_c_stream__(requested_schema)

    def to_polars(self, *, decimals: bool | int = False) -> Any:
        """Return a ``polars.DataFrame``; ``decimals`` is that of ``to_arrow``, up to 38."""
        polars = frames.import_package("polars", "polars")
        digits = frames.read_digits(decimals)
        if digits is not None and digits > DIGITS:
            # Polars would panic, which is not an exception that people catch.
            raise UsageError(
                f"Polars has decimals of at most {DIGITS} digits, not {digits}",
                hint=f"Use to_arrow(decimals={digits}) or to_pandas(decimals={digits}).",
            )
        return polars.from_arrow(self.to_arrow(decimals=decimals))

    def to_pandas(self, *, decimals: bool | int = False) -> Any:
        """Return a ``pandas.DataFrame``; ``decimals`` is that of ``to_arrow``."""
        frames.import_package("pandas", "pandas")
        return frames.for_pandas(self.to_arrow(decimals=decimals)).to_pandas()
