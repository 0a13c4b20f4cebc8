"""Python declares what spec/catalogue.json says: names, options, bounds, defaults, flags."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from lexigraph.functions.built_in import BUILT_IN_AGGREGATORS, BUILT_IN_PREDICATES
from lexigraph.functions.predicates.comparisons import FIELD_COMPARISONS, InSet
from lexigraph.functions.transforms.registry import BUILT_IN_TRANSFORMS
from lexigraph.store.stages.builtin import BUILT_IN
from tests.docs.pages import ROOT
from tests.unit.catalogue import declared

CATALOGUE = json.loads((ROOT / "spec/catalogue.json").read_bytes())
SCHEMA = json.loads((ROOT / "spec/schema/catalogue.json").read_bytes())
SECOND_FORMS = {**FIELD_COMPARISONS, InSet.name: InSet}


def forms(cls: Any) -> list[Any]:
    second = SECOND_FORMS.get(cls.name)
    return [cls] if second is None else [cls, second]


DECLARED: dict[str, dict[str, Any]] = {
    "aggregators": {one.name: declared.of_aggregator(one) for one in BUILT_IN_AGGREGATORS},
    "predicates": {one.name: declared.of_predicate(forms(one)) for one in BUILT_IN_PREDICATES},
    "transforms": {one.name: declared.of_transform(one) for one in BUILT_IN_TRANSFORMS},
    "stages": {one.name: declared.of_stage(one) for one in BUILT_IN},
}


def test_the_catalogue_has_the_form_of_its_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(CATALOGUE)


def test_the_catalogue_lists_every_codec() -> None:
    assert CATALOGUE["codecs"] == declared.CODECS


@pytest.mark.parametrize("section", DECLARED)
def test_the_catalogue_lists_what_is_built_in_and_nothing_else(section: str) -> None:
    assert set(CATALOGUE[section]) == set(DECLARED[section])


@pytest.mark.parametrize(
    ("section", "name"),
    [(section, name) for section, found in DECLARED.items() for name in found],
)
def test_python_declares_what_the_catalogue_says(section: str, name: str) -> None:
    # Whether Java has it is asked of Java.
    written = {key: one for key, one in CATALOGUE[section][name].items() if key != "java"}
    assert json.loads(json.dumps(DECLARED[section][name])) == written
