"""Conditional writes: change one row only if it still is what the writer thinks it is.

Layer ``store``. Conditions see what a scan of the table with the writer's authorizations sees.
Outcomes mean what they mean in Accumulo: ``UNKNOWN`` only where an answer can get lost on its way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from lexigraph.cells.cell import Cell
from lexigraph.cells.mutations import MutationBatch, Mutations, check_timestamp
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidKey, InvalidValue, show
from lexigraph.security import All, Authorizations, LabelCache, Visibility
from lexigraph.security.visibility import Label, label_bytes
from lexigraph.types import Text, to_bytes


class Outcome(Enum):
    """The result of one conditional mutation."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    """A condition did not hold; nothing was written."""
    VIOLATED = "violated"
    """The conditions held, a constraint of the table did not."""
    UNKNOWN = "unknown"
    """The server failed: it may have been written. Read to find out."""
    INVISIBLE_VISIBILITY = "invisible-visibility"
    """A condition names a label that the writer cannot see, so it cannot be judged."""


class Condition:
    """One column must have this value, or be absent when no value is given.

    >>> Condition("lock", "owner", value="ann")
    Condition(b'lock', b'owner', b'', value=b'ann', timestamp=None)
    """

    __slots__ = ("family", "qualifier", "timestamp", "value", "visibility")

    def __init__(
        self,
        family: Text,
        qualifier: Text = b"",
        visibility: Label = b"",
        value: Text | None = None,
        timestamp: int | None = None,
    ) -> None:
        self.family = to_bytes(family, what="family", error=InvalidKey)
        self.qualifier = to_bytes(qualifier, what="qualifier", error=InvalidKey)
        self.visibility = label_bytes(visibility, error=InvalidKey)
        self.value = None if value is None else to_bytes(value, what="value", error=InvalidValue)
        self.timestamp = None if timestamp is None else check_timestamp(timestamp)

    def range(self, row: bytes) -> Range:
        """Return the keys that this condition is about."""
        return Range.exact(row, self.family, self.qualifier, self.visibility, self.timestamp)

    def __repr__(self) -> str:
        """Show every part."""
        parts = f"{self.family!r}, {self.qualifier!r}, {self.visibility!r}"
        return f"Condition({parts}, value={self.value!r}, timestamp={self.timestamp})"


class ConditionalMutation:
    """Puts and deletes of one row that happen together, if every condition holds.

    >>> ConditionalMutation("job1", [Condition("lock")]).put("lock", "", "ann")
    ConditionalMutation(b'job1', 1 conditions, 1 cells)
    """

    def __init__(self, row: Text, conditions: Condition | Iterable[Condition] = ()) -> None:
        self.row = to_bytes(row, what="row", error=InvalidKey)
        self.conditions = _read_conditions(conditions)
        self._mutations = Mutations()

    def put(
        self,
        family: Text = b"",
        qualifier: Text = b"",
        value: Text = b"",
        *,
        visibility: Label = b"",
        timestamp: int | None = None,
    ) -> ConditionalMutation:
        """Add a put and return self."""
        self._mutations.put(
            self.row, family, qualifier, value, visibility=visibility, timestamp=timestamp
        )
        return self

    def delete(
        self,
        family: Text = b"",
        qualifier: Text = b"",
        *,
        visibility: Label = b"",
        timestamp: int | None = None,
    ) -> ConditionalMutation:
        """Add a delete marker and return self."""
        self._mutations.delete(
            self.row, family, qualifier, visibility=visibility, timestamp=timestamp
        )
        return self

    def batch(self) -> MutationBatch:
        """Return what is to be written."""
        return self._mutations.batch()

    def __repr__(self) -> str:
        """Show the row and how much hangs on it."""
        counts = f"{len(self.conditions)} conditions, {len(self._mutations)} cells"
        return f"ConditionalMutation({self.row!r}, {counts})"


def _read_conditions(given: Any) -> tuple[Condition, ...]:
    listed = tuple(given) if isinstance(given, Iterable) else (given,)
    for item in listed:
        if not isinstance(item, Condition):
            raise InvalidValue(
                f"a condition is a Condition, not {type(item).__name__}: {show(item)}",
                hint="Write Condition(family, qualifier, value=...); without a value it must be "
                "absent.",
            )
    return listed


def judge(
    mutation: ConditionalMutation,
    writer: Authorizations | All,
    default_visibility: bytes,
    first_cell: Callable[[Range], Cell | None],
) -> Outcome:
    """Say what the conditions allow: ACCEPTED, REJECTED or INVISIBLE_VISIBILITY.

    ``first_cell`` gives the first cell of a range as a scan by the writer sees it.
    """
    labels = LabelCache(writer, default_visibility)
    for condition in mutation.conditions:
        # The owner sees unparsable labels, yet no condition can be about one.
        label = condition.visibility
        if not (Visibility.is_valid(label) and labels.can_see(label)):
            return Outcome.INVISIBLE_VISIBILITY
    for condition in mutation.conditions:
        cell = first_cell(condition.range(mutation.row))
        if (None if cell is None else cell.value) != condition.value:
            return Outcome.REJECTED
    return Outcome.ACCEPTED
