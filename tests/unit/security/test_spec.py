"""Our own vectors, shared with the other languages, hold in Python and in the native core."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lexigraph.errors import InvalidBytes, InvalidValue
from tests.unit.security.faces import Face, each_face, problem

SPEC = Path(__file__).parents[3] / "spec" / "visibility.json"
VECTORS: dict[str, Any] = json.loads(SPEC.read_bytes())


def each(section: str) -> Any:
    cases = VECTORS[section]
    return pytest.mark.parametrize("case", cases, ids=[f"{n}" for n in range(len(cases))])


def raw(text: Any) -> bytes:
    return bytes.fromhex(text["hex"]) if isinstance(text, dict) else text.encode()


def raws(texts: list[Any]) -> list[bytes]:
    return [raw(text) for text in texts]


@each_face
@each("parse")
def test_a_valid_expression_names_its_tokens(face: Face, case: dict[str, Any]) -> None:
    assert face.tokens(raw(case["expr"])) == raws(case["tokens"])


@each_face
@each("broken")
def test_a_broken_expression_is_refused_at_the_byte(face: Face, case: dict[str, Any]) -> None:
    found = problem(face, raw(case["expr"]))
    assert found is not None
    assert (found[0], found[1].partition("\n")[0]) == (case["byte"], case["message"])


@each_face
@each("evaluate")
def test_a_label_is_visible_to_those_it_names(face: Face, case: dict[str, Any]) -> None:
    assert face.evaluate(raw(case["expr"]), raws(case["auths"])) is case["visible"]


@each_face
@each("forms")
def test_an_expression_has_its_sorted_forms(face: Face, case: dict[str, Any]) -> None:
    expression = raw(case["expr"])
    assert face.flatten(expression) == raw(case["flat"])
    assert face.normalise(expression) == raw(case["normal"])


@each_face
@each("conjunction")
def test_labels_join_to_one(face: Face, case: dict[str, Any]) -> None:
    assert face.conjunction(raws(case["labels"])) == raw(case["joined"])


@each_face
@each("quote")
def test_a_token_is_quoted_where_it_must_be(face: Face, case: dict[str, Any]) -> None:
    assert face.quote(raw(case["term"])) == raw(case["quoted"])


@each_face
@each("authorizations")
def test_authorizations_have_one_serialised_form(face: Face, case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(InvalidValue):
            face.serialise(raws(case["auths"]))
    else:
        assert face.serialise(raws(case["auths"])) == raw(case["serialised"])


@each_face
@each("authorizations_text")
def test_authorizations_are_read_from_text(face: Face, case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(InvalidBytes):
            face.parse_authorizations(raw(case["text"]))
    else:
        assert face.parse_authorizations(raw(case["text"])) == raws(case["auths"])


@each_face
@each("scan")
def test_a_scan_shows_or_hides_a_cell(face: Face, case: dict[str, Any]) -> None:
    held = None if case["auths"] is None else raws(case["auths"])
    cache = face.label_cache(held, raw(case["default"]))
    assert cache.can_see(raw(case["label"])) is case["visible"]
