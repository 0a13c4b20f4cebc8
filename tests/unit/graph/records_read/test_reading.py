"""Records through a session: instances with their visibilities, times, values and history."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    AttributeNotFound,
    EdgeNotFound,
    InvalidOption,
    InvalidValue,
    PropertyNotFound,
    ReadOnly,
    SemanticProblem,
    UnsupportedError,
    UsageError,
    VertexNotFound,
)
from lexigraph.layout.records.facts import LabelFact
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from tests.unit.graph.records_read.worlds import CLASSES, Calls, open_world
from tests.unit.plan.records.worlds import Knows, Meets, Person, World

ANN = VertexSubject("ann")


def people() -> World:
    world = World().vertex("ann", name="Ann", age=30).vertex("bob", name="Bob", time=3)
    world.vertex("cid", visibility="secret", name="Cid")
    world.value(ANN, "name", "Anna", visibility="secret", time=4, metadata={"by": "web"})
    for tag in ("x", "y"):
        world.value(ANN, "tags", tag, key=tag)
    world.edge(1, "ann", "bob", shape={"since": 3, "how": "well"}, weight=0.5)
    world.edge(2, "ann", "cid", shape={"since": 9}, visibility="secret")
    world.edge(3, "bob", "ann", shape={"since": 4}, time=5)
    world.edge(4, "ann", "bob", label="Meets", directed=False, place="inn")
    return world


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    path = ":memory:" if request.param == "memory" else tmp_path / "g.lexi"
    with open_world(path, people()) as graph:
        graph.add([Calls("ann", "bob", count=2)])
        yield graph


def test_a_record_is_an_instance_that_carries_what_was_found(graph: lg.Graph) -> None:
    ann = graph.vertex("ann").one()
    assert isinstance(ann, Person)
    assert (ann.id, ann.name, ann.age, ann.tags) == ("ann", "Anna", 30, {"x", "y"})
    assert (ann.labels, ann.visibility, ann.hidden) == (("Person",), "", False)
    assert ann.time == datetime(1970, 1, 1, microsecond=1, tzinfo=UTC)
    first, second = ann.values("name")
    assert (first.value, first.visibility, first.metadata) == ("Ann", "", {})
    assert (second.value, second.visibility, second.metadata) == ("Anna", "secret", {"by": "web"})
    assert ann.value("name") == second
    assert ann.value("nothing") is None


def test_a_reader_sees_the_newest_value_that_it_may_read(graph: lg.Graph) -> None:
    reader = graph.session()
    assert reader.vertex("ann").one().name == "Ann"
    assert [one.value for one in reader.vertex("ann").one().values("name")] == ["Ann"]
    assert not reader.vertex("cid").exists()
    assert sorted(one.id for one in reader.all(Knows)) == [1, 3]
    assert reader.count(Person) == 2
    assert reader.get("ann").edges(Knows).adjacent() == ["bob"]


def test_defaults_are_shown_where_there_is_no_value(graph: lg.Graph) -> None:
    assert graph.vertex("bob").one().age == 7
    assert [one.id for one in graph.all(Person).where(Person.age == 7)] == ["bob", "cid"]


def test_records_and_summaries_answer_one_question(graph: lg.Graph) -> None:
    found = graph.get("ann").to_list()
    assert {type(one) for one in found} == {Person, Knows, Meets, Calls}
    assert graph.get("ann").count() == len(found) == 6
    assert graph.get("ann").edges().adjacent() == ["bob", "cid"]
    assert list(graph.hops("ann", steps=1, direction="both")) == ["bob", "cid"]
    assert graph.get("ann").edges().limit(2).count() == 2
    assert len(graph.get("ann").page(3)) == 3


def test_an_edge_has_an_id_and_its_shape(graph: lg.Graph) -> None:
    edge = graph.edge(1).one()
    assert (edge.id, edge.source, edge.destination, edge.since) == (1, "ann", "bob", 3)
    assert (edge.how, edge.weight, edge.labels) == ("well", 0.5, ("Knows",))
    assert edge.values("since")[0].value == 3
    assert [one.id for one in graph.edge("ann", "bob", Knows)] == [1]
    for ends in (("ann", "bob"), ("bob", "ann")):
        assert [one.place for one in graph.edge(*ends, Meets)] == ["inn"]
    assert [one.since for one in graph.all(Knows).where(lg.field("edge") == 2)] == [9]


def test_what_is_not_there_is_named_with_the_nearest_that_is_seen(graph: lg.Graph) -> None:
    with pytest.raises(VertexNotFound, match=r"no vertex 'annn'.*did you mean: ann\?"):
        graph.vertex("annn").one()
    with pytest.raises(VertexNotFound) as caught:
        graph.session().vertex("cidd").one()
    assert "cid?" not in str(caught.value)
    with pytest.raises(EdgeNotFound, match="no edge 77"):
        graph.edge(77).one()
    assert graph.vertex("annn").first() is None


def test_earlier_times_have_what_was_there_then(graph: lg.Graph) -> None:
    past = graph.as_of(3)
    assert past.vertex("ann").one().name == "Ann"
    assert sorted(one.id for one in past.all(Knows)) == [1, 2]
    assert not graph.as_of(2).vertex("bob").exists()
    assert graph.as_of(datetime(2026, 1, 1, tzinfo=UTC)).vertex("bob").exists()
    assert list(graph.as_of(2).hops("ann", Knows)) == ["bob", "cid"]
    assert graph.as_of(4).vertex("ann").history(limit=1)[0].kind == "value set"
    with pytest.raises(UnsupportedError, match="'Calls' cannot be read as of an earlier"):
        graph.as_of(3).get("ann").to_list()
    with pytest.raises(ReadOnly, match="the past is read-only"):
        graph.as_of(3).add([Calls("a", "b", count=1)])
    with pytest.raises(InvalidValue):
        graph.as_of("yesterday")
    with graph.snapshot() as held:
        assert held.as_of(2).count(Person) == 2


def test_a_history_has_typed_events_newest_first(graph: lg.Graph) -> None:
    events = graph.vertex("ann").history()
    assert [one.kind for one in events[:2]] == ["edge added", "value set"]
    set_ = events[1]
    assert (set_.name, set_.value, set_.visibility, set_.metadata) == (
        "name",
        "Anna",
        "secret",
        {"by": "web"},
    )
    own = graph.vertex("ann").history(edges=False)
    assert "edge added" not in {one.kind for one in own}
    assert {one.kind for one in own} == {"added", "label added", "value set"}
    paged, page = [], graph.vertex("ann").history(limit=2)
    while page:
        paged += page
        page = graph.vertex("ann").history(limit=2, after=page[-1])
    assert paged == events
    assert [one.kind for one in graph.edge(3).history()] == ["added"]
    assert "Anna" not in str(graph.session().vertex("ann").history())
    with pytest.raises(UsageError, match="after= takes an event"):
        graph.vertex("ann").history(after=3)


def test_what_was_not_fetched_is_an_error_that_names_the_hint(graph: lg.Graph) -> None:
    [ann] = graph.get("ann").vertices(Person).fetch("labels")
    assert ann.labels == ("Person",)
    for read in (lambda: ann.name, lambda: ann.values("name"), lambda: ann.value("name")):
        with pytest.raises(UsageError, match="'name' was not fetched") as caught:
            read()
        assert '.fetch("properties")' in caught.value.hint
    [named] = graph.get("ann").vertices(Person).fetch(properties=["name"])
    assert named.name == "Anna"
    with pytest.raises(UsageError, match="'age' was not fetched"):
        named.age  # noqa: B018
    with pytest.raises(UsageError, match="the labels were not fetched"):
        named.labels  # noqa: B018
    with pytest.raises(UsageError, match="metadata of 'name' was not fetched"):
        named.values("name")[0].metadata  # noqa: B018
    with pytest.raises(UsageError, match="out_edges"):
        graph.vertex("ann").one().out_edges  # noqa: B018


def test_edges_may_be_fetched_with_a_vertex(graph: lg.Graph) -> None:
    ann = graph.vertex("ann").fetch("out_edges", "in_edges").one()
    assert sorted(one.edge for one in ann.out_edges) == [1, 2, 4]
    assert sorted(one.edge for one in ann.in_edges) == [3, 4]
    few = graph.vertex("ann").fetch(out_edges=[Knows]).one()
    assert sorted(one.edge for one in few.out_edges) == [1, 2]
    reader = graph.session().vertex("ann").fetch("out_edges").one()
    assert sorted(one.edge for one in reader.out_edges) == [1, 4]


def test_hidden_records_come_with_the_hint_alone(tmp_path: Path) -> None:
    world = people().hide(ANN, time=6).hide(EdgeSubject(1), visibility="secret", time=6)
    with open_world(tmp_path / "g", world) as graph:
        assert not graph.vertex("ann").exists()
        found = graph.vertex("ann").fetch("hidden", "properties").one()
        assert (found.hidden, found.name) == (True, "Anna")
        assert 1 not in [one.id for one in graph.all(Knows)]
        assert 1 in [one.id for one in graph.session().all(Knows)]
        assert graph.vertex("ann").history()[0].kind in {"hidden", "edge added"}


def test_wrong_hints_are_refused(graph: lg.Graph) -> None:
    with pytest.raises(InvalidOption, match=r"no fetch hint 'propertys' \(did you mean: propert"):
        graph.get("ann").fetch("propertys")
    with pytest.raises(UsageError, match="name what is to be fetched"):
        graph.get("ann").fetch()
    with pytest.raises(UsageError, match="properties= takes names"):
        graph.get("ann").fetch(properties=[3])


def test_only_records_that_were_read_have_what_records_have() -> None:
    made = Person("zed", name="Zed")
    with pytest.raises(AttributeNotFound, match="only records that were read"):
        made.visibility  # noqa: B018
    with pytest.raises(AttributeNotFound, match="has no field 'visibility'"):
        Person.visibility  # noqa: B018
    assert str(made) == repr(made)
    assert made._repr_html_() is None


def test_a_field_hides_what_records_have_besides() -> None:
    class Event(lg.Vertex):
        id: str
        time: int
        values: str | None = None

    assert Event("a", time=3).time == 3
    assert (Event.time == 3) is not None


def test_a_record_shows_itself(graph: lg.Graph) -> None:
    ann = graph.vertex("ann").one()
    assert repr(ann).startswith("Person('ann', name='Anna'")
    assert "Anna" in str(ann)
    assert "secret" in str(ann)
    assert "by=web" in str(ann)
    page = ann._repr_html_() or ""
    assert all(one in page for one in ("Person", "Anna", "secret", "by=web"))
    timeline = graph.vertex("ann").history()._repr_html_()
    assert "value set" in timeline
    assert "edge added" in timeline
    assert (
        repr(graph.vertex("ann"))
        == "<vertex 'ann': not read yet; .one() reads it, .history() its past>"
    )


def test_tables_have_the_declared_columns(graph: lg.Graph) -> None:
    table = graph.all(Person).to_arrow()
    assert table.column_names == ["group", "vertex", "name", "tags", "age"]
    assert table.column("name").to_pylist() == ["Anna", "Bob", "Cid"]
    assert sorted(table.column("tags").to_pylist()[0]) == ["x", "y"]
    edges = graph.all(Knows).order_by("since").to_polars()
    assert edges["edge"].to_list() == [1, 3, 2]
    nothing = graph.all(Person).where(Person.name == "Nobody").to_arrow()
    assert nothing.schema.field("age").type == table.schema.field("age").type
    net = graph.all().to_networkx()
    assert net.nodes["ann"]["Person"]["name"] == "Anna"


def test_rows_are_made_of_the_newest_values(graph: lg.Graph) -> None:
    rows = graph.all(Knows).summarise(by=["source"], n=lg.count(), last=lg.max("since")).to_list()
    assert rows == [
        {"source": "ann", "n": 2, "last": 9},
        {"source": "bob", "n": 1, "last": 4},
    ]
    assert graph.all(Knows).distinct("source").count() == 2
    assert [one.id for one in graph.all(Knows).order_by("edge", descending=True)] == [3, 2, 1]
    assert graph.all(Knows).distinct("edge").to_list() == [{"edge": one} for one in (1, 2, 3)]
    assert [one.id for one in graph.all(Knows).top(2, by=Knows.since)] == [2, 3]
    twice = graph.all(Person).derive("twice", lambda age: 2 * age, "age", type=int)
    assert [one["twice"] for one in twice.where(lg.field("twice") > 20)] == [60]
    assert [one.name for one in graph.all(Person).select("age")] == [None, None, None]


def test_what_records_cannot_do_is_refused(graph: lg.Graph) -> None:
    with pytest.raises(SemanticProblem, match="does not aggregate"):
        graph.all(Person).roll_up()
    with pytest.raises(PropertyNotFound, match="nme"):
        graph.all(Person).where(lg.field("nme") == "x")
    with pytest.raises(UnsupportedError, match="begins or ends with an edge"):
        graph.ranges((Calls("ann", "bob", count=1), "z")).to_list()
    with (
        lg.open(":memory:", [Calls]) as plain,
        pytest.raises(UnsupportedError, match="this graph has no records"),
    ):
        plain.vertex("ann")


def test_paths_do_not_pass_through_what_is_not_seen(graph: lg.Graph) -> None:
    def ends(session: Any) -> list[Any]:
        both = session.get().edges(Knows, direction="both")
        return sorted(path.vertices for path in session.walk("cid", both, both))

    assert ("cid", "ann", "bob") in ends(graph)
    world = (
        people()
        .edge(9, "ann", "gone", shape={"since": 1})
        .edge(10, "gone", "bob", shape={"since": 1})
    )
    with open_world(":memory:", world) as other:
        assert other.get("ann").edges(Knows).adjacent() == ["bob", "cid", "gone"]
        assert "bob" in list(other.hops("gone", Knows))
        paths = [one.vertices for one in other.walk("ann", Knows, Knows)]
        assert ("ann", "gone", "bob") not in paths
        assert ("ann", "bob", "ann") in paths


def test_ids_may_be_asked_for_by_their_start(graph: lg.Graph) -> None:
    assert [one.id for one in graph.starting("a", "b").vertices(Person)] == ["ann", "bob"]
    assert graph.starting("an").edges(Calls).count() == 1
    assert graph.starting("zz").count() == 0
    assert [one.id for one in graph.ranges(("ann", "bob")).vertices(Person)] == ["ann", "bob"]
    with pytest.raises(UsageError, match="not empty"):
        graph.starting("")


def test_a_vertex_of_several_classes_comes_once(tmp_path: Path) -> None:
    class Boss(lg.Vertex):
        id: str
        rank: int | None = None

    world = people().say(LabelFact(subject=ANN, time=2, label="Boss"))
    world.value(ANN, "rank", 3)
    with open_world(tmp_path / "g", world, [*CLASSES, Boss]) as graph:
        assert [type(one) for one in graph.get("ann").vertices()] == [Person]
        assert [one.rank for one in graph.all(Boss)] == [3]
        assert graph.vertex("ann").one().labels == ("Boss", "Person")
        assert graph.all(Person, Boss).count() == 3
        found = graph.all(Person, Boss).where(lambda one: one.get("rank") is not None)
        assert [one.id for one in found] == ["ann"]
