"""Fetch hints as people write them.

Layer ``graph``. A hint says what records have with them when they are read; a question without one
has everything but the edges of vertices and what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lexigraph.errors import InvalidOption, UsageError, nearest, show
from lexigraph.plan import FetchHints
from lexigraph.schema import Field

HINTS = ("properties", "metadata", "labels", "out_edges", "in_edges", "hidden")


def read_hints(hints: Iterable[Any], named: Mapping[str, Any]) -> FetchHints:
    """Return hints; names of some properties, keys or labels take the place of all.

    >>> read_hints(["labels"], {"properties": ["name"]}).properties
    frozenset({'name'})
    """
    given = tuple(hints)
    for one in given:
        if not isinstance(one, str):
            raise UsageError(f"a fetch hint is text, not {show(one)}")
        if one not in HINTS:
            raise InvalidOption(
                f"there is no fetch hint {one!r}",
                near=nearest(one, HINTS),
                hint=f"Available: {', '.join(HINTS)}. For some properties, pass "
                f'properties=["{one}"].',
            )
    names = {hint: _names(hint, several) for hint, several in named.items()}
    if not given and not any(names.values()):
        raise UsageError(
            "name what is to be fetched",
            hint='Write .fetch("labels", properties=["name"]). For all results, use .to_list().',
        )
    wanted: dict[str, Any] = {hint: found or (hint in given) for hint, found in names.items()}
    return FetchHints(labels="labels" in given, hidden="hidden" in given, **wanted)


def _names(hint: str, given: Any) -> frozenset[str]:
    """Return names as people give them: text, fields of a class, or classes for labels."""
    single = isinstance(given, str | Field | type)
    if not single and (isinstance(given, bytes) or not isinstance(given, Iterable)):
        raise UsageError(f"{hint}= takes names, not {show(given)}")
    found = []
    for one in [given] if single else given:
        label = getattr(one, "group", None) if isinstance(one, type) else None
        name = one.name if isinstance(one, Field) else label or one
        if not isinstance(name, str):
            raise UsageError(f"{hint}= takes names, not {show(one)}")
        found.append(name)
    return frozenset(found)
