"""Python and the native core run the same element stages to the same cells, or fail alike.

Every vector, every wrong plan and wrong option of the other tests, and random stacks over random
tables, some of them damaged. An error must be of the same class and come after the same cells.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.cells.cell import Cell
from lexigraph.cells.jsonbytes import bytes_to_json
from lexigraph.cells.key_sets import KeySet
from lexigraph.cells.ranges import Range
from lexigraph.codec import codec_for
from lexigraph.security import ALL, Authorizations
from lexigraph.store.stages.base import StageContext, StageScope
from lexigraph.store.stages.elements import ELEMENT_STAGES
from lexigraph.store.stages.spec import StageSpec
from lexigraph.testing.vectors import load_cases
from tests.conformance.store.plain_stack import SCOPES, range_of
from tests.unit.keyplan.plans import ELEMENTS, SPEC, load_plan, plan_json
from tests.unit.keyplan.test_parse import GRAMMAR, MEANING, changed
from tests.unit.store.stages.elements.tables import CALLS, tables
from tests.unit.store.stages.elements.test_options import WRONG
from tests.unit.store.stages.test_native_agrees import Request, compare, native, run_native

NAMES = [cls.name for cls in ELEMENT_STAGES]


def mixed_plan() -> Any:
    """Give a plan where some shapes have a family of their own, one of them of the wrong kind."""
    plan = plan_json("short")
    plan["family"] = [{"field": "group", "codec": "str", "form": "rest"}]
    page, *edges = plan["rows"]
    wrong = {**page, "group": "calls", "family": [{"const": "v"}]}
    plain = {name: item for name, item in page.items() if name not in ("group", "family")}
    plan["rows"] = [wrong, *edges, plain]
    return plan


PLANS = {
    "graph": plan_json("byte-entity"),
    "calls": CALLS.to_json(),
    "roads": plan_json("classic"),
    "short": plan_json("short"),
    "mixed": mixed_plan(),
    "hits": plan_json("web-hits"),
}


SETS = {
    "few": KeySet.of([b"A", b"source", codec_for("int").encode(3), b""]),
    "many": KeySet.filter(b"\x5a" * 8),
}


def request(
    cells: tuple[Cell, ...], stages: list[tuple[str, Any]], plans: Any = None, **facts: Any
) -> Request:
    specs = tuple(StageSpec(name, options, place) for place, (name, options) in enumerate(stages))
    return Request(cells, specs, StageContext(plans=plans or PLANS, sets=SETS, **facts))


def sets_of(spec: Any) -> dict[str, KeySet]:
    return {name: KeySet.from_json(one) for name, one in spec.get("sets", {}).items()}


def test_the_core_has_every_element_stage() -> None:
    assert set(NAMES) <= set(native.stage_names())


@pytest.mark.parametrize("name", NAMES)
def test_the_vectors_of_a_stage_give_the_same_cells(name: str) -> None:
    for case in load_cases(SPEC / "stages" / f"{name}.json"):
        held = case.spec["authorizations"]
        asked = Request(
            case.cells,
            tuple(map(StageSpec.from_json, case.spec["stages"])),
            StageContext(
                SCOPES[case.scope],
                authorizations=ALL if held == "ALL" else Authorizations(held),
                plans=case.spec["plans"],
                sets=sets_of(case.spec),
            ),
        )
        for item in map(range_of, case.spec.get("ranges", [{}])):
            assert compare(asked._replace(range=item)), case.name


@pytest.mark.parametrize(
    "change", [case[1] for case in (*GRAMMAR, *MEANING)], ids=[c[0] for c in (*GRAMMAR, *MEANING)]
)
def test_a_wrong_plan_is_refused_by_both(change: Any) -> None:
    asked = request((), [("filter", {"plan": "own"})], {"own": changed(change)})
    assert run_native(asked).error == "InvalidOption"
    assert compare(asked)


@pytest.mark.parametrize(("name", "options"), WRONG, ids=lambda item: str(item)[:60])
def test_wrong_options_are_refused_by_both(name: str, options: Any) -> None:
    assert run_native(request((), [(name, options)])).error == "InvalidOption"


FIELDS = [
    *("count", "day", "device", "cost", "opened", "closed", "longest", "places", "vertex"),
    *("source", "destination", "matched", "directed", "kind", "group", "visibility", "timestamp"),
    *("start", "fastest", "name", "shard", "status", "path"),
]
KEYS: list[tuple[str, Any]] = [
    *(("int", 0), ("int", 3), ("int", 2**64), ("int", -1), ("decimal", Decimal("1.5"))),
    *(("date", date(2026, 1, 2)), ("str", "A"), ("str", "source"), ("str", "x"), ("str", "")),
    *(("bool", True), ("bool", False), ("bytes", b"A"), ("int64", 0), ("float", 0.0)),
]
keys = st.sampled_from([bytes_to_json(codec_for(name).encode(item)) for name, item in KEYS])
fields = st.sampled_from(FIELDS)
by = st.lists(fields, max_size=2, unique=True)
groups = st.sampled_from(["calls", "knows", "hits"])
plans = st.sampled_from(["graph", "calls", "calls", "rolled", "roads", "short", "mixed", "hits"])
comparisons = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["eq", "ne", "lt", "le", "gt", "ge"]),
        "field": fields,
        "value": keys,
    }
)
contents = st.one_of(
    st.builds(
        lambda op, name, other: {"op": op, "field": name, "other": other},
        st.sampled_from(["eq", "ne", "lt", "ge"]),
        fields,
        fields,
    ),
    st.builds(
        lambda name, pattern: {"op": "regex", "field": name, "pattern": pattern},
        fields,
        st.sampled_from(["[a-y]*", ".", "("]),
    ),
    st.builds(
        lambda name, part: {"op": "substring", "field": name, "value": part, "ignore_case": True},
        fields,
        st.sampled_from(["", "A", "x"]),
    ),
    st.builds(lambda name, key: {"op": "contains", "field": name, "value": key}, fields, keys),
    st.builds(
        lambda name, how, size: {"op": "length", "field": name, "compare": how, "size": size},
        fields,
        st.sampled_from(["eq", "lt", "ge"]),
        st.integers(0, 2),
    ),
    st.builds(
        lambda name, ttl: {"op": "age-off", "field": name, "ttl": ttl},
        st.sampled_from(["day", "timestamp", "count", "start"]),
        st.sampled_from([0, 1, -(10**15), -(10**16)]),
    ),
)
predicates = st.recursive(
    comparisons
    | contents
    | st.builds(lambda name: {"op": "exists", "field": name}, fields)
    | st.builds(
        lambda name, values: {"op": "in", "field": name, "values": values}, fields, st.lists(keys)
    )
    | st.builds(
        lambda name, one: {"op": "in", "field": name, "set": one},
        fields,
        st.sampled_from(["few", "many"]),
    ),
    lambda inner: (
        st.builds(
            lambda op, of: {"op": op, "of": of},
            st.sampled_from(["and", "or"]),
            st.lists(inner, max_size=3),
        )
        | st.builds(lambda of: {"op": "not", "of": of}, inner)
    ),
    max_leaves=4,
)
measures = st.builds(
    lambda name, kind, field: (
        {"name": name, "aggregate": kind} | ({} if kind == "count" else {"field": field})
    ),
    st.sampled_from(["m", "n", "o"]),
    st.sampled_from(["sum", "min", "max", "first", "last", "set", "count"]),
    fields,
)


aggregates = st.dictionaries(
    groups,
    st.dictionaries(
        st.sampled_from(["count", "day", "device", "opened", "closed", "longest", "cost", "path"]),
        st.sampled_from(["sum", "min", "max", "first", "last", "set", "list", "frequency-map"]).map(
            lambda name: {"name": name}
        )
        | st.just({"name": "top-n", "n": 2}),
        max_size=3,
    ),
    max_size=1,
)


def stage(name: str, **options: Any) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.tuples(st.just(name), st.fixed_dictionaries({"plan": plans, **options}))


stages = st.one_of(
    stage("filter", where=st.none() | predicates, once=st.booleans()),
    stage("filter", where=st.dictionaries(groups, predicates, max_size=1)),
    stage("aggregate"),
    stage(
        "roll-up",
        by=st.lists(st.sampled_from(["day", "device"]), max_size=2),
        visibility=st.sampled_from(["merge", "keep"]),
        **{"as": st.none() | st.just("rolled"), "aggregates": aggregates},
    ),
    stage("decode", fields=st.lists(fields, max_size=4)),
    stage("summarise", by=by, measures=st.lists(measures, max_size=2)),
)
worked = st.sampled_from(sorted(ELEMENTS)).flatmap(
    lambda name: st.lists(ELEMENTS[name], max_size=3).map(
        lambda elements: [cell for one in elements for cell in load_plan(name).encode(one)]
    )
)


@st.composite
def damaged(draw: Any, source: Any) -> list[Cell]:
    """Give a table in which a few bytes of a cell may be others, or a cell a delete marker."""
    cells: list[Cell] = draw(source)
    if not cells or draw(st.booleans()):
        return cells
    at = draw(st.integers(0, len(cells) - 1))
    if draw(st.booleans()):
        cells[at] = cells[at]._replace(deleted=True)
        return cells
    part = draw(st.sampled_from(["row", "family", "qualifier", "visibility", "value"]))
    data: bytes = getattr(cells[at], part)
    place = draw(st.integers(0, len(data)))
    data = data[:place] + draw(st.binary(max_size=2)) + data[place + draw(st.integers(0, 2)) :]
    cells[at] = cells[at]._replace(**{part: data})
    return cells


@settings(max_examples=400, deadline=None)
@given(
    damaged(tables | worked),
    st.lists(stages, min_size=1, max_size=3),
    st.sampled_from([StageScope.SCAN, StageScope.SCAN, StageScope.SCAN, StageScope.MERGE]),
    st.data(),
)
def test_random_stacks_over_random_tables_give_the_same_cells(
    cells: list[Cell],
    chosen: list[tuple[str, dict[str, Any]]],
    scope: StageScope,
    data: Any,
) -> None:
    asked = request(tuple(cells), chosen, scope=scope)
    if cells and data.draw(st.booleans()):
        ends = sorted(data.draw(st.lists(st.sampled_from(cells), min_size=2, max_size=2)))
        lower, upper = (cell.key for cell in ends)
        if Range().starting(lower).contains(upper):
            asked = asked._replace(range=Range(lower, data.draw(st.booleans()), upper, True))
    assert compare(asked)
