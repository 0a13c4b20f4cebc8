"""What a user of Accumulo must be permitted, and the shell's commands that permit it.

Layer ``store``, only for ``accumulo``. The words are Accumulo's own, so that its administrators can
act on a message as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable

from lexigraph.errors import NotGranted
from lexigraph.security import Authorizations

READ, WRITE, ALTER, BULK = "READ", "WRITE", "ALTER_TABLE", "BULK_IMPORT"
DROP, SUMMARIES = "DROP_TABLE", "GET_SUMMARIES"
CREATE, NAMESPACE = "CREATE_TABLE", "CREATE_NAMESPACE"

READING = (READ,)
WRITING = (READ, WRITE)
# Accumulo's client looks at a table's properties first, which takes the permission to change them.
LOADING = (BULK, ALTER)
MORE = {
    ALTER: "change its schema",
    BULK: "load in bulk",
    DROP: "drop it",
    SUMMARIES: "count what is stored",
}
"""What a user may do to a graph besides, and the permission that it takes on all tables."""


def permit_table(user: str, table: str, permissions: Iterable[str]) -> str:
    """Return the commands of Accumulo's shell that permit something on a table.

    >>> permit_table("ann", "calls", ["READ"])
    'grant Table.READ -t calls -u ann'
    """
    return "; ".join(f"grant Table.{one} -t {table} -u {user}" for one in permissions)


def permit_creating(user: str, namespace: str, *, exists: bool = True) -> str:
    """Return the command that lets a user make tables; in a new namespace, that one first.

    >>> permit_creating("ann", ""), permit_creating("ann", "team")
    ('grant System.CREATE_TABLE -s -u ann', 'grant Namespace.CREATE_TABLE -ns team -u ann')
    """
    if not exists:
        return f"grant System.{NAMESPACE} -s -u {user}"
    if namespace:
        return f"grant Namespace.{CREATE} -ns {namespace} -u {user}"
    return f"grant System.{CREATE} -s -u {user}"


def grant_labels(user: str, labels: Iterable[bytes]) -> str:
    """Return the command that lets a user read these labels, which are all it may read then.

    >>> grant_labels("ann", [b"B", b"A"])
    'setauths -u ann -s A,B'
    """
    shown = ",".join(sorted(one.decode(errors="backslashreplace") for one in labels))
    return f"setauths -u {user} -s {shown}"


def not_granted(user: str, missing: Authorizations, granted: Authorizations) -> NotGranted:
    """Return the error for labels that Accumulo does not let a user read.

    >>> error = not_granted("ann", Authorizations(["B"]), Authorizations(["A"]))
    >>> print(error)
    Accumulo did not grant user 'ann' the authorizations B; it granted A
    """
    command = grant_labels(user, [*granted, *missing])
    return NotGranted(
        f"Accumulo did not grant user {user!r} the authorizations {_listed(missing)}; it granted "
        f"{_listed(granted) or 'none'}",
        hint=f"Ask an administrator to run in Accumulo's shell: {command}; or: lexigraph cluster "
        f"grant {user} {_listed(missing).replace(', ', ' ')} --properties FILE, the file of a user "
        "who may grant (--dir DIR names a local cluster instead)",
        missing=missing,
    )


def _listed(labels: Iterable[bytes]) -> str:
    return ", ".join(sorted(one.decode(errors="backslashreplace") for one in labels))
