"""The files of a table on a cluster, flushed and compacted as a test asks for it.

Through Accumulo's own client: what its servers do by themselves, and when, nobody can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from lexigraph.store import AccumuloEngine
from tests.accumulo.spaces import real_name

SELECTOR = "org.apache.accumulo.tserver.compaction.strategies.ConfigurableCompactionStrategy"
_CLIENT = "org.apache.accumulo.core.client"


class Files:
    """The files of one table."""

    def __init__(self, engine: AccumuloEngine, table: str) -> None:
        import jpype

        self._class = jpype.JClass
        self._table = real_name(engine, table)
        properties = self._class("java.util.Properties")()
        for name, value in engine._properties.for_client().items():
            properties.setProperty(name, value)
        self.client: Any = self._class(f"{_CLIENT}.Accumulo").newClient().from_(properties).build()
        # Else the servers would merge files of one size as soon as there are three.
        self.client.tableOperations().setProperty(
            self._table, "table.compaction.major.ratio", "1000"
        )

    def flush(self) -> None:
        """Write what is in memory to a file of its own."""
        self.client.tableOperations().flush(self._table, None, None, True)

    def names(self) -> list[str]:
        """Return the names of all files, those made first before the others."""
        number = self.client.tableOperations().tableIdMap().get(self._table)
        nobody = self._class("org.apache.accumulo.core.security.Authorizations").EMPTY
        with self.client.createScanner("accumulo.metadata", nobody) as scanner:
            scanner.setRange(
                self._class("org.apache.accumulo.core.data.Range")(f"{number};", f"{number}<")
            )
            scanner.fetchColumnFamily("file")
            paths = [str(entry.getKey().getColumnQualifier()) for entry in scanner]
        # The first letter says how a file came about, the rest counts.
        return sorted({path.rpartition("/")[2] for path in paths}, key=lambda name: name[1:])

    def compact(self, names: Iterable[str]) -> None:
        """Rewrite these files to one and leave the others alone."""
        chosen = "|".join(map(re.escape, names))
        options = self._class("java.util.HashMap")()
        options.put("SF_NAME_RE_OPT", chosen)
        selector = self._class(f"{_CLIENT}.admin.PluginConfig")(SELECTOR, options)
        how = self._class(f"{_CLIENT}.admin.CompactionConfig")().setFlush(False).setWait(True)
        self.client.tableOperations().compact(self._table, how.setSelector(selector))

    def close(self) -> None:
        self.client.close()

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
