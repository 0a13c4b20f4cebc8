"""Mutations: what a writer hands to an engine.

Layer ``cells``. Text is taken as its UTF-8. A cell without a timestamp gets the commit's, so a
batch keeps apart "no time given" from every time that can be given.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from lexigraph.cells.arrow import arrow_from_columns, columns_from_arrow
from lexigraph.cells.batch import CellBatch
from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP, Cell
from lexigraph.errors import InvalidKey, InvalidValue, show
from lexigraph.security.visibility import Label, label_bytes
from lexigraph.types import Text, to_bytes


class MutationBatch:
    """Cells to be written; those whose ``timed`` flag is 0 take the commit's timestamp.

    >>> batch = Mutations().put("ann", "age", "", "41").batch()
    >>> batch.at(7)[0].timestamp
    7
    """

    __slots__ = ("cells", "timed")

    def __init__(self, cells: CellBatch, timed: bytes | None = None) -> None:
        self.cells = cells
        self.timed = b"\1" * len(cells) if timed is None else bytes(timed)
        if len(self.timed) != len(cells) or self.timed.strip(b"\0\1"):
            raise InvalidValue(
                "each cell of a batch needs a flag, 0 or 1, that says whether it has a timestamp"
            )

    def at(self, timestamp: int) -> CellBatch:
        """Return the cells with ``timestamp`` where none was given."""
        cells = self.cells
        if b"\0" not in self.timed:
            return cells
        times: Any = array("q", [timestamp]) * len(cells)
        if b"\1" in self.timed:
            given = zip(cells.timestamp, self.timed, strict=True)
            times = [time if timed else timestamp for time, timed in given]
        return CellBatch(
            cells.row,
            cells.family,
            cells.qualifier,
            cells.visibility,
            times,
            cells.deleted,
            cells.value,
        )

    def labels(self) -> set[bytes]:
        """Return the labels of the cells, each once."""
        return self.cells.visibility.distinct()

    @staticmethod
    def concat(batches: Sequence[MutationBatch]) -> MutationBatch:
        """Join batches, one after the other."""
        if len(batches) == 1:
            return batches[0]
        cells = CellBatch.concat([batch.cells for batch in batches])
        return MutationBatch(cells, b"".join(batch.timed for batch in batches))

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.timed)

    def __eq__(self, other: object) -> bool:
        """Compare cells and which of them have a time."""
        return (
            isinstance(other, MutationBatch)
            and self.timed == other.timed
            and self.at(0) == other.at(0)
        )

    __hash__ = None  # type: ignore[assignment]

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.RecordBatch``; a time not given is null."""
        return arrow_from_columns(self.cells, self.timed)

    @staticmethod
    def from_arrow(data: Any) -> MutationBatch:
        """Read a record batch or table; a null timestamp means the commit's."""
        columns, timed = columns_from_arrow(data, nullable_timestamps=True)
        return MutationBatch(CellBatch(**columns), timed)

    def __repr__(self) -> str:
        """Show how much it holds."""
        return f"MutationBatch({len(self)} cells, {self.timed.count(0)} to be timed)"


class Mutations:
    """A builder of batches, for people: puts and deletes of any rows, in order.

    >>> Mutations().put("ann", "age", "", "41").delete("bob", "age")
    Mutations(2 cells)
    """

    def __init__(self) -> None:
        self._cells: list[Cell] = []
        self._timed = bytearray()

    def put(
        self,
        row: Text,
        family: Text = b"",
        qualifier: Text = b"",
        value: Text = b"",
        *,
        visibility: Label = b"",
        timestamp: int | None = None,
    ) -> Mutations:
        """Add a put and return self, so that calls can be chained."""
        key = (row, family, qualifier, visibility)
        return self._add(key, timestamp, to_bytes(value, what="value", error=InvalidValue))

    def delete(
        self,
        row: Text,
        family: Text = b"",
        qualifier: Text = b"",
        *,
        visibility: Label = b"",
        timestamp: int | None = None,
    ) -> Mutations:
        """Add a delete marker: it hides this column, under this label, up to its timestamp.

        Without a timestamp that is the commit's, so a put of the same column in the same batch is
        hidden too. To replace a value just put the new one.
        """
        return self._add((row, family, qualifier, visibility), timestamp, None)

    def batch(self) -> MutationBatch:
        """Return what was added so far."""
        return MutationBatch(CellBatch.from_cells(self._cells), bytes(self._timed))

    def _add(
        self, key: tuple[Text, Text, Text, Label], timestamp: int | None, value: bytes | None
    ) -> Mutations:
        row, family, qualifier = (
            to_bytes(part, what="key part", error=InvalidKey) for part in key[:3]
        )
        visibility = label_bytes(key[3], error=InvalidKey)
        time = 0 if timestamp is None else check_timestamp(timestamp)
        self._cells.append(
            Cell(row, family, qualifier, visibility, time, value is None, value or b"")
        )
        self._timed.append(timestamp is not None)
        return self

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self._cells)

    def __repr__(self) -> str:
        """Show how much was added."""
        return f"Mutations({len(self)} cells)"


Writable = Mutations | MutationBatch | CellBatch
"""What an engine accepts for writing; cells of a plain batch keep their timestamps."""


def as_batch(mutations: Writable) -> MutationBatch:
    """Return any of the accepted forms as a batch."""
    if isinstance(mutations, Mutations):
        return mutations.batch()
    if isinstance(mutations, MutationBatch):
        return mutations
    if isinstance(mutations, CellBatch):
        return MutationBatch(mutations)
    raise InvalidValue(
        f"a write takes Mutations, a MutationBatch or a CellBatch, not {type(mutations).__name__}"
    )


def check_timestamp(timestamp: int) -> int:
    """Refuse what is not a signed 64-bit integer."""
    if isinstance(timestamp, bool) or not isinstance(timestamp, int):
        raise InvalidKey(f"a timestamp is an integer, not {show(timestamp)}")
    if not MIN_TIMESTAMP <= timestamp <= MAX_TIMESTAMP:
        raise InvalidKey(f"timestamp {show(timestamp)} does not fit in a signed 64-bit integer")
    return timestamp
