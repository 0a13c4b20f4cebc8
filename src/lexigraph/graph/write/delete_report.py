"""What a delete removed: a number of elements that also says which groups, cells and commit.

Layer ``graph``. It is an ``int``, so code that only counts needs to know nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self


class DeleteReport(int):
    """How many elements a delete removed; compares, adds and prints as that number.

    >>> report = DeleteReport({"Calls": 2, "Person": 1}, cells=5, timestamp=7)
    >>> report == 3, f"{report} are gone", sum([report, report])
    (True, '3 are gone', 6)
    >>> report
    DeleteReport(deleted=3, groups={'Calls': 2, 'Person': 1}, cells=5, timestamp=7)
    """

    groups: Mapping[str, int]
    """How many elements of each group were deleted."""
    cells: int
    """How many stored columns they had: one for each row and label of an element."""
    timestamp: int | None
    """The commit, in microseconds; ``None`` if nothing was written, or if it is still to come."""

    def __new__(
        cls,
        groups: Mapping[str, int] | None = None,
        *,
        cells: int = 0,
        timestamp: int | None = None,
    ) -> Self:
        """Count the elements of all groups."""
        held = {name: count for name, count in (groups or {}).items() if count}
        made = super().__new__(cls, sum(held.values()))
        made.groups = MappingProxyType(held)
        made.cells, made.timestamp = cells, timestamp
        return made

    @property
    def deleted(self) -> int:
        """How many elements were deleted, as the caller sees them."""
        return int(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy it whole."""
        return _remake, (dict(self.groups), self.cells, self.timestamp)

    def __str__(self) -> str:
        """Show the number."""
        return int.__repr__(self)

    def __repr__(self) -> str:
        """Show everything."""
        return (
            f"DeleteReport(deleted={int.__repr__(self)}, groups={dict(self.groups)!r}, "
            f"cells={self.cells}, timestamp={self.timestamp})"
        )


def _remake(groups: dict[str, int], cells: int, timestamp: int | None) -> DeleteReport:
    return DeleteReport(groups, cells=cells, timestamp=timestamp)
