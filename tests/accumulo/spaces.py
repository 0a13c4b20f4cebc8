"""A test double at the seam to Java: a bridge that shows an engine its own tables only.

The engine under test is the shipped one. Below it, this bridge adds a prefix to the names of
tables, takes plain tables from those that were made ahead, and checks what servers counted in each
scan. Everything else is the real bridge.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from lexigraph.store import AccumuloEngine
from tests.accumulo.counting import CountedScan
from tests.accumulo.tables import TablesAhead

_READS = frozenset({"properties", "splits", "stats", "identity"})
"""Calls about a table that leave it as it is."""
_OF_TABLES = _READS | {"clear", "changeProperties", "addSplits", "flush", "compact"}


class Space:
    """The tables of one engine, or of several engines that share them."""

    def __init__(self, prefix: str, tables: TablesAhead) -> None:
        self.prefix, self.tables = prefix, tables
        self.taken: dict[str, str] = {}
        """What Accumulo calls each table that was made ahead, by the engine's name of it."""
        self.made: set[str] = set()
        """What Accumulo calls the other tables."""
        self.used: set[str] = set()
        """The engine's names of tables that are no longer as they were made."""

    def inside(self, name: str) -> str:
        """Return what Accumulo calls a table."""
        return self.taken.get(name) or self.prefix + name

    def outside(self, real: str) -> str | None:
        """Return the engine's name of a table, or ``None`` if it belongs to another space."""
        for name, taken in list(self.taken.items()):
            if taken == real:
                return name
        return real.removeprefix(self.prefix) if real.startswith(self.prefix) else None

    def clear(self) -> None:
        """Put unused tables back and drop the others, in the background."""
        unused = [name for name in self.taken if name not in self.used]
        self.tables.give_back(self.taken.pop(name) for name in unused)
        self.tables.drop([*self.taken.values(), *self.made])
        self.taken, self.made, self.used = {}, set(), set()


class SpacedAdmin:
    """The admin of the real bridge, with the names of one space."""

    def __init__(self, admin: Any, space: Space) -> None:
        self._admin, self._space = admin, space

    def __getattr__(self, name: str) -> Any:
        call: Callable[..., Any] = getattr(self._admin, name)
        if name not in _OF_TABLES:
            return call

        def on_table(table: str, *rest: Any) -> Any:
            if name not in _READS:
                self._space.used.add(table)
            return call(self._space.inside(table), *rest)

        return on_table

    def tables(self) -> list[str]:
        """Return the names of the space's tables."""
        names = (self._space.outside(str(one)) for one in self._admin.tables())
        return [name for name in names if name is not None]

    def create(self, table: str, properties: str, splits: list[bytes]) -> None:
        """Make a table, or take one that was made ahead."""
        space, real = self._space, self._space.inside(table)
        if splits or table in space.taken or real in space.made:
            self._admin.create(real, properties, splits)
            space.made.add(real)
            return
        wanted = json.loads(properties)
        space.taken[table] = space.tables.take(wanted)
        if wanted != space.tables.properties:
            space.used.add(table)

    def drop(self, table: str) -> None:
        """Drop a table."""
        space, real = self._space, self._space.inside(table)
        self._admin.drop(real)
        space.taken.pop(table, None)
        space.made.discard(real)

    def rename(self, table: str, name: str) -> None:
        """Rename a table."""
        space, real = self._space, self._space.inside(table)
        self._admin.rename(real, space.inside(name))
        space.taken.pop(table, None)
        space.made.discard(real)
        space.made.add(space.inside(name))

    def clone(self, table: str, name: str) -> None:
        """Clone a table."""
        space = self._space
        self._admin.clone(space.inside(table), space.inside(name))
        space.used.add(table)
        space.made.add(space.inside(name))


class SpacedUsers:
    """The users of the real bridge, with the names of one space."""

    def __init__(self, users: Any, space: Space) -> None:
        self._users, self._space = users, space

    def __getattr__(self, name: str) -> Any:
        return getattr(self._users, name)

    def tablePermissions(self, user: str, table: str) -> Any:  # noqa: N802 - as Java has it
        """Return the permissions of a user on a table."""
        return self._users.tablePermissions(user, self._space.inside(table))

    def permit(self, user: str, table: str, permission: str) -> None:
        """Grant a user a permission on a table."""
        self._users.permit(user, self._space.inside(table), permission)


class SpacedBridge:
    """The bridge of one engine: its own tables, and scans that servers must have counted."""

    def __init__(self, bridge: Any, space: Space, *, drops: bool) -> None:
        self._bridge, self.space, self._drops = bridge, space, drops

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bridge, name)

    def admin(self) -> SpacedAdmin:
        """Return the admin of the space's tables."""
        return SpacedAdmin(self._bridge.admin(), self.space)

    def users(self) -> SpacedUsers:
        """Return the users, for the space's tables."""
        return SpacedUsers(self._bridge.users(), self.space)

    def scan(self, table: str, *rest: Any) -> CountedScan:
        """Start a scan that fails at its end unless servers counted each stage."""
        return CountedScan.start(self._bridge.scan, self.space.inside(table), *rest)

    def write(self, table: str, *rest: Any) -> None:
        """Write cells."""
        self.space.used.add(table)
        self._bridge.write(self.space.inside(table), *rest)

    def writeIf(self, table: str, *rest: Any) -> Any:  # noqa: N802 - as Java has it
        """Write rows whose conditions hold."""
        self.space.used.add(table)
        return self._bridge.writeIf(self.space.inside(table), *rest)

    def load(self, table: str, *rest: Any) -> Any:
        """Start a bulk load."""
        self.space.used.add(table)
        return self._bridge.load(self.space.inside(table), *rest)

    def close(self) -> None:
        """Release the tables. The connection stays open for the other tests of the process."""
        if self._drops:
            self.space.clear()


def real_name(engine: AccumuloEngine, table: str) -> str:
    """Return what Accumulo calls a table of an engine, with or without a space."""
    bridge, name = engine.bridge, engine.remote(table)
    return bridge.space.inside(name) if isinstance(bridge, SpacedBridge) else name
