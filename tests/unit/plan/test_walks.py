from __future__ import annotations

from typing import Any

import pytest

from lexigraph.plan import Around, Elements, Filter, Hops, Steps, Walk, find_hops, iter_walks
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine

from .support import day, edge, scope_of

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
    more = Filter({"op": "ge", "field": "count", "value": b"\x81\x05"})
    asked = Hops(["b"], Elements(Around(()), {"calls": Steps(before=(more,))}, direction="out"))
    assert list(find_hops(asked, scope_of(WAYS, ["secret"], engine=engine))) == ["c"]
    assert list(find_hops(asked, scope_of(WAYS, ()))) == []
    after = Elements(Around(()), {"calls": Steps(by=(), after=(more,))}, direction="out")
    assert list(find_hops(Hops(["b"], after), scope_of(WAYS, ["secret"]))) == ["c"]
