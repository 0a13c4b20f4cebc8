"""A graph: the session of the caller who opened it, which can also write, and makes all others.

Layer ``graph``. The bare graph sees what it was opened with, by default unlabelled data alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexigraph.arguments import read_bool
from lexigraph.closing import Closing
from lexigraph.errors import ReadOnly, UnsupportedError
from lexigraph.graph.access import Access
from lexigraph.graph.admin.admin import OPEN_FOR_WRITING, Admin
from lexigraph.graph.admin.indexes import IndexAdmin
from lexigraph.graph.session import READER, WRITER, Session
from lexigraph.graph.users import User
from lexigraph.security import All


class Graph(Closing, Session):
    """One graph. Opened by :func:`lexigraph.open`, used by any number of threads, closed once."""

    _called = "a graph"

    def __init__(
        self,
        access: Access,
        authorizations: Iterable[str | bytes] | All = (),
        *,
        read_only: bool = False,
        owns_engine: bool = True,
    ) -> None:
        super().__init__(access, authorizations, role=READER if read_only else WRITER)
        self._read_only, self._owns_engine = read_only, owns_engine

    @property
    def name(self) -> str:
        """The name of the graph in its directory."""
        return self._access.name

    @property
    def admin(self) -> Admin:
        """What only the owner may do."""
        return Admin(self._access, read_only=self._read_only)

    @property
    def index(self) -> IndexAdmin:
        """The indexes of the graph, which only the owner may change."""
        return IndexAdmin(self._access, read_only=self._read_only)

    def session(
        self,
        authorizations: Iterable[str | bytes] | All = (),
        *,
        role: str = READER,
        own_labels: bool = False,
        timeout_s: float | None = None,
        user: str | None = None,
        operation_authorizations: Iterable[str] = (),
        known_only: bool = False,
    ) -> Session:
        """Return a session for one reader, who sees what the authorizations allow.

        The role ``writer`` may also add and delete; with ``own_labels`` only under labels that it
        can read. A scan that takes longer than ``timeout_s`` raises QueryTimeout. ``user`` is an id
        and ``operation_authorizations`` name what the user may do; the session stores them, and no
        answer depends on them. With ``known_only``, an authorization that is neither granted nor
        declared for the graph raises NotGranted: this finds misspelt ones.
        """
        who = User.read(user, operation_authorizations)
        if read_bool(known_only, "known_only"):
            self._access.check_known(authorizations)
        if role == WRITER and self._read_only:
            raise UnsupportedError(
                "the graph was opened read-only, so it has no writer sessions",
                hint=OPEN_FOR_WRITING,
            )
        return Session(
            self._access,
            authorizations,
            role=role,
            own_labels=own_labels,
            timeout_s=timeout_s,
            who=who,
        )

    def _check_writer(self) -> None:
        if self._read_only:
            raise ReadOnly("the graph was opened read-only", hint=OPEN_FOR_WRITING)

    def close(self) -> None:
        """Release everything. Closing twice is fine, using it afterwards raises Closed."""
        if self._owns_engine:
            self._access.engine.close()

    def __repr__(self) -> str:
        """Show name, engine and groups."""
        groups = ", ".join(self.schema.groups)
        return f"<graph {self.name!r} ({self._access.engine.capabilities.engine}): {groups}>"

    def _repr_html_(self) -> str:
        return self.schema._repr_html_()
