"""What holds for every expression, in Python and in the native core, and between the two."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.security.faces import (
    Face,
    NativeFace,
    PythonFace,
    each_face,
    needs_native,
    problem,
)
from tests.unit.security.strategies import TOKENS, any_token, expressions, mutated

held = st.sets(st.sampled_from(TOKENS)).map(sorted)


@each_face
@given(expression=expressions)
def test_sorted_forms_are_stable(face: Face, expression: bytes) -> None:
    flat, normal = face.flatten(expression), face.normalise(expression)
    assert face.flatten(flat) == flat
    assert face.normalise(normal) == normal
    assert face.normalise(flat) == normal


@each_face
@given(expression=expressions)
def test_sorted_forms_are_visible_to_exactly_the_same_readers(
    face: Face, expression: bytes
) -> None:
    used = face.tokens(expression)
    flat, normal = face.flatten(expression), face.normalise(expression)
    for size in range(len(used) + 1):
        for tokens in combinations(used, size):
            visible = face.evaluate(expression, tokens)
            assert face.evaluate(flat, tokens) is visible
            assert face.evaluate(normal, tokens) is visible


@each_face
@given(left=expressions, right=expressions, operator=st.sampled_from([b"&", b"|"]))
def test_the_order_of_operands_does_not_change_the_normal_form(
    face: Face, left: bytes, right: bytes, operator: bytes
) -> None:
    if left and right:
        one, other = (b"(" + side + b")" for side in (left, right))
        assert face.normalise(one + operator + other) == face.normalise(other + operator + one)


@each_face
@given(labels=st.lists(expressions, max_size=4), tokens=held)
def test_a_conjunction_is_visible_to_those_who_see_every_label(
    face: Face, labels: list[bytes], tokens: list[bytes]
) -> None:
    joined = face.conjunction(labels)
    assert face.evaluate(joined, tokens) is all(face.evaluate(x, tokens) for x in labels)
    assert face.normalise(joined) == joined


@each_face
@given(token=any_token)
def test_a_quoted_token_reads_back_as_itself(face: Face, token: bytes) -> None:
    assert face.tokens(face.quote(token)) == [token]
    assert face.evaluate(face.quote(token), [token])


@each_face
@given(tokens=st.sets(any_token))
def test_serialised_authorizations_read_back(face: Face, tokens: set[bytes]) -> None:
    assert face.parse_authorizations(face.serialise(tokens)) == sorted(tokens)


@needs_native
@given(expression=expressions | mutated() | st.binary(max_size=12))
def test_python_and_native_find_the_same_problem_at_the_same_byte(expression: bytes) -> None:
    assert problem(PythonFace(), expression) == problem(NativeFace(), expression)


@needs_native
@given(expression=expressions | mutated(), tokens=held)
def test_python_and_native_give_the_same_answers(expression: bytes, tokens: list[bytes]) -> None:
    python, native = PythonFace(), NativeFace()
    shown = python.label_cache(tokens).can_see(expression)
    assert native.label_cache(tokens).can_see(expression) is shown
    if problem(python, expression) is None:
        assert native.evaluate(expression, tokens) is python.evaluate(expression, tokens)
        assert native.tokens(expression) == python.tokens(expression)
        assert native.flatten(expression) == python.flatten(expression)
        assert native.normalise(expression) == python.normalise(expression)


@needs_native
@given(text=st.binary(max_size=20) | st.text("QUI=,+/ A\x1f!", max_size=12).map(str.encode))
def test_python_and_native_read_the_same_authorizations(text: bytes) -> None:
    for written in (text, b"!AUTH1:" + text):
        answers = []
        for face in (PythonFace(), NativeFace()):
            try:
                answers.append(face.parse_authorizations(written))
            except ValueError as error:
                answers.append(type(error))
        assert answers[0] == answers[1]
