"""The options of the element stages: declared, described and refused in one way."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from lexigraph.errors import InvalidOption, LexigraphError
from lexigraph.keyplan import KeyPlan
from lexigraph.store.scan.reading import EmptySource
from lexigraph.store.stages.base import StageContext, StageScope
from lexigraph.store.stages.elements import ELEMENT_STAGES, RollUp
from lexigraph.store.stages.registry import stage_class
from lexigraph.testing.vectors import StageCase, load_cases
from tests.unit.keyplan.plans import SPEC, load_plan, plan_json
from tests.unit.store.schemas import is_valid
from tests.unit.store.stages.elements.stage_schema import element_stages_schema

SCHEMA = json.loads((SPEC / "schema" / "element-stages.json").read_bytes())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
FILES = [SPEC / "stages" / f"{cls.name}.json" for cls in ELEMENT_STAGES]
CASES = [case for path in FILES for case in load_cases(path)]


def build(name: str, options: Any, plans: dict[str, Any] | None = None) -> Any:
    context = StageContext(plans={"graph": plan_json("byte-entity")} if plans is None else plans)
    return stage_class(name)(EmptySource(), options, context)


def test_the_schema_is_made_of_the_declared_options() -> None:
    assert element_stages_schema() == SCHEMA


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("case", [case for case in CASES if case.error is None], ids=str)
def test_the_scan_of_every_vector_fits_the_schemas(case: StageCase) -> None:
    for stage in case.spec["stages"]:
        assert not list(VALIDATOR.iter_errors(stage))
    assert is_valid("scan.json", case.spec)


MEASURE = {"name": "n", "aggregate": "count"}
WRONG: list[tuple[str, Any]] = [
    ("filter", {}),
    ("filter", {"plan": 3}),
    ("filter", {"plan": "graph", "once": 1}),
    ("filter", {"plan": "graph", "where": "count > 3"}),
    ("filter", {"plan": "graph", "where": {"op": "eq", "field": "count"}}),
    ("filter", {"plan": "graph", "where": {"calls": {"op": "likes"}}}),
    ("filter", {"plan": "graph", "where": {"op": {"op": "nothing"}}}),
    ("filter", {"plan": "graph", "negate": True}),
    ("aggregate", {"plan": "graph", "by": []}),
    ("roll-up", {"plan": "graph", "by": "day"}),
    ("roll-up", {"plan": "graph", "by": [3]}),
    ("roll-up", {"plan": "graph", "visibility": "drop"}),
    ("roll-up", {"plan": "graph", "as": 3}),
    ("roll-up", {"plan": "graph", "aggregates": []}),
    ("roll-up", {"plan": "graph", "aggregates": {"calls": "max"}}),
    ("roll-up", {"plan": "graph", "aggregates": {"calls": {"count": "max"}}}),
    ("roll-up", {"plan": "graph", "aggregates": {"calls": {"count": {"n": 3}}}}),
    ("decode", {"plan": "graph"}),
    ("decode", {"plan": "graph", "fields": "count"}),
    ("summarise", {"plan": "graph"}),
    ("summarise", {"plan": "graph", "measures": {}}),
    ("summarise", {"plan": "graph", "measures": [{"name": "n"}]}),
    ("summarise", {"plan": "graph", "measures": [{**MEASURE, "over": "day"}]}),
    ("summarise", {"plan": "graph", "by": "day", "measures": [MEASURE]}),
]


@pytest.mark.parametrize(("name", "options"), WRONG, ids=lambda item: str(item)[:60])
def test_wrong_options_are_refused_by_stage_and_schema(name: str, options: Any) -> None:
    with pytest.raises(InvalidOption):
        build(name, options)
    assert list(VALIDATOR.iter_errors({"name": name, "options": options}))


@pytest.mark.parametrize("cls", ELEMENT_STAGES, ids=lambda cls: cls.name)
def test_an_unknown_plan_is_answered_with_the_nearest(cls: Any) -> None:
    options = {"plan": "grpah"}
    if cls.name == "decode":
        options["fields"] = []  # type: ignore[assignment]
    if cls.name == "summarise":
        options["measures"] = []  # type: ignore[assignment]
    with pytest.raises(InvalidOption, match="did you mean: graph"):
        build(cls.name, options)


@pytest.mark.parametrize("cls", ELEMENT_STAGES, ids=lambda cls: cls.name)
def test_a_broken_plan_is_refused_and_named(cls: Any) -> None:
    options = {"plan": "mine", "fields": [], "measures": []}
    declared = {option.name for option in cls.options}
    with pytest.raises(InvalidOption, match=r"plans\.mine"):
        build(cls.name, {k: v for k, v in options.items() if k in declared}, {"mine": {}})


def test_a_group_named_op_has_its_predicate() -> None:
    plan = plan_json("byte-entity")
    plan["groups"] = {"op": plan["groups"]["knows"]}
    build("filter", {"plan": "mine", "where": {"op": {"op": "and", "of": []}}}, {"mine": plan})


def test_a_deep_predicate_is_refused_not_overflowing() -> None:
    where: Any = {"op": "and", "of": []}
    for _ in range(5000):
        where = {"op": "not", "of": where}
    with pytest.raises(InvalidOption, match="32 deep"):
        build("filter", {"plan": "graph", "where": where})


def test_a_stack_compiles_a_plan_once() -> None:
    plans = {"graph": plan_json("byte-entity")}
    first, second = (build("aggregate", {"plan": "graph"}, plans) for _ in range(2))
    assert first.plan is second.plan


def test_a_plan_may_be_given_compiled() -> None:
    plan = load_plan("byte-entity")
    assert build("aggregate", {"plan": "graph"}, {"graph": plan}).plan is plan


def test_a_roll_up_publishes_the_plan_of_its_output() -> None:
    plans: dict[str, Any] = {"hits": load_plan("web-hits")}
    stage = build("roll-up", {"plan": "hits", "by": ["path"], "as": "paths"}, plans)
    assert isinstance(stage, RollUp)
    assert plans["paths"] == load_plan("web-hits").rolled(("path",))


def test_a_stack_may_be_built_again_over_the_same_plans() -> None:
    plans: dict[str, Any] = {"hits": load_plan("web-hits")}
    for _ in range(2):
        build("roll-up", {"plan": "hits", "by": ["path"], "as": "paths"}, plans)
    assert isinstance(plans["paths"], KeyPlan)


@pytest.mark.parametrize("scope", [StageScope.FLUSH, StageScope.MERGE, StageScope.FULL])
@pytest.mark.parametrize("name", ["roll-up", "decode", "summarise"])
def test_stages_that_change_what_cells_mean_run_in_scans_only(name: str, scope: StageScope) -> None:
    options: dict[str, Any] = {"plan": "graph"}
    options |= {"decode": {"fields": []}, "summarise": {"measures": []}}.get(name, {})
    context = StageContext(scope, plans={"graph": plan_json("byte-entity")})
    with pytest.raises(LexigraphError, match="scans only"):
        stage_class(name)(EmptySource(), options, context)
