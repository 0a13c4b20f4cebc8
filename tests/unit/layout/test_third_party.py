"""A layout that is not ours: one row for each edge, under its source, and pushed down as ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from lexigraph.codec.escape import escape
from lexigraph.errors import UnsupportedError
from lexigraph.keyplan import StoredElement
from lexigraph.layout import BoundLayout, Layout, Place, Wanted
from lexigraph.layout.groups import plan_groups
from lexigraph.layout.spi import ELEMENTS, MERGED
from lexigraph.schema import Group, Schema, ValueType
from lexigraph.store import Range, ScanSpec, StageSpec, TableSettings
from tests.unit.layout.engines import ENGINES
from tests.unit.layout.graphs import COUNT, make, name_of, names_of, read

TEXT = ValueType("str")
VISITS = Group("visits", "edge", {"source": TEXT, "destination": TEXT}, (COUNT,), directed=True)


class OutOnly(Layout):
    """Edges by their source; nothing is found from the other end."""

    name = "out-only"

    def bind(self, schema: Schema) -> BoundOutOnly:
        if any(
            group.kind != "edge" or group.directed is not True for group in schema.groups.values()
        ):
            raise UnsupportedError("the layout 'out-only' holds directed edges and nothing else")
        return BoundOutOnly(schema)


class BoundOutOnly(BoundLayout):
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        source, destination = (
            {"field": field, "codec": "str", "form": "escaped"}
            for field in ("source", "destination")
        )
        row = {
            "kind": "edge",
            "directed": True,
            "matched": "source",
            "once": "always",
            "parts": [source, {"const": {"hex": "00"}}, destination],
        }
        family = [{"field": "group", "codec": "str", "form": "rest"}]
        groups = plan_groups(schema)
        self.plan = {"version": 1, "rows": [row], "family": family, "groups": groups}

    def tables(self) -> dict[str, TableSettings]:
        stage = StageSpec("aggregate", {"plan": MERGED}, 40)
        plans = {ELEMENTS: self.plan, MERGED: self.plan}
        return {"out": TableSettings.with_stages(stage, plans=plans, max_versions=None)}

    def table_of(self, group: str) -> str:
        return "out"

    def around(self, vertices: Iterable[Any], wanted: Wanted) -> list[Place]:
        if wanted.direction == "in":
            raise UnsupportedError("the layout 'out-only' finds edges by their source alone")
        return [Place("out", [Range.prefix(escape(one.encode()) + b"\0") for one in vertices])]

    def edges_between(self, pairs: Iterable[tuple[Any, Any]], wanted: Wanted) -> list[Place]:
        rows = [b"\0".join(escape(end.encode()) for end in pair) for pair in pairs]
        return [Place("out", [Range.row(row) for row in rows])]

    def within(self, start: Any, end: Any, wanted: Wanted) -> list[Place]:
        return [Place("out", [Range.rows(escape(start.encode()), escape(end.encode()) + b"\1")])]

    def everything(self, wanted: Wanted) -> list[Place]:
        return [Place("out", [Range()])]


def visit(source: str, destination: str) -> StoredElement:
    return StoredElement(
        "edge", "visits", {"count": 1}, source=source, destination=destination, directed=True
    )


@pytest.mark.parametrize("engine_name", ENGINES)
def test_it_answers_and_is_pushed_down(engine_name: str) -> None:
    of = Schema({"visits": VISITS})
    wanted = Wanted(frozenset({"visits"}))
    given = [visit("a", "b"), visit("a", "c"), visit("b", "a"), visit("a", "b")]
    with ENGINES[engine_name]() as engine:
        bound = make(engine, OutOnly(), of, given)
        found = read(engine, bound, bound.around(["a"], wanted))
        assert {name_of(one): one.properties["count"] for one in found} == {
            name_of(given[0]): 2,
            name_of(given[1]): 1,
        }
        assert len(read(engine, bound, bound.edges_between([("b", "a")], wanted))) == 1
        assert names_of(read(engine, bound, bound.within("a", "a", wanted))) == names_of(given[:2])
        few = {"op": "ge", "field": "count", "value": {"hex": "8102"}}
        spec = ScanSpec(stages=[StageSpec("filter", {"plan": ELEMENTS, "where": few}, 50)])
        assert all(stage.in_engine for stage in engine.placement("out", spec))
        assert len(list(engine.table("out").scan(stages=spec.stages))) == 1


def test_what_it_cannot_do_it_says() -> None:
    vertices = Group("person", "vertex", {"vertex": TEXT})
    with pytest.raises(UnsupportedError, match="nothing else"):
        OutOnly().bind(Schema({"person": vertices}))
    with pytest.raises(UnsupportedError, match="source alone"):
        OutOnly().bind(Schema({"visits": VISITS})).around(
            ["a"], Wanted(frozenset({"visits"}), direction="in")
        )
