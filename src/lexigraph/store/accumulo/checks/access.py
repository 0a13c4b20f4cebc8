"""Who asks a cluster, what Accumulo lets them read and do, and a check of all that is needed.

Layer ``store``, only for ``accumulo``. Accumulo itself decides at every call; what is asked here
comes first, so that an error names what is missing and who can give it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from lexigraph.errors import Authorization, ClusterError, LexigraphError
from lexigraph.security import All, Authorizations
from lexigraph.store.accumulo import permissions
from lexigraph.store.accumulo.bridge.jvm import SERVER_ERROR, TakenBack, needing, translated
from lexigraph.store.accumulo.permissions import not_granted, permit_table
from lexigraph.store.accumulo.stages import ITERATOR
from lexigraph.store.checks import CheckReport
from lexigraph.store.spi import Engine

KIND = "org.apache.accumulo.core.iterators.SortedKeyValueIterator"


class ClusterAccess(Engine):
    """An engine on a cluster, as one of its users."""

    _bridge: Any
    _admin: Any
    _namespace: str
    _timeout_s: float
    _granted = Authorizations(())
    _has_jar = False

    @property
    def user(self) -> str:
        """Accumulo's name of the user who asks."""
        return str(self._bridge.user())

    @property
    def namespace(self) -> str:
        """The namespace of all tables."""
        return self._namespace

    @property
    def bridge(self) -> Any:
        """The bridge to the cluster, in Java."""
        return self._bridge

    @property
    def timeout_s(self) -> float:
        """How long a call may take."""
        return self._timeout_s

    def readable(self) -> Authorizations:
        """Return what Accumulo lets the user of this engine read."""
        with translated():
            found = self._admin.authorizations(self.user)
            self._granted = Authorizations([bytes(token) for token in found])
        return self._granted

    def check_granted(self, asked: Iterable[str | bytes] | All) -> Authorizations | All:
        """Return authorizations that may be asked for; others are NotGranted.

        That Accumulo granted some is remembered; it refuses what it has taken back since then.
        """
        self.check_open()
        wanted = super().check_granted(asked)
        if not isinstance(wanted, All) and not wanted <= self._granted:
            missing = wanted - self.readable()
            if missing:
                raise not_granted(self.user, missing, self._granted)
        return wanted

    def grant(self, user: str, authorizations: Iterable[str | bytes]) -> Authorizations:
        """Let a user of Accumulo read more labels, and return all that it may read then.

        Whoever does so needs Accumulo's permission System.ALTER_USER.
        """
        self.check_open()
        more = Authorizations(authorizations)
        with translated(needs=f"grant System.ALTER_USER -s -u {self.user}"):
            before = [bytes(token) for token in self._admin.authorizations(user)]
            whole = Authorizations([*before, *more])
            self._admin.authorize(user, list(whole))
        return whole

    def check(
        self,
        tables: Iterable[str] = (),
        *,
        authorizations: Iterable[str | bytes] | All = (),
        read_only: bool = False,
    ) -> CheckReport:
        """Look at servers, permissions, the jar, tables and grants, and say what to do."""
        from lexigraph.store.accumulo.checks.check import ClusterCheck

        self.check_open()
        check = ClusterCheck(self, tables, authorizations=authorizations, read_only=read_only)
        return CheckReport(check.run())

    def table_permissions(self, name: str) -> frozenset[str]:
        """Return what Accumulo lets the user do to a table, by itself or with its namespace."""
        users = self._bridge.users()
        with translated():
            own = users.tablePermissions(self.user, self.remote(name))
            shared = users.namespacePermissions(self.user, self._namespace)
        return frozenset(map(str, [*own, *shared]))

    def check_permitted(self, names: Iterable[str], permission: str) -> None:
        """Refuse to go on unless Accumulo lets the user do something to all of these tables."""
        for name in names:
            if permission in self.table_permissions(name):
                continue
            with translated():
                everywhere = {str(one) for one in self._bridge.users().systemPermissions(self.user)}
            if permission not in everywhere:
                command = permit_table(self.user, self.remote(name), [permission])
                raise Authorization(
                    f"user {self.user!r} may not do this to table {name!r} of Accumulo; it needs "
                    f"Table.{permission}",
                    hint=f"Ask an administrator to run in Accumulo's shell: {command}",
                )

    def may_create(self) -> bool:
        """Tell whether Accumulo lets the user make tables in the namespace."""
        users = self._bridge.users()
        with translated():
            everywhere = {str(one) for one in users.systemPermissions(self.user)}
            if not self._admin.hasNamespace(self._namespace):
                # Whoever makes a namespace may do everything in it.
                return permissions.NAMESPACE in everywhere
            found = users.namespacePermissions(self.user, self._namespace)
        return permissions.CREATE in everywhere | {str(one) for one in found}

    def permit_creating(self) -> str:
        """Return the command of Accumulo's shell that lets the user make tables."""
        with translated():
            exists = bool(self._admin.hasNamespace(self._namespace))
        return permissions.permit_creating(self.user, self._namespace, exists=exists)

    def check_jar(self) -> None:
        """Refuse to go on where a server cannot load Lexigraph's jar; asked until it could once."""
        if self._has_jar:
            return
        with translated():
            inside = self._namespace if self._admin.hasNamespace(self._namespace) else ""
            self._has_jar = bool(self._admin.loads(inside, ITERATOR, KIND))
        if not self._has_jar:
            raise ClusterError(
                "the tablet servers cannot load Lexigraph's jar, which they need to run stages",
                hint="graph.admin.check() or 'lexigraph doctor' shows which server lacks it "
                "and what to copy there.",
            )

    def explained(self, error: ClusterError) -> LexigraphError:
        """Return why a server failed where that is known: its own message does not come back."""
        if isinstance(error, TakenBack):
            before = self._granted
            missing = before - self.readable()
            return not_granted(self.user, missing, self._granted) if missing else error
        if error.context.get("remote") != SERVER_ERROR:
            return error
        self._has_jar = False
        try:
            self.check_jar()
        except ClusterError as reason:
            return reason
        return error

    def remote(self, name: str) -> str:
        """Return what Accumulo calls a table."""
        raise NotImplementedError

    def properties_of(self, name: str) -> dict[str, str]:
        """Return the properties that Accumulo has of a table."""
        raise NotImplementedError

    @contextmanager
    def _permitted(self, table: str, *needed: str) -> Iterator[None]:
        try:
            with translated():
                yield
        except Authorization as refused:
            has: frozenset[str] = frozenset()
            with suppress(LexigraphError):
                has = self.table_permissions(table)
            # Accumulo's own word stands where it refuses somebody who has all of them.
            lacking = [one for one in needed if one not in has] or needed
            raise needing(refused, permit_table(self.user, self.remote(table), lacking)) from None
        except TakenBack as refused:
            raise self.explained(refused) from None
