"""A property that is younger than its group: older elements show its default, on every path."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import SchemaError
from lexigraph.layout import ByteEntity, Classic

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum(default=1)
    label: str | None = lg.visibility(default=None)


class Person(lg.Vertex, summary=True):
    id: str


class NewCalls(lg.Edge, summary=True, directed=True, group="Calls"):
    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum(default=1)
    label: str | None = lg.visibility(default=None)
    cost: float = lg.sum(default=2)
    limit: float = lg.max(default=10.0)
    kind_: str = lg.last(default="plain", name="kind")
    when: datetime = lg.max(default=MOMENT)
    tags: set[str] = lg.set_of(default=("a", "b"))
    sure: bool = lg.any_of(default=True)
    note: str | None = lg.last(default=None)


class NewPerson(lg.Vertex, summary=True, group="Person"):
    id: str
    cost: int = lg.sum(default=7)


OLD = [
    Calls("a", "b", day=1),
    Calls("a", "b", day=2, count=5),
    Calls("a", "c", day=1, label="s"),
    Person("a"),
]
YOUNG = [
    NewCalls("b", "c", day=1, cost=20.0, kind_="new", tags={"z"}, sure=False, note="x"),
    NewCalls("a", "c", day=1, cost=30.0, limit=1.0),
    NewPerson("z", cost=1),
]


@pytest.fixture(params=["memory", "embedded"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return lg.MemoryEngine() if request.param == "memory" else tmp_path / "g"


@pytest.fixture(params=[ByteEntity(), Classic()], ids=lambda one: one.name)
def graph(where: Any, request: pytest.FixtureRequest) -> Iterator[lg.Graph]:
    how = {"layout": request.param, "authorizations": lg.ALL}
    with lg.open(where, [Calls, Person], **how) as made:
        made.add(OLD)
    with lg.open(where, [NewCalls, NewPerson], **how) as made:
        made.add(YOUNG)
        yield made


def expected() -> list[NewCalls]:
    """Return all calls as the new class makes them: those of before with its defaults."""
    return [
        NewCalls("a", "b", day=1),
        NewCalls("a", "b", day=2, count=5),
        # A value under one label: no default is added to it.
        NewCalls("a", "c", day=1, count=2, label="s", cost=30.0, limit=1.0),
        YOUNG[0],  # type: ignore[list-item]
    ]


def shown(calls: Any) -> list[tuple[Any, ...]]:
    return sorted(
        (
            *(one.source, one.destination, one.day, one.cost, one.limit, one.kind_, one.when),
            *(tuple(sorted(one.tags)), one.sure, one.note),
        )
        for one in calls
    )


def test_instances_show_defaults(graph: lg.Graph) -> None:
    assert shown(graph.all(NewCalls)) == shown(expected())
    assert shown(graph.get("a").edges(NewCalls)) == shown(expected()[:3])
    assert {one.id: one.cost for one in graph.all(NewPerson)} == {"a": 7, "z": 1}


def test_tables_and_elements_agree_with_instances(graph: lg.Graph) -> None:
    names = ("cost", "limit", "kind", "when", "sure", "note")
    for question in (graph.all(NewCalls), graph.all(NewCalls).select(*names), graph.all()):
        wanted = [tuple(one.get(name) for name in names) for one in question.elements()]
        rows = question.to_arrow().to_pylist()
        assert [tuple(row.get(name) for name in names) for row in rows] == wanted
        batches = [row for batch in question.to_batches(rows=2) for row in batch.to_pylist()]
        assert batches == rows
    plain = graph.all(NewCalls).exclude("tags").to_polars()
    assert plain["cost"].sum() == sum(one.cost for one in graph.all(NewCalls))


CONDITIONS: dict[str, Any] = {
    "eq": lambda f: f("cost") == 2,
    "ne": lambda f: f("cost") != 2,
    "lt": lambda f: f("cost") < f("limit"),
    "ge": lambda f: f("limit") >= f("cost"),
    "eq other": lambda f: f("cost") == f("count"),
    "other first": lambda f: f("count") == f("cost"),
    "in": lambda f: f("kind").is_in(["plain", "odd"]),
    "exists": lambda f: f("kind").exists(),
    "absent": lambda f: ~f("kind").exists(),
    "absent note": lambda f: ~f("note").exists(),
    "matches": lambda f: f("kind").matches("pl.*"),
    "contains": lambda f: f("tags").contains("b"),
    "length": lambda f: f("tags").length == 2,
    "not": lambda f: ~((f("cost") > 1) & (f("kind") == "new")),
    "or": lambda f: (f("cost") == 20) | (f("when") <= MOMENT),
    "flag": lambda f: f("sure") == True,  # noqa: E712
    "mapping": lambda f: {"op": "exists", "field": "kind"},
}
PYTHON: dict[str, Any] = {
    "eq": lambda e: e["cost"] == 2,
    "ne": lambda e: e["cost"] != 2,
    "lt": lambda e: e["cost"] < e["limit"],
    "ge": lambda e: e["limit"] >= e["cost"],
    "eq other": lambda e: e["cost"] == e["count"],
    "other first": lambda e: e["count"] == e["cost"],
    "in": lambda e: e["kind"] in ("plain", "odd"),
    "exists": lambda e: True,
    "absent": lambda e: False,
    "absent note": lambda e: e.get("note") is None,
    "matches": lambda e: e["kind"].startswith("pl"),
    "contains": lambda e: "b" in e["tags"],
    "length": lambda e: len(e["tags"]) == 2,
    "not": lambda e: not (e["cost"] > 1 and e["kind"] == "new"),
    "or": lambda e: e["cost"] == 20 or e["when"] <= MOMENT,
    "flag": lambda e: e["sure"],
    "mapping": lambda e: True,
}


@pytest.mark.parametrize("name", [n for n in CONDITIONS if "other" not in n])
def test_conditions_see_what_is_shown(graph: lg.Graph, name: str) -> None:
    condition, call = CONDITIONS[name](lg.field), PYTHON[name]
    for start in (graph.all(NewCalls), graph.get("a").edges(NewCalls)):
        for question in (start, start.roll_up("day"), start.derive("more", str, "cost")):
            pushed = [repr(one) for one in question.where(condition).elements()]
            assert sorted(pushed) == sorted(repr(one) for one in question.where(call).elements())
            assert question.where(condition).count() == len(pushed)
    near = graph.get("a").edges(NewCalls).where(condition).adjacent()
    assert near == graph.get("a").edges(NewCalls).where(call).adjacent()


def test_fields_of_one_type_compare_with_defaults() -> None:
    class Before(lg.Vertex, summary=True, group="P"):
        id: str
        held: int | None = lg.max()

    class After(lg.Vertex, summary=True, group="P"):
        id: str
        held: int | None = lg.max()
        low: int = lg.min(default=3)
        high: int = lg.max(default=5)

    engine = lg.MemoryEngine()
    lg.open(engine, [Before]).add([Before("a", held=4), Before("b", held=9), Before("c")])
    graph = lg.open(engine, [After])
    graph.add([After("d", held=4, low=8, high=1)])
    for left in ("held", "low", "high"):
        for right in ("held", "low", "high"):
            one, other = lg.field(left), lg.field(right)
            for condition in (one < other, one <= other, one == other, one != other, one >= other):
                name, values = (
                    condition.op,
                    [(e.get(left), e.get(right)) for e in graph.all().elements()],
                )
                tests = {
                    "lt": lambda a, b: a < b,
                    "le": lambda a, b: a <= b,
                    "eq": lambda a, b: a == b,
                    "ne": lambda a, b: a != b,
                    "ge": lambda a, b: a >= b,
                }
                held = [tests[name](a, b) for a, b in values if None not in (a, b)]
                assert graph.all().where(condition).count() == sum(held), (left, name, right)


def test_summaries_count_what_is_shown(graph: lg.Graph) -> None:
    calls = list(graph.all(NewCalls))
    [row] = graph.all(NewCalls).summarise(
        cost=lg.sum("cost"), limit=lg.max("limit"), sure=lg.any_of("sure"), n=lg.count()
    )
    assert row["cost"] == sum(one.cost for one in calls) == 54
    assert (row["limit"], row["sure"], row["n"]) == (10.0, True, 4)
    by = {one["kind"]: one["n"] for one in graph.all(NewCalls).summarise(by=["kind"], n=lg.count())}
    assert by == {"plain": 3, "new": 1}
    [rest] = graph.all(NewCalls).where(lg.field("kind") == "plain").summarise(n=lg.sum("count"))
    assert rest == {"n": 8}
    assert graph.all(NewPerson).summarise(n=lg.sum("cost")).to_list() == [{"n": 8}]


def test_rolling_up_merges_what_is_shown(graph: lg.Graph) -> None:
    rolled = {(e.source, e.destination): e for e in graph.all(NewCalls).roll_up().elements()}
    assert rolled["a", "b"]["cost"] == 4
    assert rolled["a", "b"]["tags"] == ("a", "b")
    assert rolled["a", "c"]["cost"] == 30
    assert rolled["b", "c"]["cost"] == 20
    highest = {
        (e.source, e.destination): e["cost"]
        for e in graph.all(NewCalls).roll_up("day", cost=lg.max()).elements()
    }
    assert highest == {("a", "b"): 2, ("a", "c"): 30, ("b", "c"): 20}


def test_another_label_brings_a_value_to_those_who_see_it(graph: lg.Graph) -> None:
    graph.add([NewCalls("a", "b", day=1, cost=50.0, label="t")])
    costs = [
        [one.cost for one in graph.session(held).all(NewCalls).where(lg.field("day") == 1)]
        for held in ((), ("t",))
    ]
    assert costs == [[2.0, 30.0, 20.0], [50.0, 30.0, 20.0]]


def test_a_default_is_not_stored(graph: lg.Graph) -> None:
    graph.admin.compact()
    graph.add([NewCalls("a", "b", day=1, cost=4.0)])
    assert [one.cost for one in graph.edge("a", "b", NewCalls)] == [4.0, 2.0]


def test_what_is_left_out_of_an_answer_stays_out(graph: lg.Graph) -> None:
    found = graph.all(NewPerson).select().first()
    assert found is not None
    assert found.cost is None


def test_evolving_an_open_graph_shows_the_new_class() -> None:
    with lg.open(":memory:", [Calls, Person]) as graph:
        graph.add([Person("a")])
        graph.admin.evolve([NewPerson])
        assert graph.all("Person").to_list() == [NewPerson("a", cost=7)]
        assert graph.all("Person").to_arrow()["cost"].to_pylist() == [7]


def test_a_default_that_does_not_fit_is_named() -> None:
    class Odd(lg.Vertex, summary=True, group="Person"):
        id: str
        day: date = lg.max(default="no day")

    engine = lg.MemoryEngine()
    lg.open(engine, [Person]).add([Person("a")])
    with pytest.raises(SchemaError, match="default of 'day' of group 'Person'"):
        lg.open(engine, [Odd]).all().to_list()


def test_properties_of_the_beginning_are_as_they_were() -> None:
    with lg.open(":memory:", [NewPerson]) as graph:
        graph.add([{"group": "Person", "vertex": "a"}])
        assert [one.cost for one in graph.all(NewPerson)] == [None]
