"""Ids and values come back as they went: behaviour 28 of Gaffer's tests, seen from above.

Layer ``testing``. What escapes and delimiters are for: ids that are made of them, or start each
other, stay apart, and every kind of value survives the key and the cell.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from ipaddress import IPv4Address
from itertools import product
from typing import Any
from uuid import UUID

import pytest

import lexigraph as lg
from lexigraph.testing.graph.base import GraphTests, MakeGraph

TEXTS = ["", "\x00", "\x00\x00", "\x01", "\x01\x02", "a", "a\x00", "a\x00b", "ä", "\uffff", "𝄞"]
IDS: dict[str, tuple[Any, list[Any]]] = {
    "text": (str, TEXTS),
    "bytes": (bytes, [b"", b"\x00", b"\x01", b"\x01\x02", b"\xff", b"\xff\x00", b"a\x00b"]),
    "int": (int, [0, 1, -1, 255, 256, 2**63 - 1, -(2**63), 10**30]),
    "float": (float, [0.0, 1.5, -1.5, 1e300, -1e-300, float("inf"), float("-inf")]),
    "bool": (bool, [True, False]),
    "date": (date, [date(1, 1, 1), date(1969, 12, 31), date(2026, 1, 2), date(9999, 12, 31)]),
    "datetime": (datetime, [datetime(1960, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, 5, tzinfo=UTC)]),
    "decimal": (Decimal, [Decimal("-1.5"), Decimal(0), Decimal("1e20")]),
    "uuid": (UUID, [UUID(int=0), UUID(int=1), UUID(int=2**128 - 1)]),
    "address": (IPv4Address, [IPv4Address("10.0.0.1"), IPv4Address("255.255.255.255")]),
    "tuple": (tuple[str, int], [("a", 1), ("a", -1), ("a\x00", 1), ("", 0)]),
}


def classes_of(kind: Any) -> tuple[type, type]:
    """Make a vertex and an edge whose ids, group-by and values are of a type."""
    vertex = {"id": kind, "key": kind, "value": kind, "label": str | None}
    edge = {"source": kind, "destination": kind, "directed": bool, "value": kind}
    made = {"key": lg.group_by(), "value": lg.max(), "label": lg.visibility(default=None)}
    return (
        type("Thing", (lg.Vertex,), {"__annotations__": vertex, **made}, summary=True),
        type("Tie", (lg.Edge,), {"__annotations__": edge, "value": lg.max()}, summary=True),
    )


class Ids(GraphTests):
    """Every kind of id and value."""

    @pytest.mark.parametrize("kind", IDS)
    def test_vertices_come_back_by_their_ids(self, make: MakeGraph, kind: str) -> None:
        """28: ids, group-by values, values and labels, all of one type."""
        type_, values = IDS[kind]
        thing, tie = classes_of(type_)
        graph = make(thing, tie)
        given = [
            thing(one, key=key, value=one, label=label)
            for one, (key, label) in product(
                values, zip(values, ["", "x", "x&y"] * 9, strict=False)
            )
        ]
        graph.add(given)
        for one in values:
            found = [(e.id, e.key, e.value) for e in graph.get([one]).vertices()]
            assert sorted(found, key=repr) == sorted([(one, key, one) for key in values], key=repr)
        assert graph.count() == len(given)

    @pytest.mark.parametrize("kind", IDS)
    def test_edges_come_back_by_both_ends(self, make: MakeGraph, kind: str) -> None:
        """28: every pair, directed and undirected, found from either end and as a pair."""
        type_, values = IDS[kind]
        thing, tie = classes_of(type_)
        graph = make(thing, tie)
        pairs = list(product(values, repeat=2))
        graph.add([tie(a, b, directed=True, value=a) for a, b in pairs])
        graph.add([tie(a, b, directed=False, value=b) for a, b in pairs])
        halves = len(values) * (len(values) + 1) // 2
        assert graph.count() == len(pairs) + halves
        for one in values:
            found = list(graph.get([one]).edges().elements())
            assert len(found) == 2 * len(values) - 1 + len(values)
            assert all(one in (e.source, e.destination) for e in found)
        for a, b in pairs:
            ends = {(e.directed, e.source == a) for e in graph.edge(a, b).elements()}
            assert len(list(graph.edge(a, b))) == 2, (a, b)
            assert (True, True) in ends
