"""Names of tables: which are allowed, and which one was meant.

Layer ``store``. A table's name is also a file name and a name on a cluster, so it is plain ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lexigraph.errors import InvalidName, TableNotFound, nearest, show

MAX_NAME = 200
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]*")


def check_name(name: str) -> str:
    """Return a name that a table may have.

    >>> check_name("2nd")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidName: '2nd' cannot be the name of a table
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise InvalidName(f"{show(name)} cannot be the name of a table")
    return name


def name_taken(name: str) -> InvalidName:
    """Return the error for a table that is there already.

    >>> name_taken("people").hint
    "Open it with engine.table('people'), drop it first, or choose another name."
    """
    return InvalidName(
        f"there is already a table {name!r}",
        hint=f"Open it with engine.table({name!r}), drop it first, or choose another name.",
    )


def missing_table(name: object, names: Iterable[str]) -> TableNotFound:
    """Return the error for a table that is not there, with the nearest names.

    >>> print(missing_table("peple", ["people", "places"]))
    there is no table 'peple' (did you mean: people?)
    """
    return TableNotFound(f"there is no table {show(name)}", near=nearest(name, names))
