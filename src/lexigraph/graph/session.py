"""Reading and writing a graph as somebody: everything goes through a session.

Layer ``graph``. A session holds authorizations, which were checked against the grants when it was
made, and hands them to every plan and write. It has no way to count or name what it cannot read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from lexigraph.arguments import read_bool
from lexigraph.errors import NotGranted, ReadOnly, UsageError, show
from lexigraph.graph.changes.feed import ChangeFeed, refuse_changes
from lexigraph.graph.handles import EdgeOfRecords, TableOfRows, VertexOfRecords
from lexigraph.graph.questions import Questions
from lexigraph.graph.users import NOBODY, User
from lexigraph.graph.write.add import Adder, AddReport
from lexigraph.graph.write.delete import Deleter, refuse_parts, sets_of
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.load import Loader
from lexigraph.graph.write.records.deleting import record_deletes
from lexigraph.graph.write.records.editing import RecordEditor, RecordSink
from lexigraph.graph.write.records.loading import RecordLoader
from lexigraph.graph.write.records.metadata import GraphMetadata
from lexigraph.graph.write.records.options import (
    NO_RECORD_OPTIONS,
    RecordOptions,
    read_properties,
)
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.graph.write.rows_in import group_of_frame
from lexigraph.layout.write.given import iter_given
from lexigraph.layout.write.record_commit import RecordCommit
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.schema.keys import time_of
from lexigraph.security import All, Visibility
from lexigraph.store.load_files import LOAD_MEMORY_BYTES, LoadFiles
from lexigraph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from lexigraph.graph.access import Access
    from lexigraph.graph.moments import PastSession, SnapshotSession, TransactionSession

READER, WRITER = "reader", "writer"


class Session(Questions):
    """A graph as one reader sees it.

    Vertices are passed as their ids. A list, a column or any other collection means several ids,
    but a tuple is one id.
    """

    _vertex_handle = VertexOfRecords
    _edge_handle = EdgeOfRecords
    _table_handle = TableOfRows

    def __init__(
        self,
        access: Access,
        authorizations: Iterable[str | bytes] | All,
        *,
        role: str = READER,
        own_labels: bool = False,
        timeout_s: float | None = None,
        snapshot: Snapshot | None = None,
        who: User = NOBODY,
    ) -> None:
        if role not in (READER, WRITER):
            raise UsageError(f"a role is {READER!r} or {WRITER!r}, not {show(role)}")
        super().__init__(access, authorizations, timeout_s=timeout_s, snapshot=snapshot)
        self._role, self._own_labels, self._who = role, own_labels, who

    @property
    def user(self) -> str | None:
        """The id of its user, if it was given one."""
        return self._who.id

    @property
    def operation_authorizations(self) -> frozenset[str]:
        """What its user may do, by name; the session does not check them."""
        return self._who.operation_authorizations

    def add(
        self,
        elements: Any,
        *,
        group: Any = None,
        columns: Mapping[str, str] | None = None,
        ignore_extra: bool = False,
        assume_timezone: str | tzinfo | None = None,
        truncate_to_date: bool = False,
        skip_invalid: bool = False,
        visibility: str | bytes | None = None,
        replace: bool = False,
        new: bool = False,
        blind: bool = False,
        time: Any = None,
        note: Any = None,
    ) -> AddReport:
        """Add elements: any iterable of them, even an endless one, or rows of ``group``.

        Rows are a data frame, the path of a CSV or Parquet file, or dicts without a group. Fields
        without a column get the default of the class. ``columns`` maps columns to fields:
        ``{"payer": "source"}``. With ``ignore_extra``, columns that are not fields are ignored.
        ``assume_timezone`` is the zone of times without one; with ``truncate_to_date``, times
        become dates if the field is a date.

        Records and elements of summary groups may be mixed. A record whose id is there is updated:
        what is not given stays, and with ``replace`` is deleted. ``visibility`` and ``time`` are
        for those that do not say it themselves. ``new`` refuses ids that the session can read;
        ``blind`` does not look first, for ids that are certainly new. ``note`` is for the history.

        The first invalid element raises ValidationError, which says which one and why. With
        ``skip_invalid`` the others are stored, and the report has the reasons. If an exception ends
        an add early, even Ctrl-C, its ``add_report`` is the report of what was stored.
        """
        self._check_writer()
        options = RowOptions.read(
            columns=columns,
            ignore_extra=ignore_extra,
            assume_timezone=assume_timezone,
            truncate_to_date=truncate_to_date,
            skip_invalid=skip_invalid,
        )
        how = RecordOptions.read(
            visibility=visibility, time=time, note=note, replace=replace, new=new, blind=blind
        )
        given = self._access.renamed(elements)
        return self._add(given, self._access.class_of(group), options, how)

    def _add(self, elements: Any, group: Any, options: RowOptions, how: RecordOptions) -> AddReport:
        records = None if self._access.stored.records is None else self._records()
        adder = Adder(self._writer(), records=records, how=how)
        return adder.add(elements, group=group, options=options)

    def add_vertex(
        self,
        id: Any = None,  # noqa: A002 - the word for it
        /,
        *labels: Any,
        visibility: str | bytes | None = None,
        replace: bool = False,
        new: bool = False,
        blind: bool = False,
        time: Any = None,
        note: Any = None,
        properties: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> Any:
        """Add a vertex of records, or update it; return its id, generated if none is given.

        Labels are classes or names. Properties are keywords; those that are called as an option
        go into ``properties``. The options are those of ``add``.
        """
        how = RecordOptions.read(
            visibility=visibility, time=time, note=note, replace=replace, new=new, blind=blind
        )
        editor = self._records()
        change = editor.fitter.vertex(id, labels, read_properties(properties, named), how)
        editor.apply(change)
        return change.id

    def add_edge(
        self,
        source: Any,
        label: Any,
        destination: Any,
        /,
        *,
        id: Any = None,  # noqa: A002 - the word for it
        directed: bool | None = None,
        visibility: str | bytes | None = None,
        replace: bool = False,
        new: bool = False,
        blind: bool = False,
        time: Any = None,
        note: Any = None,
        properties: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> Any:
        """Add an edge of records, or update the one with this id; return its id.

        Without an id there is a new edge, beside those between the same vertices. It is directed,
        unless its class or ``directed`` says otherwise. The options are those of ``add_vertex``.
        """
        how = RecordOptions.read(
            visibility=visibility, time=time, note=note, replace=replace, new=new, blind=blind
        )
        said = None if directed is None else read_bool(directed, "directed")
        editor = self._records()
        given = read_properties(properties, named)
        change = editor.fitter.edge(source, label, destination, id, given, how, directed=said)
        editor.apply(change)
        return change.id

    @property
    def metadata(self) -> GraphMetadata:
        """The metadata of the graph: values by key, which belong to no element."""
        return GraphMetadata(self)

    def _records(self) -> RecordEditor:
        self._check_writer()
        return RecordEditor(self._access, self._record_sink(), self._check_labels)

    def _record_sink(self) -> RecordSink:
        return RecordCommit(self._access.stored, self._authorizations)

    def _refuse_in_transaction(self, what: str) -> None:
        """Raise in a session that cannot change something which belongs to no element."""

    def load(
        self,
        frames: Any,
        *,
        group: Any = None,
        columns: Mapping[str, str] | None = None,
        ignore_extra: bool = False,
        assume_timezone: str | tzinfo | None = None,
        truncate_to_date: bool = False,
        skip_invalid: bool = False,
        memory_limit_bytes: int = LOAD_MEMORY_BYTES,
        files: LoadFiles | None = None,
        progress: Callable[[int, int], object] | None = None,
        visibility: str | bytes | None = None,
        time: Any = None,
        note: Any = None,
        blind: bool = False,
    ) -> AddReport:
        """Store many rows in one commit: a data frame, a CSV or Parquet file, or several of them.

        All rows are elements of ``group``; the options for rows are those of ``add``. They are
        sorted on disk and stored together, or not at all: the first invalid row raises
        ValidationError, unless ``skip_invalid`` is set. ``files`` sets how many files a cluster
        imports. ``progress`` is called with the number of cells read and written so far.

        A load of records does not look at what is stored: it is for new ids, each once, and for
        edges that keep their shape. ``visibility``, ``time`` and ``note`` are for records, and for
        rows that do not say them. Multiplicity is not checked, so edges of a class that declares
        one are refused, unless ``blind`` promises that the rows keep it.
        """
        self._check_writer()
        how = RecordOptions.read(visibility=visibility, time=time, note=note, blind=blind)
        options = RowOptions.read(
            columns=columns,
            ignore_extra=ignore_extra,
            assume_timezone=assume_timezone,
            truncate_to_date=truncate_to_date,
            skip_invalid=skip_invalid,
        )
        given, stored = self._access.class_of(group), self._access.stored
        named = stored.schema.group(group_of_frame(frames, given, stored.schema))
        loader: Loader | RecordLoader
        if named.record is not None:
            loader = RecordLoader(self._writer(), how, learns=self._access.learns)
        elif how == NO_RECORD_OPTIONS:
            loader = self._loader()
        else:
            raise UsageError(
                f"options for records were given, and {named.name!r} is a summary group",
                hint="Leave visibility, time, note and blind out.",
            )
        return loader.load(
            frames,
            given,
            options,
            progress,
            self._authorizations,
            memory_limit_bytes=memory_limit_bytes,
            files=files,
        )

    def _loader(self) -> Loader:
        return Loader(self._writer())

    def delete(
        self, elements: Any, *, visibility: str | bytes | None = None, hard: bool = False
    ) -> DeleteReport:
        """Delete elements by their identity; return how many were deleted.

        Records are deleted with what belongs to them; their history stays, unless ``hard`` is true.

        If an element leaves out a group-by property, elements with any value of it are deleted.
        ``visibility`` limits the delete to one label; without it, elements are deleted under all
        labels that the session can read. All elements are deleted in one commit, or none. A cluster
        deletes row by row: if it fails, the error says how many elements were deleted, and the same
        delete again removes the rest.
        """
        self._check_writer()
        if visibility is None:
            refuse_parts(elements)
        deleter = Deleter(self._access.stored, self._authorizations)
        scope = self._scope()
        sets = None if visibility is not None else sets_of(elements, scope)
        if sets is not None:
            return deleter.delete_sets(sets, scope)
        given, records = self._split(elements, visibility, hard=hard)
        if records is not None:
            return records
        return deleter.delete(given, visibility=visibility)

    def _split(
        self, elements: Any, visibility: str | bytes | None, *, hard: bool
    ) -> tuple[Any, DeleteReport | None]:
        """Delete elements if they are records; return them if they are not."""
        if self._access.stored.records is None:
            if read_bool(hard, "hard"):
                raise UsageError(
                    "hard=True is for records, and the graph has none",
                    hint="Leave hard out. To remove what deletes leave, use graph.admin.erase.",
                )
            return self._access.renamed(elements), None
        listed = list(iter_given(self._access.renamed(elements)))
        found = record_deletes(self._records(), listed, visibility, hard=hard)
        return listed, found

    def transaction(self) -> TransactionSession:
        """Start a transaction: reads and writes together or not at all; use ``with``."""
        self._check_writer()
        from lexigraph.graph.moments import TransactionSession

        return TransactionSession(
            self._access,
            self._authorizations,
            own_labels=self._own_labels,
            timeout_s=self._timeout_s,
            who=self._who,
        )

    def changes(self, name: str, *, after: str | None = None) -> ChangeFeed:
        """Return the changes that this session may know of, from a durable cursor of that name on.

        The first call makes the cursor, which starts at that moment and belongs to the
        authorizations of the session. Iterating yields what is not acknowledged by ``done`` yet.
        ``after`` is the ``cursor`` of a change, to go on from there in place of what the store
        knows. From the first cursor on, commits write a log; ``graph.admin.drop_cursor`` ends it.
        """
        if self._snapshot is not None:
            raise refuse_changes("a snapshot or a transaction")
        return ChangeFeed(self._access, self._authorizations, name, after)

    def _writer(self) -> Writer:
        stored = self._access.stored
        return Writer(stored, Commit(stored, self._authorizations), check=self._check_labels)

    def _check_labels(self, labels: Iterable[bytes]) -> None:
        held = self._authorizations
        if not self._own_labels or isinstance(held, All):
            return
        for label in labels:
            if not Visibility(label).evaluate(held):
                shown = label.decode("utf-8", "replace")
                raise NotGranted(
                    f"this session cannot read {shown!r}, so it may not write with that label",
                    hint="Use a label that its authorizations satisfy.",
                )

    def _check_writer(self) -> None:
        if self._role != WRITER:
            raise ReadOnly(
                "this session is read-only", hint='Ask the owner for a session with role="writer".'
            )

    def as_of(self, time: Any) -> PastSession:
        """Return a reader of the graph as it was at a time: a datetime, or microseconds since 1970.

        Facts that are newer are not there; what was removed since, and additional visibilities
        that are required now, apply to the past too. Groups whose elements merge refuse it.
        """
        from lexigraph.graph.moments import PastSession

        return PastSession(self, time_of(time))

    def snapshot(self) -> SnapshotSession:
        """Return a snapshot: all questions inside ``with`` see the graph at one moment."""
        from lexigraph.graph.moments import SnapshotSession

        return SnapshotSession(
            self._access,
            self._authorizations,
            self._access.engine.snapshot(),
            timeout_s=self._timeout_s,
            who=self._who,
        )

    def __repr__(self) -> str:
        """Show the graph and what may be seen."""
        shown = f"graph {self._access.name!r} as {self._authorizations!r}{self._who}"
        return f"<{self._role} of {shown}>"
