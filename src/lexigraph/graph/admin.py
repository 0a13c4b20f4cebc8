"""What only the owner of a graph may do: its schema, its tables, everything in it.

Layer ``graph``. Reached through ``graph.admin`` and nowhere else; counts what no session may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, overload

from lexigraph.errors import NotGranted, ReadOnly
from lexigraph.graph.checks import check_graph
from lexigraph.graph.element import as_instance, classes_in
from lexigraph.graph.erase import Eraser, EraseReport
from lexigraph.graph.evolving import EvolveReport, try_evolve
from lexigraph.graph.half_edges import HalfEdge, HalfEdges
from lexigraph.graph.splits import SplitSample, read_splits
from lexigraph.graph.stats import GraphStats
from lexigraph.plan.present import Presenter
from lexigraph.schema import Schema, schema_of
from lexigraph.security import ALL, Authorizations
from lexigraph.store import CheckReport, MergeReport
from lexigraph.store.jsonfields import read_bool

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
        tables = stored.tables.items()
        return GraphStats({name: stored.engine.stats(table) for name, table in tables})

    def compact(self, *, now: int | None = None) -> list[MergeReport]:
        """Merge all tables: aggregates, and removes what breaks a rule and cannot become valid.

        That is, what breaks a rule about ids and group-by properties, such as an age-off by day, or
        a rule with ``remove=True``; what breaks another rule stays hidden.
        ``now`` is the time that rules of age go by, in microseconds; without it the engine's.
        """
        self._check_writable()
        stored = self._access.stored
        return [stored.engine.compact(table, now=now) for table in stored.tables.values()]

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
        """Write to a new file where tables can be divided, by a sample of what is to be added.

        ``elements`` are what ``add`` takes. ``proportion`` of their rows are looked at, and
        ``count`` split points chosen, so that about as many of them lie between any two. With
        ``validate`` an element that does not fit is a ValidationError, else it is passed over.
        Returns how many there are in the file, which ``apply_splits`` takes once it was looked at.
        """
        sample = SplitSample(self._access.stored, count=count, proportion=proportion)
        known, strict = self._access.class_of(group), read_bool(validate, "validate")
        return sample.write(file, elements, group=known, validate=strict)

    def apply_splits(self, file: str | PathLike[str]) -> dict[str, int]:
        """Divide tables as a file says; return for each of them how many split points it has.

        Tablets of a cluster are divided there; embedded tables take them as hints.
        """
        self._check_writable()
        stored = self._access.stored
        rows = read_splits(file, stored.tables)
        for table, wanted in rows.items():
            stored.engine.add_splits(stored.tables[table], wanted)
        return {table: len(wanted) for table, wanted in rows.items()}

    def find_half_edges(self) -> Iterator[HalfEdge]:
        """Yield half-written edges: their rows differ. Reads all edges.

        On a cluster, where a row is atomic and a batch is not. What others write meanwhile may be
        found half-written while it is.
        """
        self._access.check_granted(ALL)
        stored, classes = self._access.stored, self._access.classes
        for found in HalfEdges(stored).find():
            for rows in found:
                group = stored.schema.groups[rows.group]
                shown = Presenter(group, self._access.keys, shows_matched=False)
                edge = as_instance(shown.present(rows.newest.element), classes)
                yield HalfEdge(edge, missing=not all(rows.held))

    def repair_half_edges(self) -> int:
        """Repair half-written edges and return how many; nobody else must write meanwhile.

        A row that is missing is written. Where rows of a group that merges differ, the one that was
        written last counts, else the one that counts once; duplicates are added where they lack.
        """
        self._check_writable()
        self._access.check_granted(ALL)
        half, mended = HalfEdges(self._access.stored), 0
        for found in half.find():
            half.mend(found)
            mended += len(found)
        return mended

    def tables(self) -> list[str]:
        """Return the engine's tables that the graph needs, that of all graphs' names first."""
        return self._access.stored.needed_tables()

    def check(self) -> CheckReport:
        """Look for what is wrong with the graph and its engine, and what to do about it.

        In a directory: format, counts, unmerged cells, readers, clock, space. On a cluster:
        servers, permissions, the jar, tables, grants. Then the graph's rules and how many elements
        they hide, for which a directory is read. Changes no data; on a cluster, a graph that was
        opened read-only also makes no trial table.

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
        """Look at the graph alone, not at its engine: its rules, and what they hide."""
        try:
            self._access.check_granted(ALL)
        except NotGranted:
            return CheckReport(check_graph(self._access.stored, sees_all=False))
        return CheckReport(check_graph(self._access.stored))

    def backup(self, path: str | PathLike[str]) -> int:
        """Copy the whole directory, all its graphs, into a new one; return the bytes written.

        Readers and writers go on meanwhile. Only a directory has this: elsewhere it raises
        UnsupportedError with what to do instead. So do ``verify`` and ``vacuum``.
        """
        return self._access.engine.backup(path)

    def verify(self) -> object:
        """Read and check every block of the directory; damage raises Corruption.

        Returns what was checked, which prints as one line.
        """
        return self._access.engine.verify()

    def vacuum(self) -> int:
        """Release free space of the directory to the disk and return how many bytes.

        Locked if another process has the directory open, or if a snapshot or scan is held.
        """
        self._check_writable()
        return self._access.engine.vacuum()

    def unmerged_groups(self) -> dict[str, str]:
        """Return the groups that the engine cannot merge, each with the reason.

        Answers are the same: scans merge them. Merges of an engine outside of Python cannot run a
        codec or an aggregator of your own.
        """
        return self._access.stored.unmerged_groups()

    def reconfigure(self) -> None:
        """Apply the settings of every table again, in case its properties were changed outside."""
        self._check_writable()
        self._access.stored.reconfigure()

    @overload
    def evolve(self, schema: Any, *, dry_run: Literal[False] = False) -> Schema: ...
    @overload
    def evolve(self, schema: Any, *, dry_run: Literal[True]) -> EvolveReport: ...
    def evolve(self, schema: Any, *, dry_run: bool = False) -> Schema | EvolveReport:
        """Store the groups, properties and rules that a schema has besides; return the new schema.

        Nothing is ever taken away. With ``dry_run`` nothing is stored: the report counts, for each
        new rule, the stored elements that it would hide now.
        """
        wanted, classes = schema_of(schema), classes_in(schema)
        if read_bool(dry_run, "dry_run"):
            return try_evolve(self._access.stored, wanted)
        self._check_writable()
        self._access.replace_stored(self._access.stored.evolve(wanted), classes)
        return self._access.schema

    def declare_authorizations(self, authorizations: Iterable[str | bytes]) -> None:
        """Store which authorizations the graph knows, in place of those declared before.

        ``graph.session(..., known_only=True)`` refuses all others, against misspelt ones. They
        stay with the graph, for whoever opens it. Labels of elements are not checked by them.
        """
        self._check_writable()
        wanted = Authorizations(authorizations)
        self._access.replace_stored(self._access.stored.declare(wanted))

    def declared_authorizations(self) -> Authorizations:
        """Return the authorizations that are declared for the graph now."""
        return self._access.stored.declared()

    def erase(self, *vertices: Any) -> EraseReport:
        """Remove vertices and all their edges for good, under every label and in all groups.

        A delete leaves bytes of what it deletes in the files; this one writes them anew. If the
        graph was opened with limited ``grants`` it raises NotGranted. Nobody else may have the
        directory open: that is Locked, and nothing is deleted. If it ends half-way, call it again.
        The report says what may still mention them: read it.

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
        return Eraser(self._access.stored).erase(vertices)

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
