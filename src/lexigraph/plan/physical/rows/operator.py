"""What an operator is: a piece of a physical plan, which yields batches.

Layer ``plan``. Operators are made by ``lower`` and hold no data: running one twice reads twice.
Batches are made as they are asked for; closing the iterator closes the scans below it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from lexigraph.errors import QueryTimeout
from lexigraph.plan.physical.rows.batch import Batch
from lexigraph.plan.scope import Scope

ROWS = 1024
"""How many rows a batch of Python values has."""

CLIENT, ENGINE = "client", "engine"


class Deadline:
    """When a run has to end: ``timeout_s`` seconds after this was made, or never."""

    def __init__(self, timeout_s: float | None) -> None:
        self._timeout_s = timeout_s
        self._ends = None if timeout_s is None else monotonic() + timeout_s

    def check(self) -> None:
        """Raise when the time is over."""
        if self._ends is not None and monotonic() > self._ends:
            raise QueryTimeout(
                f"the question took more than {self._timeout_s:g} s", timeout_s=self._timeout_s
            )

    @property
    def left_s(self) -> float | None:
        """How many seconds are left; ``None`` without a limit."""
        return None if self._ends is None else max(0.0, self._ends - monotonic())


_NEVER = Deadline(None)


@dataclass(frozen=True, slots=True)
class Running:
    """One run of a plan: where it reads, at one moment, and the rows of ``Argument``.

    The deadline is checked for each batch that one operator gives to another.
    """

    scope: Scope
    argument: Sequence[Batch] = ()
    deadline: Deadline = _NEVER

    __hash__ = None  # type: ignore[assignment]

    def reading(self) -> Scope:
        """Return where a scan in the middle of the run reads: for the time that is left."""
        return replace(self.scope, timeout_s=self.deadline.left_s)

    def given(self, *batches: Batch) -> Running:
        """Return the run of a body for these rows."""
        return replace(self, argument=batches)


class Operator(ABC):
    """One operator. ``what`` and ``facts`` are for explanations."""

    what: str
    where: str = CLIENT

    def __init__(self, *parts: Operator, columns: tuple[str, ...]) -> None:
        self.parts = parts
        self.columns = columns
        """The columns that its batches have, in order."""

    @abstractmethod
    def batches(self, run: Running) -> Iterator[Batch]:
        """Yield the rows; nothing is read before the first batch is asked for."""

    def values(self, column: str, run: Running) -> Any:
        """Return the values of a column if that is shorter than batches; else ``None``."""
        return None

    def packed(self, run: Running) -> Any:
        """Return all rows as the engine packed them; ``None`` if it did not."""
        return None

    def facts(self) -> dict[str, Any]:
        """Return what an explanation says of it besides where it runs."""
        return {}

    def reads(self) -> int:
        """Return how many scans it makes, as far as it matters: none, one, or several."""
        return sum(one.reads() for one in self.parts)


def read_all(operator: Operator, run: Running) -> Iterator[Batch]:
    """Yield the batches of an operator and close it, however reading ends; empty ones are left out.

    Every operator reads the ones below it by this function.
    """
    with closing(_generated(operator, run)) as found:
        for batch in found:
            run.deadline.check()
            if batch.rows:
                yield batch


def _generated(operator: Operator, run: Running) -> Any:
    return operator.batches(run)
