"""A check of a cluster, step by step: what may be wrong, and what to do about it.

Layer ``store``, only for ``accumulo``. The steps are those of a careful deployment: servers, then
permissions, then the jar: that its classes load, that a scan runs them, that merges do. What comes
later is skipped where an earlier step shows that it cannot work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from lexigraph.errors import LexigraphError
from lexigraph.security import ALL, All, Authorizations
from lexigraph.store.accumulo import permissions
from lexigraph.store.accumulo.bridge.jar import JarCheck, local_jar
from lexigraph.store.accumulo.bridge.jvm import translated
from lexigraph.store.accumulo.bridge.versions import is_supported, unsupported
from lexigraph.store.accumulo.checks.trial import Trial
from lexigraph.store.accumulo.table_properties import (
    MARKED,
    SETTINGS,
    VERSION,
    to_properties,
    to_remove,
)
from lexigraph.store.checks import OK, PROBLEM, SKIPPED, Checked

if TYPE_CHECKING:
    from lexigraph.store.accumulo.checks.access import ClusterAccess


class ClusterCheck:
    """One check of an engine's cluster, as the engine's user."""

    def __init__(
        self,
        engine: ClusterAccess,
        tables: Iterable[str],
        *,
        authorizations: Iterable[str | bytes] | All,
        read_only: bool,
    ) -> None:
        self.engine, self.tables, self.read_only = engine, list(tables), read_only
        self.authorizations = authorizations
        self.user = str(engine.bridge.user())
        self.done: list[Checked] = []

    def run(self) -> list[Checked]:
        """Take all steps."""
        self._step("servers", self._servers)
        self._step("permissions", self._permissions)
        loads = self._step("jar", self._jar)
        if not loads:
            self._skip("scans", "stages cannot run while servers cannot load the jar")
            self._skip("merges", "stages cannot run while servers cannot load the jar")
        else:
            with Trial(self.engine, read_only=self.read_only) as self.trial:
                self._step("scans", self._scans)
                self._step("merges", self._merges)
        self._step("tables", self._settings)
        self._step("grants", self._grants)
        return self.done

    def _step(self, name: str, look: Callable[[str], object]) -> bool:
        before = len(self.done)
        try:
            look(name)
        except LexigraphError as error:
            self._wrong(name, str(error), error.hint)
        return all(one.state != PROBLEM for one in self.done[before:])

    def _well(self, step: str, what: str) -> None:
        self.done.append(Checked(step, OK, what))

    def _wrong(self, step: str, what: str, remedy: str) -> None:
        self.done.append(Checked(step, PROBLEM, what, remedy))

    def _skip(self, step: str, why: str) -> None:
        self.done.append(Checked(step, SKIPPED, why))

    def _servers(self, step: str) -> None:
        servers = self.engine.bridge.servers()
        found: dict[str, str] = {}
        for address in map(str, servers.addresses()):
            try:
                with translated():
                    found[address] = str(servers.version(address))
            except LexigraphError as error:
                self._wrong(
                    step, str(error), "Start the server again, or end its remaining processes."
                )
        for address, version in found.items():
            if not is_supported(version):
                refused = unsupported(address, version)
                self._wrong(step, str(refused), refused.hint)
        if found:
            kinds = ", ".join(sorted(set(found.values())))
            count = len(found)
            self._well(step, f"{count} tablet server{'s'[: count != 1]} of Accumulo {kinds}")

    def _permissions(self, step: str) -> None:
        before = len(self.done)
        needed = permissions.READING if self.read_only else permissions.WRITING
        has = {table: self.engine.table_permissions(table) for table in self.tables}
        for table, found in has.items():
            remote, lacking = self.engine.remote(table), [one for one in needed if one not in found]
            if lacking:
                self._wrong(
                    step,
                    f"user {self.user!r} lacks {', '.join(lacking)} on table {remote}",
                    permissions.permit_table(self.user, remote, lacking),
                )
        if not (self.read_only or self.tables or self.engine.may_create()):
            self._wrong(
                step,
                f"user {self.user!r} may not create tables, and no graph has tables here",
                self.engine.permit_creating(),
            )
        if len(self.done) == before:
            may = "read" if self.read_only else "read and write"
            lacking = [one for one in permissions.MORE if any(one not in of for of in has.values())]
            so = [f"{permissions.MORE[one]} ({one})" for one in lacking if not self.read_only]
            but = f", and not {', '.join(so)}" if so else ""
            self._well(step, f"user {self.user!r} may {may} {len(has)} tables{but}")

    def _jar(self, step: str) -> None:
        jar = JarCheck(self.engine, self.tables)
        missing = jar.missing()
        for address in missing:
            self._wrong(step, f"tablet server {address} cannot load Lexigraph's jar", jar.remedy)
        if not missing:
            self._well(step, "every tablet server can load it")

    def _scans(self, step: str) -> None:
        tables = self.tables or self.trial.tables
        if not tables:
            self._skip(step, "there is no table to scan, and the user may not create one")
            return
        jar, ours = JarCheck(self.engine, tables), local_jar()
        others = sorted({other for table in tables for other in jar.others(table)})
        for other in others:
            self._wrong(step, f"tablet servers run {other}, this client {ours}", jar.remedy)
        if not others:
            self._well(step, f"iterators run on the servers: {ours}")

    def _merges(self, step: str) -> None:
        if not self.trial.tables and self.trial.problem is None:
            self._skip(step, "the trial needs its own table, and the user may not create one")
            return
        found = self.trial.merge()
        if found == b"3":
            self._well(step, "a trial table was flushed and compacted through a stage")
        else:
            what = f"a trial table that sums its cells holds {found!r} after a merge, not 3"
            self._wrong(step, what, JarCheck(self.engine, ()).remedy)

    def _settings(self, step: str) -> None:
        before = len(self.done)
        for table in self.tables:
            if permissions.ALTER not in self.engine.table_permissions(table):
                self._skip(
                    step, f"this user may not see the properties of {self.engine.remote(table)}"
                )
                continue
            present = self.engine.properties_of(table)
            wanted = to_properties(self.engine.settings(table), marked=MARKED in present)
            wrong = [name for name, value in wanted.items() if present.get(name) != value]
            wrong = [name for name in wrong if name not in (SETTINGS, VERSION)]
            wrong += to_remove(present, wanted)
            if wrong:
                self._wrong(
                    step,
                    f"table {self.engine.remote(table)} has properties that differ from its "
                    f"settings: {', '.join(sorted(wrong)[:5])}",
                    "Open the graph for writing and call graph.admin.reconfigure().",
                )
        if len(self.done) == before:
            self._well(step, f"{len(self.tables)} tables have the properties of their settings")

    def _grants(self, step: str) -> None:
        granted = self.engine.readable()
        asked = granted if self.authorizations is ALL else Authorizations(self.authorizations)
        missing = asked - granted
        if missing:
            self._wrong(
                step,
                f"user {self.user!r} was not granted {', '.join(map(_shown, missing))}",
                permissions.grant_labels(self.user, [*granted, *missing]),
            )
        else:
            self._well(step, f"user {self.user!r} may read {len(granted)} labels")


def _shown(label: bytes) -> str:
    return repr(label.decode(errors="backslashreplace"))
