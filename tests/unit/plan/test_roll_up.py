"""Merging with other aggregators: by a stage, by the client, and by hand, on random data."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from lexigraph.functions import AGGREGATORS
from lexigraph.functions.aggregators.extremes import Max
from lexigraph.plan import Element, Elements, Everything, Steps, Where
from lexigraph.plan.explaining.explain import explain
from lexigraph.schema import Aggregate, Group, Property, Schema, ValueType
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine

from .support import day, edge, figure, iter_elements, iter_summary, scope_of, summary, vertex

LABELS = ["", "a", "b", "a&b"]
COUNT_IS_5 = {"op": "eq", "field": "count", "value": b"\x81\x05"}

BY_HAND: dict[str, Callable[[list[Any]], Any]] = {
    "min": min,
    "max": max,
    "sum": sum,
    "set": lambda values: tuple(sorted(set(values))),
    "list": lambda values: tuple(sorted(values)),
    "frequency-map": lambda values: {one: values.count(one) for one in sorted(values)},
}


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    made: Engine = MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path / "db")
    with made:
        yield made


def made_of(chance: random.Random) -> list[Any]:
    """Give calls that differ in key and label, so that none merges when it is stored."""
    found = {}
    for _ in range(40):
        source, destination = chance.choice("ab"), chance.choice("cd")
        label, on = chance.choice(LABELS), chance.randrange(1, 5)
        device = chance.choice([None, "x", "y"])
        numbers = {"count": chance.randrange(1, 6), "longest": chance.randrange(1, 6)}
        more = {} if device is None else {"device": device}
        found[source, destination, label, on, device] = edge(
            "calls", source, destination, label, day=day(on), **numbers, **more
        )
    return list(found.values())


def by_hand(
    elements: list[Any], by: tuple[str, ...], using: dict[str, str], auths: set[str]
) -> list[tuple[Any, ...]]:
    results: dict[tuple[Any, ...], list[Any]] = {}
    for one in elements:
        if set(one.visibility.decode().split("&")) - {""} <= auths:
            key = (one.source, one.destination, *(one.properties.get(name) for name in by))
            results.setdefault(key, []).append(one)
    found = []
    for key, members in results.items():
        row: dict[str, Any] = dict(zip(by, key[2:], strict=True))
        for name, how in using.items():
            values = [one.properties[name] for one in members if name in one.properties]
            if values:
                row[name] = BY_HAND[how](values)
        found.append((key[:2], sorted((n, v) for n, v in row.items() if v is not None)))
    return sorted(found, key=repr)


def shown(found: Any) -> list[tuple[Any, ...]]:
    rows = []
    for one in found:
        properties = {n: v for n, v in one.properties.items() if n != "label"}
        rows.append(((one.source, one.destination), sorted(properties.items())))
    return sorted(rows, key=repr)


@pytest.mark.parametrize("seed", range(6))
def test_the_stage_the_client_and_hands_merge_alike(engine: Engine, seed: int) -> None:
    chance = random.Random(seed)
    elements = made_of(chance)
    auths = set(chance.choice([(), ("a",), ("a", "b")]))
    scope = scope_of(elements, auths, engine=engine)
    for by in [(), ("day",), ("device",), ("day", "device")]:
        using = {"count": chance.choice(list(BY_HAND)), "longest": chance.choice(["max", "set"])}
        for name, ways in (("day", list(BY_HAND)), ("device", ["set", "min", "frequency-map"])):
            if name not in by:
                using[name] = chance.choice([one for one in ways if one != "sum"])
        asked = {name: Aggregate(how) for name, how in using.items()}
        steps = Steps(by=by, aggregators=asked)
        pushed = Elements(Everything(), {"calls": steps})
        assert not explain(pushed, scope).find("merge")
        client = Steps(by=by, aggregators=asked, before=(Where(call=lambda _: True),))
        left = Elements(Everything(), {"calls": client})
        assert explain(left, scope).find("merge")
        expected = by_hand(elements, by, using, auths)
        assert shown(iter_elements(pushed, scope)) == expected
        assert shown(iter_elements(left, scope)) == expected


def test_explain_names_the_aggregators_of_a_stage(engine: Engine) -> None:
    scope = scope_of(made_of(random.Random(1)), (), engine=engine)
    steps = Steps(by=("device",), aggregators={"count": Aggregate("max")})
    found = explain(Elements(Everything(), {"calls": steps}), scope)
    [stage] = found.find("stage roll-up")
    assert stage.facts["where"] == "engine"
    assert stage.facts["aggregates"] == ["day=min", "count=max"]
    assert "aggregates day=min count=max" in str(found)


def test_the_own_aggregator_is_no_other(engine: Engine) -> None:
    scope = scope_of(made_of(random.Random(2)), ("a", "b"), engine=engine)
    plain = Elements(Everything(), {"calls": Steps(by=("day",))})
    same = Steps(by=("day",), aggregators={"count": Aggregate("sum"), "longest": Aggregate("max")})
    asked = Elements(Everything(), {"calls": same})
    assert shown(iter_elements(asked, scope)) == shown(iter_elements(plain, scope))
    [stage] = explain(asked, scope).find("stage roll-up")
    assert "aggregates" not in stage.facts


def test_filters_and_summaries_stand_above_in_the_engine(engine: Engine) -> None:
    elements = made_of(random.Random(3))
    scope = scope_of(elements, (), engine=engine)
    steps = Steps(by=(), aggregators={"count": Aggregate("max")}, after=(Where(COUNT_IS_5),))
    asked = Elements(Everything(), {"calls": steps})
    found = explain(asked, scope)
    assert [one.facts["where"] for one in found.find("stage filter")] == ["engine"] * 2
    assert not found.find("filter after merging")
    every = by_hand(elements, (), {"count": "max", "longest": "max", "day": "min"}, set())
    expected = [row for row in every if ("count", 5) in row[1]]
    assert 0 < len(expected) < len(every)
    assert shown(iter_elements(asked, scope)) == expected
    longest = figure("longest", "max", "longest")
    [total] = iter_summary(summary(asked, (), longest), scope)
    assert total == {"longest": max((dict(row)["longest"] for _, row in expected))}


def test_filters_after_transforms_see_what_was_merged(engine: Engine) -> None:
    has_x = {"op": "contains", "field": "device", "value": b"x"}
    elements = made_of(random.Random(4))
    scope = scope_of(elements, (), engine=engine)
    steps = Steps(by=(), aggregators={"device": Aggregate("set")}, last=(Where(has_x),))
    found = shown(iter_elements(Elements(Everything(), {"calls": steps}), scope))
    using = {"count": "sum", "longest": "max", "day": "min", "device": "set"}
    every = by_hand(elements, (), using, set())
    assert found == [row for row in every if "x" in dict(row[1])["device"]]


class Latest(Max):
    """An aggregator that only Python knows."""

    name = "latest-of-tests"


def test_an_aggregator_of_the_user_runs_where_it_can(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    # For this test alone: others look at all that there are.
    monkeypatch.setattr(AGGREGATORS, "_entries", {**AGGREGATORS._entries, Latest.name: Latest})
    elements = made_of(random.Random(5))
    scope = scope_of(elements, (), engine=engine)
    steps = Steps(by=("device",), aggregators={"count": Aggregate(Latest.name)})
    asked = Elements(Everything(), {"calls": steps})
    [stage] = explain(asked, scope).find("stage roll-up")
    is_memory = isinstance(engine, MemoryEngine)
    assert stage.facts["where"] == ("engine" if is_memory else "client")
    using = {"count": "max", "longest": "max", "day": "min"}
    assert shown(iter_elements(asked, scope)) == by_hand(elements, ("device",), using, set())


def test_labels_stay_apart_on_request(engine: Engine) -> None:
    elements = [
        edge("calls", "a", "c", "a", day=day(1), count=1, longest=1),
        edge("calls", "a", "c", "b", day=day(2), count=5, longest=1),
        edge("calls", "a", "c", "a", day=day(3), count=3, longest=1),
    ]
    scope = scope_of(elements, ("a",), engine=engine)
    steps = Steps(by=(), aggregators={"count": Aggregate("max")})
    asked = Elements(Everything(), {"calls": steps}, by_visibility=True)
    [found] = iter_elements(asked, scope)
    more = {"day": day(1), "count": 3, "longest": 1, "label": "a"}
    assert found == Element("edge", "calls", more, source="a", destination="c", directed=True)


def test_members_of_a_collection_in_the_key_merge_one_by_one(engine: Engine) -> None:
    tags = Property("tags", ValueType("any"), 1, Aggregate("set"))
    of = Group("tagged", "vertex", {"vertex": ValueType("str")}, (tags,), group_by=("tags",))
    elements = [vertex("tagged", "a", tags=given) for given in (("x", "y"), ("y", "z"), "w")]
    scope = scope_of(elements, (), schema=Schema({"tagged": of}), engine=engine)
    asked = Elements(Everything(), {"tagged": Steps(by=())})
    [merge] = explain(asked, scope).find("merge")
    assert merge.facts["because"] == "values that may be collections: tags"
    [found] = iter_elements(asked, scope)
    assert found["tags"] == ("w", "x", "y", "z")
