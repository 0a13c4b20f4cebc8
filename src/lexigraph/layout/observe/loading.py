"""Bulk loads with observers: what they add is stored in the commit of the load, if the engine can.

Layer ``layout``. An engine that loads one table at a time gets the observers' cells first, as
plain writes: entries of elements that are not there yet, which are verified when they are read.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexigraph.cells.encoded import EncodedBatch
from lexigraph.cells.mutations import MutationBatch
from lexigraph.layout.observe.changed import Changed, join_batches
from lexigraph.layout.observe.committing import observe
from lexigraph.layout.observe.context import Moment
from lexigraph.layout.observe.contract import Observer
from lexigraph.layout.records.families import EXISTENCE
from lexigraph.layout.stored.indexes import BUILDING, USABLE, StoredIndex
from lexigraph.layout.stored.loads import LoadNote
from lexigraph.security import All, Authorizations
from lexigraph.store.reports import LoadReport

if TYPE_CHECKING:
    from lexigraph.layout.stored.graph import StoredGraph

_LOG = logging.getLogger("lexigraph.graph")


class ObservedLoad:
    """One bulk load of a group; ``table`` is the main one of a group of records.

    Parts of a summary group have one batch, those of records are cells ``beside`` by table.
    """

    def __init__(
        self,
        stored: StoredGraph,
        group: str,
        authorizations: Authorizations | All,
        table: str | None = None,
    ) -> None:
        self._stored, self._group, self._authorizations = stored, group, authorizations
        self._table = stored.table_of(group) if table is None else table
        self._counts: Counter[str] = Counter()
        self._labels: set[bytes] = set()
        self._observers: list[Observer] = []
        self._note: LoadNote | None = None

    def load(self, parts: Iterator[Changed], **options: Any) -> LoadReport:
        """Store all parts in one commit; ``options`` are those of the engine's ``load``."""
        stored = self._stored
        with ExitStack() as self._turn:
            # What observers read may change before the commit, and a load cannot check that. So it
            # tells others first that it runs, and then looks which indexes there are.
            with self._noted(), Moment(stored, self._authorizations, checks_ranges=False) as moment:
                self._observers = moment.watch_indexes()
                report = stored.engine.load(
                    self._table,
                    self._batches(parts, moment),
                    authorizations=self._authorizations,
                    **options,
                )
            stored.listeners.call(self._observers, self._end(), report.timestamp)
        return report

    @contextmanager
    def _noted(self) -> Iterator[None]:
        stored, engine = self._stored, self._stored.engine
        # Where the row is the atomic unit, no commit can depend on the catalogue, and a user may
        # load who may not write it: without indexes there is nothing to protect.
        if engine.capabilities.atomic_unit == "row" and not stored.indexes.now(stored).indexes:
            yield
            return
        note = self._note = LoadNote.begin(engine, stored.name)
        try:
            yield
        finally:
            if not note.end():
                self._doubt_indexes()

    def _doubt_indexes(self) -> None:
        """Take indexes of the group out of use: deletes and builds no longer knew of the load."""

        def doubted(indexes: Iterable[StoredIndex], _: int) -> list[StoredIndex]:
            return [
                replace(one, state=BUILDING) if one in doubtful(indexes) else one for one in indexes
            ]

        def doubtful(indexes: Iterable[StoredIndex]) -> list[StoredIndex]:
            return [one for one in indexes if one.group == self._group and one.state == USABLE]

        stored = self._stored
        found = doubtful(stored.indexes.now(stored).indexes)
        if found:
            stored.change_indexes(doubted)
            names = ", ".join(repr(one.name) for one in found)
            _LOG.warning(
                "graph %r: a load took so long that the indexes %s have to be built again: call "
                "graph.index.create for each",
                stored.name,
                names,
            )

    def _batches(
        self, parts: Iterator[Changed], moment: Moment
    ) -> Iterator[MutationBatch | Mapping[str, MutationBatch]]:
        engine, observers = self._stored.engine, self._observers
        logs = self._logs(moment)
        for changed in parts:
            if self._note is not None:
                self._note.renew()
            self._counts += changed.added_count
            changed.of_load = True
            if logs:
                self._labels |= labels_of(changed)
            found = [one.batches for one in observe(observers, changed, moment)]
            own = changed.batches(self._stored.table_of)
            if engine.capabilities.loads_tables:
                yield join_batches([own, *found])
                continue
            # Rows of edges among them: they are written before their references.
            before = [{name: one} for name, one in own.items() if name != self._table]
            if any(before) or any(found):
                engine.write(join_batches([*before, *found]), authorizations=self._authorizations)
            if self._table in own:
                yield own[self._table]
        if moment.declared.logged:
            yield join_batches(one.batches for one in observe(observers, self._end(), moment))
        # The engine commits next. It holds no lock while it takes batches.
        self._turn.enter_context(self._stored.listeners.turn(observers))

    def _logs(self, moment: Moment) -> bool:
        """Return whether the load is to be logged, or somebody listens to it."""
        return moment.declared.logged or bool(self._stored.listeners.added)

    def _end(self) -> Changed:
        return Changed(added_count=self._counts, bulk=True, labels=frozenset(self._labels))


def labels_of(changed: Changed) -> set[bytes]:
    """Return the labels of the elements that are added: of records those of their existences."""
    found: set[bytes] = set()
    for batch in changed.added.values():
        found |= batch.labels()
    for batch in changed.beside.values():
        if isinstance(batch, EncodedBatch):
            # The values of such a record have its label.
            found |= batch.labels()
        elif not batch.labels() <= found:
            cells = batch.cells
            pairs = zip(cells.family, cells.visibility, strict=True)
            found |= {label for family, label in pairs if family == EXISTENCE}
    return found
