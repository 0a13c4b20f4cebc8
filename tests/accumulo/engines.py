"""Engines on the cluster of this run, for suites that want a fresh, empty one for each test.

A prefix of its own to the names of tables makes an engine empty. Plain tables come from those that
were made ahead; whatever an engine made is dropped in the background once it is closed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fcntl import LOCK_EX, flock
from functools import cache
from itertools import count
from pathlib import Path
from string import ascii_letters
from typing import Any

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store import AccumuloEngine, CellBatch, Clock, Engine, TableSettings
from lexigraph.store.reading import ScanPlan
from lexigraph.store.results import Watch
from tests.accumulo.counting import CountingBridge
from tests.accumulo.tables import TablesAhead
from tests.conftest import CLUSTER

_numbers = count()
_TOKENS = [*ascii_letters, "public", "secret"]
_shared: list[Any] = []
_granted: set[bytes] = set()


class Fresh(AccumuloEngine):
    """An engine with no tables, whose user may read all labels that tests write.

    Every scan that it finishes must have been counted on the servers, stage by stage.
    """

    def __init__(
        self,
        *,
        clock: Clock | None = None,
        grants: Iterable[str | bytes] | All = ALL,
        ahead: bool = True,
    ) -> None:
        cluster = LocalCluster(Path(os.environ[CLUSTER]) / "cluster")
        properties = cluster.status().properties if _shared else cluster.start().properties
        self._prefix = f"t{os.getpid()}_{next(_numbers)}__"
        self._ahead, self._drops = ahead, True
        self._taken: dict[str, str] = {}
        self._made: set[str] = set()
        self._used: set[str] = set()
        super().__init__(properties, clock=clock, grants=grants, counts=True)
        self._grant(Authorizations(_TOKENS))

    def beside(self, clock: Clock) -> Fresh:
        """Return another client, of the same tables, by a clock of its own."""
        other = Fresh(clock=clock)
        other._prefix, other._taken, other._made = self._prefix, self._taken, self._made
        other._used, other._drops = self._used, False
        return other

    def check_granted(self, asked: Iterable[str | bytes] | All) -> Authorizations | All:
        wanted = Engine.check_granted(self, asked)
        if not isinstance(wanted, All):
            # Any may be asked for, as in an engine that grants all.
            self._grant(wanted)
        return wanted

    def _grant(self, wanted: Authorizations) -> None:
        if _granted.issuperset(wanted):
            return
        with (Path(os.environ[CLUSTER]) / "granting").open("w") as lock:
            # Another worker would grant what there was before, and more, and not this.
            flock(lock, LOCK_EX)
            _granted.update(self.grant("root", wanted))

    def configure_table(self, name: str, settings: TableSettings) -> None:
        self._used.add(name)
        super().configure_table(name, settings)

    def add_splits(self, table: str, rows: Iterable[bytes]) -> None:
        self._used.add(table)
        super().add_splits(table, rows)

    def drop_table(self, name: str) -> None:
        super().drop_table(name)
        self._taken.pop(name, None)

    def rename_table(self, name: str, new_name: str) -> None:
        super().rename_table(name, new_name)
        self._taken.pop(name, None)
        self._made.add(self._remote(new_name))

    def clone_table(self, name: str, new_name: str) -> Any:
        made = super().clone_table(name, new_name)
        self._used.add(name)
        self._made.add(self._remote(new_name))
        return made

    def close(self) -> None:
        if self.closed or not self._drops:
            self.closed = True
            return
        self.closed = True
        plain = {name for name in self._taken if name not in self._used}
        tables = _tables()
        tables.give_back(self._taken.pop(name) for name in plain)
        tables.drop([*self._taken.values(), *self._made])

    def _connect(self) -> Any:
        # One connection for all tests of a process: a new one for each takes half a second.
        if not _shared:
            _shared.append(CountingBridge(super()._connect()))
        return _shared[0]

    def _make(self, name: str, properties: dict[str, str], splits: list[bytes]) -> None:
        if splits or name in self._taken or not self._ahead:
            super()._make(name, properties, splits)
            self._made.add(self._remote(name))
            return
        self._taken[name] = _tables().take(properties)
        if properties != _tables().properties:
            self._used.add(name)

    def _time_in(self, name: str, commit: int) -> int:
        # Whatever is written asks for its time.
        self._used.add(name)
        return super()._time_in(name, commit)

    def _batches(
        self, table: str, plan: ScanPlan, batch_cells: int, watch: Watch
    ) -> Iterator[CellBatch]:
        claimed = [stage.name for stage in plan.stages[: self.count_run(plan)]]
        batches = super()._batches(table, plan, batch_cells, watch)
        return self._bridge.checked(batches, claimed)  # type: ignore[no-any-return]

    def _remote(self, name: str) -> str:
        return self._taken.get(name) or self._prefix + super()._remote(name)

    def _local(self, remote: str) -> str | None:
        for name, taken in list(self._taken.items()):
            if taken == remote:
                return name
        if not remote.startswith(self._prefix):
            return None
        return super()._local(remote.removeprefix(self._prefix))


@cache
def _tables() -> TablesAhead:
    return TablesAhead(_shared[0].admin())
