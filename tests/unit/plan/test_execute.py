from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import PropertyNotFound, SemanticProblem
from lexigraph.plan import (
    Adjacent,
    Around,
    Between,
    Derive,
    Element,
    Elements,
    Everything,
    InRanges,
    Steps,
    Where,
    Within,
)
from lexigraph.schema import Aggregate, ValueType
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine

from .support import day, edge, iter_adjacent, iter_elements, scope_of, vertex

EVERYTHING = {name: Steps() for name in ("activity", "calls", "knows", "seen")}
DATA = [
    vertex("activity", "a", "", day=day(1), count=1),
    vertex("activity", "a", "", day=day(1), count=2),
    vertex("activity", "a", "secret", day=day(1), count=10),
    vertex("activity", "b", "", day=day(2), count=5),
    edge("calls", "a", "b", "", day=day(1), device="x", count=1, longest=3),
    edge("calls", "a", "b", "", day=day(2), device="x", count=2, longest=9),
    edge("calls", "a", "b", "secret", day=day(2), device="x", count=20, longest=1),
    edge("calls", "b", "a", "", day=day(1), count=4, longest=4),
    edge("calls", "a", "a", "", day=day(3), count=1, longest=1),
    edge("calls", "c", "d", "", day=day(1), count=1, longest=1),
    edge("knows", "b", "a", directed=False),
    edge("knows", "b", "c", directed=False),
    edge("seen", "a", "c", note="one"),
    edge("seen", "a", "c", note="one"),
    edge("seen", "c", "a", note="two", directed=False),
]


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    made: Engine = MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path / "db")
    with made:
        yield made


def shown(elements: Any) -> list[str]:
    return sorted(map(repr, elements))


def ask(engine: Engine, source: Any, view: Any = None, auths: Any = (), **more: Any) -> list[str]:
    scope = scope_of(DATA, auths, engine=engine)
    return shown(iter_elements(Elements(source, view or EVERYTHING, **more), scope))


def test_labels_merge_into_what_the_reader_may_see(engine: Engine) -> None:
    view = {"activity": Steps()}
    scope = scope_of(DATA, (), engine=engine)
    [found] = iter_elements(Elements(Around(["a"]), view), scope)
    assert found == Element("vertex", "activity", {"day": day(1), "count": 3}, vertex="a")


def test_an_owner_sees_the_merged_label(engine: Engine) -> None:
    found = ask(engine, Around(["a"]), {"activity": Steps()}, ["secret"])
    assert found == [
        "<activity 'a' day=datetime.date(2026, 1, 1) count=13 label='secret'>",
    ]


def test_labels_stay_apart_by_visibility(engine: Engine) -> None:
    found = ask(engine, Around(["a"]), {"activity": Steps()}, ["secret"], by_visibility=True)
    assert len(found) == 2


def test_an_edge_between_two_seeds_comes_once(engine: Engine) -> None:
    found = ask(engine, Around(["a", "b"]), {"knows": Steps()})
    assert found == ["<knows 'a' -- 'b'>", "<knows 'b' -- 'c'>"]
    twice = scope_of(DATA, engine=MemoryEngine())
    elements = iter_elements(
        Elements(Around(["a", "b"]), {"knows": Steps()}, both_ends=True), twice
    )
    assert len(list(elements)) == 3


def test_duplicates_of_a_group_that_keeps_them_all_come(engine: Engine) -> None:
    found = ask(engine, Everything(), {"seen": Steps()})
    assert found == ["<seen 'a' -- 'c' note='two'>", *["<seen 'a' -> 'c' note='one'>"] * 2]


@pytest.mark.parametrize(
    ("direction", "directed", "count"),
    [("both", None, 8), ("out", None, 7), ("in", None, 3), ("both", True, 6), ("out", False, 2)],
)
def test_directions(engine: Engine, direction: str, directed: Any, count: int) -> None:
    view = {name: Steps() for name in ("calls", "knows", "seen")}
    found = ask(engine, Around(["a"]), view, direction=direction, directed=directed)
    assert len(found) == count, found


def test_sets(engine: Engine) -> None:
    view = {"calls": Steps(by=()), "knows": Steps(), "activity": Steps()}
    assert [line[:16] for line in ask(engine, Between(["a"], ["b"]), view)] == [
        "<activity 'a' da",
        "<calls 'a' -> 'b",
        "<calls 'b' -> 'a",
        "<knows 'a' -- 'b",
    ]
    scope = scope_of(DATA, (), engine=MemoryEngine())
    within = shown(iter_elements(Elements(Within(["a", "b"]), view), scope))
    assert len(within) == 6
    assert not list(iter_elements(Elements(Between(["a"], []), view), scope))


def test_ranges_give_an_edge_with_both_ends_inside_once(engine: Engine) -> None:
    view = {"knows": Steps()}
    assert ask(engine, InRanges((("b", "a"),)), view) == [
        "<knows 'a' -- 'b'>",
        "<knows 'b' -- 'c'>",
    ]


def test_edge_seeds_bring_the_vertices_at_their_ends(engine: Engine) -> None:
    view = {"activity": Steps(), "calls": Steps(by=())}
    found = ask(engine, Around(edges=(("a", "b", None),)), view)
    assert [line.split(" count")[0] for line in found] == [
        "<activity 'a' day=datetime.date(2026, 1, 1)",
        "<activity 'b' day=datetime.date(2026, 1, 2)",
        "<calls 'a' -> 'b' day=datetime.date(2026, 1, 1)",
    ]


def test_rolling_up_merges_group_by_properties_that_have_an_aggregator(engine: Engine) -> None:
    [found] = ask(engine, Around(edges=(("a", "b", True),)), {"calls": Steps(by=())})
    assert found == "<calls 'a' -> 'b' day=datetime.date(2026, 1, 1) count=3 longest=9>"
    [found] = ask_again(Steps(by=("day",)), ["secret"])
    assert found == ("<calls 'b' -> 'a' day=datetime.date(2026, 1, 1) count=4 longest=4>")


def ask_again(steps: Steps, auths: Any) -> list[str]:
    scope = scope_of(DATA, auths)
    return shown(
        iter_elements(Elements(Around(edges=(("b", "a", None),)), {"calls": steps}), scope)
    )


def test_filters_before_and_after_merging(engine: Engine) -> None:
    some = {"op": "gt", "field": "count", "value": b"\x81\x01"}
    before = Steps(before=(Where(some),), by=("device",))
    after = Steps(by=("device",), after=(Where(some),))
    seed = Around(["a"])
    got = ask(engine, seed, {"calls": before}, direction="out")
    assert got == ["<calls 'a' -> 'b' day=datetime.date(2026, 1, 2) device='x' count=2 longest=9>"]
    scope = scope_of(DATA, ())
    got = shown(iter_elements(Elements(seed, {"calls": after}, direction="out"), scope))
    assert got == ["<calls 'a' -> 'b' day=datetime.date(2026, 1, 1) device='x' count=3 longest=9>"]


def test_aggregators_of_a_view(engine: Engine) -> None:
    steps = Steps(by=(), aggregators={"count": Aggregate("max"), "day": Aggregate("max")})
    [found] = ask(engine, Around(edges=(("a", "b", None),)), {"calls": steps}, ["secret"])
    assert found == (
        "<calls 'a' -> 'b' day=datetime.date(2026, 1, 2) count=20 longest=9 label='secret'>"
    )


def test_functions_of_the_user_filter_before_merging(engine: Engine) -> None:
    steps = Steps(before=(Where(call=lambda one: one["count"] == 2),), by=())
    [found] = ask(engine, Around(edges=(("a", "b", None),)), {"calls": steps})
    assert "count=2" in found


def test_transforms_make_properties_that_later_filters_see(engine: Engine) -> None:
    double = Derive(lambda count, end: f"{count}-{end}", ("count", "destination"), ("text",))
    is_it = Where({"op": "eq", "field": "text", "value": b"3-b"})
    steps = Steps(
        by=(),
        transforms=(double, Derive(lambda _: None, ("count",), ("count",))),
        transient={"text": ValueType("str")},
        last=(is_it,),
        keep=("text", "longest"),
    )
    assert ask(engine, Around(["a"]), {"calls": steps}) == [
        "<calls 'a' -> 'b' longest=9 text='3-b'>"
    ]


def test_limits_hold_over_all_branches(engine: Engine) -> None:
    assert len(ask(engine, Everything(), limit=3)) == 3


def test_vertices_at_the_other_ends() -> None:
    scope = scope_of(DATA, ())
    asked = Elements(Around(["a"]), {name: Steps() for name in ("calls", "knows")})
    assert sorted(iter_adjacent(Adjacent(asked), scope)) == ["a", "b"]
    both = Elements(Around(["b", "c"]), {"knows": Steps()})
    assert sorted(iter_adjacent(Adjacent(both), scope)) == ["a", "b", "c"]
    rolled = {"calls": Steps(by=(), after=(Where(call=lambda one: one["count"] > 3),))}
    assert sorted(iter_adjacent(Adjacent(Elements(Around(["a"]), rolled)), scope)) == ["b"]


def test_names_that_a_group_lacks_are_refused() -> None:
    scope = scope_of([])
    with pytest.raises(PropertyNotFound, match="did you mean: count"):
        iter_elements(Elements(Everything(), {"calls": Steps(keep=("coutn",))}), scope)
    with pytest.raises(SemanticProblem, match="not a group-by property"):
        iter_elements(Elements(Everything(), {"calls": Steps(by=("count",))}), scope)
