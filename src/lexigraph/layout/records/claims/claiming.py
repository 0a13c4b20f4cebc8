"""Claiming: a writer takes its turn at every place that it needs, and gives it back.

Layer ``layout``. Section 10 of ``spec/facts.md``. It claims first, then waits for those who have
claimed before, then looks. Nobody waits for ever: who takes too long is fenced off, whether it is
slow or dead.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from lexigraph.errors import ClusterError, Conflict, LexigraphError
from lexigraph.layout.records.bound import BoundRecords
from lexigraph.layout.records.claims.claim import Claim, Claimed, Claiming, new_token, row_of
from lexigraph.layout.records.claims.fences import StoreCells, no_fence, settle
from lexigraph.layout.records.claims.rows import ClaimRows
from lexigraph.layout.records.subjects import Subject
from lexigraph.security import All, Authorizations, LabelCache
from lexigraph.store.conditions import Condition
from lexigraph.store.spi import Engine

PATIENCE_MS, PATIENCE_EACH_MS, LONGEST_MS = 2_000, 20, 60_000
"""How long a writer asks others to leave its claims alone: at least, for each of them, at most."""
_POLL_S: Final = 0.01
_LOG = logging.getLogger("lexigraph.graph")


class Claims:
    """The claims of one attempt to write records."""

    def __init__(
        self,
        engine: Engine,
        bound: BoundRecords,
        reader: Authorizations | All,
        wanted: Iterable[Claim],
        write: StoreCells,
    ) -> None:
        self._write = write
        self._engine, self._bound, self._labels = engine, bound, LabelCache(reader)
        self._rows = ClaimRows(engine, bound.names_table)
        self._token = new_token()
        claims = list(dict.fromkeys(wanted))
        self._places = frozenset(one.place for one in claims)
        patience = min(LONGEST_MS, PATIENCE_MS + PATIENCE_EACH_MS * len(claims))
        self._held: dict[bytes, list[Claiming]] = {}
        for one in claims:
            mine = Claiming(self._token, one, patience)
            self._held.setdefault(row_of(one.place), []).append(mine)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Claim the places, wait until all who were there before are done, and hold them inside."""
        if not self._held:
            yield
            return
        try:
            before = self._rows.change(self._held, self._added)
            self._wait({row: self._earlier(found) for row, found in before.items()})
            yield
        except LexigraphError as error:
            if not isinstance(error, ClusterError):
                self._give_back()
            # Else what was sent may still arrive: those who wait must fence it off.
            raise
        self._give_back()

    def cover(self, wanted: Iterable[Claim]) -> bool:
        """Return whether all these places are claimed."""
        return all(one.place in self._places for one in wanted)

    def guards(self) -> dict[str, dict[bytes, Condition]]:
        """Return the conditions of the rows that were claimed, by table and row."""
        found = dict[str, dict[bytes, Condition]]()
        for (table, row), subject in self._subjects().items():
            found.setdefault(table, {})[row] = no_fence(self._bound, subject, self._token)
        return found

    def among(self, rows: Iterable[tuple[str, bytes]]) -> set[Subject]:
        """Return the elements that were claimed and have these rows."""
        subjects = self._subjects()
        return {subjects[one] for one in rows}

    def _subjects(self) -> dict[tuple[str, bytes], Claimed]:
        bound = self._bound
        listed = (one.claim.subject for held in self._held.values() for one in held)
        return {
            (bound.tables[bound.rows.table_of(one)], bound.rows.row_of(one)): one for one in listed
        }

    def _added(self, row: bytes, found: list[Claiming]) -> list[Claiming]:
        there = any(one.token == self._token for one in found)
        return found if there else [*found, *self._held[row]]

    def _earlier(self, found: list[Claiming]) -> list[Claiming]:
        """Return the claims to wait for: of the same places, and of what this writer can read."""
        earlier: list[Claiming] = []
        for one in found:
            if one.token == self._token:
                break
            if one.claim.place in self._places and self._labels.can_see(one.claim.visibility):
                earlier.append(one)
        return earlier

    def _wait(self, others: Mapping[bytes, list[Claiming]]) -> None:
        left = {row: found for row, found in others.items() if found}
        since = time.monotonic()
        # Two who wait for each other do not give up at the same moment.
        slack = 1 + random.random() / 2
        while left:
            time.sleep(_POLL_S)
            there = self._rows.read(left)
            left = {row: [one for one in found if one in there[row]] for row, found in left.items()}
            waited_ms = (time.monotonic() - since) * 1000
            late = [
                one
                for found in left.values()
                for one in found
                if waited_ms >= one.patience_ms * slack
            ]
            for one in late:
                settle(self._engine, self._bound, self._write, one)
            if late:
                self._drop(late)
            left = {row: kept for row, found in left.items() if (kept := _without(found, late))}

    def _drop(self, gone: list[Claiming]) -> None:
        rows = {row_of(one.claim.place) for one in gone}
        self._rows.change(rows, lambda _, found: _without(found, gone))

    def _give_back(self) -> None:
        def without(_: bytes, found: list[Claiming]) -> list[Claiming]:
            return [one for one in found if one.token != self._token]

        try:
            self._rows.change(self._held, without)
        except (ClusterError, Conflict) as error:
            # What was to be written is written or refused: others stop waiting by themselves.
            _LOG.warning("claims were left behind, and others wait for them a moment: %s", error)


def _without(found: list[Claiming], gone: list[Claiming]) -> list[Claiming]:
    return [one for one in found if one not in gone]
