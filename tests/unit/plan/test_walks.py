from __future__ import annotations

import sys
from dataclasses import replace
from itertools import islice, product
from typing import Any

import pytest

from lexigraph.plan import Around, Elements, Hops, Steps, Walk, Where
from lexigraph.plan.physical import trails
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine

from .support import day, edge, find_hops, iter_walks, scope_of

WAYS = [
    edge("calls", "a", "b", day=day(1), count=1),
    edge("calls", "a", "b", day=day(2), count=1),
    edge("calls", "b", "c", "secret", day=day(1), count=5),
    edge("calls", "b", "a", day=day(1), count=1),
    edge("calls", "c", "c", day=day(1), count=1),
    edge("knows", "c", "b", directed=False),
]
EDGES = {"calls": Steps(by=()), "knows": Steps()}


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    made: Engine = MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path / "db")
    with made:
        yield made


def test_walks_follow_edges_that_the_reader_sees(engine: Engine) -> None:
    hop = Elements(Around(()), EDGES, direction="out")
    walk = Walk(["a"], (hop, hop))
    scope = scope_of(WAYS, (), engine=engine)
    found = [path.vertices for path in iter_walks(walk, scope)]
    assert sorted(found) == [("a", "b", "a"), ("a", "b", "c")]


def test_a_walk_has_a_limit() -> None:
    hop = Elements(Around(()), EDGES)
    scope = scope_of(WAYS)
    assert len(list(iter_walks(Walk(["a"], (hop,) * 5, limit=2), scope))) == 2


@pytest.mark.parametrize(
    ("steps", "within", "auths", "found"),
    [
        (1, False, (), ["b"]),
        (2, False, (), ["c"]),
        (2, True, (), ["b", "c"]),
        (3, False, (), []),
    ],
)
def test_hops(engine: Engine, steps: int, within: Any, auths: Any, found: list[str]) -> None:
    scope = scope_of(WAYS, auths, engine=engine)
    asked = Hops(["a"], Elements(Around(()), EDGES, direction="out"), steps, within)
    assert list(find_hops(asked, scope)) == found


def test_hops_see_labels_and_filters(engine: Engine) -> None:
    more = Where({"op": "ge", "field": "count", "value": b"\x81\x05"})
    asked = Hops(["b"], Elements(Around(()), {"calls": Steps(before=(more,))}, direction="out"))
    assert list(find_hops(asked, scope_of(WAYS, ["secret"], engine=engine))) == ["c"]
    assert list(find_hops(asked, scope_of(WAYS, ()))) == []
    after = Elements(Around(()), {"calls": Steps(by=(), after=(more,))}, direction="out")
    assert list(find_hops(Hops(["b"], after), scope_of(WAYS, ["secret"]))) == ["c"]


def looked_at(scope: Any) -> tuple[Any, list[int]]:
    """Give a scope that notes of each scan how many vertices it looks at."""
    sizes: list[int] = []
    # Outgoing and undirected edges are two ranges.
    return replace(scope, record=lambda _, ranges: sizes.append(len(ranges) // 2)), sizes


def test_the_first_ways_look_at_few_vertices(engine: Engine) -> None:
    names = [f"v{at:02}" for at in range(30)]
    wide = [edge("calls", a, b, day=day(1), count=1) for a in names for b in names]
    hop = Elements(Around(()), {"calls": Steps(by=())}, direction="out")
    scope, sizes = looked_at(scope_of(wide, engine=engine))
    walk = Walk(names, (hop,) * 4)
    [first] = iter_walks(replace(walk, limit=1), scope)
    assert first.vertices == ("v00",) * 5
    assert sizes == [1] * 4
    sizes.clear()
    assert not list(iter_walks(replace(walk, limit=0), scope))
    assert not sizes
    some = list(iter_walks(replace(walk, limit=1000), scope))
    assert [path.vertices for path in some] == list(islice(product(["v00"], *[names] * 4), 1000))
    # Each of the thirty once for each hop behind the first, and the first again in two hops.
    assert sum(sizes) < 4 * 30


def test_walks_come_in_one_order_and_each_once(engine: Engine) -> None:
    names = list("abcdefgh")
    ends = [(a, b) for a in names for b in names if (ord(a) * 7 + ord(b) * 5) % 11 < 4]
    hop = Elements(Around(()), {"calls": Steps(by=())}, direction="out")
    scope, sizes = looked_at(
        scope_of([edge("calls", a, b, day=day(1), count=1) for a, b in ends], engine=engine)
    )
    expected = [(name,) for name in names]
    for _ in range(5):
        expected = [(*way, b) for way in expected for a, b in ends if a == way[-1]]
    found = list(iter_walks(Walk(names, (hop,) * 5), scope))
    assert [path.vertices for path in found] == expected
    assert len(sizes) < 60 < len(expected) / 10
    assert found[7].start == expected[7][0]
    assert len(found[7]) == 5


def test_a_walk_may_have_more_hops_than_python_has_calls() -> None:
    hop = Elements(Around(()), {"calls": Steps(by=())}, direction="out")
    scope = scope_of([edge("calls", "a", "a", day=day(1), count=1)])
    many = sys.getrecursionlimit() + 100
    [path] = iter_walks(Walk(["a"], (hop,) * many), scope)
    assert len(path) == many


def test_what_is_kept_for_later_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trails, "MOST_EDGES", 3)
    monkeypatch.setattr(trails, "MOST_TRAILS", 2)
    hop = Elements(Around(()), EDGES)
    few = [path.vertices for path in iter_walks(Walk("abc", (hop,) * 5), scope_of(WAYS))]
    monkeypatch.undo()
    many = [path.vertices for path in iter_walks(Walk("abc", (hop,) * 5), scope_of(WAYS))]
    assert few == many
    assert len(many) > 200
