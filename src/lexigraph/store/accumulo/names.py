"""Names of tables on a cluster: Accumulo takes letters, digits and underscores alone.

Layer ``store``, only for ``accumulo``. Every name that a table may have becomes one of Accumulo's,
no two the same, and comes back from it.
"""

from __future__ import annotations

import re

from lexigraph.errors import InvalidOption, show

_ESCAPES = {"-": "_2d", ".": "_2e", "_": "_5f"}
_PLAIN = {escape: char for char, escape in _ESCAPES.items()}
# An underscore stays as it is, unless it would be read as one of the escapes.
_TO_ESCAPE = re.compile(r"[-.]|_(?=2d|2e|5f)")
_ESCAPED = re.compile("|".join(_PLAIN))


def to_remote(name: str, namespace: str) -> str:
    """Return what Accumulo calls a table.

    >>> to_remote("my-calls", ""), to_remote("my_calls.2", "tests")
    ('my_2dcalls', 'tests.my_calls_2e2')
    """
    plain = _TO_ESCAPE.sub(lambda found: _ESCAPES[found[0]], name)
    return f"{namespace}.{plain}" if namespace else plain


def from_remote(remote: str, namespace: str) -> str | None:
    """Return the name of a table that Accumulo calls so; None where it is of another namespace.

    >>> from_remote("tests.my_calls_2e2", "tests"), from_remote("my_calls", "tests")
    ('my_calls.2', None)
    """
    home, _, plain = remote.rpartition(".")
    if home != namespace:
        return None
    return _ESCAPED.sub(lambda found: _PLAIN[found[0]], plain)


def check_namespace(namespace: str) -> str:
    """Refuse what cannot be a namespace of Accumulo.

    >>> check_namespace("a.b")
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: 'a.b' cannot be a namespace of Accumulo
    """
    if not isinstance(namespace, str) or not re.fullmatch(r"[A-Za-z0-9_]{0,200}", namespace):
        raise InvalidOption(
            f"{show(namespace)} cannot be a namespace of Accumulo",
            hint="Use letters, digits and underscores; '' is the default namespace.",
        )
    return namespace
