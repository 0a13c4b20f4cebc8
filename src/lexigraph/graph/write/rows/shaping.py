"""Columns of a frame as the columns of a group: renamed, left out, and read as the group's types.

Layer ``graph``. What is wrong with a whole column is an error that names the column and what to
pass; what is wrong with one value belongs to its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from itertools import islice
from typing import Any

from lexigraph.errors import UsageError, nearest, show
from lexigraph.graph.write.rows.files import TEXT
from lexigraph.graph.write.rows.options import NO_OPTIONS, RowOptions, in_zone
from lexigraph.graph.write.rows.text import read_text
from lexigraph.graph.write.rows.values import reader_of
from lexigraph.graph.write.rows.zones import localise
from lexigraph.graph.write.rows_in import RowClass
from lexigraph.schema import Group
from lexigraph.schema.keys import EDGE_FIELD
from lexigraph.schema.model import EDGE, ONE

_PARSED = {
    "date": (
        "dates",
        "Read text of a CSV file by its path, or convert it: in pandas "
        "pandas.to_datetime(frame[{0}]).dt.date, in Polars polars.col({0}).str.to_date()",
    ),
    "datetime": (
        "moments",
        "Read text of a CSV file by its path, or convert it: in pandas "
        "pandas.to_datetime(frame[{0}], utc=True), in Polars polars.col({0}).str.to_datetime()",
    ),
}
"""Types that a frame may hold as text: what they are called, and how libraries convert them."""


_UTC = ("UTC", "Etc/UTC")


@dataclass(slots=True)
class Shaped:
    """A table with the columns of a group, and the rows of it whose values could not be read."""

    table: Any
    bad: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Of each such row, the first field that does not fit, and why."""
    raw: Any = None
    """The table as it was, to show those rows."""


class Shaping:
    """Makes the rows of one call rows of a group."""

    def __init__(self, group: Group, of: RowClass, options: RowOptions = NO_OPTIONS) -> None:
        self.group, self.of, self.options = group, of, options
        self._codecs = {name: kind.codec for name, kind in group.ids.items()}
        self._codecs |= {one.name: one.type.codec for one in group.properties}
        if group.visibility is not None:
            self._codecs[group.visibility] = "str"
        self._known = {*self._codecs, "group", *(["directed"] if group.kind == EDGE else [])}
        if group.kind == EDGE:
            self._codecs.setdefault("directed", "bool")
        if group.kind == EDGE and group.record is not None:
            # The id of an edge, where it says one.
            self._known.add(EDGE_FIELD)
            own = group.record.edge_id
            self._codecs.setdefault(EDGE_FIELD, "any" if own is None else own.codec)
        found = {name: reader_of(codec) for name, codec in self._codecs.items()}
        self.readers = {name: one for name, one in found.items() if one is not None}
        """What reads the values of columns whose types Arrow does not have."""
        self._zone = options.zone
        # What the class of the caller calls its fields.
        self._own = {name: at for at, name in of.names.items()}
        fields = self._fields()
        for name in options.columns.values():
            if name not in fields and name not in self._known:
                raise UsageError(
                    f"columns maps to {name!r}, which is not a field of {group.name!r}",
                    near=nearest(name, fields),
                    hint=f"Its fields are: {', '.join(fields)}.",
                )

    def _fields(self) -> list[str]:
        return sorted(self._own.get(name, name) for name in self._known - {"group"})

    def names(self, given: list[str]) -> list[str | None]:
        """Return the field that each column is; ``None`` for columns to leave out."""
        mapped = self.options.columns
        for name in mapped:
            if name not in given:
                raise UsageError(
                    f"columns names {name!r}, which is not a column",
                    near=nearest(name, given),
                    hint=f"The columns are: {', '.join(given)}.",
                )
        targets = set(self.of.schema_names(mapped.values()))
        found: list[str | None] = []
        extra = []
        for name in given:
            [known] = self.of.schema_names([mapped.get(name, name)])
            taken = name not in mapped and known in targets
            if known in self._known and not (taken and self.options.ignore_extra):
                found.append(known)
            else:
                found.append(None)
                extra.append(name)
        if extra and not self.options.ignore_extra:
            raise self._extra(extra, {one for one in found if one is not None})
        kept = [mapped.get(name, name) for name, known in zip(given, found, strict=True) if known]
        self.of.schema_names(kept)
        self._check_missing(given, found)
        return found

    def _check_missing(self, given: list[str], found: list[str | None]) -> None:
        """Refuse a table without a column that every row needs: all of its rows would be wrong."""
        special = {self.group.visibility, self.group.timestamp}
        needed = [
            one.name
            for one in self.group.properties
            if not one.type.optional and one.name not in special and one.cardinality == ONE
        ]
        missing = [
            self._own.get(name, name)
            for name in (*self.group.ids, *needed)
            if name not in found and name not in self.of.defaults
        ]
        if missing:
            raise UsageError(
                f"there is no column for {', '.join(map(repr, missing))} of {self.group.name!r}",
                hint=f"The columns are: {', '.join(map(show, given))}. Rename one, "
                f'or pass columns={{"its name": "{missing[0]}"}}.',
            )

    def table(self, table: Any) -> Shaped:
        """Return a table whose columns have been named, with values of the types of the group."""
        is_text = (
            import_module("pyarrow").types.is_string if table.schema.metadata == TEXT else None
        )
        shaped = Shaped(table, raw=table)
        for at, name in enumerate(table.column_names):
            codec = self._codecs.get(name)
            column = table.column(at)
            if codec is None or column.null_count == len(column):
                continue
            # Defaults of the class are columns too, and have their types.
            read_by = self._text if is_text and is_text(column.type) else self._typed
            read, bad = read_by(column, name, codec)
            if read is not column:
                shaped.table = shaped.table.set_column(at, name, read)
            # If no row may be skipped, the first of each column is enough: it ends the call.
            for row, reason in bad if self.options.skip_invalid else islice(bad, 1):
                shaped.bad.setdefault(row, (name, reason))
        return shaped

    def row(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row as one of the group; a dict may leave out any of its columns."""
        options = self.options
        mapped = {options.columns.get(name, name): one for name, one in given.items()}
        if len(mapped) < len(given):
            # What is called so already gives place to what was mapped to its name.
            mapped.update((options.columns[n], given[n]) for n in options.columns if n in given)
        row = self.of.row(mapped)
        if options.ignore_extra:
            row = {name: one for name, one in row.items() if name in self._known}
        for name, value in row.items() if self._zone or options.truncate_to_date else ():
            if not isinstance(value, datetime):
                continue
            codec = self._codecs.get(name)
            if codec == "date" and options.truncate_to_date:
                row[name] = value.date()
            elif codec == "datetime" and self._zone is not None and value.tzinfo is None:
                row[name] = in_zone(value, self._zone) or value
        return row

    def fix(self, name: str | None, row: Mapping[str, Any]) -> str | None:
        """Return what to pass if a value of a row needs only that to fit."""
        value, codec = row.get(name or ""), self._codecs.get(name or "")
        if name is not None and name not in self._known:
            return f"Map {name!r} with columns=, pass ignore_extra=True to leave it out"
        if isinstance(value, datetime) and codec == "date":
            return "Pass truncate_to_date=True to take its day, convert it"
        if isinstance(value, datetime) and codec == "datetime" and value.tzinfo is None:
            return 'Pass assume_timezone="UTC" (or the zone that it is in), convert it'
        return None

    def caller_name(self, field: str) -> str:
        """Return what the caller calls a field."""
        for name, known in self.options.columns.items():
            if self.of.names.get(known, known) == field:
                return name
        return field

    def _text(self, column: Any, name: str, codec: str) -> tuple[Any, Iterable[tuple[int, str]]]:
        options = self.options
        return read_text(
            column,
            codec,
            timezone=options.timezone,
            truncate_to_date=options.truncate_to_date,
            name=self.caller_name(name),
        )

    def _typed(self, column: Any, name: str, codec: str) -> tuple[Any, Iterable[tuple[int, str]]]:
        pa, pc = import_module("pyarrow"), import_module("pyarrow.compute")
        kind = column.type
        if codec == "int" and pa.types.is_floating(kind):
            called = show(self.caller_name(name))
            raise self._wrong(
                name,
                "floats",
                "whole numbers",
                "pandas makes floats of whole numbers with gaps: pass "
                f'frame.astype({{{called}: "Int64"}})',
            )
        if codec in _PARSED and _is_text(pa, kind):
            called = show(self.caller_name(name))
            raise self._wrong(name, "text", _PARSED[codec][0], _PARSED[codec][1].format(called))
        if codec == "datetime" and _holds_naive(pa, kind):
            # pandas has no lists of moments in a zone.
            if self.options.timezone not in _UTC:
                raise self._wrong(
                    name,
                    "lists of timestamps without a time zone",
                    "moments",
                    'If they are in UTC, as to_pandas gives them, pass assume_timezone="UTC"',
                )
            return column.cast(pa.list_(pa.timestamp("us", "UTC"))), ()
        if not pa.types.is_timestamp(kind):
            return column, ()
        if codec == "date":
            if not self.options.truncate_to_date:
                raise self._wrong(
                    name, "timestamps", "dates", "Pass truncate_to_date=True to take their days"
                )
            local = column if kind.tz is None else pc.local_timestamp(column)
            return local.cast(pa.date32(), safe=False), ()
        if codec == "datetime" and kind.tz is None:
            if self.options.timezone is None:
                raise self._wrong(
                    name,
                    "timestamps without a time zone",
                    "moments",
                    'Pass assume_timezone="UTC", or the zone that they are in',
                )
            return localise(column.combine_chunks(), self.options.timezone)
        return column, ()

    def _wrong(self, name: str, held: str, wanted: str, fix: str) -> UsageError:
        return UsageError(
            f"column {self.caller_name(name)!r} holds {held}, and {name!r} of "
            f"{self.group.name!r} holds {wanted}",
            hint=f"{fix}, or convert the column first.",
        )

    def _extra(self, extra: list[str], filled: set[str]) -> UsageError:
        fields = self._fields()
        taken = {self._own.get(name, name) for name in filled}
        free = [one for one in fields if one not in taken and one != "directed"]
        guesses = {name: one for name in extra for one in _alike(name, free)[:1]}
        pair = ", ".join(f'{show(name)}: "{one}"' for name, one in guesses.items())
        pair = pair or '"its name": "a field"'
        unfilled = f"No column fills: {', '.join(free)}. " if free else ""
        several = len(extra) > 1
        return UsageError(
            f"{'columns' if several else 'column'} {', '.join(map(show, extra))} "
            f"{'are not fields' if several else 'is not a field'} of {self.group.name!r}",
            near=list(guesses.values()) or None,
            hint=f"Its fields are: {', '.join(fields)}. {unfilled}Map a column with "
            f"columns={{{pair}}}, or pass ignore_extra=True "
            "to leave such columns out.",
            extra=extra,
        )


def _holds_naive(pa: Any, kind: Any) -> bool:
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    return is_list and pa.types.is_timestamp(kind.value_type) and kind.value_type.tz is None


def _is_text(pa: Any, kind: Any) -> bool:
    tests = ("is_string", "is_large_string", "is_string_view")
    return any(getattr(pa.types, one, lambda _: False)(kind) for one in tests)


def _alike(name: str, fields: list[str]) -> list[str]:
    """Return the fields that a column may be: it names one among its words, or nearly is one.

    >>> _alike("amount_eur", ["amount", "payments"]), _alike("payment_id", ["payments"])
    (['amount'], [])
    """
    from difflib import get_close_matches

    words = name.lower().replace("-", "_").replace(" ", "_").split("_")
    return [one for one in fields if one.lower() in words] or get_close_matches(
        name.lower(), fields, cutoff=0.8
    )
