from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    Closed,
    GraphNotFound,
    InvalidOption,
    NotGranted,
    PropertyNotFound,
    QueryTimeout,
    ReadOnly,
    SemanticProblem,
    UnsupportedError,
    UsageError,
)


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum()
    longest: float = lg.max(default=0.0)
    label: str | None = lg.visibility(default=None)


class Knows(lg.Edge, summary=True, directed=False):
    source: str
    destination: str


class Activity(lg.Vertex, summary=True):
    id: str
    day: date = lg.group_by()
    count: int = lg.sum()


def day(number: int) -> date:
    return date(2026, 1, number)


DATA: list[Any] = [
    Calls("ann", "bob", day=day(1), count=1, longest=3.0),
    Calls("ann", "bob", day=day(2), count=2, longest=9.0),
    Calls("ann", "bob", day=day(2), count=10, longest=1.0, label="secret"),
    Calls("bob", "eve", day=day(2), count=4),
    Knows("bob", "ann"),
    Activity("ann", day=day(1), count=7),
]


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    path = ":memory:" if request.param == "memory" else tmp_path / "calls.lexi"
    with lg.open(path, [Calls, Knows, Activity]) as made:
        made.add(DATA)
        yield made


def test_the_bare_graph_sees_unlabelled_data(graph: lg.Graph) -> None:
    found = graph.get("ann").edges(Calls).to_list()
    assert found == [
        Calls("ann", "bob", day=day(1), count=1, longest=3.0),
        Calls("ann", "bob", day=day(2), count=2, longest=9.0),
    ]


def test_sessions_see_what_their_authorizations_allow(graph: lg.Graph) -> None:
    analyst = graph.session(["secret"])
    [rolled] = analyst.get("ann").edges(Calls).roll_up()
    assert rolled == Calls("ann", "bob", day=None, count=13, longest=9.0, label="secret")  # type: ignore[arg-type]
    assert [one.label for one in analyst.get("ann").edges(Calls).by_visibility()] == [
        None,
        None,
        "secret",
    ]


def test_conditions_before_and_after_rolling_up(graph: lg.Graph) -> None:
    query = graph.get("ann").edges(Calls)
    assert [one.count for one in query.where(Calls.count >= 2).roll_up()] == [2]
    assert [one.count for one in query.roll_up().where(Calls.count >= 2)] == [3]
    assert query.where(Calls.day == day(1), lambda one: one["count"] == 1).count() == 1


def test_derived_properties(graph: lg.Graph) -> None:
    query = graph.all(Calls).derive("double", lambda n: n * 2, Calls.count, type=int)
    found = query.where(lg.field("double") > 4).select("double").to_list()
    assert [one.properties for one in found] == [{"double": 8}]


def test_transforms_by_name(graph: lg.Graph) -> None:
    query = graph.all(Calls).derive("name", "upper-case", Calls.source, type=str)
    assert {one["name"] for one in query} == {"ANN", "BOB"}


def test_groups_without_the_field_of_a_condition_are_left_out(graph: lg.Graph) -> None:
    assert {one.group for one in graph.all().where(Calls.count > 0)} == {"Calls", "Activity"}
    with pytest.raises(PropertyNotFound, match="nothing"):
        graph.all().where(lg.field("nothing") > 0)


def test_sets_ranges_and_edges(graph: lg.Graph) -> None:
    assert graph.between(["ann"], ["bob"]).edges(Calls).count() == 2
    assert graph.within(["ann", "bob"]).edges().count() == 3
    assert graph.ranges(("a", "b")).vertices().count() == 1
    assert graph.edge("bob", "eve", Calls).count() == 1
    assert graph.get(Calls("bob", "eve", day=day(1), count=0)).edges(Calls).count() == 1
    assert graph.get({"ann", "eve"}).count() == graph.get("ann", "eve").count() == 5
    assert graph.get(one for one in ("ann", "eve")).count() == 5


def test_neighbours_hops_and_walks(graph: lg.Graph) -> None:
    assert graph.get("bob").edges().adjacent() == ["ann", "eve"]
    assert graph.get("bob").edges(Calls, direction="out").adjacent() == ["eve"]
    assert graph.hops("ann", Calls, steps=2) == ["eve"]
    assert graph.hops("ann", steps=2, within=True, direction="both") == ["bob", "eve"]
    paths = [path.vertices for path in graph.walk("ann", Calls, Calls)]
    assert paths == [("ann", "bob", "eve")] * 2


def test_summaries(graph: lg.Graph) -> None:
    rows = graph.all(Calls).summarise(by=["day"], calls=lg.sum("count"), lines=lg.count())
    assert rows.to_list() == [
        {"day": day(1), "calls": 1, "lines": 1},
        {"day": day(2), "calls": 6, "lines": 2},
    ]
    assert rows.to_arrow().column_names == ["day", "calls", "lines"]


def test_tables(graph: lg.Graph) -> None:
    table = graph.get("ann").to_arrow()
    assert table.num_rows == 4
    assert {"group", "vertex", "source", "destination", "day", "count"} <= set(table.column_names)
    frame = graph.all(Calls).to_polars()
    assert frame["count"].sum() == 7
    assert graph.all(Calls).to_pandas()["count"].sum() == 7
    assert graph.all(Calls).where(Calls.count > 99).to_arrow().schema.field("day").type == "date32"
    network = graph.all().to_networkx()
    assert network.number_of_edges() == 5
    assert network.nodes["ann"]["Activity"]["count"] == 7


def test_counts_and_limits(graph: lg.Graph) -> None:
    assert graph.count() == 5
    assert graph.count(Knows) == 1
    assert len(graph.all().limit(2).to_list()) == 2
    assert graph.all(Knows).first() == Knows("ann", "bob")
    assert graph.get("nobody").first() is None


def test_a_snapshot_sees_one_moment(graph: lg.Graph) -> None:
    with graph.snapshot() as then:
        graph.add([Knows("eve", "bob")])
        assert then.count(Knows) == 1
    assert graph.count(Knows) == 2


def test_transactions(graph: lg.Graph) -> None:
    with graph.transaction() as both:
        assert both.count(Knows) == 1
        both.add([Knows("eve", "bob")])
        assert both.delete([Activity("ann", day=day(1), count=0)]) == 1
    assert graph.count(Knows) == 2
    assert graph.count(Activity) == 0
    late = graph.transaction()
    assert late.hops("ann", Calls) == ["bob"]
    graph.add([Calls("ann", "zoe", day=day(1), count=1)])
    late.add([Knows("x", "y")])
    with pytest.raises(lg.Conflict):
        late.commit()
    assert graph.count(Knows) == 2


def test_deletes_leave_what_the_caller_cannot_read(graph: lg.Graph) -> None:
    assert graph.delete([Calls("ann", "bob", day=day(2), count=0)]) == 1
    [left] = graph.session(["secret"]).edge("ann", "bob", Calls).where(Calls.day == day(2))
    assert left.count == 10


def test_roles(graph: lg.Graph) -> None:
    with pytest.raises(ReadOnly):
        graph.session().add([Knows("a", "b")])
    writer = graph.session(["x"], role="writer", own_labels=True)
    writer.add([Calls("x", "y", day=day(1), count=1, label="x")])
    with pytest.raises(NotGranted, match="cannot read 'secret'"):
        writer.add([Calls("x", "y", day=day(1), count=1, label="secret")])
    with pytest.raises(UsageError, match="role"):
        graph.session(role="owner")


def test_grants_limit_what_can_be_asked_for() -> None:
    with lg.open(":memory:", [Calls], grants=["a"]) as graph:
        assert graph.session(["a"]).count() == 0
        with pytest.raises(NotGranted):
            graph.session(["b"])
        with pytest.raises(NotGranted):
            graph.session(lg.ALL)


def test_opening(tmp_path: Path) -> None:
    path = tmp_path / "g.lexi"
    for options in ({"create": False}, {"read_only": True}, {"strict": True}):
        with pytest.raises(GraphNotFound, match="no graph at"):
            lg.open(path, **options)
    assert not path.exists()
    with lg.open(path, [Knows]) as graph:
        graph.add([Knows("a", "b")])
    with lg.open(path, read_only=True) as graph:
        assert [one.group for one in graph.all()] == ["Knows"]
        with pytest.raises(ReadOnly):
            graph.add([Knows("a", "b")])
        with pytest.raises(ReadOnly):
            graph.admin.clear()
        with pytest.raises(UnsupportedError):
            graph.session(role="writer")
    with pytest.raises(GraphNotFound, match="no graph 'other'"):
        lg.open(path, name="other")
    with lg.open(path, [Calls], name="other") as other:
        assert other.count() == 0
    with pytest.raises(Closed):
        other.count()


def test_the_owner_changes_the_schema(graph: lg.Graph) -> None:
    class Likes(lg.Edge, summary=True):
        source: str
        destination: str

    graph.admin.evolve([Likes])
    graph.add([Likes("ann", "bob")])
    assert graph.count("Likes") == 1
    graph.admin.compact()
    assert graph.admin.stats()["elements"].cells > 0
    graph.admin.clear()
    assert graph.count() == 0


def test_a_session_has_a_time_limit(graph: lg.Graph) -> None:
    with pytest.raises(QueryTimeout):
        graph.session(timeout_s=1e-9).count()


def test_mistakes(graph: lg.Graph) -> None:
    with pytest.raises(SemanticProblem, match="holds vertices"):
        graph.all().edges(Activity)
    with pytest.raises(UsageError, match="direction"):
        graph.all().edges(direction="up")
    with pytest.raises(UsageError, match="condition"):
        graph.all().where(True)
    with pytest.raises(UsageError, match="limit"):
        graph.all().limit(-1)
    with pytest.raises(UsageError, match="does not name a property"):
        graph.all(Calls).summarise(x=lg.sum())
    with pytest.raises(UsageError, match="does not name an aggregator") as caught:
        graph.all(Calls).summarise(x="cost")
    assert caught.value.hint.endswith('x=lg.sum("cost").')


def test_everything_shows_itself(graph: lg.Graph) -> None:
    assert repr(graph).startswith("<graph 'graph' (")
    assert repr(graph.get("ann").edges(Calls)) == "<question: Calls around 1 vertex>"
    html = graph.get("ann")._repr_html_()
    assert "<svg" in html
    assert "ann" in html
    assert "<table" in graph.all(Calls).summarise(by=["day"], n=lg.count())._repr_html_()
    assert "Calls" in graph._repr_html_()
    assert "scan" in str(graph.get("ann").explain(run=True))


@pytest.mark.parametrize("where", ["memory", "directory"])
def test_an_option_that_nobody_knows_makes_nothing(where: str, tmp_path: Path) -> None:
    path = ":memory:" if where == "memory" else tmp_path / "new"
    with pytest.raises(InvalidOption, match=r"'readonly'.*did you mean: read_only") as caught:
        lg.open(path, [Calls], readonly=True)
    assert "authorizations" in caught.value.hint
    assert list(tmp_path.iterdir()) == []
