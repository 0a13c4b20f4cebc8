"""Adding elements: read, checked, merged in batches, and written batch by batch.

Layer ``graph``. A batch is stored whole or not at all. Memory does not grow with what is added, so
a generator may go on for ever. Whatever ends an add early says what was stored before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from lexigraph.errors import (
    ClusterError,
    LexigraphError,
    UnsupportedError,
    UsageError,
    ValidationError,
)
from lexigraph.graph.write.checking import Checking
from lexigraph.graph.write.records.editing import RecordEditor
from lexigraph.graph.write.records.options import NO_RECORD_OPTIONS, RecordOptions
from lexigraph.graph.write.records.together import VertexRows
from lexigraph.graph.write.rows.options import NO_OPTIONS, RowOptions
from lexigraph.graph.write.rows.shaping import Shaping
from lexigraph.graph.write.rows.sifting import Sifter
from lexigraph.graph.write.rows.skips import Skipped, Skips
from lexigraph.graph.write.rows_in import RowClass, group_of_frame, is_frame
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.records.write.changes import AddVertices
from lexigraph.layout.write.changes import Add
from lexigraph.layout.write.given import iter_given
from lexigraph.layout.write.record_commit import bound_records
from lexigraph.layout.write.writer import Writer
from lexigraph.schema import Group

BATCH_ELEMENTS = 20_000
BATCH_RECORDS = 5_000
"""How many records are written at once: others wait while their cells are made."""
BATCH_ROWS = 131_072
"""How many rows of a data frame are written at once: they take less memory than elements do."""


@dataclass(frozen=True, slots=True)
class AddReport:
    """What an add or a load stored and skipped.

    An exception that ends an add has it as the attribute ``add_report``.
    """

    added: int = 0
    """How many elements were stored, equal ones each counted."""
    skipped_count: int = 0
    skipped: tuple[Skipped, ...] = field(default=(), repr=False)
    """The first 1,000 of those that were skipped."""
    commits: int = 0
    timestamp: int | None = None
    """The last commit, in microseconds."""
    reasons: Mapping[str, int] = field(default_factory=dict, repr=False)
    """How many were skipped for each reason, the most frequent first."""
    second_visibility: int = field(default=0, repr=False)
    """How many records were there already, under other visibilities only: they now have both."""
    in_doubt: int = field(default=0, repr=False)
    """How many more were being written when the add was stopped, and may be stored."""

    __hash__ = None  # type: ignore[assignment]

    @staticmethod
    def of(skips: Skips | None, added: int, **facts: Any) -> AddReport:
        """Make the report of a call."""
        if skips is None:
            return AddReport(added, **facts)
        kept, reasons = tuple(skips.kept), skips.reasons()
        return AddReport(added, skips.count, kept, reasons=reasons, **facts)

    def __str__(self) -> str:
        """Show what was stored, and the most frequent reasons of what was skipped."""
        lines = [f"{self.added:,} added, {self.skipped_count:,} skipped"]
        lines += [f"  {count:,} x {reason}" for reason, count in list(self.reasons.items())[:10]]
        more = len(self.reasons) - 10
        return "\n".join([*lines, f"  and {more:,} more reasons"] if more > 0 else lines)

    def __len__(self) -> int:
        """Return how many were stored."""
        return self.added


class Adder:
    """Adds elements to one graph.

    >>> from lexigraph.layout.stored.graph import StoredGraph
    >>> from lexigraph.layout.write.sinks import Commit
    >>> from lexigraph.schema import Vertex, schema_of
    >>> from lexigraph.security import ALL
    >>> from lexigraph.store import MemoryEngine
    >>> class Person(Vertex, summary=True):
    ...     id: str
    >>> graph = StoredGraph.create(MemoryEngine(), "people", schema_of(Person))
    >>> adder = Adder(Writer(graph, Commit(graph, ALL)))
    >>> adder.add([Person("ann"), {"group": "Person", "vertex": "bob"}])
    AddReport(added=2, skipped_count=0, commits=1, timestamp=...)
    """

    def __init__(
        self,
        writer: Writer,
        *,
        batch_elements: int | None = None,
        records: RecordEditor | None = None,
        how: RecordOptions = NO_RECORD_OPTIONS,
    ) -> None:
        self.writer, self.stored, self.records, self.how = writer, writer.stored, records, how
        self._size = batch_elements or BATCH_ELEMENTS
        self._rows = batch_elements or BATCH_ROWS

    def add(
        self, elements: Any, *, group: Any = None, options: RowOptions = NO_OPTIONS
    ) -> AddReport:
        """Add elements, or the rows of a data frame or a file, or dicts, as elements of ``group``.

        The first that does not fit is a ValidationError, which says which one and why; nothing of
        its batch is stored. With ``skip_invalid`` the others are stored and the report has reasons.
        """
        adding = _Adding(self, options)
        try:
            if is_frame(elements):
                shaping = self._shaping(elements, group, options)
                sifter = Sifter(self.writer, shaping, adding.skips)
                for table in sifter.tables([elements], self._rows):
                    adding.take_batches(sifter.batches(table, adding.new_checking(), self._size))
            else:
                told = group is not None or options.changes_rows
                rows = self._shaping(elements, group, options) if told else None
                for item in self._rest(elements, rows, options, adding):
                    is_row = isinstance(item, Mapping) and "group" not in item
                    if rows and is_row:
                        adding.take({**rows.row(item), "group": rows.group.name}, rows)
                    else:
                        adding.take(item)
            adding.flush()
        except BaseException as error:
            adding.explain(error)
            raise
        return adding.report()

    def _rest(
        self, elements: Any, rows: Shaping | None, options: RowOptions, adding: _Adding
    ) -> Iterator[Any]:
        """Take rows of one class of vertices together; yield what has to come one by one."""
        plain = type(elements) in (list, tuple) and adding.skips is None
        if (
            rows is None
            or not plain
            or options.changes_rows
            or self.records is None
            or not VertexRows.fits(bound_records(self.stored), rows.group, self.how)
        ):
            yield from iter_given(elements)
            return
        together = VertexRows(bound_records(self.stored), rows.group, rows.of.names, self.how)
        for start in range(0, len(elements), BATCH_RECORDS):
            part = elements[start : start + BATCH_RECORDS]
            change = together.read(part)
            if change is None:
                yield from part
            else:
                adding.take_together(change)

    def _shaping(self, elements: Any, group: Any, options: RowOptions) -> Shaping:
        named = self.stored.schema.group(group_of_frame(elements, group, self.stored.schema))
        of = RowClass.of(group, named)
        if named.record is not None:
            if is_frame(elements):
                raise no_frames(named)
            # What is not given is not stored with a record: reading it shows the default.
            of = RowClass(names=of.names)
        elif self.how != NO_RECORD_OPTIONS and is_frame(elements):
            raise UsageError(
                f"options for records were given, and the rows are elements of {named.name!r}",
                hint="Leave visibility, time, note, replace, new and blind out.",
            )
        return Shaping(named, of, options)


def no_frames(group: Group) -> UnsupportedError:
    """Return the error for data frames and files of records."""
    return UnsupportedError(
        f"{group.name!r} is a group of records, which data frames and files cannot be added to yet",
        hint="Pass dicts: graph.add(frame.to_dicts(), group=...), or use load if all ids are new.",
    )


class _Adding:
    """One call of ``add``."""

    def __init__(self, adder: Adder, options: RowOptions) -> None:
        self._adder, self._stored, self._writer = adder, adder.stored, adder.writer
        self._records = adder.records
        self.skips = Skips() if options.skip_invalid else None
        self._checking = Checking(adder.stored)
        self._number = self._added = self._commits = self._writing = 0
        self._timestamp: int | None = None

    def new_checking(self) -> Checking:
        """Look at the clock: rules about age do so once for each batch."""
        self._checking = Checking(self._stored)
        return self._checking

    def take(self, item: Any, rows: Shaping | None = None) -> None:
        """Check an element and keep it for the next write."""
        number, self._number = self._number, self._number + 1
        try:
            if self._records is not None and self._records.fitter.is_record(item):
                self._records.take_element(item, number, self._adder.how)
            elif self.skips is None:
                item = self._summary(item, number)
                self._writer.take(self._checking.fit(item, number))
            else:
                fitted = self._checking.offer(self._summary(item, number))
                if not isinstance(fitted, Add):
                    self.skips.add(number, item, *fitted)
                    return
                self._writer.take(fitted)
        except UnsupportedError:
            raise
        except LexigraphError as error:
            if self.skips is None:
                if rows is not None and isinstance(error, ValidationError):
                    error.context["fix"] = rows.fix(error.property, item)
                raise
            self.skips.add_error(number, item, error)
            return
        records = 0 if self._records is None else self._records.held
        if self._held >= self._adder._size or records >= BATCH_RECORDS:
            self.flush()

    @property
    def _held(self) -> int:
        return self._writer.held + (0 if self._records is None else self._records.held)

    def _summary(self, item: Any, number: int) -> Any:
        how = self._adder.how
        if how == NO_RECORD_OPTIONS:
            return item
        return how.apply_to_summary(item, self._stored.schema, number)

    def take_together(self, change: AddVertices) -> None:
        """Write vertices that came together."""
        self.flush()
        if self._records is not None:
            self._number += len(change.ids)
            self._records.take_together(change)
            self._commit(self._writer.take_added(), len(change.ids))

    def take_batches(self, batches: Any) -> None:
        """Write the batches of a table."""
        for changed, count in batches:
            self._commit(changed, count)

    def flush(self) -> None:
        """Write what was kept."""
        if count := self._held:
            self._commit(self._writer.take_added(), count)
        self.new_checking()

    def report(self) -> AddReport:
        """Return what was stored so far."""
        return AddReport.of(
            self.skips,
            self._added,
            commits=self._commits,
            timestamp=self._timestamp,
            in_doubt=self._writing,
            second_visibility=(
                0 if self._records is None else self._records.report.second_visibility
            ),
        )

    def explain(self, error: BaseException) -> None:
        """Say on an error that ends the call what was stored before it."""
        stored = f"{self._added:,} elements were stored before it"
        if not self._added:
            stored = "Nothing was stored"
        if isinstance(error, LexigraphError) and not isinstance(error, ClusterError):
            # An engine that says why it refused a batch has stored nothing of it.
            self._writing = 0
        if self._writing:
            stored += f"; {self._writing:,} more were being written and may be stored"
        report = self.report()
        # What forbids attributes keeps the note alone.
        with suppress(AttributeError):
            error.add_report = report  # type: ignore[attr-defined]
        if isinstance(error, LexigraphError):
            error.context["stored"] = self._added
        if isinstance(error, ValidationError):
            fix = error.context.pop("fix", None) or "Fix the element and add it again"
            error.replace_hint(f"{fix}, or pass skip_invalid=True. {stored}.")
        else:
            error.add_note(f"{stored}.")

    def _commit(self, changed: Changed, count: int) -> None:
        self._writing = count
        if self._records is not None and self._records.held:
            self._timestamp = self._records.store(self._writer.checked(changed)).timestamp
        else:
            self._timestamp = self._writer.send(changed)
        self._writing = 0
        self._added += count
        self._commits += 1
