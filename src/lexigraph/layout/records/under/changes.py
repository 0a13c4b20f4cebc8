"""Changes of rows of tables under an element; kinds of the closed type of record changes.

Layer ``layout``. Many rows come by column. ``visibility`` ``None`` is that of the element as the
caller sees it, ``time`` ``None`` that of the commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject

if TYPE_CHECKING:
    from lexigraph.layout.records.write.changes import GivenValue


@dataclass(frozen=True, slots=True, kw_only=True)
class RowValue:
    """A value of one row that says more than itself; ``row`` is its number among the ids."""

    row: int
    value: GivenValue


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRows:
    """Add rows to a table, or update them: columns that are not given stay.

    ``columns`` has a value for each of the ``ids``; ``None`` writes nothing.
    """

    subject: VertexSubject | EdgeSubject
    table: str
    ids: Sequence[Any]
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    values: tuple[RowValue, ...] = ()
    visibility: bytes | None = None
    time: int | None = None
    note: Any = None

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteRows:
    """Delete what the caller can read of some rows of a table; of all, if ``rows`` is ``None``.

    With a ``column``, ``key`` or ``visibility`` only the cells that have it.
    """

    subject: VertexSubject | EdgeSubject
    table: str
    rows: tuple[Any, ...] | None = None
    column: str | None = None
    key: bytes | None = None
    visibility: bytes | None = None
    hard: bool = False
    time: int | None = None
    note: Any = None
