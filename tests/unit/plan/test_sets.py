"""Sets of vertices next to the data: exact, as a filter of bits, and by hand, on random data."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from lexigraph.plan import Between, Elements, Steps, Where, Within
from lexigraph.plan.explaining.explain import explain
from lexigraph.plan.sources import seeds
from lexigraph.store import EmbeddedEngine, Engine, KeySet, MemoryEngine
from lexigraph.store.preferences import Preferences

from .support import count_elements, edge, iter_elements, scope_of

VIEW = {"knows": Steps(), "seen": Steps()}
LABELS = ["", "a"]


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    made: Engine = MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path / "db")
    with made:
        yield made


@pytest.fixture(params=["exact", "filter"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "filter":
        monkeypatch.setattr(seeds, "MAX_EXACT", 2)
    return str(request.param)


def random_edges(chance: random.Random) -> list[Any]:
    names = [f"v{at}" for at in range(12)]
    found = {}
    for _ in range(60):
        ends = chance.choice(names), chance.choice(names)
        group, directed = chance.choice([("knows", False), ("seen", True)])
        if not directed:
            ends = min(ends), max(ends)
        label = chance.choice(LABELS)
        more = {"note": "n"} if group == "seen" else {}
        found[group, ends, label] = edge(group, *ends, label, directed=directed, **more)
    return list(found.values())


def by_hand(
    elements: list[Any], first: set[str], second: set[str], auths: set[str], direction: str
) -> Counter[tuple[Any, ...]]:
    found: Counter[tuple[Any, ...]] = Counter()
    for one in elements:
        if one.visibility.decode() not in ("", *auths):
            continue
        out = one.source in first and one.destination in second
        # An edge from a vertex to itself has one row only, that of its source.
        loop = one.directed and one.source == one.destination
        back = one.destination in first and one.source in second and not loop
        asked = {"out": out, "in": back, "both": out or back}
        if asked[direction] if one.directed else (out or back):
            key = (one.group, one.source, one.destination)
            found[key] += 1
    return found


@pytest.mark.parametrize("seed", range(8))
def test_sets_find_the_edges_between_them(engine: Engine, form: str, seed: int) -> None:
    chance = random.Random(seed)
    elements = random_edges(chance)
    auths = set(chance.choice([(), ("a",)]))
    scope = scope_of(elements, auths, engine=engine)
    names = [f"v{at}" for at in range(14)]
    first, second = (set(chance.sample(names, 6)) for _ in range(2))
    for direction in ("out", "in", "both"):
        for source, a, b in (
            (Between(first, second), first, second),
            (Within(first), first, first),
        ):
            asked = Elements(source, VIEW, direction=direction)
            found = Counter(
                (one.group, one.source, one.destination) for one in iter_elements(asked, scope)
            )
            assert found == by_hand(elements, a, b, auths, direction)
            assert count_elements(asked, scope) == found.total()


def test_explain_names_the_set_that_an_engine_looks_into(engine: Engine, form: str) -> None:
    scope = scope_of([edge("knows", "a", "b", directed=False)], engine=engine)
    asked = Elements(Between(["a"], ["b", "c", "d"]), VIEW)
    [stage] = explain(asked, scope).find("stage filter")
    kind = "3 keys" if form == "exact" else "a filter of 64 bits"
    assert (stage.facts["where"], stage.facts["other_end_in"]) == ("engine", kind)


def test_only_edges_with_the_other_end_in_a_large_set_leave_the_engine(engine: Engine) -> None:
    many = [f"w{at:05}" for at in range(3000)]
    elements = [edge("seen", "hub", f"x{at}", note="n") for at in range(50)]
    elements += [edge("seen", "hub", many[at], note="n") for at in (0, 1500, 2999)]
    scope = scope_of(elements, engine=engine)
    asked = Elements(Between(["hub"], many), {"seen": Steps()})
    [scan] = explain(asked, scope, run=True).find("scan")
    assert (scan.facts["cells_read"], scan.facts["cells_given"]) == (53, 3)
    assert {one.destination for one in iter_elements(asked, scope)} == {
        many[0],
        many[1500],
        many[2999],
    }


def test_a_filter_lets_few_others_through_and_the_check_leaves_them_out(engine: Engine) -> None:
    many = [f"w{at:06}" for at in range(seeds.MAX_EXACT + 1)]
    strangers = [f"x{at}" for at in range(400)]
    elements = [edge("seen", "hub", name, note="n") for name in (*strangers, many[7])]
    scope = scope_of(elements, engine=engine)
    asked = Elements(Between(["hub"], many), {"seen": Steps()})
    [scan] = explain(asked, scope, run=True).find("scan")
    assert scan.facts["cells_read"] == 401
    assert 1 <= scan.facts["cells_given"] < 60
    assert [one.destination for one in iter_elements(asked, scope)] == [many[7]]


def test_a_scan_looks_up_as_many_seeds_as_its_engine_prefers(engine: Engine) -> None:
    names = [f"w{at:04}" for at in range(10)]
    scope = scope_of([edge("seen", "w0001", "w0002", note="n")], engine=engine)
    asked = Elements(Within(names), {"seen": Steps()})
    for size, scans in ((4096, 1), (3, 4)):
        engine.preferences = Preferences(seeds_per_scan=size)
        [scan] = explain(asked, scope, run=True).find("scan")
        assert scan.facts["scans"] == scans
        assert count_elements(asked, scope) == 1


def test_filters_of_the_question_stand_beside_the_set(engine: Engine, form: str) -> None:
    elements = [edge("knows", "a", "b", directed=False), edge("knows", "a", "c", directed=False)]
    scope = scope_of(elements, engine=engine)
    far = Where({"op": "eq", "field": "destination", "value": b"b"})
    asked = Elements(Between(["a"], ["b", "c", "d"]), {"knows": Steps(before=(far,))})
    assert [one.destination for one in iter_elements(asked, scope)] == ["b"]


def test_a_set_is_what_it_was_made_of() -> None:
    chance = random.Random(9)
    keys = {chance.randbytes(chance.randrange(5)) for _ in range(300)}
    some = KeySet.of(keys)
    for _ in range(1000):
        key = chance.randbytes(chance.randrange(5))
        assert (key in some) == (key in keys)
    assert KeySet.from_json(some.to_json()) == some
    assert some != KeySet.filter(bytes(8))
    assert "a" not in some  # type: ignore[comparison-overlap]
