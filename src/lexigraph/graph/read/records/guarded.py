"""Which records an authorization guards: a condition on the visibilities of what is read.

Layer ``graph``. It looks at what the question has read, so it tells a session nothing of what the
session may not read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from lexigraph.errors import InvalidOption, UnsupportedError, UsageError, nearest, show
from lexigraph.plan.records.found import FoundRecord
from lexigraph.schema import Schema
from lexigraph.security import Visibility

PARTS = ("element", "properties", "metadata")
"""What of a record has a visibility."""
_HINTS = {
    "element": ("labels",),
    "properties": ("labels", "properties"),
    "metadata": ("labels", "properties", "metadata"),
}


def guarded(
    authorization: Any, parts: Collection[Any], groups: Iterable[str], schema: Schema
) -> tuple[Callable[[Any], bool], tuple[str, ...]]:
    """Return a condition on elements of these groups, and the fetch hints that it needs."""
    if not isinstance(authorization, str):
        raise UsageError(f"an authorization is a text, not {show(authorization)}")
    for one in parts:
        if one not in PARTS:
            raise InvalidOption(
                f"{show(one)} is not a part of a record",
                near=nearest(one, PARTS),
                hint=f"The parts are {', '.join(PARTS)}.",
            )
    for name in groups:
        if schema.group(name).record is None:
            raise UnsupportedError(
                f"group {name!r} is a summary group: its elements merge over visibilities, so "
                "guarded_by asks for records only",
                hint="Name groups of records: .vertices(Person).guarded_by(...).",
            )
    wanted, token = frozenset(parts or PARTS), authorization.encode()
    known: dict[str, bool] = {}

    def names(visibility: str) -> bool:
        if visibility not in known:
            known[visibility] = token in Visibility(visibility).tokens
        return known[visibility]

    def condition(element: Any) -> bool:
        return any(map(names, _visibilities(element, wanted)))

    deepest = next(one for one in reversed(PARTS) if one in wanted)
    return condition, _HINTS[deepest]


def _visibilities(record: FoundRecord, parts: frozenset[str]) -> Iterator[str]:
    if "element" in parts:
        yield record.visibility
    if parts == {"element"}:
        return
    for value in record.all_values():
        if "properties" in parts:
            yield value.visibility
        if "metadata" in parts:
            for entry in value.entries or ():
                yield entry.visibility.decode("utf-8", "backslashreplace")
