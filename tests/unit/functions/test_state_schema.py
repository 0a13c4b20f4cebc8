"""The JSON Schema of aggregator states: it holds the vectors and refuses broken ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

SPEC = Path(__file__).parents[3] / "spec"
SCHEMA = Draft202012Validator(json.loads((SPEC / "schema/aggregator-state.json").read_text()))
VECTORS = json.loads((SPEC / "functions.json").read_text())


def state_of(vector: dict[str, Any]) -> dict[str, Any]:
    # A count has no field, so its vectors name no codec: it counts in integers.
    return {name: vector.get(name, "int") for name in ("aggregator", "codec", "state")}


@pytest.mark.parametrize("vector", VECTORS["aggregators"], ids=lambda vector: vector["name"])
def test_every_state_of_the_vectors_is_one(vector: dict[str, Any]) -> None:
    SCHEMA.validate(state_of(vector))


@pytest.mark.parametrize("why", ["no mark", "no such mark", "cut time"])
def test_a_first_or_last_without_its_mark_and_time_is_none(why: str) -> None:
    (vector,) = (v for v in VECTORS["refused_states"] if v["why"] == why)
    assert not SCHEMA.is_valid(state_of(vector))


@pytest.mark.parametrize("vector", VECTORS["refused_codecs"], ids=lambda vector: vector["codec"])
def test_a_state_over_another_codec_is_none(vector: dict[str, Any]) -> None:
    # Which buckets a date has is no matter of the state.
    assert "options" in vector or not SCHEMA.is_valid({**vector, "state": {"hex": "8101"}})


def test_an_aggregator_that_is_not_listed_is_none() -> None:
    assert not SCHEMA.is_valid({"aggregator": "median", "codec": "int", "state": {"hex": "8101"}})


def test_the_schema_lists_the_aggregators_of_the_catalogue() -> None:
    listed = SCHEMA.schema["properties"]["aggregator"]["enum"]
    catalogue = json.loads((SPEC / "catalogue.json").read_bytes())
    assert sorted(listed) == sorted(catalogue["aggregators"])
