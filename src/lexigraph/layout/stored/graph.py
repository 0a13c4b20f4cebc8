"""A graph as an engine holds it: its schema, its layout and its tables.

Layer ``layout``. Many graphs live in one engine and never meet: each has tables of its own, called
by its name, and an entry in the catalogue. A graph is there from the moment that its entry says so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from uuid import uuid4

from lexigraph.errors import (
    Conflict,
    GraphNotFound,
    InvalidName,
    LexigraphError,
    SchemaError,
)
from lexigraph.keyplan import KeyPlan
from lexigraph.layout import BoundLayout, Layout
from lexigraph.layout.log.change_log import ChangeLog
from lexigraph.layout.log.observing import LogObserver
from lexigraph.layout.merges import unmerged_groups
from lexigraph.layout.observe.committing import Listeners
from lexigraph.layout.observe.contract import Observer
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.settings import RECORDS, table_name
from lexigraph.layout.stored.catalogue import (
    CATALOGUE,
    DROPPED,
    DROPPING,
    MAKING,
    READY,
    Catalogue,
    Entry,
    StoredRecords,
    check_graph_name,
)
from lexigraph.layout.stored.id_blocks import IdBlocks
from lexigraph.layout.stored.indexes import Declared, DeclaredIndexes, StoredIndex
from lexigraph.layout.stored.layouts import Choice, Layouts, check_choice, check_ids
from lexigraph.layout.stored.pending import PendingMerges
from lexigraph.layout.stored.record_names import RecordNames
from lexigraph.layout.stored.records import (
    bind_records,
    check_history,
    record_names,
    record_settings,
    records_of,
)
from lexigraph.layout.stored.table_settings import (
    add_table,
    fit_table,
    graph_tables,
    groups_by_table,
    make_table,
)
from lexigraph.layout.stored.tables import drop_all, next_suffix, table_names
from lexigraph.layout.streams.cells import STREAMS, stream_settings
from lexigraph.layout.streams.store import StreamOptions, Streams
from lexigraph.schema import Schema, merge_stored
from lexigraph.schema.evolve import check_no_new_rules
from lexigraph.security import Authorizations
from lexigraph.store import Engine, MutationBatch, TableSettings
from lexigraph.store.spi import Unchanged

_TRIES = 20
_LOG = logging.getLogger("lexigraph.graph")


class StoredGraph:
    """One graph of an engine. It does not change; ``evolve`` gives another.

    >>> from lexigraph.schema import Group, ValueType
    >>> from lexigraph.store import MemoryEngine
    >>> person = Group("person", "vertex", {"vertex": ValueType("str")})
    >>> graph = StoredGraph.create(MemoryEngine(), "people", Schema({"person": person}))
    >>> graph, graph.tables
    (<stored graph 'people': 1 groups, layout byte-entity>, {'elements': 'people.elements'})
    """

    def __init__(self, engine: Engine, name: str, entry: Entry, layouts: Layouts) -> None:
        self.engine, self.name = engine, name
        self.layout = layouts.bind(entry.schema.summaries)
        """The layout of all groups but those of records."""
        self._layouts, self._entry = layouts, entry
        self.listeners = Listeners()
        """Observers of this process; they stay when the schema changes."""
        self.indexes = DeclaredIndexes(name, entry.suffix)
        """What the catalogue says of its indexes."""
        self.stream_options = StreamOptions()
        """Where large streaming values are kept."""
        self.index_observers: dict[tuple[int, str, str], Observer] = {}
        """Observers of indexes, made for this schema."""

    @staticmethod
    def create(
        engine: Engine,
        name: str,
        schema: Schema,
        layout: Layout | str | Choice | None = None,
        *,
        learns: bool = False,
    ) -> StoredGraph:
        """Make a new, empty graph; one that is there already is InvalidName."""
        old = Catalogue(engine).find(check_graph_name(name))
        if old is not None and old.state == READY:
            raise InvalidName(
                f"there is already a graph {name!r}",
                hint="Open it, drop it, or choose another name.",
            )
        return StoredGraph.make(engine, name, old, schema, layout, learns=learns)

    @staticmethod
    def make(
        engine: Engine,
        name: str,
        old: Entry | None,
        schema: Schema,
        layout: Layout | str | Choice | None = None,
        *,
        learns: bool = False,
    ) -> StoredGraph:
        """Make a new, empty graph where the catalogue said ``old``.

        If it says something else by now, this is a Conflict and nothing is changed. A graph that
        ``learns`` takes records whose names the schema does not have.
        """
        catalogue = Catalogue(engine)
        wanted = Layouts.chosen(Choice.of(layout), schema)
        merged = merge_stored(None, schema)
        bound = wanted.bind(merged.summaries)
        layouts = wanted.fitted(bound)
        by = uuid4().hex
        suffix = next_suffix(old, by)
        records = records_of(merged, None, learns=learns)
        bind_records(name, merged, records, suffix)
        names = table_names(name, bound, suffix) | record_names(name, records, suffix)
        tables = tuple(names.values())
        entry = layouts.entry(Entry(READY, merged, tables=tables, suffix=suffix, records=records))
        # A name of its own, so that of two who make it at once one finds that it has lost.
        making = catalogue.change(name, old, replace(entry, state=MAKING, by=by))
        drop_all(engine, () if old is None else old.tables)
        settings = graph_tables(bound, validates=engine.preferences.validates)
        for table, one in (settings | record_settings(records)).items():
            make_table(engine, names[table], one)
        try:
            made = catalogue.change(name, making, entry)
        except Conflict:
            drop_all(engine, entry.tables)
            raise
        assert made is not None
        found = StoredGraph(engine, name, made, layouts)
        found.warn_unmerged()
        return found

    @staticmethod
    def attach(
        engine: Engine,
        name: str,
        schema: Schema | None = None,
        layout: Layout | str | Choice | None = None,
        *,
        read_only: bool = False,
    ) -> StoredGraph:
        """Open a graph that is there.

        A ``schema`` may leave out what is stored and bring what is new; where it disagrees it is a
        SchemaError that shows the difference. ``layout`` must be the graph's own; new groups may
        get another.
        """
        entry, choice = Catalogue(engine).get(name), Choice.of(layout)
        check_choice(name, entry, choice)
        found = StoredGraph(engine, name, entry, Layouts.stored(entry, choice))
        if schema is not None:
            check_no_new_rules(found.schema, schema)
            found = found.evolve(schema, choice, read_only=read_only)
        choice.check(found.schema)
        if not read_only:
            found.fit_tables()
            found.finish_merges()
        found.warn_unmerged()
        return found

    @staticmethod
    def names(engine: Engine) -> list[str]:
        """List the graphs of an engine."""
        return Catalogue(engine).names()

    @staticmethod
    def has_none(engine: Engine) -> bool:
        """Return whether an engine has never had a graph."""
        return Catalogue(engine).is_empty()

    @staticmethod
    def shown_names(engine: Engine) -> list[str]:
        """List the graphs whose tables the engine shows: those that its user may read."""
        return Catalogue(engine).shown_names()

    def drop(self) -> None:
        """Remove the graph and everything in it; only that its name was used stays known."""
        catalogue, entry = Catalogue(self.engine), self._current()
        dropping = catalogue.change(self.name, entry, replace(entry, state=DROPPING))
        there = [table for table in entry.tables if table in self.engine.tables()]
        drop_files = self.streams.drop_files()
        try:
            self.engine.drop_tables(there)
        except LexigraphError:
            if set(there) <= set(self.engine.tables()):
                # Nothing is gone, so the graph stays; else whoever opens it next ends what began.
                catalogue.change(self.name, dropping, entry)
            raise
        drop_files()
        self.pending.forget()
        catalogue.change(self.name, dropping, Entry(DROPPED, suffix=entry.suffix))

    def clear(self) -> None:
        """Remove all elements and keep the graph: it can be filled again at once.

        Names that were learnt and the metadata of the graph stay.
        """
        # Entries first: one without its element is never shown, an element without one would be
        # missed. Cursors begin again twice: who does so before all is gone has to do it again. The
        # bytes of streams are last.
        kept = {self.log.table, self.streams.table}
        kept |= {self.records.names_table} if self.records else set()
        cleared = "the graph was cleared"
        self.log.expire(cleared)
        for table in self.all_tables():
            if table not in kept:
                self.engine.clear_table(table)
        self.streams.clear()
        self.log.expire(cleared)
        self.pending.forget()

    def evolve(
        self, schema: Schema, choice: Choice | None = None, *, read_only: bool = False
    ) -> StoredGraph:
        """Store what a schema brings besides the stored one, and return the graph as it is then.

        New groups have the default layout, unless ``choice`` names another for them.
        """
        # A graph that is opened read-only keeps what it removes at merges: it runs none.
        merged = merge_stored(self.schema, schema, takes_removal=not read_only)
        if merged is self.schema:
            return self
        if read_only:
            raise SchemaError(
                f"the schema has groups or properties that graph {self.name!r} does not store, "
                "and the graph is opened read-only",
                hint="Leave the schema out, or open the graph for writing once.",
            )
        layouts, bound = self.bind(merged, choice)
        suffix, records = self._entry.suffix, self._records_of(merged)
        names = table_names(self.name, bound, suffix) | record_names(self.name, records, suffix)
        seen = self._seen()
        tables = tuple(dict.fromkeys((*seen.tables, *names.values())))
        entry = layouts.entry(replace(self._entry, schema=merged, tables=tables, records=records))
        stored = Catalogue(self.engine).change(self.name, seen, entry)
        assert stored is not None
        found = self._changed(stored, layouts)
        found.fit_tables()
        return found

    def bind(self, schema: Schema, choice: Choice | None = None) -> tuple[Layouts, BoundLayout]:
        """Return the layouts of a later schema; SchemaError if stored ids would not fit them."""
        if choice is not None:
            choice.check_records(schema)
        new = [name for name in schema.summaries.groups if name not in self.schema.groups]
        layouts = self._layouts.adding(choice or Choice(), new)
        bound = layouts.bind(schema.summaries)
        check_ids(self.layout, bound)
        check_history(self.schema, schema)
        if self.records is not None:
            self.learnt.check_new(self.schema, schema)
        bind_records(self.name, schema, self._records_of(schema), self._entry.suffix)
        return layouts.fitted(bound), bound

    def _records_of(self, schema: Schema) -> StoredRecords | None:
        return records_of(schema, self._entry.records)

    def declare(self, authorizations: Authorizations) -> StoredGraph:
        """Store which authorizations the graph knows, in place of others; return the graph then."""
        return self.change_entry(lambda entry: replace(entry, authorizations=authorizations))

    def change_entry(
        self,
        change: Callable[[Entry], Entry],
        unchanged: Unchanged | None = None,
        beside: Mapping[str, MutationBatch] | None = None,
    ) -> StoredGraph:
        """Store another entry than there is now; return the graph then.

        Conflict if others change it at the same time, or what is in ``unchanged``. With this, cells
        may be written ``beside`` it.
        """
        entry = self._current()
        new = change(entry)
        if new == entry:
            return self
        stored = Catalogue(self.engine).change(self.name, entry, new, unchanged, beside or {})
        assert stored is not None
        return self._changed(stored, Layouts.stored(stored, self._layouts.choice))

    def _changed(self, entry: Entry, layouts: Layouts) -> StoredGraph:
        """Return the graph as it is after a change; its listeners stay."""
        found = StoredGraph(self.engine, self.name, entry, layouts)
        found.listeners, found.indexes = self.listeners, self.indexes
        found.stream_options = self.stream_options
        found.__dict__["log"] = self.log
        return found

    def observers(self, declared: Declared) -> list[Observer]:
        """Return what observes its writes: indexes, the change log, listeners of this process."""
        logs = [LogObserver(self.log)] if declared.logged else []
        return [*self.indexes.observers(self, declared), *logs, *self.listeners.added]

    def change_indexes(
        self, change: Callable[[tuple[StoredIndex, ...], int], Sequence[StoredIndex]]
    ) -> StoredGraph:
        """Store other indexes than there are now; return the graph then.

        ``change`` gets the indexes, and a number that none has had. It may be called again if
        others change the graph at the same time.
        """
        catalogue = Catalogue(self.engine)
        for tries_left in reversed(range(_TRIES)):
            entry = self._current()
            indexes = tuple(change(entry.indexes, entry.last_index + 1))
            last = max([entry.last_index, *(one.number for one in indexes)])
            tables = dict.fromkeys((*entry.tables, *([self.index_table] if indexes else ())))
            new = replace(entry, indexes=indexes, last_index=last, tables=tuple(tables))
            try:
                stored = catalogue.change(self.name, entry, new)
            except Conflict:
                if not tries_left:
                    raise
                continue
            assert stored is not None
            self.indexes.changed()
            return self._changed(stored, Layouts.stored(stored, self._layouts.choice))
        raise AssertionError

    @cached_property
    def log(self) -> ChangeLog:
        """Its change log, which has a table once there was a cursor."""
        return ChangeLog(self.engine, f"{self.name}.changes{self._entry.suffix}")

    @property
    def index_table(self) -> str:
        """The engine's name of the table that holds the entries of all its indexes."""
        return f"{self.name}.indexes{self._entry.suffix}"

    def all_tables(self) -> list[str]:
        """Return all its tables: those of indexes and of the log first, of its streams last."""
        there = self._current().tables
        beside = [one for one in (self.index_table, self.log.table) if one in there]
        # The catalogue names it before it is made.
        streamed = self.streams.table in there and self.streams.is_there()
        last = [self.streams.table] if streamed else []
        return [*beside, *self.own_tables.values(), *last]

    def declared(self) -> Authorizations:
        """Return the authorizations that are declared for the graph now."""
        return self._current().authorizations

    def _current(self) -> Entry:
        """Read the entry as it is now; another graph's of the same name is GraphNotFound."""
        entry = Catalogue(self.engine).get(self.name)
        if entry.suffix != self._entry.suffix:
            raise GraphNotFound(
                f"graph {self.name!r} was dropped, and there is a new one of its name",
                hint="Open the graph again.",
            )
        return entry

    def _seen(self) -> Entry:
        """Return the entry as it is now if only tables were added to it, else as it was read."""
        now = self._current()
        same = replace(now, tables=self._entry.tables).to_bytes() == self._entry.to_bytes()
        return now if same else self._entry

    def fit_tables(self) -> None:
        """Make tables and settings what the schema needs, should a change have been cut short."""
        there = set(self.engine.tables())
        for table, settings in self._settings.items():
            name = self.own_tables[table]
            if name not in there:
                with suppress(InvalidName):
                    # If it is there now, somebody else who opened the graph was faster.
                    make_table(self.engine, name, settings)
                    continue
            fit_table(self.engine, name, settings)

    def unmerged_groups(self) -> dict[str, str]:
        """Return the groups that merges leave as they are, each with the reason; scans merge them.

        Their cells stay as many as were added, so they take more space and time.
        """
        found: dict[str, str] = {}
        for table, groups in groups_by_table(self.layout).items():
            settings = self.engine.settings(self.tables[table])
            found |= unmerged_groups(self.engine, settings, groups)
        return found

    def warn_unmerged(self) -> None:
        """Log which groups merges leave as they are."""
        try:
            found = self.unmerged_groups()
        except LexigraphError:
            # A user who may not look at the tables gets the error with the first question.
            return
        for group, reason in found.items():
            _LOG.warning(
                "graph %r: group %r is merged only when it is read: %s", self.name, group, reason
            )

    def reconfigure(self) -> None:
        """Give all tables anew what their settings ask of the engine."""
        for table in self.all_tables():
            self.engine.configure_table(table, self.engine.settings(table))

    @property
    def schema(self) -> Schema:
        """The stored schema, with permanent numbers."""
        return self._entry.schema

    @cached_property
    def records(self) -> BoundRecords | None:
        """Its records; ``None`` if it has no tables for them."""
        return bind_records(self.name, self.schema, self._entry.records, self._entry.suffix)

    @cached_property
    def learnt(self) -> RecordNames:
        """The names that its records use and no class declares."""
        table = "" if self.records is None else self.records.names_table
        return RecordNames(self.engine, table)

    @cached_property
    def ids(self) -> IdBlocks:
        """The numbered ids of its records."""
        table = "" if self.records is None else self.records.names_table
        return IdBlocks(self.engine, table)

    @cached_property
    def streams(self) -> Streams:
        """The bytes of its streaming values; their table is made when it is first needed."""
        suffix, settings = self._entry.suffix, stream_settings()
        table = f"{self.name}.{table_name(STREAMS)}{suffix}"
        make = partial(add_table, self.engine, self.name, suffix, table, settings)
        return Streams(self.engine, table, make, self.stream_options)

    @cached_property
    def pending(self) -> PendingMerges:
        """The merges that deletes of this graph still owe."""
        return PendingMerges(self.engine, self.name)

    @cached_property
    def has_times(self) -> bool:
        """Whether elements may have times of their own: records always may."""
        return self.records is not None or any(
            group.timestamp is not None for group in self.layout.schema.groups.values()
        )

    def finish_merges(self) -> None:
        """Do what a delete left undone, so that it hides nothing that is written from now on."""
        if self.has_times:
            self.pending.finish()

    @property
    def layout_name(self) -> str:
        """The name of its layout, or of its layouts with the groups that have them."""
        if self.records is None:
            return self._layouts.text
        own = self.records.schema.groups
        named = f"{RECORDS} for {' '.join(own)}" if own else RECORDS
        return f"{self._layouts.text}, {named}" if self.layout.schema.groups else RECORDS

    @cached_property
    def tables(self) -> dict[str, str]:
        """The engine's name of each table of the layout; not those of records."""
        return table_names(self.name, self.layout, self._entry.suffix)

    @cached_property
    def own_tables(self) -> dict[str, str]:
        """The engine's name of each table of the graph but that of its indexes."""
        return self.tables | record_names(self.name, self._entry.records, self._entry.suffix)

    def needed_tables(self) -> list[str]:
        """Return the engine's tables without which the graph cannot be used."""
        own = self.own_tables.values()
        return [CATALOGUE, *own, *(one for one in self.all_tables() if one not in own)]

    def plan_of(self, group: str) -> KeyPlan:
        """Return the key plan of the table that holds a group."""
        return self.layout.part_of(group).key_plan

    def plan_in(self, table: str) -> KeyPlan:
        """Return the key plan of one of the engine's tables."""
        return self._plans[table]

    @cached_property
    def _plans(self) -> dict[str, KeyPlan]:
        return {self.table_of(name): self.plan_of(name) for name in self.layout.schema.groups}

    @cached_property
    def _settings(self) -> Mapping[str, TableSettings]:
        own = graph_tables(self.layout, validates=self.engine.preferences.validates)
        return own | record_settings(self._entry.records)

    def table_of(self, group: str) -> str:
        """Return the engine's table that holds a group."""
        return self.tables[self.layout.table_of(group)]

    def __repr__(self) -> str:
        """Show the name, and how much and how it is laid out."""
        groups = len(self.schema.groups)
        return f"<stored graph {self.name!r}: {groups} groups, layout {self.layout_name}>"
