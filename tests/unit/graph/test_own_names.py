"""What a class calls its id is accepted wherever the schema's name is."""

from __future__ import annotations

from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import PropertyNotFound, ValidationError


class Person(lg.Vertex, summary=True):
    name: str = lg.id()
    seen: int = lg.sum(default=1)
    hair: str | None = lg.last(name="hair-colour")


class Knows(lg.Edge, summary=True):
    source: str
    destination: str
    times: int = lg.sum(default=1)


PEOPLE: list[Any] = [
    {"group": "Person", "name": "ann", "seen": 1, "hair": "red"},
    {"group": "Person", "vertex": "bob", "seen": 2, "hair-colour": "grey"},
    Person("cid", seen=3),
]


@pytest.fixture
def graph() -> lg.Graph:
    made = lg.open(":memory:", [Person, Knows])
    made.add(PEOPLE)
    made.add([Knows("ann", "bob")])
    return made


def test_dicts_that_say_their_group(graph: lg.Graph) -> None:
    expected = [Person("ann", seen=1, hair="red"), Person("bob", seen=2, hair="grey")]
    assert graph.all(Person).to_list() == [*expected, Person("cid", seen=3)]
    graph.add({"group": "Person", "name": "ann", "seen": 4})
    graph.add(iter([{"group": "Person", "name": "ann", "seen": 5}]))
    assert [one.seen for one in graph.get("ann").vertices(Person)] == [10]
    with pytest.raises(ValidationError):
        graph.add({"group": "Person", "name": "ann", "vertex": "bob", "seen": 4})


def test_dicts_to_delete(graph: lg.Graph) -> None:
    assert int(graph.delete({"group": "Person", "name": "ann"})) == 1
    assert int(graph.delete([{"group": "Person", "name": "bob"}, Person("cid")])) == 2
    with graph.transaction() as one:
        one.add([{"group": "Person", "name": "dan", "seen": 1}])
    with graph.transaction() as one:
        assert int(one.delete([{"group": "Person", "name": "dan"}])) == 1
    assert graph.count(Person) == 0


def test_summaries_call_columns_as_they_were_asked_for(graph: lg.Graph) -> None:
    people = graph.all(Person)
    expected = [{"name": "ann", "n": 1}, {"name": "bob", "n": 2}, {"name": "cid", "n": 3}]
    assert people.summarise(by=["name"], n=lg.sum("seen")).to_list() == expected
    assert people.summarise(by="name", n=lg.sum("seen")).to_arrow().to_pylist() == expected
    assert people.summarise(by=["vertex"], n=lg.sum("seen")).first() == {"vertex": "ann", "n": 1}
    assert people.summarise(by=[Person.name], n=lg.count()).first() == {"vertex": "ann", "n": 1}
    assert people.summarise(by=["hair"], n=lg.count()).first() == {"hair": None, "n": 1}
    assert people.summarise(last=lg.max("name")).to_list() == [{"last": "cid"}]


def test_conditions_and_choices(graph: lg.Graph) -> None:
    people = graph.all(Person)
    assert people.where(lg.field("name") == "ann").count() == 1
    assert people.where((lg.field("name") > "ann") & ~(lg.field("hair") == "grey")).count() == 1
    assert people.select("name", "hair").first() == Person("ann", seen=None, hair="red")
    assert people.exclude("hair").first() == Person("ann", seen=1)
    assert people.derive("loud", str.upper, "name").first()["loud"] == "ANN"


def test_a_name_that_only_some_of_the_groups_have_is_refused(graph: lg.Graph) -> None:
    with pytest.raises(PropertyNotFound, match="'name'"):
        graph.all().summarise(by=["name"], n=lg.count())
    with pytest.raises(PropertyNotFound, match="'nam'"):
        graph.all(Person).where(lg.field("nam") == "ann")


def test_a_property_of_the_graph_goes_first() -> None:
    class Older(lg.Vertex, summary=True, group="Person"):
        id: str
        name: int = lg.max()
        seen: int = lg.sum(default=1)

    with lg.MemoryEngine() as engine:
        lg.open(engine, [Older]).add([Older("ann", name=5)])
        graph = lg.open(engine, [Person])
        assert graph.all().summarise(by=["name"], n=lg.count()).to_list() == [{"name": 5, "n": 1}]
        assert graph.all().where(lg.field("name") == 5).count() == 1


def test_without_a_class_names_are_those_of_the_schema(graph: lg.Graph) -> None:
    plain = lg.open(graph._access.engine)
    with pytest.raises(PropertyNotFound, match="'name'"):
        plain.all("Person").summarise(by=["name"], n=lg.count())
