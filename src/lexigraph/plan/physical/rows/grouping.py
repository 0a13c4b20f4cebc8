"""Figures of rows, in the client: a state for each combination of values and each figure.

Layer ``plan``. Holds a row for each combination. Figures of elements that a stage can make do not
come here: see ``summing``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Protocol

from lexigraph.codec import codec_for
from lexigraph.errors import InvalidValue, UnsupportedError, show
from lexigraph.functions import Aggregator, aggregator_for
from lexigraph.plan.logical.expressions import Expression
from lexigraph.plan.logical.rows import MEAN, Figure
from lexigraph.plan.physical.rows.batch import Batch, BatchColumn, HeldName, as_list
from lexigraph.plan.physical.rows.comparing import RowKeys
from lexigraph.plan.physical.rows.evaluate import evaluator
from lexigraph.plan.physical.rows.operator import Operator, Running, read_all

_CODECS: dict[type, str] = {
    bool: "bool",
    int: "int",
    float: "float",
    Decimal: "decimal",
    str: "str",
    bytes: "bytes",
    date: "date",
    time: "time",
    timedelta: "timedelta",
}


class Tally(Protocol):
    """What is kept of the values of one figure, by the number of the combination."""

    def add(self, places: Sequence[int], values: Sequence[Any]) -> None:
        """Take the values of some rows; ``places`` are the numbers of their combinations."""

    def finish(self, size: int) -> list[Any]:
        """Return the figure of each combination; null if it has no value."""


class Counting:
    """Counts rows."""

    def __init__(self) -> None:
        self._found: dict[int, int] = {}

    def add(self, places: Sequence[int], values: Sequence[Any]) -> None:
        """Count."""
        found = self._found
        for at in places:
            found[at] = found.get(at, 0) + 1

    def finish(self, size: int) -> list[Any]:
        """Return the counts."""
        return [self._found.get(at, 0) for at in range(size)]


class Averaging:
    """The mean of numbers, as a float."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._sums: dict[int, Any] = {}
        self._counts: dict[int, int] = {}

    def add(self, places: Sequence[int], values: Sequence[Any]) -> None:
        """Add up and count."""
        sums, counts = self._sums, self._counts
        for at, value in zip(places, values, strict=True):
            if value is not None:
                try:
                    sums[at] = sums.get(at, 0) + value
                except TypeError:
                    raise InvalidValue(
                        f"the mean {self._name!r} is of numbers, not of {show(value)}",
                        hint="Take the mean of a property that holds numbers.",
                    ) from None
                counts[at] = counts.get(at, 0) + 1

    def finish(self, size: int) -> list[Any]:
        """Divide."""
        return [mean_of(self._sums.get(at), self._counts.get(at, 0)) for at in range(size)]


def mean_of(total: Any, count: int) -> float | None:
    """Return a mean; null of nothing.

    >>> mean_of(7, 2), mean_of(None, 0)
    (3.5, None)
    """
    if total is None or not count:
        return None
    try:
        return float(total / count)
    except OverflowError:
        return float(total // count) if abs(total // count) < 1 << 1023 else float("inf")


class Aggregating:
    """Any aggregator, of values without a time."""

    def __init__(self, figure: Figure) -> None:
        if figure.aggregate.name in ("first", "last"):
            raise UnsupportedError(
                f"{figure.aggregate.name!r} of a computed value: rows do not have a time",
                hint=f"Take lg.{figure.aggregate.name} of a stored property, or lg.min or lg.max.",
            )
        self._figure = figure
        self._states: dict[int, Any] = {}
        self._bound: Aggregator | None = None
        if figure.codec is not None:
            self._bound = self._bind(figure.codec)

    def _bind(self, codec: str) -> Aggregator:
        how = self._figure.aggregate
        return aggregator_for(how.name, codec_for(codec), how.options)

    def add(self, places: Sequence[int], values: Sequence[Any]) -> None:
        """Merge."""
        states, aggregator = self._states, self._bound
        for at, value in zip(places, values, strict=True):
            if value is None:
                continue
            if aggregator is None:
                aggregator = self._bound = self._bind(_codec_of(value))
            try:
                state = aggregator.take(value, 0)
                states[at] = aggregator.merge(states[at], state) if at in states else state
            except (TypeError, ValueError, ArithmeticError) as error:
                raise InvalidValue(
                    f"{self._figure.aggregate.name!r} cannot take {show(value)}: {error}",
                    hint="Derive a value of one type, and name it with type=.",
                ) from None

    def finish(self, size: int) -> list[Any]:
        """Finish."""
        states, aggregator = self._states, self._bound
        if aggregator is None:
            return [None] * size
        return [aggregator.finish(states[at]) if at in states else None for at in range(size)]


def _codec_of(value: Any) -> str:
    if isinstance(value, datetime):
        return "naive_datetime" if value.tzinfo is None else "datetime"
    return _CODECS.get(type(value), "any")


def tally_of(figure: Figure) -> Tally:
    """Return what keeps the values of a figure."""
    if figure.aggregate.name == "count" and figure.of is None:
        return Counting()
    return Averaging(figure.name) if figure.aggregate.name == MEAN else Aggregating(figure)


class GroupedRows(Operator):
    """A row of figures for each combination of values."""

    what = "summarise"

    def __init__(
        self, of: Operator, by: Mapping[str, Expression], figures: tuple[Figure, ...]
    ) -> None:
        super().__init__(of, columns=(*by, *(one.name for one in figures)))
        self._by, self._figures = dict(by), figures
        self._values = [evaluator(one) for one in by.values()]
        self._taken = [None if one.of is None else evaluator(one.of) for one in figures]
        for one in figures:
            tally_of(one)

    def batches(self, run: Running) -> Iterator[Batch]:
        """Read all, then yield one batch."""
        makes, places = RowKeys(), dict[bytes, int]()
        held: list[list[Any]] = [[] for _ in self._values]
        tallies = [tally_of(one) for one in self._figures]
        for batch in read_all(self.parts[0], run):
            columns = [as_list(value(batch)) for value in self._values]
            numbers = []
            for at, key in enumerate(makes.keys(columns, batch.rows)):
                number = places.setdefault(key, len(places))
                if columns and number == len(held[0]):
                    for values, column in zip(held, columns, strict=True):
                        values.append(column[at])
                numbers.append(number)
            for tally, take in zip(tallies, self._taken, strict=True):
                tally.add(numbers, () if take is None else as_list(take(batch)))
        made: dict[HeldName, BatchColumn] = dict(zip(self._by, held, strict=True))
        for figure, tally in zip(self._figures, tallies, strict=True):
            made[figure.name] = tally.finish(len(places))
        order = [places[key] for key in sorted(places)]
        yield Batch(len(places), made).take(order) if made else Batch(len(places), {})

    def facts(self) -> dict[str, Any]:
        """Return what rows are grouped by, and the figures."""
        by = [name if name == str(one) else f"{name}={one}" for name, one in self._by.items()]
        return {"by": by, "figures": [one.name for one in self._figures]}
