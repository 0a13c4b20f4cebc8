"""Deleting elements: those that the caller can read, under every label, in one write.

Layer ``graph``. What is to be deleted is read first, as the caller; the write counts only if
nothing of it has changed since. What the caller cannot read stays for those who can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from lexigraph.errors import Conflict, UsageError
from lexigraph.graph.read.query import Query
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.given import iter_given
from lexigraph.layout.write.removal.doomed import Doomed
from lexigraph.layout.write.removal.doomed_cells import DoomedCells
from lexigraph.layout.write.removal.removing import Removal
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.plan import Scope
from lexigraph.plan.targets.cell_sets import (
    CellSet,
    cell_sets,
    find_sets,
    is_about_label,
    is_asked_in,
)
from lexigraph.plan.targets.identities import Identities
from lexigraph.plan.targets.named import find_named
from lexigraph.plan.targets.stored import D, Found
from lexigraph.schema.keys import label_of
from lexigraph.security import All
from lexigraph.store.snapshot import Snapshot

TRIES = 20


def sets_of(elements: Any, scope: Scope) -> list[CellSet] | None:
    """Return what is to be deleted as sets; ``None`` to read each element.

    Sets are those of a question of the same graph and reader.
    """
    if not isinstance(elements, Query) or not is_asked_in(elements._reading.scope(), scope):
        return None
    if elements._order:
        # The first of an order are read, and deleted one by one.
        return None
    return cell_sets(elements._asked, scope, whole=elements._reading.classes)


def refuse_parts(elements: Any) -> None:
    """Refuse a question that tells labels apart: a delete would not stop at those that it shows."""
    if not isinstance(elements, Query):
        return
    asked = elements._asked
    schema = elements._reading.schema
    chosen = any(
        is_about_label(one)
        for name, steps in asked.view.items()
        if schema.group(name).visibility is not None
        for one in (*steps.before, *steps.after, *steps.last)
    )
    if chosen or asked.by_visibility:
        raise UsageError(
            "a question that tells labels apart cannot be deleted: elements are deleted under "
            "every label that the session can read",
            hint='Name the label of what is to go: .delete(question, visibility="secret").',
        )


class Deleter:
    """Deletes elements of one graph as somebody."""

    def __init__(
        self, stored: StoredGraph, authorizations: Iterable[str | bytes] | All = ()
    ) -> None:
        self.stored = stored
        self.authorizations = stored.engine.check_granted(authorizations)
        self._commit = Commit(stored, self.authorizations)

    def delete(self, elements: Any, *, visibility: str | bytes | None = None) -> DeleteReport:
        """Delete elements by their identity and return how many there were.

        Of group-by properties that an element does not name, all values count. ``visibility`` is
        the one label to delete under; without it, all that the caller can read. All of them go in
        one commit, or none; on an engine that stores row by row, a delete that fails says how many
        elements are gone, and the same delete again removes the others.
        """
        wanted = Identities(self.stored, iter_given(elements))
        if not self.stored.engine.capabilities.transactions:
            # What is added meanwhile stays: a marker's time is that of its own commit.
            found = self.find(wanted, None, visibility)
            wanted.duplicates.check()
            return _report(found.doomed, Removal(self.stored, found.doomed).by_row(self._commit))

        def find(snapshot: Snapshot, _attempt: int) -> Found[Doomed]:
            found = self.find(wanted, snapshot, visibility)
            wanted.duplicates.check()
            return found

        return self._remove(find)

    def delete_sets(self, sets: Sequence[CellSet], scope: Scope) -> DeleteReport:
        """Delete the elements that a question finds, as sets of cells; return how many there were.

        The question is asked of the moment from which the commit deletes.
        """

        def find(snapshot: Snapshot, attempt: int) -> Found[DoomedCells]:
            at = replace(scope, snapshot=snapshot, now=scope.time)
            # If others write to these tables, each row has to be looked at.
            return find_sets(sets, at, Writer(self.stored, self._commit), each_row=attempt > 0)

        return self._remove(find)

    def _remove(self, find: Callable[[Snapshot, int], Found[D]]) -> DeleteReport:
        """Delete what is found in one snapshot, and look again if it has changed meanwhile."""
        for attempt in range(TRIES):
            with self.stored.engine.snapshot() as snapshot:
                found = find(snapshot, attempt)
                if not found.doomed.columns:
                    break
                removal = Removal(self.stored, found.doomed)
                try:
                    timestamp = removal.commit(self._commit, (snapshot, found.read))
                except Conflict as conflict:
                    if attempt == TRIES - 1:
                        conflict.hint = (
                            "Nothing was deleted: others keep writing to these elements. "
                            "Delete again, or fewer at once."
                        )
                        raise
                    continue
            return _report(found.doomed, timestamp)
        return DeleteReport()

    def find(
        self,
        wanted: Identities,
        snapshot: Snapshot | None,
        visibility: str | bytes | None = None,
    ) -> Found[Doomed]:
        """Find what is to be deleted, and what was read to find it."""
        label = None if visibility is None else label_of(visibility)
        scope = Scope.over(self.stored, self.authorizations, snapshot)
        return find_named(wanted, scope, Writer(self.stored, self._commit), label)


def _report(doomed: Doomed | DoomedCells, timestamp: int | None) -> DeleteReport:
    return DeleteReport(doomed.groups, cells=doomed.columns, timestamp=timestamp)
