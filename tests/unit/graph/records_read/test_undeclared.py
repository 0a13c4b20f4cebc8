"""Graphs without a schema: labels and properties that nobody declared can be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.errors import GroupNotFound, PropertyNotFound
from tests.unit.graph.records_read.worlds import Calls, fill
from tests.unit.plan.records.worlds import World


def people() -> World:
    world = World().vertex("ann", "Person", name="Ann", age=30)
    world.vertex(7, "Person", "Boss", name="Sev").vertex("cid", "Dog", visibility="secret")
    world.edge(1, "ann", 7, label="KNOWS", since=3).edge(2, "ann", "cid", label="LIKES")
    return world


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    path = ":memory:" if request.param == "memory" else tmp_path / "g.lexi"
    with lg.open(path, authorizations=lg.ALL) as graph:
        yield fill(graph, people())


def test_everything_is_found_under_its_labels(graph: lg.Graph) -> None:
    assert [one.group for one in graph.all()] == [
        "Boss::Person",
        "Person",
        "Dog",
        "KNOWS",
        "LIKES",
    ]
    assert graph.vertex("ann").one()["name"] == "Ann"
    assert graph.vertex(7).one().labels == ("Boss", "Person")
    assert [one.id for one in graph.get(7).edges("KNOWS")] == [1]
    assert graph.get("ann").edges("KNOWS", "LIKES").adjacent() == [7, "cid"]
    assert list(graph.hops("ann", "LIKES")) == ["cid"]
    assert [one.vertices for one in graph.walk("ann", "KNOWS")] == [("ann", 7)]


def test_one_label_is_asked_for_by_its_name(graph: lg.Graph) -> None:
    assert [one.id for one in graph.all("Person")] == [7, "ann"]
    assert [one.id for one in graph.all().vertices("Boss")] == [7]
    assert graph.all("Nobody").count() == 0
    assert graph.session().all("Dog").count() == 0


def test_conditions_and_orders_are_of_any_property(graph: lg.Graph) -> None:
    people = graph.all().vertices("Person")
    assert [one.id for one in people.where(lg.field("age") > 29.5)] == ["ann"]
    assert people.where(lg.field("nothing") == 1).count() == 0
    assert [one.id for one in people.order_by("name", descending=True)] == [7, "ann"]
    rows = graph.all().edges().summarise(by=["since"], n=lg.count()).to_list()
    assert rows == [{"since": None, "n": 1}, {"since": 3, "n": 1}]


def test_a_table_has_the_properties_that_were_found(graph: lg.Graph) -> None:
    table = graph.all().edges().to_arrow()
    assert table.column_names == ["group", "source", "destination", "directed", "edge", "since"]
    assert table.column("since").to_pylist() == [3, None]
    chosen = graph.all().vertices("Person").select("name").to_arrow()
    assert chosen.column_names == ["group", "vertex", "name"]


def test_no_name_of_a_property_or_label_is_told(graph: lg.Graph) -> None:
    reader = graph.session()
    assert list(reader.schema.groups) == []
    found = reader.vertex("ann").one()
    with pytest.raises(PropertyNotFound) as caught:
        found["nam"]
    assert "Dog" not in str(caught.value)
    assert "Dog" not in str(reader.all().explain(run=True))


def test_classes_and_undeclared_labels_are_in_one_graph() -> None:
    class Person(lg.Vertex):
        id: str
        name: str | None = None

    with lg.open(":memory:", [Person], strict=False, authorizations=lg.ALL) as graph:
        world = World().vertex("ann", "Person", name="Ann").vertex("rex", "Dog", name="Rex")
        fill(graph, world.edge(1, "ann", "rex", label="OWNS"))
        assert [isinstance(one, Person) for one in graph.all()] == [True, False, False]
        assert [one.id for one in graph.all().vertices("Dog")] == ["rex"]
        assert [one.id for one in graph.all(Person)] == ["ann"]


def test_a_graph_with_a_schema_refuses_other_labels() -> None:
    with lg.open(":memory:", [Calls]) as graph, pytest.raises(GroupNotFound, match="Dog"):
        graph.all("Dog")
