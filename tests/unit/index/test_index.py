"""Equality indexes: the answers stay the same, by whatever path elements come and go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import (
    IndexNotFound,
    InvalidName,
    PropertyNotFound,
    ReadOnly,
    UnsupportedError,
    UsageError,
)
from tests.unit.index.indexed_graphs import (
    ALL_GROUPS,
    Calls,
    Knows,
    Person,
    call,
    day,
    entries,
    filtered,
    used_index,
)


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    where = ":memory:" if request.param == "memory" else tmp_path / "g"
    with lg.open(where, ALL_GROUPS, authorizations=lg.ALL) as opened:
        yield opened


def of_day(session: Any, at: int) -> Any:
    return session.all(Calls).where(Calls.day == day(at))


def test_adds_of_every_kind_are_found(graph: lg.Graph) -> None:
    graph.index.create("by_day", Calls.day)
    graph.add([call("a", "b", 0), call("a", "b", 0), call("a", "c", 1)])
    frame = pa.table({"source": ["d", "e"], "destination": ["f", "f"], "day": [day(0), day(1)]})
    graph.add(frame, group=Calls)
    graph.load(frame, group=Calls)
    assert used_index(of_day(graph, 0))
    found = [(one.source, one.destination, one.count) for one in of_day(graph, 0)]
    assert found == [("a", "b", 2), ("d", "f", 2)]
    # An edge has two rows, and its entry is written once.
    assert len(entries(graph)) == 4


def test_an_index_of_a_graph_with_data_is_built(graph: lg.Graph) -> None:
    graph.add([call("a", f"b{at}", at % 5, label="x" if at % 2 else "") for at in range(50)])
    before = of_day(graph, 3).to_list()
    made = graph.index.create("by_day", "day")
    assert (made.name, made.group, made.field, made.state) == ("by_day", "Calls", "day", "ready")
    assert list(graph.index.list()) == [made]
    assert "by_day" in repr(graph.index.list())
    assert used_index(of_day(graph, 3))
    assert of_day(graph, 3).to_list() == before
    assert graph.index.create("by_day", Calls.day) == made


def test_ids_of_all_kinds_of_elements_can_be_indexed(graph: lg.Graph) -> None:
    graph.index.create("by_destination", Calls.destination)
    graph.index.create("by_name", Person.id)
    graph.index.create("by_end", Knows.destination)
    graph.add([call("a", "b", 0), call("b", "a", 0), call("b", "b", 1)])
    graph.add([Person("a", city="x"), Person("b", city="y")])
    graph.add([Knows("z", "m", since=1), Knows("a", "z", since=1), Knows("m", "m", since=2)])
    to_b = graph.all(Calls).where(Calls.destination == "b")
    assert used_index(to_b)
    assert to_b.to_list() == filtered(graph, Calls, lambda one: one.destination == "b")
    assert used_index(graph.all(Person).where(Person.id == "a"))
    assert [one.city for one in graph.all(Person).where(Person.id == "a")] == ["x"]
    for name in ("z", "m", "a"):
        end = graph.all(Knows).where(Knows.destination == name)
        assert used_index(end)
        assert end.to_list() == filtered(
            graph, Knows, lambda one, name=name: one.destination == name
        )


def test_deletes_of_every_kind_remove_entries(graph: lg.Graph) -> None:
    graph.index.create("by_day", Calls.day)
    graph.add([call("a", str(at), at % 4, label="x" if at % 3 else "") for at in range(24)])
    assert len(entries(graph)) == 24
    graph.delete([call("a", "0", 0)])
    assert len(entries(graph)) == 23
    graph.delete(of_day(graph, 1))
    assert len(entries(graph)) == 17
    graph.delete(graph.get("a").edges(Calls).where(Calls.day == day(2)))
    assert len(entries(graph)) == 11
    # One of two labels of an element.
    graph.add([call("p", "q", 9, label="x"), call("p", "q", 9, label="y")])
    graph.delete([call("p", "q", 9, label="x")], visibility="x")
    assert [one.label for one in of_day(graph, 9)] == ["y"]
    assert len(entries(graph)) == 12
    graph.admin.clear()
    assert entries(graph) == []
    graph.add([call("a", "b", 1)])
    assert of_day(graph, 1).count() == 1


def test_a_transaction_finds_what_it_has_not_written_yet(graph: lg.Graph) -> None:
    graph.index.create("by_day", Calls.day)
    graph.add([call("a", "b", 0), call("a", "c", 0)])
    with graph.transaction() as inside:
        inside.add([call("a", "d", 0)])
        inside.delete([call("a", "b", 0)])
        assert used_index(of_day(inside, 0))
        assert [one.destination for one in of_day(inside, 0)] == ["c", "d"]
        assert [one.destination for one in of_day(graph, 0)] == ["b", "c"]
    assert [one.destination for one in of_day(graph, 0)] == ["c", "d"]
    assert len(entries(graph)) == 2


def test_a_look_up_of_a_transaction_conflicts_with_adds_of_its_value_alone(graph: lg.Graph) -> None:
    graph.index.create("by_day", Calls.day)
    graph.add([call("a", "b", 0)])
    for at, conflicts in ((1, False), (0, True)):
        inside = graph.transaction()
        assert of_day(inside, 0).count() == 1 if not conflicts else of_day(inside, 0).count()
        inside.add([Person("p", city="x")])
        graph.add([call("n", "m", at)])
        if conflicts:
            with pytest.raises(lg.Conflict):
                inside.commit()
        else:
            inside.commit()


def test_every_user_gets_the_answers_of_before(graph: lg.Graph) -> None:
    labels = ["", "x", "y", "x&y", "x|y"]
    made = [
        call(f"a{at % 7}", f"b{at % 5}", at % 6, "uvw"[at % 3], labels[at % 5]) for at in range(200)
    ]
    graph.add(made)
    conditions = [
        Calls.day == day(3),
        Calls.day.is_in([day(0), day(4), day(77)]),
        (Calls.type == "u") & (Calls.day == day(2)),
        (Calls.type == "u") | (Calls.day == day(2)),
    ]

    def answers() -> list[Any]:
        found: list[Any] = []
        for seen in (lg.ALL, [], ["x"], ["x", "y"]):
            for condition in conditions:
                asked = graph.session(seen).all(Calls).where(condition)
                found += [asked.to_list(), asked.count(), asked.roll_up().to_list()]
                found += [asked.roll_up("type").to_list(), asked.limit(2).to_list()]
                found.append(asked.summarise(by=["type"], n=lg.sum("count")).to_list())
                found.append(asked.roll_up().where(Calls.count > 1).to_list())
                found.append(asked.to_arrow())
        return found

    before = answers()
    graph.index.create("by_day", Calls.day)
    assert answers() == before
    # A reader learns nothing from the entries of others.
    told = graph.session(["x"]).all(Calls).where(conditions[0]).explain(run=True)
    assert "by index by_day" in str(told)


def test_what_merges_remove_is_not_found(tmp_path: Path) -> None:
    class Visits(lg.Vertex, summary=True):
        id: str
        at: int = lg.group_by(check=[lg.this < 10])

    class Free(lg.Vertex, summary=True, group="Visits"):
        id: str
        at: int = lg.group_by()

    with lg.open(tmp_path / "g", [Free]) as graph:
        graph.index.create("by_at", Free.at)
        graph.add([Free("a", at=3), Free("b", at=30)])
        graph.admin.evolve([Visits])
        graph.admin.compact()
        # The entry is still there; what it points to is not.
        assert len(entries(graph)) == 2
        assert graph.all("Visits").where(Free.at == 30).to_list() == []
        assert graph.all("Visits").where(Free.at == 3).count() == 1
        # Erasing removes entries without elements too.
        graph.admin.erase("b")
        assert len(entries(graph)) == 1


def test_erase_leaves_no_trace_of_an_id(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", ALL_GROUPS, authorizations=lg.ALL) as graph:
        graph.index.create("by_destination", Calls.destination)
        graph.add([call("ann@example.org", "bob@example.org", 1), call("bob@example.org", "cy", 1)])
        report = graph.admin.erase("ann@example.org")
        assert report.mentions == 0
        assert len(entries(graph)) == 1
    data = b"".join(path.read_bytes() for path in (tmp_path / "g").rglob("*") if path.is_file())
    assert b"bob@example" in data
    assert b"ann@example" not in data


def test_the_index_is_there_when_the_graph_is_opened_again(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g", ALL_GROUPS) as graph:
        graph.index.create("by_day", Calls.day)
    with lg.open(tmp_path / "g", ALL_GROUPS) as graph:
        graph.add([call("a", "b", 0)])
        assert used_index(of_day(graph, 0))
        assert of_day(graph, 0).count() == 1
        graph.admin.backup(tmp_path / "copy")
        graph.admin.vacuum()
        assert of_day(graph, 0).count() == 1
        assert "indexes" in graph.admin.stats()
    with lg.open(tmp_path / "copy", ALL_GROUPS, read_only=True) as copy:
        assert used_index(of_day(copy, 0))
        assert of_day(copy, 0).count() == 1
        with pytest.raises(ReadOnly):
            copy.index.create("by_type", Calls.type)


def test_a_dropped_index_leaves_nothing_behind(graph: lg.Graph) -> None:
    graph.index.create("by_day", Calls.day)
    graph.index.create("by_type", Calls.type)
    graph.add([call("a", "b", 0), call("a", "c", 1)])
    graph.index.drop("by_day")
    assert [one.name for one in graph.index.list()] == ["by_type"]
    assert len(entries(graph)) == 2
    assert not used_index(of_day(graph, 0))
    assert of_day(graph, 0).count() == 1
    with pytest.raises(IndexNotFound, match="by_day"):
        graph.index.drop("by_day")
    graph.add([call("a", "d", 0)])
    # Another of the same name starts anew.
    graph.index.create("by_day", Calls.day)
    assert of_day(graph, 0).count() == 2


def test_explain_says_why_an_index_is_not_used(graph: lg.Graph) -> None:
    graph.index.create("by_day", Calls.day)
    graph.index.create("by_type", Calls.type)
    told = str(graph.all(Calls).where(Calls.day > day(1)).explain())
    reason = "no condition before merging needs 'day' to be one of some values"
    assert f"declined index by_day: because {reason}" in told
    told = str(graph.all(Calls).where((Calls.day == day(1)) & (Calls.type == "x")).explain())
    assert "everything by index by_day" in told
    assert "declined index by_type: because index 'by_day' is used" in told


def test_too_many_entries_make_it_read_everything(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexigraph.index.looking_up.MOST_FOUND", 3)
    graph.index.create("by_day", Calls.day)
    graph.add([call("a", str(at), 0) for at in range(10)])
    told = str(of_day(graph, 0).explain(run=True))
    assert "declined index by_day: because more than" in told
    assert "by index by_day" not in told
    assert of_day(graph, 0).count() == 10


def test_what_cannot_be_an_index_is_refused(graph: lg.Graph) -> None:
    with pytest.raises(UnsupportedError, match=r"'count' of group 'Calls'.*") as refused:
        graph.index.create("by_count", Calls.count)
    assert "source, destination, day, type" in refused.value.hint
    with pytest.raises(UnsupportedError, match="several fields"):
        graph.index.create("both", [Calls.day, Calls.type])
    with pytest.raises(PropertyNotFound, match="dya"):
        graph.index.create("by_day", "dya", group=Calls)
    with pytest.raises(PropertyNotFound, match=r"dya.*did you mean: day"):
        graph.index.create("by_day", "dya")
    with pytest.raises(UsageError, match="Calls, Knows"):
        graph.index.create("by_source", "source")
    with pytest.raises(UsageError, match="field of a class"):
        graph.index.create("by_day", 7)
    with pytest.raises(InvalidName, match="2nd"):
        graph.index.create("2nd", Calls.day)
    graph.index.create("by_day", Calls.day)
    with pytest.raises(InvalidName, match="already an index"):
        graph.index.create("by_day", Calls.type)
    with pytest.raises(InvalidName, match="already has an index"):
        graph.index.create("by_day_too", Calls.day)
    assert not hasattr(graph.session(), "index")


def test_no_value_of_an_optional_field_is_not_a_value(graph: lg.Graph) -> None:
    graph.index.create("by_type", Calls.type)
    graph.add([call("a", "b", 0, None), call("a", "c", 0, ""), call("a", "d", 0, "x\0y")])
    for value in ("", "x", "x\0y"):
        asked = graph.all(Calls).where(Calls.type == value)
        assert used_index(asked)
        assert asked.to_list() == filtered(graph, Calls, lambda one, value=value: one.type == value)
