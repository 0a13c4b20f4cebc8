"""Plans that contradict the grammar or themselves are refused, and the error says where."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from lexigraph.errors import InvalidOption
from lexigraph.keyplan import KeyPlan
from tests.unit.keyplan.plans import NAMES, SPEC, load_plan, plan_json

SCHEMA = json.loads((SPEC / "schema" / "plan.json").read_bytes())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

Change = Callable[[Any], object]


def changed(change: Change) -> Any:
    """Give the plan byte-entity with one thing made wrong."""
    plan = plan_json("byte-entity")
    change(plan)
    return plan


def put(path: str, value: Any) -> Change:
    """Set what stands at a path like ``rows/0/kind``."""

    def change(plan: Any) -> None:
        *steps, last = [int(s) if s.isdigit() else s for s in path.split("/")]
        for step in steps:
            plan = plan[step]
        plan[last] = value

    return change


def drop(path: str) -> Change:
    def change(plan: Any) -> None:
        *steps, last = [int(s) if s.isdigit() else s for s in path.split("/")]
        for step in steps:
            plan = plan[step]
        del plan[last]

    return change


FIELD = {"field": "day", "codec": "date", "form": "part"}
GRAMMAR: list[tuple[str, Change, str]] = [
    ("another version", put("version", 2), "plan.version"),
    ("version true", put("version", "1"), "plan.version"),
    ("no version", drop("version"), "'version' is missing"),
    ("an unknown member", put("row", []), "did you mean: rows"),
    ("rows is no list", put("rows", {}), "plan.rows: a list"),
    ("no rows", put("rows", []), "at least one shape"),
    ("no groups", put("groups", {}), "at least one group"),
    ("groups is a list", put("groups", []), "plan.groups: an object"),
    ("an unknown kind", put("rows/0/kind", "vertices"), r"plan.rows\[0\].kind"),
    ("a kind that is no text", put("rows/0/kind", 3), r"plan.rows\[0\].kind"),
    ("a vertex with a direction", put("rows/0/directed", True), r"plan.rows\[0\]: .*'directed'"),
    ("an edge without a direction", drop("rows/1/directed"), "'directed' is missing"),
    ("an edge without once", drop("rows/1/once"), "'once' is missing"),
    ("an unknown matched", put("rows/1/matched", "both"), r"plan.rows\[1\].matched"),
    ("directed is no bool", put("rows/1/directed", 1), r"plan.rows\[1\].directed"),
    ("an empty const", put("rows/0/parts/1", {"const": ""}), "at least one byte"),
    ("a const that is no bytes", put("rows/0/parts/1", {"const": 5}), r"parts\[1\].const"),
    ("a const and more", put("rows/0/parts/1", {"const": "a", "form": "rest"}), "'form'"),
    ("a part without a form", drop("family/0/form"), "'form' is missing"),
    ("an unknown form", put("family/0/form", "raw"), r"plan.family\[0\].form"),
    ("an empty field", put("family/0/field", ""), r"plan.family\[0\].field"),
    ("rest descending", put("family/0/descending", True), "only a field of the form 'part'"),
    ("escaped with nulls", put("rows/0/parts/0/nulls", "first"), "only a field of the form 'part'"),
    ("nulls in the middle", put("groups/calls/qualifier/1/nulls", "middle"), "first, last"),
    ("an unknown value form", put("groups/knows/value/form", "raw"), "plan.groups.knows.value"),
    ("none with a property", put("groups/knows/value/property", {}), "'property'"),
    (
        "single without a property",
        put("groups/knows/value/form", "single"),
        "'property' is missing",
    ),
    ("an id below zero", put("groups/calls/value/properties/0/id", -1), "an integer from 0"),
    ("an id past 32 bits", put("groups/calls/value/properties/4/id", 2**32), "an integer from 0"),
    ("an id that is true", put("groups/calls/value/properties/0/id", True), "an integer from 0"),
    (
        "an aggregate that is text",
        put("groups/calls/value/properties/0/aggregate", "sum"),
        r"properties\[0\].aggregate: an object",
    ),
]
MEANING: list[tuple[str, Change, str]] = [
    ("an unknown codec", put("family/0/codec", "string"), r"plan.family\[0\].codec"),
    ("a group that is no str", put("family/0/codec", "bytes"), "codec 'str'"),
    (
        "an unknown aggregator",
        put("groups/calls/value/properties/0/aggregate/name", "summ"),
        "did you mean: sum",
    ),
    (
        "a sum of texts",
        put("groups/calls/value/properties/4/aggregate/name", "sum"),
        "works over int, float, decimal",
    ),
    (
        "count in a plan",
        put("groups/calls/value/properties/0/aggregate/name", "count"),
        "only in the stage 'summarise'",
    ),
    ("ids out of order", put("groups/calls/value/properties/1/id", 1), "ids ascend"),
    (
        "rest before the end",
        put("groups/calls/qualifier/0", {"field": "x", "codec": "str", "form": "rest"}),
        "must come last",
    ),
    (
        "escaped before a field",
        put("groups/calls/qualifier/0", {"field": "x", "codec": "str", "form": "escaped"}),
        "const that starts 00",
    ),
    (
        "escaped before another const",
        put("rows/0/parts/1", {"const": "x"}),
        "const that starts 00",
    ),
    ("a field twice in a key", put("groups/calls/qualifier/1", FIELD), "'day' comes twice"),
    (
        "a field in key and value",
        put("groups/calls/value/properties/0/field", "device"),
        "'device' comes twice",
    ),
    (
        "a property twice in a value",
        put("groups/calls/value/properties/0/field", "cost"),
        "'cost' comes twice",
    ),
    (
        "a built-in field in a key",
        put("groups/calls/qualifier/0/field", "timestamp"),
        "'timestamp' is a field of every element",
    ),
    (
        "a built-in field in a value",
        put("groups/calls/value/properties/0/field", "kind"),
        "'kind' is not a property",
    ),
    (
        "an identity in a value",
        put("groups/calls/value/properties/0/field", "vertex"),
        "'vertex' is not a property",
    ),
    ("a group twice", put("rows/0/group", "activity"), "must not give it too"),
    ("a group nowhere", put("family", [{"const": "x"}]), "names the group"),
    (
        "a group in the qualifier",
        put("groups/knows/qualifier", [{"field": "group", "codec": "str", "form": "rest"}]),
        "'group' comes twice",
    ),
    ("a vertex without one", put("rows/0/parts", [{"const": "x"}]), "has vertex in row"),
    (
        "an edge with one end",
        put("rows", [{**plan_json("byte-entity")["rows"][1], "parts": [{"const": "x"}]}]),
        "no shape",
    ),
    ("a kind without a shape", drop("rows/0"), "is for vertex group 'activity'"),
    (
        "matched is the other end",
        put("rows/1/matched", "destination"),
        r"plan.rows\[1\]: the row starts with 'source'",
    ),
    ("directed and either", put("rows/3/directed", True), "never 'either'"),
    ("two codecs of one field", put("rows/1/parts/0/codec", "bytes"), "in one shape"),
    (
        "fields that differ between shapes",
        lambda plan: plan["rows"][2]["parts"].append({**FIELD, "field": "flag"}),
        r"plan.rows\[2\]: its fields differ",
    ),
    (
        "a null identity",
        put("rows/0/parts", [{**FIELD, "field": "vertex", "nulls": "first"}]),
        "cannot be null",
    ),
]


def ids(cases: list[tuple[str, Change, str]]) -> list[str]:
    return [name for name, _, _ in cases]


@pytest.mark.parametrize("name", NAMES)
def test_the_worked_plans_fit_the_schema(name: str) -> None:
    assert not list(VALIDATOR.iter_errors(plan_json(name)))


@pytest.mark.parametrize("name", NAMES)
def test_what_a_plan_writes_fits_the_schema(name: str) -> None:
    assert not list(VALIDATOR.iter_errors(load_plan(name).to_json()))


@pytest.mark.parametrize("name", NAMES)
def test_a_plan_comes_back_from_its_json(name: str) -> None:
    plan = load_plan(name)
    assert KeyPlan.parse(json.loads(json.dumps(plan.to_json()))) == plan


@pytest.mark.parametrize(("name", "change", "where"), GRAMMAR, ids=ids(GRAMMAR))
def test_what_breaks_the_grammar_is_refused_by_parser_and_schema(
    name: str, change: Change, where: str
) -> None:
    plan = changed(change)
    with pytest.raises(InvalidOption, match=where):
        KeyPlan.parse(plan)
    assert list(VALIDATOR.iter_errors(plan))


@pytest.mark.parametrize(("name", "change", "where"), MEANING, ids=ids(MEANING))
def test_what_contradicts_itself_is_refused_by_the_parser(
    name: str, change: Change, where: str
) -> None:
    plan = changed(change)
    with pytest.raises(InvalidOption, match=where):
        KeyPlan.parse(plan)
    assert not list(VALIDATOR.iter_errors(plan))


@pytest.mark.parametrize("value", [None, 3, "plan", [], [1], True, {1: 2}])
def test_what_is_no_object_is_refused(value: Any) -> None:
    with pytest.raises(InvalidOption, match="plan: "):
        KeyPlan.parse(value)


def test_a_deep_value_is_refused_not_overflowing() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InvalidOption, match=r"plan.rows\[0\].kind"):
        KeyPlan.parse(changed(put("rows/0/kind", deep)))


def test_the_two_ends_of_an_undirected_edge_have_one_codec() -> None:
    plan = plan_json("byte-entity")
    plan["rows"] = [plan["rows"][3]]
    plan["groups"] = {"knows": plan["groups"]["knows"]}
    plan["rows"][0]["parts"][2]["codec"] = "int"
    with pytest.raises(InvalidOption, match="the same codec"):
        KeyPlan.parse(plan)
