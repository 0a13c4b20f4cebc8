"""Arguments of questions, read before anything is planned.

Layer ``graph``. What cannot be meant is a UsageError here that says what is: none of it reaches a
plan, where Python itself would refuse it in words of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from lexigraph.errors import InvalidOption, UsageError, nearest, show
from lexigraph.graph.read.view import field_name
from lexigraph.schema import Field


def read_most(count: Any, what: str, least: int) -> int:
    """Return how many there may be at most; more than a machine can count to is all there are.

    >>> read_most(10**30, "a limit", 0) == sys.maxsize
    True
    """
    if not isinstance(count, int) or isinstance(count, bool) or count < least:
        raise UsageError(f"{what} is a number of at least {least}, not {show(count)}")
    return min(count, sys.maxsize)


def refuse_options(
    unknown: Iterable[str], method: str, known: Iterable[str], **advice: str
) -> None:
    """Refuse keywords that a method does not have, with advice for some of them.

    >>> refuse_options(["limti"], "walk", ["limit"])
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidOption: .walk() has no option 'limti' (did you mean: limit?)
    """
    for one in unknown:
        raise InvalidOption(
            f".{method}() has no option {one!r}" + (f": {advice[one]}" if one in advice else ""),
            near=None if one in advice else nearest(one, known),
        )


def read_limit(count: Any) -> int:
    """Return a limit."""
    return read_most(count, "a limit", 0)


def read_flag(name: str, flag: Any) -> bool:
    """Return an option that is true or false."""
    if not isinstance(flag, bool):
        raise UsageError(f"{name} is True or False, not {show(flag)}")
    return flag


def read_vertices(vertices: Any) -> Iterable[Any]:
    """Return a collection of vertices; one alone counts as a list of one."""
    if vertices is None:
        raise UsageError("a vertex or a collection of vertices is needed, not None")
    if isinstance(vertices, str | bytes) or not isinstance(vertices, Iterable):
        return (vertices,)
    return vertices


def read_hop(hop: Any) -> list[Any]:
    """Return the groups of one hop: one, or several."""
    if isinstance(hop, str | type):
        return [hop]
    if isinstance(hop, bytes) or not isinstance(hop, Iterable):
        raise UsageError(
            f"a hop is a group, a list of groups, or a question, not {show(hop)}",
            hint="Name the edge groups of each hop: graph.walk('ann', Calls, [Calls, Knows]).",
        )
    return list(hop)


def read_directed(directed: Any) -> bool | None:
    """Return whether edges are directed; ``None`` for both kinds."""
    if directed is not None and not isinstance(directed, bool):
        raise UsageError(f"directed is True, False or None for both, not {show(directed)}")
    return directed


def read_fields(fields: Any) -> tuple[str, ...]:
    """Return the names of fields; one alone counts as a list of one."""
    if isinstance(fields, str | Field):
        return (field_name(fields),)
    return tuple(map(field_name, _listed(fields)))


def read_new_names(names: Any) -> tuple[str, ...]:
    """Return the names of properties that are made, at least one."""
    found: tuple[Any, ...] = (names,) if isinstance(names, str) else tuple(_listed(names))
    for name in found:
        if not isinstance(name, str) or not name or not name.isprintable():
            raise UsageError(f"the name of a property is printable text, not {show(name)}")
    if not found:
        raise UsageError("name at least one property that the function returns")
    return found


def _listed(names: Any) -> Iterable[Any]:
    if isinstance(names, bytes) or not isinstance(names, Iterable):
        raise UsageError(f"names of properties are needed, not {show(names)}")
    return names
