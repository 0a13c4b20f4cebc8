"""Changing the rows of a table under a vertex or an edge.

Layer ``graph``. Each call is a commit of its own, or a step of the session's transaction. The
element must be there for the session. Visibilities are those of the element, unless others are
given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

from lexigraph.arguments import read_bool
from lexigraph.errors import LexigraphError, UsageError, ValidationError, show
from lexigraph.graph.read.records.row_tables import ROW, read_row_id
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.record_handle import Visible
from lexigraph.graph.write.records.given import (
    FREE,
    PropertyValue,
    fit,
    read_key,
    read_note,
    read_text,
    read_values,
)
from lexigraph.graph.write.records.given import value as given_value
from lexigraph.graph.write.rows_in import frame_columns, is_frame
from lexigraph.layout.records.under.changes import DeleteRows, PutRows, RowValue
from lexigraph.layout.write.record_commit import RecordsStored
from lexigraph.schema.keys import label_of, time_of

if TYPE_CHECKING:
    from lexigraph.layout.records.write.changes import RecordChange

ROWS = "rows"
"""What deleted rows are counted under."""
_AS_THEY_ARE = frozenset((str, int, float, bool, bytes))
"""Types whose values are stored as themselves."""


class TableChanges:
    """The changes of one table under one element."""

    _element: Any
    _name: str

    def add(
        self,
        row: Any,
        values: Mapping[str, Any],
        *,
        visibility: Visible | None = None,
        time: Any = None,
        note: Any = None,
    ) -> Self:
        """Add a row, or update it: columns that are not given stay.

        A value may have a visibility, a key or a time of its own: ``lg.value(3, visibility="hr")``.
        """
        self.add_rows([(row, values)], visibility=visibility, time=time, note=note)
        return self

    def add_rows(
        self,
        rows: Any,
        *,
        row: str = ROW,
        visibility: Visible | None = None,
        time: Any = None,
        note: Any = None,
    ) -> int:
        """Add many rows in one commit; return how many were given.

        Rows are a mapping of ids to values, pairs of both, dicts, or a data frame. In dicts and
        frames the id stands under the name ``row``.
        """
        given, ids = _GivenRows(), read_text(row, "the name of the column of ids")
        if is_frame(rows):
            given.take_columns(frame_columns(rows), ids)
        else:
            given.take_rows(_pairs(rows, ids))
        if given.ids:
            self._store(
                PutRows(
                    subject=self._element._subject,
                    table=self._name,
                    ids=given.ids,
                    columns=given.columns,
                    values=tuple(given.values),
                    visibility=_optional(visibility),
                    **_dated(time, note),
                )
            )
        else:
            self._element._session._check_writer()
        return len(given.ids)

    def set(
        self,
        row: Any,
        column: str,
        value: Any,
        *,
        visibility: Visible | None = None,
        key: str | None = None,
        time: Any = None,
        note: Any = None,
    ) -> Self:
        """Set one value of a row. ``key`` tells several values of a column apart."""
        named = read_text(column, "the name of a column")
        if value is None:
            raise UsageError(
                f"None is not a value of {named!r}",
                hint="To delete the value, write .delete(row, column).",
            )
        wrapped = given_value(value, key=key) if key is not None else value
        return self.add(row, {named: wrapped}, visibility=visibility, time=time, note=note)

    def delete(
        self,
        row: Any,
        column: str | None = None,
        *,
        key: str | None = None,
        visibility: Visible | None = None,
        hard: bool = False,
        time: Any = None,
        note: Any = None,
    ) -> DeleteReport:
        """Delete a row as far as the session can read it, or one column of it.

        As-of questions still see it, unless ``hard`` is true. Returns how many rows lost something.
        """
        return self._deleted(
            DeleteRows(
                subject=self._element._subject,
                table=self._name,
                rows=(read_row_id(row),),
                column=None if column is None else read_text(column, "the name of a column"),
                key=read_key(key),
                visibility=_optional(visibility),
                hard=read_bool(hard, "hard"),
                **_dated(time, note),
            )
        )

    def drop(
        self,
        *,
        visibility: Visible | None = None,
        hard: bool = False,
        time: Any = None,
        note: Any = None,
    ) -> DeleteReport:
        """Delete all rows of the table as far as the session can read them, cell by cell."""
        return self._deleted(
            DeleteRows(
                subject=self._element._subject,
                table=self._name,
                visibility=_optional(visibility),
                hard=read_bool(hard, "hard"),
                **_dated(time, note),
            )
        )

    def _deleted(self, change: DeleteRows) -> DeleteReport:
        done = self._store(change)
        return DeleteReport({ROWS: done.report.deleted_rows}, timestamp=done.timestamp)

    def _store(self, change: RecordChange) -> RecordsStored:
        done: RecordsStored = self._element._session._records().apply(change)
        return done


class _GivenRows:
    """Rows as they are given, by column."""

    def __init__(self) -> None:
        self.ids: list[Any] = []
        self.columns: dict[str, list[Any]] = {}
        self.values: list[RowValue] = []

    def take_columns(self, columns: Mapping[str, list[Any]], ids: str) -> None:
        """Take a frame, of which one column has the ids."""
        if ids not in columns:
            raise UsageError(
                f"the frame has no column {ids!r} for the ids of rows",
                hint=f"Name it with row=, one of: {', '.join(columns)}.",
            )
        self.ids = [_row_id(one, number) for number, one in enumerate(columns[ids])]
        for name, values in columns.items():
            if name != ids:
                self.columns[name] = [None] * len(self.ids)
                for number, one in enumerate(values):
                    self._take(number, name, one)

    def take_rows(self, rows: Iterable[tuple[Any, Any]]) -> None:
        """Take rows one after another."""
        listed = list(rows)
        self.ids = [_row_id(one, number) for number, (one, _) in enumerate(listed)]
        for number, (_, values) in enumerate(listed):
            if not isinstance(values, Mapping):
                raise UsageError(
                    f"row {number} is a mapping of columns to values, not {show(values)}",
                    hint='Write .add("r1", {"place": "Oslo"}).',
                )
            for name, one in values.items():
                if name not in self.columns:
                    self.columns[read_text(name, "the name of a column")] = [None] * len(listed)
                self._take(number, name, one)

    def _take(self, number: int, name: str, one: Any) -> None:
        if one is None or type(one) in _AS_THEY_ARE:
            self.columns[name][number] = one
            return
        several = isinstance(one, list | tuple) and any(isinstance(x, PropertyValue) for x in one)
        try:
            if several or isinstance(one, PropertyValue):
                found = read_values(name, one, None)
                self.values += [RowValue(row=number, value=each) for each in found]
            else:
                self.columns[name][number] = fit(FREE, one)
        except LexigraphError as error:
            raise _misfit(self.ids[number], number, name, error) from None


def _row_id(given: Any, number: int) -> Any:
    try:
        return read_row_id(given)
    except LexigraphError as error:
        raise _misfit(given, number, ROW, error) from None


def _misfit(row: Any, number: int, name: str, error: LexigraphError) -> ValidationError:
    return ValidationError(
        f"row {number}, {show(row)}: {name!r}: {error.args[0]}",
        element=number,
        property=name,
        reason=str(error.args[0]),
    )


def _pairs(rows: Any, named: str) -> Iterator[tuple[Any, Any]]:
    if isinstance(rows, Mapping):
        yield from rows.items()
        return
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise UsageError(
            f"rows are a mapping, pairs, dicts or a data frame, not {show(rows)}",
            hint='Write .add_rows({"r1": {"place": "Oslo"}}).',
        )
    for number, one in enumerate(rows):
        if isinstance(one, Mapping):
            if named not in one:
                raise UsageError(
                    f"row {number} has no {named!r}, which is its id",
                    hint="Name what the ids stand under with row=.",
                )
            yield one[named], {name: value for name, value in one.items() if name != named}
        elif isinstance(one, tuple | list) and len(one) == 2:
            yield one[0], one[1]
        else:
            raise UsageError(f"row {number} is a dict, or an id and its values, not {show(one)}")


def _optional(visibility: Visible | None) -> bytes | None:
    return None if visibility is None else label_of(visibility)


def _dated(time: Any, note: Any) -> dict[str, Any]:
    return {"time": None if time is None else time_of(time), "note": read_note(note)}
