"""The plainest design: a row for each user, a family for each attribute.

Layer ``examples``. The row is what look-ups start from, so it is the user's id. Attributes need no
declaration, may be missing, and may each have a label of their own.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable

from lexigraph import All, Mutations, Table

USERS = """\
userid,age,address,account-balance
ann,41,1 Elm Street,2500
bob,27,,120
carla,35,9 Oak Avenue,80000
"""


def load_users(table: Table, lines: Iterable[str], *, labels: dict[str, str] | None = None) -> int:
    """Write comma-separated users, whose first column is the row; return how many there were.

    ``labels`` gives the visibility of some columns. An empty field becomes no cell at all.

    >>> from lexigraph import MemoryEngine
    >>> users = MemoryEngine().create_table("users")
    >>> load_users(users, USERS.splitlines(), labels={"account-balance": "bank"})
    3
    >>> read_user(users, "bob")
    {'age': '27'}
    """
    labels = labels or {}
    batch = Mutations()
    count = 0
    for record in csv.DictReader(lines):
        row, *attributes = record.items()
        for name, value in attributes:
            if value:
                batch.put(row[1], name, "", value, visibility=labels.get(name, ""))
        count += 1
    table.write(batch)
    return count


def read_user(
    table: Table,
    userid: str,
    *attributes: str,
    authorizations: Iterable[str] | All = (),
) -> dict[str, str]:
    """Read one row: all attributes, or only those named, that the authorizations may see.

    >>> from lexigraph import MemoryEngine
    >>> users = MemoryEngine().create_table("users")
    >>> _ = load_users(users, USERS.splitlines(), labels={"account-balance": "bank"})
    >>> read_user(users, "ann", "age", "account-balance")
    {'age': '41'}
    >>> read_user(users, "ann", "age", "account-balance", authorizations=["bank"])
    {'account-balance': '2500', 'age': '41'}
    """
    cells = table.scan(rows=userid, columns=list(attributes), authorizations=authorizations)
    return {cell.family.decode(): cell.value.decode() for cell in cells}
