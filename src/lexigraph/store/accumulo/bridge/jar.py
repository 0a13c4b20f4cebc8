"""Lexigraph's jar on the tablet servers: whether it is there, and whether it is this client's.

Layer ``store``, only for ``accumulo``. Asked of every server by itself: one that was left out of a
deployment would fail some scans and not others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from lexigraph.cells.ranges import Range
from lexigraph.store.accumulo.bridge.java import own_jar
from lexigraph.store.accumulo.bridge.jvm import translated
from lexigraph.store.accumulo.checks.access import KIND
from lexigraph.store.accumulo.checks.table_report import REPORT, read_reports
from lexigraph.store.accumulo.stages import ITERATOR

if TYPE_CHECKING:
    from lexigraph.store.accumulo.checks.access import ClusterAccess


class JarVersion(NamedTuple):
    """A jar: its version, the start of its SHA-256, and the version of iterators' options."""

    version: str
    digest: str
    options: str

    def __str__(self) -> str:
        """Say which it is."""
        return f"jar {self.version} ({self.digest})"


def local_jar() -> JarVersion:
    """Return which jar this client runs."""
    import jpype

    jar = jpype.JClass("org.lexigraph.iterators.Jar")
    options = jpype.JClass(REPORT).OPTIONS
    return JarVersion(str(jar.version()), str(jar.digest()), str(options))


class JarCheck:
    """Asks the servers of one engine about their jars."""

    def __init__(self, engine: ClusterAccess, tables: Iterable[str]) -> None:
        self.engine, self.tables = engine, list(tables)

    @property
    def remedy(self) -> str:
        """What to do where the jar is missing or another one."""
        return (
            f"Copy {own_jar()} into lib/ of every server, in place of an older one, and restart "
            "them; where a class loader context is used, copy it to where that points."
        )

    def missing(self) -> list[str]:
        """Return the tablet servers that cannot load what this client asks for."""
        servers = self.engine.bridge.servers()
        with translated():
            addresses = [str(one) for one in servers.addresses()]
        return [
            one for one in addresses if not all(self._loads(one, c) for c in (ITERATOR, REPORT))
        ]

    def others(self, table: str) -> list[JarVersion]:
        """Return the jars that run on the servers of a table's tablets and are not ours."""
        told = read_reports(self.engine, table, Range())
        found = {JarVersion(one["version"], one["digest"], one["options"]) for one in told}
        return sorted(found - {local_jar()})

    def _loads(self, address: str, name: str) -> bool:
        servers, admin = self.engine.bridge.servers(), self.engine.bridge.admin()
        with translated():
            if self.tables:
                table = self.engine.remote(self.tables[0])
                return bool(servers.loads(address, table, name, KIND))
            inside = self.engine.namespace
            inside = inside if admin.hasNamespace(inside) else ""
            return bool(servers.loadsIn(address, inside, name, KIND))
