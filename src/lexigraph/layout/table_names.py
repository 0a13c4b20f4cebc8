"""Names of tables: that of the catalogue, and those that hold one group each.

Layer ``layout``. Groups may be called anything, tables may not; two groups never share a name.
"""

from __future__ import annotations

import re

from lexigraph.layout.spi import ELEMENTS

CATALOGUE = "lexigraph.meta"
"""The table that lists the graphs of an engine."""
_PLAIN = re.compile(r"[A-Za-z0-9-]")


def table_of_group(group: str) -> str:
    """Give the name of a group's table: what a name cannot hold is written in hex.

    >>> table_of_group("road-use"), table_of_group("a|b")
    ('elements.road-use', 'elements.a_7c_b')
    """
    return f"{ELEMENTS}.{plain_name(group)}"


def plain_name(name: str) -> str:
    """Return a name that can be part of the name of a table; no two become the same."""
    return "".join(one if _PLAIN.fullmatch(one) else f"_{ord(one):x}_" for one in name)
