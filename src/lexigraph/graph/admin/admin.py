"""What only the owner of a graph may do: its schema, its tables, everything in it.

Layer ``graph``. Reached through ``graph.admin`` and nowhere else; counts what no session may see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

from lexigraph.arguments import read_bool, read_count
from lexigraph.errors import NotGranted, ReadOnly
from lexigraph.graph.admin.checks import check_graph
from lexigraph.graph.admin.erase import Eraser, EraseReport
from lexigraph.graph.admin.evolving import EvolveReport, try_evolve
from lexigraph.graph.admin.half_edges import HalfEdge, HalfEdges
from lexigraph.graph.admin.ids import claim_ids
from lexigraph.graph.admin.listening import Committed, Listening
from lexigraph.graph.admin.splits import apply_splits, sample_splits
from lexigraph.graph.admin.stats import GraphStats
from lexigraph.graph.admin.streams import AGE, collect_streams, verify_streams
from lexigraph.graph.changes.cursors import GraphCursor, list_cursors
from lexigraph.graph.element import as_instance, classes_in
from lexigraph.layout.log.rows import LogLimits
from lexigraph.layout.log.switching import check_logs, drop_cursor, set_limits
from lexigraph.plan.branches.present import Presenter
from lexigraph.schema import Schema, schema_of
from lexigraph.security import ALL, Authorizations
from lexigraph.store.checks import CheckReport
from lexigraph.store.reports import MergeReport

if TYPE_CHECKING:
    from lexigraph.graph.access import Access

OPEN_FOR_WRITING = "Open it without read_only=True to write."


class Admin:
    """The owner's view of one graph."""

    def __init__(self, access: Access, *, read_only: bool) -> None:
        self._access, self._read_only = access, read_only

    def stats(self) -> GraphStats:
        """Count what each table of the graph holds, as it is stored."""
        stored = self._access.stored
        tables = dict(stored.own_tables)
        beside = {"indexes": stored.index_table, "changes": stored.log.table}
        there = set(stored.all_tables())
        tables |= {name: table for name, table in beside.items() if table in there}
        if stored.streams.is_there():
            tables["records.streams"] = stored.streams.table
        return GraphStats({name: stored.engine.stats(table) for name, table in tables.items()})

    def compact(self, *, now: int | None = None) -> list[MergeReport]:
        """Merge all tables: combine elements, and remove those that can never be valid again.

        Removed are elements that break a rule about ids and group-by properties, such as an age-off
        by day, or a rule with ``remove=True``. Elements that break another rule stay hidden.
        ``now`` is the time for rules about age, in microseconds; the default is the engine's clock.
        """
        self._check_writable()
        stored = self._access.stored
        return [stored.engine.compact(table, now=now) for table in stored.all_tables()]

    def sample_splits(
        self,
        elements: Any,
        file: str | PathLike[str],
        *,
        count: int,
        group: Any = None,
        proportion: float = 0.01,
        validate: bool = True,
    ) -> int:
        """Write split points to a new file, chosen from a sample of the elements to be added.

        ``elements`` are what ``add`` takes. A share of their rows, ``proportion``, is read, and
        ``count`` split points are chosen so that about as many rows lie between any two of them.
        With ``validate`` an invalid element raises ValidationError, otherwise it is skipped.
        Returns how many split points the file has. Check the file, then pass it to
        ``apply_splits``.
        """
        return sample_splits(
            self._access.stored,
            elements,
            file,
            count=count,
            proportion=proportion,
            group=self._access.class_of(group),
            validate=read_bool(validate, "validate"),
        )

    def apply_splits(self, file: str | PathLike[str]) -> dict[str, int]:
        """Split tables at the points in a file; return the number of split points per table.

        A cluster splits its tablets there; the embedded engine stores them as hints.
        """
        self._check_writable()
        return apply_splits(self._access.stored, file)

    def find_half_edges(self) -> Iterator[HalfEdge]:
        """Yield half-written edges: their rows differ. Reads all edges.

        They can exist on a cluster, where a row is atomic and a batch is not. Of a record, the
        ``element`` is the id of the edge. Edges that others are
        writing at the moment may be reported too.
        """
        self._access.check_granted(ALL)
        stored, classes = self._access.stored, self._access.classes
        half = HalfEdges(stored)
        for halves in half.find_records():
            for one in halves:
                yield HalfEdge(one.edge.id, missing=one.lacks_row)
        for found in half.find():
            for rows in found:
                group = stored.schema.groups[rows.group]
                shown = Presenter(group, self._access.keys, shows_matched=False)
                edge = as_instance(shown.present(rows.newest.element), classes)
                yield HalfEdge(edge, missing=not all(rows.held))

    def repair_half_edges(self) -> int:
        """Repair half-written edges and return how many. Nobody else may write meanwhile.

        A missing row is written. If the two rows differ, in a group that merges, the one that was
        written last is copied; if both have the same time, the one that questions about all edges
        read. In a group that keeps duplicates, missing duplicates are added. Of a record, whose own
        row is written first, the references get what this row says; if there is no such row, they
        are removed.
        """
        self._check_writable()
        self._access.check_granted(ALL)
        half, mended = HalfEdges(self._access.stored), 0
        for halves in half.find_records():
            half.mend_records(halves)
            mended += len(halves)
        for found in half.find():
            half.mend(found)
            mended += len(found)
        return mended

    def collect_streams(self, *, older_than: timedelta = AGE) -> int:
        """Remove the bytes of streaming values that nothing refers to; return how many values.

        A writer that ends early leaves them: a process that was killed, a transaction that was
        rolled back. What was written to within ``older_than`` is left alone, because a write that
        goes on may be about to refer to it; no transaction may be open for longer than that. Reads
        all values of records. The space is free after the next merge: ``graph.admin.compact()``.

        >>> import lexigraph as lg
        >>> graph = lg.open(":memory:")
        >>> graph.admin.collect_streams()
        0
        """
        self._check_writable()
        self._access.check_granted(ALL)
        return collect_streams(self._access.stored, older_than)

    def tables(self) -> list[str]:
        """Return the tables that the graph needs; the first one lists all graphs."""
        return self._access.stored.needed_tables()

    def check(self) -> CheckReport:
        """Check the graph and its engine; the report lists problems and what to do about them.

        In a directory it checks the format, counts, unmerged cells, readers, clock and space. On a
        cluster it checks servers, permissions, the jar, tables and grants. Then it checks the
        graph's rules and how many elements they hide, for which it reads the elements of a
        directory. Of records it reads everything: it finds references that differ from their edge,
        edges without one of their ends, streaming values that are not whole or that nothing refers
        to, and records that break a constraint together, under
        visibilities that no writer read together. Changes no data. On a cluster it creates a trial
        table, unless the graph was opened read-only.

        >>> import lexigraph as lg
        >>> class Person(lg.Vertex, summary=True):
        ...     id: str
        >>> lg.open(":memory:", [Person]).admin.check().ok
        True
        """
        report = self._access.engine.check(
            self.tables(),
            authorizations=self._access.grants,
            read_only=self._read_only,
        )
        # If the engine itself has a problem, its tables may not be readable.
        of_graph = self.check_graph().steps if report.ok else ()
        return CheckReport([*report.steps, *of_graph])

    def check_graph(self) -> CheckReport:
        """Check only the graph, not its engine: its rules, and what they hide."""
        try:
            self._access.check_granted(ALL)
        except NotGranted:
            return CheckReport(check_graph(self._access.stored, sees_all=False))
        return CheckReport(check_graph(self._access.stored))

    def backup(self, path: str | PathLike[str]) -> int:
        """Copy the whole directory, all its graphs, into a new one; return the bytes written.

        Readers and writers continue meanwhile. Streaming values are copied too, but for those that
        lie at a ``streams=`` of the graph's own. Only for a directory: other engines raise
        UnsupportedError, which says what to do instead. The same is true for ``verify`` and
        ``vacuum``.
        """
        return self._access.engine.backup(path)

    def verify(self) -> object:
        """Read and check every block of the directory; damage raises Corruption.

        Returns what was checked, which prints as one line. Of streaming values it checks that all
        their bytes are there.
        """
        verified = self._access.engine.verify()
        verify_streams(self._access.stored)
        return verified

    def vacuum(self) -> int:
        """Release free space of the directory to the disk and return how many bytes.

        Raises Locked if another process has the directory open, or if a snapshot or scan is open.
        """
        self._check_writable()
        return self._access.engine.vacuum()

    def unmerged_groups(self) -> dict[str, str]:
        """Return the groups that the engine cannot merge, each with the reason.

        Answers are the same, because scans merge these elements. Merges that run outside of Python
        cannot use your own codecs and aggregators.
        """
        return self._access.stored.unmerged_groups()

    def reconfigure(self) -> None:
        """Apply the settings of every table again, in case others changed its properties."""
        self._check_writable()
        self._access.stored.reconfigure()

    @overload
    def evolve(self, schema: Any, *, dry_run: Literal[False] = False) -> Schema: ...
    @overload
    def evolve(self, schema: Any, *, dry_run: Literal[True]) -> EvolveReport: ...
    def evolve(self, schema: Any, *, dry_run: bool = False) -> Schema | EvolveReport:
        """Add the new groups, properties and rules of a schema; return the new schema.

        Nothing is ever removed. With ``dry_run`` nothing is stored: the report counts, for each new
        rule, the stored elements that it would hide now.
        """
        wanted, classes = schema_of(schema), classes_in(schema)
        if read_bool(dry_run, "dry_run"):
            return try_evolve(self._access.stored, wanted)
        self._check_writable()
        self._access.replace_stored(self._access.stored.evolve(wanted), classes)
        return self._access.schema

    def declare_authorizations(self, authorizations: Iterable[str | bytes]) -> None:
        """Store the list of known authorizations; it replaces the earlier list.

        ``graph.session(..., known_only=True)`` refuses all others: this finds misspelt ones. The
        list is stored with the graph. Labels of elements are not checked against it.
        """
        self._check_writable()
        wanted = Authorizations(authorizations)
        self._access.replace_stored(self._access.stored.declare(wanted))

    def declared_authorizations(self) -> Authorizations:
        """Return the authorizations that are declared for the graph now."""
        return self._access.stored.declared()

    def erase(self, *vertices: Any, edges: Iterable[Any] = ()) -> EraseReport:
        """Remove vertices and all their edges permanently, under every label and in all groups.

        They are ids, or lists of ids: ``erase("ann", "bob")``, ``erase(["ann", "bob"])``.
        ``edges`` are ids of edges that are records, to erase them alone. Of records everything
        goes: all versions, metadata, hides and the marks that deletes left. An edge goes if it ever
        was at one of the vertices.

        A delete leaves bytes of deleted elements in the files; ``erase`` rewrites the files. It
        raises NotGranted if the graph was opened with limited ``grants``, and Locked, before
        anything is deleted, if another process, or another handle in this one, has the directory
        open. If it is interrupted, call it again. The report says which data may still mention
        the vertices: read it.

        >>> import lexigraph as lg
        >>> class Person(lg.Vertex, summary=True):
        ...     id: str
        >>> graph = lg.open(":memory:", [Person])
        >>> _ = graph.add([Person("ann@example.org"), Person("bob@example.org")])
        >>> report = graph.admin.erase("ann@example.org")
        >>> report.deleted, report.mentions, graph.count()
        (1, 0, 1)
        """
        self._check_writable()
        self._access.check_granted(ALL)
        return Eraser(self._access.stored).erase(vertices, edges)

    def claim_ids(self, count: int, kind: str = "vertex", partition: int = 0) -> range:
        """Claim numbers that nobody else ever gets, one after the other: ids for many records.

        Any number of threads, processes and machines may claim at the same time. Numbers start at
        1 and only grow; those that are not used are never given again, not even after ``clear``.
        Each ``kind`` (``"vertex"``, ``"edge"`` or ``"type"``) and each ``partition`` counts for
        itself. Records that are added without an id get theirs from partition 0, if the class
        declares ``id: int``. Ids that were given by hand are not known here: use one or the other.

        >>> import lexigraph as lg
        >>> class Person(lg.Vertex):
        ...     id: int
        ...     name: str
        >>> graph = lg.open(":memory:", [Person])
        >>> ids = graph.admin.claim_ids(2)
        >>> _ = graph.add(Person(id=one, name=name) for one, name in zip(ids, ["Ann", "Bob"]))
        >>> [one.id for one in graph.all(Person)]
        [1, 2]
        """
        self._check_writable()
        return claim_ids(self._access.stored, count, kind, partition)

    def on_commit(self, call: Callable[[Committed], object]) -> Listening:
        """Call a function after every commit that is made through this object and its sessions.

        It gets a :class:`Committed`: counts and keys of what was added and deleted, under all
        labels. ``add``, ``load``, ``delete`` and ``erase`` call it after each of their commits, a
        transaction calls it once, after it has committed. Calls come in the order of the commits,
        in the thread that wrote, and other commits wait for it: it must not wait for another thread
        that writes. An exception in it is logged; the commit stays. Commits of other processes, and
        of the same graph opened a second time, merges, ``clear`` and ``drop`` do not call it. Call
        ``stop`` of what is returned to end it, or use ``with``.

        >>> import lexigraph as lg
        >>> class Person(lg.Vertex, summary=True):
        ...     id: str
        >>> graph = lg.open(":memory:", [Person])
        >>> with graph.admin.on_commit(lambda one: print(one, one.added_keys("Person"))):
        ...     _ = graph.add([Person("ann"), Person("bob")])
        Committed(added={'Person': 2}, deleted={}) {'vertex': ['ann', 'bob']}
        """
        self._access.check_granted(ALL)
        return Listening(self._access, call)

    def cursors(self) -> list[GraphCursor]:
        """List the cursors of the change feeds of this graph, by name.

        >>> import lexigraph as lg
        >>> class Person(lg.Vertex, summary=True):
        ...     id: str
        >>> graph = lg.open(":memory:", [Person])
        >>> _ = graph.changes("search")
        >>> _ = graph.add(Person("ann"))
        >>> [(one.name, one.waiting, one.expired) for one in graph.admin.cursors()]
        [('search', 1, False)]
        """
        return list_cursors(self._access.stored)

    def drop_cursor(self, name: str) -> None:
        """Remove a cursor and what was kept for it alone; without cursors there is no log."""
        self._check_writable()
        check_logs(self._access.stored)
        self._access.replace_stored(drop_cursor(self._access.stored, name))

    def limit_changes(self, *, max_changes: int = 1_000_000, max_bytes: int = 256 << 20) -> None:
        """Set how much the log keeps for cursors that have not passed it.

        If there is more, the oldest goes: a cursor that needed it raises CursorExpired.
        """
        self._check_writable()
        limits = LogLimits(
            read_count(max_changes, "max_changes"), read_count(max_bytes, "max_bytes")
        )
        set_limits(self._access.stored, limits)

    def learnt_names(self) -> dict[str, dict[str, str]]:
        """Return the names that records use and no class declares, with their types.

        Labels of vertices, labels of edges, and properties; the type of a property whose values
        have several is ``any``.
        """
        stored = self._access.stored
        found: dict[str, dict[str, str]] = {"vertex": {}, "edge": {}, "property": {}}
        for one in stored.learnt.all() if stored.records is not None else ():
            found[one.kind][one.name] = one.type
        return found

    def clear(self) -> None:
        """Remove all elements and keep the graph."""
        self._check_writable()
        self._access.stored.clear()

    def drop(self) -> None:
        """Remove the graph and everything in it."""
        self._check_writable()
        self._access.stored.drop()

    def _check_writable(self) -> None:
        if self._read_only:
            raise ReadOnly("the graph was opened read-only", hint=OPEN_FOR_WRITING)

    def __repr__(self) -> str:
        """Show the graph."""
        return f"<admin of graph {self._access.name!r}>"
