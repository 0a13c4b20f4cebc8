"""Labels and authorizations agree with Apache Accumulo 2.1.4, in Python and in the native core.

The expected answers came from its own classes. Where ours differ on purpose, the test says how;
docs/reference/deviations.md says why.
"""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest

from lexigraph.errors import InvalidBytes, InvalidValue, InvalidVisibility
from lexigraph.security import quote
from tests.conformance.outside import count, outside
from tests.levels import some
from tests.unit.security.faces import Face, each_face

SYSTEM = "accumulo.visibility"


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    return json.loads(outside("accumulo", "visibility.json").read_bytes())


def counted(face: Face, n: int) -> None:
    count(SYSTEM if face.name == "python" else f"{SYSTEM}.{face.name}", n)


def raw(text: Any) -> bytes:
    return bytes.fromhex(text["hex"]) if isinstance(text, dict) else text.encode()


def raws(texts: list[Any]) -> list[bytes]:
    return [raw(text) for text in texts]


def answer(face: Face, expression: bytes, held: list[bytes]) -> str:
    try:
        return "accessible" if face.evaluate(expression, held) else "inaccessible"
    except InvalidVisibility:
        return "error"


@each_face
def test_every_expression_gets_accumulos_answer(face: Face, vectors: dict[str, Any]) -> None:
    wrong = [
        (case["expr"], case["auths"], given, case["expected"])
        for case in vectors["cases"]
        if (given := answer(face, raw(case["expr"]), raws(case["auths"]))) != case["expected"]
    ]
    assert wrong == []
    counted(face, len(vectors["cases"]))


@each_face
def test_a_scan_shows_what_accumulos_scan_shows(face: Face, vectors: dict[str, Any]) -> None:
    for case in vectors["cases"]:
        cache = face.label_cache(raws(case["auths"]))
        assert cache.can_see(raw(case["expr"])) is (case["expected"] == "accessible"), case


@each_face
def test_flatten_is_accumulos_where_that_is_stable(face: Face, vectors: dict[str, Any]) -> None:
    checked = 0
    for case in vectors["cases"]:
        expression = raw(case["expr"])
        if "flat" in case and "flat2" not in case and is_utf8(expression):
            assert face.flatten(expression) == raw(case["flat"]), case
            checked += 1
    assert checked > 0


@each_face
def test_deviation_flatten_reaches_at_once_what_accumulo_reaches_later(
    face: Face, vectors: dict[str, Any]
) -> None:
    checked = 0
    for case in vectors["cases"]:
        expression = raw(case["expr"])
        if "flat2" in case and is_utf8(expression):
            ours = face.flatten(expression)
            assert ours == face.flatten(raw(case["flat"])) == face.flatten(raw(case["flat2"])), case
            checked += 1
    assert checked > 0


@each_face
def test_deviation_flatten_keeps_bytes_that_are_not_utf8(
    face: Face, vectors: dict[str, Any]
) -> None:
    checked = 0
    for case in vectors["cases"]:
        expression = raw(case["expr"])
        if "flat" in case and not is_utf8(expression):
            replaced = face.flatten(expression).decode("utf-8", "replace").encode()
            assert face.flatten(replaced) == face.flatten(raw(case["flat"])), case
            checked += 1
    assert checked > 0


@each_face
def test_both_sorted_forms_are_stable_and_mean_the_same(
    face: Face, vectors: dict[str, Any]
) -> None:
    for expression in some(
        sorted({raw(case["expr"]) for case in vectors["cases"] if "flat" in case})
    ):
        tokens = face.tokens(expression)
        for form in (face.flatten, face.normalise):
            written = form(expression)
            assert form(written) == written, expression
            assert face.tokens(written) == tokens, expression
            for held in some_subsets(tokens):
                assert face.evaluate(written, held) is face.evaluate(expression, held), expression


@each_face
def test_terms_are_quoted_as_accumulo_quotes_them(face: Face, vectors: dict[str, Any]) -> None:
    for case in vectors["quote"]:
        assert face.quote(raw(case["term"])) == raw(case["quoted"]), case
    counted(face, len(vectors["quote"]))


def test_text_is_quoted_as_accumulo_quotes_text(vectors: dict[str, Any]) -> None:
    for case in vectors["quote"]:
        text = raw(case["term"]).decode("utf-8", "replace")
        assert quote(text) == raw(case.get("quoted_via_string", case["quoted"])), case


@each_face
def test_authorizations_serialise_as_accumulos(face: Face, vectors: dict[str, Any]) -> None:
    for case in vectors["authorizations"]:
        tokens = raws(case["auths"])
        if "error" in case:
            with pytest.raises(InvalidValue):
                face.serialise(tokens)
        else:
            serialised = face.serialise(tokens)
            assert serialised == raw(case["serialized"]), case
            assert len(face.parse_authorizations(serialised)) == case["size"], case
    counted(face, len(vectors["authorizations"]))


@each_face
def test_text_is_read_as_accumulo_reads_it(face: Face, vectors: dict[str, Any]) -> None:
    for case in vectors["authorizations_text"]:
        if "error" in case:
            with pytest.raises(InvalidBytes):
                face.parse_authorizations(raw(case["text"]))
        else:
            held = face.parse_authorizations(raw(case["text"]))
            assert held == sorted(raws(case["auths"])), case
    counted(face, len(vectors["authorizations_text"]))


def is_utf8(expression: bytes) -> bool:
    try:
        expression.decode()
    except UnicodeDecodeError:
        return False
    return True


def some_subsets(tokens: list[bytes]) -> list[tuple[bytes, ...]]:
    """All subsets of few tokens; of many, those that hold or lack at most one."""
    sizes = range(len(tokens) + 1) if len(tokens) < 5 else (0, 1, len(tokens) - 1, len(tokens))
    return [held for size in sizes for held in combinations(tokens, size)]
