"""The schema of the cell stages says what the declarations say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from lexigraph.errors import InvalidOption
from lexigraph.store.stages.base import StageContext
from lexigraph.store.stages.builtin import CELL_STAGES
from lexigraph.store.stages.cells.cell_stage import CellStage
from lexigraph.store.stages.cells.matches import Grep
from lexigraph.store.stages.schema import stages_schema
from lexigraph.testing.vectors import load_cases

SPEC = Path(__file__).parents[4] / "spec"
SCHEMA = json.loads((SPEC / "schema" / "cell-stages.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
each_stage = pytest.mark.parametrize("cls", CELL_STAGES, ids=lambda cls: cls.name)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@each_stage
def test_names_types_and_defaults_are_those_of_the_declaration(cls: type[CellStage]) -> None:
    described = stages_schema([cls], "")["$defs"][cls.name]
    assert SCHEMA["$defs"][cls.name] == described


def test_the_schema_lists_every_cell_stage_and_nothing_else() -> None:
    assert stages_schema(CELL_STAGES, SCHEMA["title"]) == SCHEMA


@each_stage
def test_every_default_is_valid_for_its_own_schema(cls: type[CellStage]) -> None:
    for option in cls.options:
        if not option.required:
            schema = {**option.schema(), "$defs": SCHEMA["$defs"]}
            assert Draft202012Validator(schema).is_valid(option.default), option.name


@each_stage
def test_the_schema_takes_the_options_that_the_stage_takes(cls: type[CellStage]) -> None:
    for case in load_cases(SPEC / "stages" / f"{cls.name}.json"):
        for stage in case.spec["stages"]:
            if stage["name"] != cls.name:
                continue
            try:
                cls(None, stage["options"], StageContext())  # type: ignore[arg-type]
            except InvalidOption:
                continue
            except ValueError:
                pass
            assert VALIDATOR.is_valid(stage), case


@each_stage
def test_the_schema_refuses_an_option_that_is_not_declared(cls: type[CellStage]) -> None:
    required = {option.name: None for option in cls.options if option.required}
    assert not VALIDATOR.is_valid({"name": cls.name, "options": {**required, "surprise": 1}})


@pytest.mark.parametrize(
    "term", ["é", {"hex": "FF"}, {"hex": "f"}, {"hex": "ff\n"}, {"hex": "f f"}]
)
def test_the_schema_refuses_the_bytes_that_the_stage_refuses(term: object) -> None:
    with pytest.raises(InvalidOption):
        Grep(None, {"term": term}, StageContext())  # type: ignore[arg-type]
    assert not VALIDATOR.is_valid({"name": "grep", "options": {"term": term}})
