"""Groups that an engine cannot merge stay as they are, and all others merge."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar

import pytest

import lexigraph as lg
from lexigraph.codec import Codec, register, registry
from lexigraph.errors import InvalidValue
from lexigraph.functions import AGGREGATORS, PREDICATES, Predicate
from lexigraph.functions.aggregators.extremes import Max
from lexigraph.functions.predicates.base import Test
from lexigraph.graph import Graph
from lexigraph.schema import FieldCondition
from lexigraph.store import Engine
from tests.unit.layout.engines import ENGINES

NOW_MS = int(datetime.now(tz=UTC).timestamp()) * 1000
DAY_MS = 24 * 3600 * 1000
LATER_US = (NOW_MS + 40 * DAY_MS) * 1000


class Shade(Codec[str]):
    name = "shade"

    def encode(self, value: str) -> bytes:
        if not isinstance(value, str):
            raise InvalidValue("a shade is text")
        return value.encode()

    def decode(self, data: bytes) -> str:
        return data.decode()


class Door(lg.Vertex, summary=True):
    id: str
    n: int = lg.sum(default=1)


class Brief(lg.Edge, summary=True):
    source: str
    destination: str
    day: int = lg.group_by(check=[lg.this.age_off(days=30)])
    n: int = lg.sum(default=1)


@pytest.fixture
def classes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr(registry, "_CODECS", dict(registry._CODECS))
    register(Shade())

    class Wall(lg.Vertex, summary=True):
        id: str
        day: int = lg.group_by(default=NOW_MS, check=[lg.this.age_off(days=30)])
        shade: Annotated[str, "shade"] = lg.max()
        n: int = lg.sum(default=1)

    class Tile(lg.Vertex, summary=True):
        id: str
        shade: Annotated[str, "shade"] = lg.group_by()
        n: int = lg.sum(default=1)

    return [Wall, Tile, Door, Brief]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with ENGINES[request.param]() as engine:
        yield engine


def cells(graph: Graph) -> int:
    return sum(one.cells for one in graph.admin.stats().values())


def fill(graph: Graph, classes: list[Any]) -> None:
    Wall, Tile = classes[:2]  # noqa: N806
    for shade in ("red", "blue", "red"):
        graph.add([Wall("w", shade=shade), Tile("t", shade=shade), Door("d")])
        graph.add([Brief("a", "b", day=NOW_MS), Brief("a", "b", day=NOW_MS - 20 * DAY_MS)])


def answers(graph: Graph) -> list[str]:
    return sorted(map(repr, graph.all()))


@pytest.mark.parametrize("layout", ["byte-entity", "classic"])
def test_other_groups_merge_and_lose_what_has_aged_off(
    engine: Engine, layout: str, classes: list[Any]
) -> None:
    graph = lg.open(engine, classes, layout=layout)
    fill(graph, classes)
    before = answers(graph)
    graph.admin.compact()
    assert answers(graph) == before
    merges_all = engine.capabilities.engine == "memory"
    # A wall, two tiles, a door, two edges of two rows each.
    assert cells(graph) == (8 if merges_all else 11)
    graph.admin.compact(now=LATER_US)
    # Walls have aged off as well, but the merge cannot read them.
    assert cells(graph) == (3 if merges_all else 7)


def test_what_cannot_merge_is_told(
    engine: Engine, classes: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "lexigraph.graph")
    graph = lg.open(engine, classes)
    told = graph.admin.unmerged_groups()
    report = graph.admin.check()
    explained = graph.all("Wall").explain().find("merges")
    if engine.capabilities.engine == "memory":
        assert told == {}
        assert caplog.records == []
        assert explained == []
        assert report.ok
        return
    assert list(told) == ["Wall", "Tile"]
    assert "property 'shade' of codec 'shade' and aggregator 'max'" in told["Wall"]
    assert "property 'n'" not in told["Wall"]
    assert "property 'shade' of codec 'shade'" in told["Tile"]
    assert "'Wall'" in caplog.text
    steps = [one for one in report.steps if one.step == "groups"]
    assert [one.state for one in steps] == ["problem", "problem"]
    assert [one.facts["group"] for one in explained] == ["Wall"]
    assert graph.all(Door).explain().find("merges") == []


def test_a_graph_whose_merges_did_nothing_gets_merges_when_it_is_opened(
    engine: Engine, classes: list[Any]
) -> None:
    graph = lg.open(engine, classes)
    fill(graph, classes)
    (table,) = graph.admin.tables()[1:]
    engine.configure_table(table, replace(engine.settings(table), merge_stages=()))
    graph.admin.compact()
    whole = cells(graph)
    lg.open(engine, classes).admin.compact()
    assert cells(graph) < whole


class Widest(Max):
    name = "widest"


@dataclass(frozen=True)
class IsOdd(Predicate):
    name: ClassVar[str] = "is-odd"
    members: ClassVar[tuple[str, ...]] = ("field",)
    field: str

    @classmethod
    def read(cls, reader: Any) -> IsOdd:
        return cls(reader.text("field"))

    def bind(self, fields: Any) -> Test:
        value = fields.value_of(self.field)
        return lambda element: value(element) % 2 == 1

    def to_json(self) -> dict[str, Any]:
        return {"op": self.name, "field": self.field}

    def fields(self) -> Iterator[str]:
        yield self.field


def test_a_users_aggregator_and_predicate_leave_other_groups_alone(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for known, new in ((AGGREGATORS, Widest), (PREDICATES, IsOdd)):
        monkeypatch.setattr(known, "_entries", dict(known._entries))
        known.register(new)  # type: ignore[attr-defined]

    class Gate(lg.Vertex, summary=True):
        id: str
        width: int = lg.aggregate("widest")

    class Step(lg.Vertex, summary=True):
        id: str
        number: int = lg.group_by()
        n: int = lg.sum(default=1)
        rules = [FieldCondition("is-odd", lg.field("number"))]

    graph = lg.open(engine, [Gate, Step, Door, Brief])
    for width in (3, 5, 4):
        graph.add([Gate("g", width=width), Step("s", number=1), Door("d")])
        graph.add([Brief("a", "b", day=NOW_MS)])
    before = answers(graph)
    graph.admin.compact()
    assert answers(graph) == before
    assert "Gate('g', width=5)" in before
    merges_all = engine.capabilities.engine == "memory"
    # A gate, a step, a door, an edge of two rows.
    assert cells(graph) == (5 if merges_all else 7)
    assert list(graph.admin.unmerged_groups()) == ([] if merges_all else ["Gate"])
    graph.admin.compact(now=LATER_US)
    assert cells(graph) == (3 if merges_all else 5)
