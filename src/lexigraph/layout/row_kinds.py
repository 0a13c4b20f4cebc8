"""The four kinds of rows that elements have, and which of them a question is about.

Layer ``layout``. This is the whole table of directed and undirected, in and out: an edge from a
vertex to itself has no row of the kind ``in``, so it is not found that way, as in Gaffer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexigraph.cells.jsonbytes import bytes_to_json
from lexigraph.codec import codec_for
from lexigraph.layout.wanted import BOTH, IN, OUT, Wanted
from lexigraph.schema import Group, Schema

VERTEX, EITHER = "vertex", "either"
ALL_KINDS = (VERTEX, OUT, IN, EITHER)
EDGE_KINDS = frozenset({OUT, IN, EITHER})

SHAPES: dict[str, tuple[str, str | None, dict[str, Any]]] = {
    VERTEX: ("vertex", None, {"kind": "vertex"}),
    OUT: (
        "source",
        "destination",
        {"kind": "edge", "directed": True, "matched": "source", "once": "always"},
    ),
    IN: (
        "destination",
        "source",
        {"kind": "edge", "directed": True, "matched": "destination", "once": "never"},
    ),
    EITHER: (
        "source",
        "destination",
        {"kind": "edge", "directed": False, "matched": "either", "once": "ordered"},
    ),
}
"""For each kind: the fields that its rows start with, and what a shape says of it."""


def kinds_in(groups: Iterable[Group]) -> frozenset[str]:
    """Give the kinds of rows that elements of these groups have."""
    kinds: set[str] = set()
    for group in groups:
        if group.kind == "vertex":
            kinds.add(VERTEX)
            continue
        if group.directed is not False:
            kinds |= {OUT, IN}
        if group.directed is not True:
            kinds.add(EITHER)
    return frozenset(kinds)


def asked(schema: Schema, wanted: Wanted) -> frozenset[str]:
    """Give the kinds of rows that a question is about."""
    kinds = set(kinds_in(schema.group(name) for name in wanted.groups))
    if not wanted.vertices:
        kinds.discard(VERTEX)
    if not wanted.edges:
        kinds -= EDGE_KINDS
    if wanted.direction != BOTH:
        kinds.discard(IN if wanted.direction == OUT else OUT)
    if wanted.directed is not None:
        kinds -= {EITHER} if wanted.directed else {OUT, IN}
    return frozenset(kinds)


def where(kinds: Iterable[str]) -> dict[str, Any]:
    """Give a predicate that rows of these kinds satisfy, and no others.

    >>> where(["vertex"])
    {'op': 'eq', 'field': 'kind', 'value': 'vertex'}
    """
    tests = [_test(kind) for kind in ALL_KINDS if kind in kinds]
    return tests[0] if len(tests) == 1 else {"op": "or", "of": tests}


def _test(kind: str) -> dict[str, Any]:
    if kind == VERTEX:
        return _equal("kind", "str", "vertex")
    if kind == EITHER:
        return _equal("directed", "bool", False)
    matched = _equal("matched", "str", "source" if kind == OUT else "destination")
    return {"op": "and", "of": [_equal("directed", "bool", True), matched]}


def _equal(field: str, codec: str, value: Any) -> dict[str, Any]:
    key = codec_for(codec).encode(value)
    return {"op": "eq", "field": field, "value": bytes_to_json(key)}
