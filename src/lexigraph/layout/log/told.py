"""What facts are called in a feed, and what their qualifiers name.

Layer ``layout``; the words are those of histories (section 7 of ``spec/facts.md``).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from lexigraph.codec.escape import escape, split_terminated
from lexigraph.codec.kinds.basics import STR
from lexigraph.layout.records.facts import FactState
from lexigraph.layout.records.families import (
    HIDE,
    LABEL,
    METADATA,
    REQUIRED,
    VALUE,
    VALUE_HIDE,
)

_SAID, _DELETED, _REMOVED, _UNDONE = (
    int(one) for one in (FactState.SAID, FactState.DELETED, FactState.REMOVED, FactState.UNDONE)
)

TOLD: Final = {
    (LABEL, _SAID): "label added",
    (LABEL, _DELETED): "label deleted",
    (LABEL, _REMOVED): "label deleted",
    (VALUE, _SAID): "value set",
    (VALUE, _DELETED): "value deleted",
    (VALUE, _REMOVED): "value deleted",
    (METADATA, _SAID): "metadata set",
    (METADATA, _UNDONE): "metadata deleted",
    (VALUE_HIDE, _SAID): "value hidden",
    (VALUE_HIDE, _UNDONE): "value shown",
    (HIDE, _SAID): "hidden",
    (HIDE, _UNDONE): "shown",
    (REQUIRED, _SAID): "visibility required",
    (REQUIRED, _UNDONE): "visibility released",
}
ENDS: Final = frozenset({HIDE, REQUIRED})
"""The families that are about the whole element."""


class FactName(NamedTuple):
    """What a fact is about within its element."""

    label: str | None = None
    property: str | None = None
    key: bytes = b""
    entry: str | None = None
    """The key of a metadata entry."""
    value_visibility: bytes = b""
    expression: bytes = b""
    value: bytes | None = None
    """Of a metadata entry the qualifier of its value."""


def read_name(family: bytes, qualifier: bytes) -> FactName:
    """Return what a fact of a family is about.

    >>> read_name(b"p", b"age\\0").property
    'age'
    """
    if family == LABEL:
        return FactName(label=STR.decode(qualifier))
    if family == REQUIRED:
        return FactName(expression=qualifier)
    if family == HIDE:
        return FactName()
    name, end = split_terminated(qualifier, 0)
    text = STR.decode(name)
    if family == VALUE:
        return FactName(property=text, key=qualifier[end:])
    key, end = split_terminated(qualifier, end)
    if family == VALUE_HIDE:
        return FactName(property=text, key=key, value_visibility=qualifier[end:])
    visibility, end = split_terminated(qualifier, end)
    return FactName(
        property=text,
        key=key,
        entry=STR.decode(qualifier[end + 8 :]),
        value_visibility=visibility,
        value=escape(name) + b"\0" + key,
    )
