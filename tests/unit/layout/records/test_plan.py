"""Key plans of facts: read, written, and refused where they are wrong."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest
from spec.fact_json import PLANS

from lexigraph.cells.native import find_native
from lexigraph.errors import InvalidOption
from lexigraph.keyplan import KeyPlan
from lexigraph.layout.records.assembling.native import prepare_records
from lexigraph.layout.records.plan import read_fact_plan
from lexigraph.layout.records.reading import EVERYTHING, RecordReading
from lexigraph.layout.records.rows import VERTICES, RecordRows, SortField
from lexigraph.layout.records.subjects import OUT, ReferenceSubject
from lexigraph.security import ALL

EXAMPLE = json.loads((PLANS / "records.json").read_bytes())
SCHEMA = json.loads((PLANS.parent / "schema" / "plan.json").read_bytes())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

WRONG = [
    ("version", 2, "plan.version"),
    ("facts", [], "plan.facts: an object"),
    ("facts", {}, "'vertex' is missing"),
    ("facts/vertex", "", "plan.facts.vertex: a name"),
    ("facts/verticals", {}, "there is no member 'verticals'"),
    ("facts/labels", [], "plan.facts.labels: an object"),
    ("facts/labels/", [], "a label is not empty"),
    ("facts/labels/RATED", {}, "a list is needed"),
    ("facts/labels/RATED", [{"field": "stars"}], "'codec' is missing"),
    ("facts/labels/RATED", [{"field": "", "codec": "int"}], "a name is needed"),
    ("facts/labels/RATED", [{"field": "a", "codec": "int", "nulls": "last"}], "'nulls'"),
    ("facts/labels/RATED", [{"field": "a", "codec": "int", "descending": 1}], "true or false"),
]
BEYOND_THE_SCHEMA = [
    ("facts/vertex", "strr", "strr"),
    ("facts/labels/RATED", [{"field": "a", "codec": "integer"}], "RATED.*integer"),
    ("facts/labels/RATED", [{"field": "a", "codec": "int"}] * 2, "'a' comes twice"),
]


def changed(path: str, value: Any) -> Any:
    """Return the worked example with one thing made wrong."""
    plan = at = copy.deepcopy(EXAMPLE)
    *steps, last = path.split("/")
    for step in steps:
        at = at[step]
    at[last] = value
    return plan


@pytest.mark.parametrize(("path", "value", "said"), WRONG + BEYOND_THE_SCHEMA)
def test_a_wrong_plan_is_refused_and_the_error_says_where(path: str, value: Any, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        read_fact_plan(changed(path, value))


@pytest.mark.parametrize(("path", "value", "said"), WRONG)
def test_the_schema_refuses_the_same(path: str, value: Any, said: str) -> None:
    assert not VALIDATOR.is_valid(changed(path, value)), said


def test_what_is_read_is_written_again() -> None:
    assert VALIDATOR.is_valid(EXAMPLE)
    rows = read_fact_plan(EXAMPLE)
    assert rows.to_plan() == EXAMPLE == json.loads(rows.plan)
    assert rows.sort_keys["RATED"] == (SortField("stars", "int", descending=True),)


def test_labels_may_be_left_out() -> None:
    rows = read_fact_plan({"version": 1, "facts": {"vertex": "int"}})
    assert rows.row_of(ReferenceSubject(1, OUT, "X", (), 2, 3)) == RecordRows("int").row_of(
        ReferenceSubject(1, OUT, "X", (), 2, 3)
    )


def test_the_row_of_the_specification_is_that_of_the_plan() -> None:
    row = read_fact_plan(EXAMPLE).row_of(ReferenceSubject("ann", OUT, "RATED", (3,), "bob", 7))
    text = " ".join((PLANS.parent / "facts.md").read_text(encoding="utf-8").split())
    said = text.partition("is the row `")[2].partition("`")[0]
    assert row == bytes.fromhex(said)


def test_element_stages_do_not_take_it() -> None:
    with pytest.raises(InvalidOption, match="facts"):
        KeyPlan.parse(EXAMPLE)


@pytest.mark.skipif(find_native() is None, reason="the native module is not installed")
def test_the_core_declines_a_codec_that_it_does_not_have() -> None:
    rows = RecordRows("str")
    reading = RecordReading(ALL, None, EVERYTHING)
    assert prepare_records(rows, VERTICES, reading)[0] is not None
    object.__setattr__(rows, "plan", json.dumps({"version": 1, "facts": {"vertex": "other"}}))
    found, why = prepare_records(rows, VERTICES, reading)
    assert (found, "other" in (why or "")) == (None, True)
