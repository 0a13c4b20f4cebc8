"""Changing one record: values, metadata, visibilities, labels, hides, deletes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from threading import Barrier, Thread
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    CardinalityViolation,
    EdgeNotFound,
    GroupNotFound,
    InvalidOption,
    PropertyNotFound,
    UsageError,
    ValidationError,
    VertexNotFound,
)
from lexigraph.layout.records.reading import FetchHints
from tests.unit.graph.records.graphs import (
    CLASSES,
    Calls,
    Knows,
    Person,
    Worker,
    references,
    seen_edge,
    seen_vertex,
    values,
)

DAY = date(2026, 1, 2)


@pytest.fixture
def people(graph: lg.Graph) -> lg.Graph:
    graph.add(
        [
            Person("ann", name="Ann", tags={"a"}, mails=["x"]),
            Person("bob", name="Bob"),
            Knows("k", "ann", "bob", DAY, note="school"),
        ]
    )
    return graph


def test_a_value_is_set(people: lg.Graph) -> None:
    before = seen_vertex(people, "ann")
    assert before is not None
    people.vertex("ann").set("name", "Anna").set("age", 7)
    assert values(seen_vertex(people, "ann"))["name"] == ["Anna"]
    assert values(seen_vertex(people, "ann"))["age"] == [7]
    # The one before stays in the history.
    assert values(seen_vertex(people, "ann", as_of=before.time))["name"] == ["Ann"]
    people.edge("k").set("note", "work")
    assert values(seen_edge(people, "k")) == {"note": ["work"]}


def test_members_are_put_beside_the_others(people: lg.Graph) -> None:
    ann = people.vertex("ann")
    ann.set("tags", {"b", "a"}).append("mails", "x").append("mails", "y")
    assert values(seen_vertex(people, "ann"))["tags"] == ["a", "b"]
    assert values(seen_vertex(people, "ann"))["mails"] == ["x", "x", "y"]
    with pytest.raises(CardinalityViolation, match="'name' has one value"):
        ann.append("name", "Anna")


def test_values_are_deleted(people: lg.Graph) -> None:
    ann = people.vertex("ann").set("name", "Anna", visibility="hr")
    ann.unset("name", visibility="hr")
    assert values(seen_vertex(people, "ann"))["name"] == ["Ann"]
    before = seen_vertex(people, "ann")
    ann.unset("name").unset("tags", hard=True)
    assert values(seen_vertex(people, "ann")) == {"mails": ["x"]}
    assert before is not None
    assert values(seen_vertex(people, "ann", as_of=before.time)).keys() == {"mails", "name"}


def test_metadata_is_set_and_deleted(people: lg.Graph) -> None:
    ann = people.vertex("ann").set_metadata("name", "source", "form")
    ann.set_metadata("name", "trust", 3, visibility="hr")

    def entries() -> list[Any]:
        [name] = (seen_vertex(people, "ann") or pytest.fail("gone")).values("name")
        return [(one.key, one.visibility, one.value) for one in name.metadata or ()]

    assert entries() == [("source", b"", "form"), ("trust", b"hr", 3)]
    ann.set_metadata("name", "source", None)
    assert entries() == [("trust", b"hr", 3)]
    with pytest.raises(PropertyNotFound):
        ann.set_metadata("name", "source", 1, of="hr")


def test_visibilities_change(people: lg.Graph) -> None:
    people.vertex("ann").set_visibility("staff").set_visibility("hr", "name")
    assert seen_vertex(people, "ann", "other") is None
    assert "name" not in values(seen_vertex(people, "ann", "staff"))
    assert values(seen_vertex(people, "ann", "staff", "hr"))["name"] == ["Ann"]
    people.edge("k").set_visibility("staff", past=True)
    assert seen_edge(people, "k", "other") is None
    with pytest.raises(UsageError, match="past=True"):
        people.vertex("ann").set_visibility("x", "name", past=True)


def test_labels_change(people: lg.Graph) -> None:
    people.vertex("ann").add_label(Worker, visibility="hr").remove_label("Person")
    found = seen_vertex(people, "ann")
    assert found is not None
    assert found.labels == ("Worker",)
    with pytest.raises(GroupNotFound, match="did you mean: Worker"):
        people.vertex("ann").add_label("Workr")


def test_an_edge_gets_another_label(path: str) -> None:
    class Likes(lg.Edge):
        source: str
        destination: str

    class Loves(lg.Edge):
        source: str
        destination: str

    with lg.open(path, [Likes, Loves], authorizations=lg.ALL) as graph:
        edge = graph.add_edge("ann", Likes, "bob")
        graph.edge(edge).relabel(Loves)
        assert references(graph, "ann") == [("out", "Loves", "bob")]
        assert references(graph, "bob") == [("in", "Loves", "ann")]


def test_hides_are_undone(people: lg.Graph) -> None:
    ann = people.vertex("ann").hide("secret")
    assert seen_vertex(people, "ann", "secret") is None
    assert seen_vertex(people, "ann", "other") is not None
    # With the vertex its edges are hidden, and shown again.
    assert seen_edge(people, "k", "secret") is None
    ann.show("secret")
    assert seen_edge(people, "k", "secret") is not None
    ann.hide("secret", "name")
    assert "name" not in values(seen_vertex(people, "ann", "secret"))
    ann.show("secret", "name")
    assert values(seen_vertex(people, "ann", "secret"))["name"] == ["Ann"]
    hidden = FetchHints(properties=True, hidden=True)
    people.edge("k").hide("secret")
    assert seen_edge(people, "k", "secret", hints=hidden) is not None


def test_additional_visibilities_must_be_satisfied_too(people: lg.Graph) -> None:
    people.vertex("ann").require("vault")
    assert seen_vertex(people, "ann", "other") is None
    assert seen_vertex(people, "ann", "vault") is not None
    people.vertex("ann").release("vault")
    assert seen_vertex(people, "ann", "other") is not None


def test_a_vertex_is_deleted_with_its_edges(people: lg.Graph) -> None:
    before = seen_vertex(people, "ann")
    report = people.vertex("ann").delete()
    assert report == 2
    assert report.groups == {"records": 2}
    assert seen_vertex(people, "ann") is None
    assert seen_edge(people, "k") is None
    assert references(people, "bob") == []
    assert before is not None
    assert seen_vertex(people, "ann", as_of=before.time) is not None
    people.vertex("bob").delete(hard=True)
    assert seen_vertex(people, "bob", as_of=before.time) is None


@pytest.mark.parametrize(
    "given",
    [
        lambda graph: [Person("ann", name="?"), Knows("k", "ann", "bob", DAY)],
        lambda _: [{"group": "Person", "id": "ann"}, {"group": "Knows", "edge": "k"}],
        lambda graph: [graph.vertex("ann"), graph.edge("k")],
    ],
)
def test_records_are_deleted_as_they_are_named(
    people: lg.Graph, given: Callable[[lg.Graph], list[Any]]
) -> None:
    assert people.delete(given(people)) == 2
    assert seen_vertex(people, "ann") is None
    assert seen_edge(people, "k") is None
    assert seen_vertex(people, "bob") is not None


def test_what_was_read_is_deleted_and_not_added_for_everybody(people: lg.Graph) -> None:
    people.vertex("ann").set("name", "Anna", visibility="hr")
    found = people.vertex("ann").one()
    assert found.age == 18
    with pytest.raises(ValidationError, match="was read from a graph"):
        people.add([found])
    people.add([found], visibility="hr")
    # The default that it shows is not stored.
    assert "age" not in values(seen_vertex(people, "ann"))
    assert people.delete(people.get("bob").vertices(Person)) == 2
    assert seen_edge(people, "k") is None
    assert people.delete([found]) == 1


def test_deletes_of_records_and_summaries_are_apart(people: lg.Graph) -> None:
    people.add([Calls("ann", "bob", count=1)])
    with pytest.raises(UsageError, match="cannot be deleted in one call"):
        people.delete([Calls("ann", "bob", count=1), Person("ann", name="?")])
    with pytest.raises(UsageError, match="hard=True is for records"):
        people.delete([Calls("ann", "bob", count=1)], hard=True)
    assert people.delete([Calls("ann", "bob", count=1)]) == 1
    with pytest.raises(ValidationError, match="does not say its id"):
        people.delete([Knows(None, "ann", "bob", DAY)])


def test_what_a_session_does_not_see_is_not_there(people: lg.Graph) -> None:
    people.vertex("ann").set_visibility("staff")
    writer = people.session(["other"], role="writer")
    with pytest.raises(VertexNotFound, match="no vertex 'ann'"):
        writer.vertex("ann").set("name", "x")
    assert writer.vertex("ann").delete() == 0
    assert seen_vertex(people, "ann") is not None
    with pytest.raises(EdgeNotFound, match="no edge 'none'"):
        writer.edge("none").set("note", "x")


def test_what_does_not_fit_is_refused(people: lg.Graph) -> None:
    ann = people.vertex("ann")
    with pytest.raises(ValidationError, match="property 'age': it takes int, not str"):
        ann.set("age", "old")
    with pytest.raises(PropertyNotFound, match="did you mean: name"):
        ann.set("nam", "x")
    with pytest.raises(UsageError, match=r"\.unset\('name'\)"):
        ann.set("name", None)
    with pytest.raises(UsageError, match="belongs to the shape"):
        people.edge("k").set("since", DAY)


def test_adds_at_the_same_time_retry_by_themselves(path: str) -> None:
    with lg.open(path, CLASSES, authorizations=lg.ALL) as graph:
        together = Barrier(4)

        def add(number: int) -> None:
            together.wait()
            for step in range(5):
                graph.add([Person("ann", name=f"{number}-{step}", tags={f"{number}-{step}"})])

        threads = [Thread(target=add, args=(number,)) for number in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert len(values(seen_vertex(graph, "ann"))["tags"]) == 20


def test_metadata_of_a_graph(path: str) -> None:
    with lg.open(path, CLASSES) as graph:
        graph.metadata.set("version", 3)
        graph.metadata.set("owner", "ann", visibility="hr")
        assert dict(graph.metadata) == {"version": 3}
        reader = graph.session(["hr"])
        assert dict(reader.metadata) == {"owner": "ann", "version": 3}
        graph.metadata.set("version", None)
        assert "version" not in graph.metadata
        graph.admin.clear()
        assert reader.metadata["owner"] == "ann"
        with pytest.raises(InvalidOption, match="key of metadata"):
            graph.metadata.set("", 1)


def test_errors_about_values_name_the_key_and_the_visibilities(graph: lg.Graph) -> None:
    graph.add([Person("ann", name="Ann")])
    ann = graph.vertex("ann")
    with pytest.raises(CardinalityViolation, match=r"it has no key: 'maiden'"):
        ann.set("name", "Lee", key="maiden")
    ann.set("name", "Anna", visibility="hr")
    with pytest.raises(PropertyNotFound, match=r"under the visibility 'it', but under '', 'hr'"):
        ann.hide("police", "name", of="it")
    ann.hide("police", "name", of="hr")
    with pytest.raises(PropertyNotFound, match=r"no value of 'nam' .did you mean: name"):
        ann.hide("police", "nam")
