from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    Closed,
    Corruption,
    NotGranted,
    PropertyNotFound,
    SemanticProblem,
    UsageError,
)
from lexigraph.layout import ByteEntity, Layout
from lexigraph.plan.physical.choose import ChosenOperator
from lexigraph.plan.physical.rows import following
from lexigraph.testing.duplicates import open_keeping
from lexigraph.types import Int64
from tests.unit.graph.random_graphs import (
    CLASSES,
    DAY,
    LAYOUTS,
    NAMES,
    READERS,
    Calls,
    Knows,
    Person,
    fill,
    layout_name,
)


@pytest.fixture(params=["memory", "embedded"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return ":memory:" if request.param == "memory" else tmp_path / "calls.lexi"


def questions(session: Any) -> dict[str, Any]:
    """Give questions without vertices."""
    asked = session.get()
    return {
        "all": asked,
        "edges": asked.edges(),
        "out": asked.edges(Calls, direction="out"),
        "in": asked.edges(Calls, Knows, direction="in"),
        "undirected": asked.edges(directed=False),
        "days": asked.edges(Calls, direction="out").where(
            Calls.day >= DAY, Calls.day <= DAY + timedelta(days=1)
        ),
        "merged": asked.edges(Calls).roll_up().where(Calls.count > 10),
        "called": asked.edges(Calls).where(lambda one: one["count"] % 2 == 0),
        "limited": asked.edges(Calls).limit(1),
        "derived": asked.edges(Calls).derive("twice", lambda n: 2 * n, "count"),
        "vertices": asked.vertices(Person),
    }


@pytest.mark.parametrize("layout", LAYOUTS, ids=layout_name)
def test_a_prepared_question_answers_as_a_new_one_does(path: Any, layout: Layout) -> None:
    with open_keeping(path, CLASSES, layout=layout) as graph:
        fill(graph, seed=1)
        for reader in READERS:
            session = graph.session(reader)
            for name, question in questions(session).items():
                prepared = question.prepare()
                for seeds in [["a"], [], [NAMES, "b"]]:
                    source = session.get(*seeds)._asked.source
                    new = question._with(replace(question._asked, source=source))
                    assert prepared(*seeds) == new.to_list(), name
                    if name != "limited":
                        assert prepared.adjacent(*seeds) == new.adjacent(), name


@pytest.mark.parametrize("layout", LAYOUTS, ids=layout_name)
def test_neighbours_are_those_of_the_elements(
    path: Any, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_keeping(path, CLASSES, layout=layout) as graph:
        fill(graph, seed=2)
        for reader in READERS:
            for name, question in questions(graph.session(reader)).items():
                if name in ("limited", "derived", "vertices", "all"):
                    continue
                prepared = question.prepare()
                quick = [prepared.adjacent(one) for one in [*NAMES, NAMES]]
                pairs = prepared.pairs(NAMES)
                assert pairs.to_pylist() == [
                    {"vertex": one, "adjacent": other}
                    for one, near in sorted(zip(NAMES, quick, strict=False))
                    for other in near
                ], name
                with monkeypatch.context() as patched:
                    patched.setattr(following, "choose_adjacent", lambda *_: ChosenOperator())
                    prepared._edges = None
                    assert [prepared.adjacent(one) for one in [*NAMES, NAMES]] == quick, name
                    assert prepared.pairs(NAMES).equals(pairs), name


def test_every_call_sees_what_is_there_then(path: Any) -> None:
    with lg.open(path, [Knows]) as graph:
        known = graph.get().edges(Knows).prepare()
        assert (known("a"), known.adjacent("a"), known.hops("a", steps=2)) == ([], [], [])
        graph.add([Knows("a", "b", since=1), Knows("b", "c", since=1), Knows("a", "a", since=1)])
        assert (known.adjacent("a"), known.hops("a", steps=2)) == (["a", "b"], ["c"])
        assert known("c") == [Knows("b", "c", since=1)]
        with graph.snapshot() as before:
            fixed = before.get().edges(Knows).prepare()
            graph.delete(Knows("a", "b", since=1))
            assert fixed.adjacent("a") == ["a", "b"]
            assert known.adjacent("a") == ["a"]
        with pytest.raises(Closed):
            fixed.adjacent("a")
    with pytest.raises(Closed):
        known.adjacent("a")
    with pytest.raises(Closed):
        known("a")


def test_a_change_of_the_schema_is_noticed(tmp_path: Path) -> None:
    class Likes(lg.Edge, summary=True, directed=True):
        source: str
        destination: str

    with lg.open(tmp_path / "g.lexi", [Knows]) as graph:
        graph.add([Knows("a", "b", since=1)])
        known = graph.get().edges(Knows).prepare()
        assert known.adjacent("a") == ["b"]
        graph.admin.evolve([Knows, Likes])
        graph.add([Likes("a", "z"), Knows("a", "c", since=1)])
        assert known.adjacent("a") == ["b", "c"]
        assert graph.hops("a", Likes) == ["z"]


def test_a_transaction_is_told_what_a_prepared_question_read(path: Any) -> None:
    with open_keeping(path, CLASSES) as graph:
        first = graph.transaction()
        assert first.get().edges(Knows).prepare().adjacent("a") == []
        first.add([Knows("x", "y", since=1)])
        graph.add([Knows("a", "b", since=1)])
        with pytest.raises(lg.Conflict):
            first.commit()
        assert graph.get().edges(Knows).prepare().adjacent("x") == []


def test_labels_hide_neighbours(path: Any) -> None:
    with open_keeping(path, CLASSES) as graph:
        graph.add([Knows("a", "b", since=1, label="s"), Knows("a", "c", since=1)])
        assert graph.get().edges(Knows).prepare().adjacent("a") == ["c"]
        session = graph.session(["s"])
        assert session.get().edges(Knows).prepare().adjacent("a") == ["b", "c"]
    with open_keeping(path, CLASSES, grants=["t"]) as graph, pytest.raises(NotGranted):
        graph.session(["s"])


class Road(lg.Edge, summary=True, directed=True):
    source: Int64
    destination: Int64
    day: date = lg.group_by()


@pytest.mark.parametrize("layout", [ByteEntity(), ByteEntity(fixed_length=True)], ids=layout_name)
def test_other_ids_than_text(path: Any, layout: Layout) -> None:
    with lg.open(path, [Road], layout=layout) as graph:
        graph.add([Road(1, -2, day=DAY), Road(1, 300, day=DAY), Road(-2, 5, day=DAY)])
        roads = graph.get().edges(Road, direction="out").prepare()
        assert roads.adjacent(1) == [-2, 300]
        assert roads.hops(1, steps=2) == [5]
        assert roads.pairs([1, -2]).to_pydict() == {"vertex": [-2, 1, 1], "adjacent": [5, -2, 300]}
        assert graph.hops([1, -2], Road) == [5, 300]


def test_what_cannot_be_prepared_is_refused(path: Any) -> None:
    with open_keeping(path, CLASSES) as graph:
        for question in (graph.get("a"), graph.all(Knows), graph.edge("a", "b")):
            with pytest.raises(UsageError, match="when it is called"):
                question.prepare()
        with pytest.raises(PropertyNotFound):
            graph.get().edges(Knows).select("sins").prepare()
        with pytest.raises(SemanticProblem):
            graph.get().edges(Knows).prepare().hops("a", steps=0)
        with pytest.raises(lg.LexigraphError):
            graph.get().edges(Knows).prepare().adjacent(1.5)


def test_neighbours_are_found_without_the_blocks_of_other_groups(tmp_path: Path) -> None:
    class Named(lg.Vertex, summary=True):
        id: str
        name: str = lg.last()

    class Likes(lg.Edge, summary=True, directed=True):
        source: str
        destination: str
        count: int = lg.sum()

    path = tmp_path / "damaged.lexi"
    with lg.open(path, [Named, Likes]) as graph:
        graph.add([Named("ann", name="damaged-here"), Likes("ann", "bob", count=1)])
    data = (path / "data.mdb").read_bytes()
    assert data.count(b"damaged-here") > 0
    (path / "data.mdb").write_bytes(data.replace(b"damaged-here", b"DAMAGED-HERE"))
    with lg.open(path, [Named, Likes], read_only=True) as graph:
        knows = graph.get().edges(Likes, direction="out").prepare()
        assert knows.adjacent("ann") == ["bob"]
        assert graph.hops("ann", Likes) == ["bob"]
        with pytest.raises(Corruption):
            list(graph.get("ann").vertices(Named))
