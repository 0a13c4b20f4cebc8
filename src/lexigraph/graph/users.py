"""Who a session is for, and which authorizations a graph knows.

Layer ``graph``. A user's id and operation authorizations are kept for those who run operations and
write logs; no answer depends on them. What may be read depends on ``authorizations`` alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lexigraph.errors import InvalidOption, NotGranted, nearest, show
from lexigraph.security import Authorizations


@dataclass(frozen=True, slots=True)
class User:
    """An id, and what the user may do besides reading."""

    id: str | None = None
    operation_authorizations: frozenset[str] = frozenset()

    @staticmethod
    def read(user: Any, operation_authorizations: Any) -> User:
        """Return a user of what a caller passed.

        >>> User.read("ann", ["load"])
        User(id='ann', operation_authorizations=frozenset({'load'}))
        >>> User.read(5, [])
        Traceback (most recent call last):
            ...
        lexigraph.errors.InvalidOption: the user of a session is text, not 5
        """
        if user is not None and (not isinstance(user, str) or not user):
            raise InvalidOption(
                f"the user of a session is text, not {show(user)}",
                hint='Pass an id such as user="ann", or leave it out.',
            )
        given = operation_authorizations
        listed = list(given) if isinstance(given, Iterable) else [given]
        if isinstance(given, str | bytes) or not all(
            isinstance(one, str) and one for one in listed
        ):
            raise InvalidOption(
                f"operation authorizations are a list of texts, not {show(given)}",
                hint='Pass them as operation_authorizations=["load", "export"].',
            )
        return User(user, frozenset(listed))

    def __str__(self) -> str:
        """Show what a session shows of it."""
        shown = "" if self.id is None else f", user {self.id!r}"
        if self.operation_authorizations:
            shown += f", operations {sorted(self.operation_authorizations)}"
        return shown


NOBODY = User()


def check_declared(graph: str, asked: Authorizations, declared: Authorizations) -> None:
    """Refuse authorizations that were not declared for a graph; the nearest ones are named."""
    if not declared:
        raise InvalidOption(
            f"known_only needs declared authorizations, and graph {graph!r} has none",
            hint="Call graph.admin.declare_authorizations([...]) once, or open the graph with "
            "grants=[...].",
        )
    for token in asked - declared:
        name, names = _shown(token), [_shown(one) for one in declared]
        raise NotGranted(
            f"{name!r} is not an authorization that is granted or declared for graph {graph!r}",
            near=nearest(name, names),
            hint="Check the spelling, or declare it: graph.admin.declare_authorizations([...]).",
        )


def _shown(token: bytes) -> str:
    return token.decode(errors="backslashreplace")
