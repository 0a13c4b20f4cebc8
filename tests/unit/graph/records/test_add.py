"""Adding records: instances, dicts and keywords, checked by their classes."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    GroupNotFound,
    MultiplicityViolation,
    NotGranted,
    PropertyNotFound,
    ReadOnly,
    UniqueViolation,
    UnsupportedError,
    UsageError,
    ValidationError,
)
from tests.unit.graph.records.graphs import (
    CLASSES,
    Calls,
    Knows,
    Meets,
    Owns,
    Person,
    Seen,
    Worker,
    references,
    seen_edge,
    seen_vertex,
    values,
)

DAY = date(2026, 1, 2)


def test_an_instance_is_stored_with_what_was_given(graph: lg.Graph) -> None:
    report = graph.add([Person("ann", name="Ann", tags={"a", "b"}, mails=["x", "y", "x"])])
    assert (report.added, report.commits) == (1, 1)
    found = seen_vertex(graph, "ann")
    assert found is not None
    assert found.labels == ("Person",)
    # The default is not stored.
    assert values(found) == {"name": ["Ann"], "tags": ["a", "b"], "mails": ["x", "x", "y"]}


def test_what_equals_its_default_is_stored_if_it_was_given(graph: lg.Graph) -> None:
    graph.add([Person("ann", name="Ann", age=7)])
    graph.add([Person("ann", name="Ann")])
    assert values(seen_vertex(graph, "ann"))["age"] == [7]
    graph.add([Person("ann", name="Ann", age=18)])
    assert values(seen_vertex(graph, "ann"))["age"] == [18]


def test_the_same_add_again_changes_nothing(graph: lg.Graph) -> None:
    person = Person("ann", name="Ann", mails=["x", "x"])
    graph.add([person])
    graph.add([person])
    assert values(seen_vertex(graph, "ann")) == {"name": ["Ann"], "mails": ["x", "x"]}


def test_records_and_summaries_are_one_commit(graph: lg.Graph) -> None:
    mixed = [Person("ann", name="Ann"), Calls("ann", "bob", count=1), Knows("k", "ann", "bob", DAY)]
    report = graph.add(mixed)
    assert (report.added, report.commits) == (3, 1)
    found = seen_vertex(graph, "ann")
    assert found is not None
    assert found.time == report.timestamp
    assert graph.count(Calls) == 1
    assert references(graph, "bob") == [("in", "Knows", "ann")]


def test_a_refused_record_stores_nothing_of_its_batch(graph: lg.Graph) -> None:
    mixed = [Calls("a", "b", count=1), Person("ann", name="Ann"), Owns("a", "x"), Owns("b", "x")]
    with pytest.raises(MultiplicityViolation):
        graph.add(mixed)
    assert graph.count() == 0
    assert seen_vertex(graph, "ann") is None


def test_what_is_stored_is_there_after_opening_again(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", CLASSES) as graph:
        graph.add([Person("ann", name="Ann"), Knows(None, "ann", "bob", DAY, weight=2)])
        graph.add_vertex("ann", Worker, firm="Acme")
    with lg.open(tmp_path / "g", read_only=True) as graph:
        found = seen_vertex(graph, "ann")
        assert found is not None
        assert found.labels == ("Person", "Worker")
        assert values(found) == {"name": ["Ann"], "firm": ["Acme"]}
        assert references(graph, "ann") == [("out", "Knows", "bob")]
        with pytest.raises(ReadOnly):
            graph.add_vertex("bob")
        with pytest.raises(ReadOnly):
            graph.vertex("ann").delete()


def test_an_edge_has_a_shape_and_values(graph: lg.Graph) -> None:
    graph.add([Knows("k", "ann", "bob", DAY, weight=2, note="school")])
    found = seen_edge(graph, "k")
    assert found is not None
    assert found.shape.properties == (("since", DAY), ("weight", 2.0))
    assert values(found) == {"note": ["school"]}


def test_two_equal_edges_stand_side_by_side(graph: lg.Graph) -> None:
    graph.add([Meets("ann", "bob"), Meets("bob", "ann")])
    assert references(graph, "ann") == [("either", "Meets", "bob")] * 2
    first, second = (graph.add_edge("ann", Meets, "bob") for _ in range(2))
    assert first < second


def test_keywords_say_the_same_as_an_instance(graph: lg.Graph) -> None:
    assert graph.add_vertex("ann", Person, name="Ann", tags={"a"}) == "ann"
    assert graph.add_edge("ann", Knows, "bob", id="k", since=DAY, note="n") == "k"
    shape = seen_edge(graph, "k")
    graph.add([Knows("k", "ann", "bob", DAY, note="n")])
    again = seen_edge(graph, "k")
    assert shape is not None
    assert again is not None
    assert again.shape == shape.shape


def test_ids_are_generated(graph: lg.Graph) -> None:
    made = graph.add_vertex(None, "Worker")
    assert isinstance(made, str)
    assert seen_vertex(graph, made) is not None
    assert isinstance(graph.add_edge("a", Knows, "b", since=DAY), str)


def test_dicts_are_records_too(graph: lg.Graph) -> None:
    graph.add({"group": "Person", "id": "ann", "name": "Ann"})
    graph.add([{"id": "bob", "name": "Bob"}], group=Person)
    graph.add([{"group": "Knows", "source": "a", "destination": "b", "since": DAY, "edge": "k"}])
    # The defaults of the class are not stored either.
    assert values(seen_vertex(graph, "bob")) == {"name": ["Bob"]}
    assert seen_edge(graph, "k") is not None


def test_an_add_has_options(graph: lg.Graph) -> None:
    long_ago = datetime(2001, 1, 1, tzinfo=UTC)
    graph.add([Person("ann", name="Ann", age=3)], visibility="b&a", time=long_ago, note="import")
    found = seen_vertex(graph, "ann")
    assert found is not None
    assert (found.visibility, found.time) == (b"a&b", 978307200 * 10**6)
    report = graph.add([Person("ann", name="Anna")], visibility="c")
    assert report.second_visibility == 1
    graph.add([Person("ann", name="Anna")], visibility="c", replace=True)
    assert [one.visibility for one in seen_vertex(graph, "ann").properties] == [b"c"]  # type: ignore[union-attr]
    with pytest.raises(UniqueViolation, match="'ann' is there already"):
        graph.add_vertex("ann", new=True)


def test_options_apply_to_summaries_or_are_refused(graph: lg.Graph) -> None:
    graph.add([Person("ann", name="Ann"), Seen("ann", times=1)], visibility="x")
    [found] = graph.all(Seen)
    assert found.label == "x"
    with pytest.raises(ValidationError, match=r"'Calls' has no field lg.visibility\(\)"):
        graph.add([Calls("a", "b", count=1)], visibility="x")
    with pytest.raises(ValidationError, match=r"'Seen' has no field lg.timestamp\(\)"):
        graph.add([Seen("a", times=1)], time=5)
    with pytest.raises(UsageError, match="replace= is for records"):
        graph.add([Seen("a", times=1)], replace=True)
    assert graph.count(Seen) == 1


def test_values_have_visibility_metadata_and_time(graph: lg.Graph) -> None:
    name = lg.value("Ann", visibility="hr", metadata={"by": lg.value("x", visibility="a"), "n": 1})
    graph.add([Person("ann", name=name)])  # type: ignore[arg-type]
    found = seen_vertex(graph, "ann")
    assert found is not None
    [held] = found.properties or ()
    assert (held.value, held.visibility) == ("Ann", b"hr")
    assert [(one.key, one.visibility, one.value) for one in held.metadata or ()] == [
        ("by", b"a", "x"),
        ("n", b"hr", 1),
    ]
    graph.add_vertex("bob", Person, name=[lg.value("Bob"), lg.value("Rob", visibility="hr")])
    assert sorted(values(seen_vertex(graph, "bob"))["name"]) == ["Bob", "Rob"]


@pytest.mark.parametrize(
    ("add", "error", "said"),
    [
        ({"age": "old"}, ValidationError, "property 'age': it takes int, not str: 'old'"),
        ({"tags": "a"}, ValidationError, "property 'tags': it takes a set, not str"),
        ({"mails": [1]}, ValidationError, "property 'mails': it takes str, not int"),
        ({"nam": "x"}, PropertyNotFound, "did you mean: name"),
        ({"name": None}, ValidationError, "property 'name': it is missing"),
    ],
)
def test_what_does_not_fit_is_named(
    graph: lg.Graph, add: dict[str, Any], error: type[Exception], said: str
) -> None:
    given = {"name": "Ann", **add}
    with pytest.raises(error, match=said):
        graph.add_vertex("ann", Person, **given)
    with pytest.raises(error, match=said) as caught:
        graph.add([Person("bob", name="Bob"), {"group": "Person", "vertex": "ann", **given}])
    if isinstance(caught.value, ValidationError):
        assert caught.value.element == 1
        assert caught.value.property == next(iter(add))
        assert "Nothing was stored" in caught.value.hint
    assert seen_vertex(graph, "ann") is None


def test_what_does_not_fit_may_be_skipped(graph: lg.Graph) -> None:
    rows = [Person("ann", name="Ann"), {"group": "Person", "vertex": 7, "name": "x"}]
    report = graph.add(rows, skip_invalid=True)
    assert (report.added, report.skipped_count) == (1, 1)
    assert "it takes str" in str(report.reasons)


def test_labels_are_of_their_kind(graph: lg.Graph) -> None:
    with pytest.raises(GroupNotFound, match="did you mean: Person"):
        graph.add_vertex("ann", "Persn")
    with pytest.raises(GroupNotFound, match="'Knows' is a group of another kind"):
        graph.add_vertex("ann", "Knows")
    with pytest.raises(GroupNotFound, match="'Calls' is a group of summaries"):
        graph.add_edge("ann", "Calls", "bob")
    with pytest.raises(ValidationError, match="opposite value"):
        graph.add_edge("ann", Meets, "bob", directed=True)
    with pytest.raises(ValidationError, match="property 'since': it is missing"):
        graph.add_edge("ann", Knows, "bob")
    with pytest.raises(ValidationError, match="id 'source': it takes str"):
        graph.add_edge(1, Knows, "bob", since=DAY)


def test_constraints_are_judged_in_the_commit(graph: lg.Graph) -> None:
    graph.add([Owns("ann", "car")])
    with pytest.raises(MultiplicityViolation):
        graph.add([Owns("bob", "car")])
    with pytest.raises(MultiplicityViolation):
        graph.add([Owns("cid", "boat"), Owns("cid", "house")])
    assert references(graph, "cid") == []


def test_a_writer_of_own_labels_writes_what_it_can_read(path: str) -> None:
    with lg.open(path, CLASSES) as graph:
        writer = graph.session(["a"], role="writer", own_labels=True)
        writer.add([Person("ann", name="Ann")], visibility="a")
        with pytest.raises(NotGranted, match="'b'"):
            writer.add([Person("ann", name="Ann")], visibility="b")
        with pytest.raises(NotGranted, match="'b'"):
            writer.add_vertex("ann", Person, name=lg.value("Ann", visibility="b"))
        with pytest.raises(NotGranted, match="'b'"):
            writer.vertex("ann").set("name", "x", metadata={"k": lg.value(1, visibility="b")})
        with pytest.raises(NotGranted, match="'b'"):
            writer.vertex("ann").hide("b")
        with pytest.raises(NotGranted, match="'b'"):
            writer.vertex("ann").set_visibility("b")
        with pytest.raises(ReadOnly):
            graph.session(["a"]).add_vertex("bob")


def test_adding_frames_of_records_is_refused_until_it_is_built(graph: lg.Graph) -> None:
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"id": ["ann"], "name": ["Ann"]})
    with pytest.raises(UnsupportedError, match="'Person' is a group of records"):
        graph.add(table, group=Person)


def test_a_graph_of_summaries_has_no_records() -> None:
    graph = lg.open(":memory:", [Calls])
    with pytest.raises(UnsupportedError, match="no groups of records"):
        graph.add_vertex("ann")
    with pytest.raises(UnsupportedError, match="no groups of records"):
        graph.metadata.set("a", 1)


def test_a_listener_hears_of_records(graph: lg.Graph) -> None:
    heard: list[Any] = []
    with graph.admin.on_commit(lambda one: heard.append((dict(one.added), dict(one.deleted)))):
        graph.add([Person("ann", name="Ann"), Calls("a", "b", count=1)])
        graph.vertex("ann").delete()
    assert heard == [({"Person": 1, "Calls": 1}, {}), ({}, {"records": 1})]


def test_a_blind_add_does_not_look(graph: lg.Graph) -> None:
    report = graph.add([Person(f"p{n}", name="x") for n in range(10)], blind=True)
    assert (report.added, report.commits) == (10, 1)
    assert values(seen_vertex(graph, "p3")) == {"name": ["x"]}
    with pytest.raises(UsageError, match="a blind add does not look"):
        graph.add([Person("p1", name="x")], blind=True, new=True)


def test_notes_are_in_the_history(graph: lg.Graph) -> None:
    graph.add([Person("ann", name="Ann")], note={"file": "people.csv"})
    graph.vertex("ann").set("name", "Anna", note="form 7")
    first = graph.vertex("ann").history()[0]
    assert first.note == "form 7"
    assert {repr(one.note) for one in graph.vertex("ann").history()[1:]} == {
        "(('file', 'people.csv'),)"
    }
