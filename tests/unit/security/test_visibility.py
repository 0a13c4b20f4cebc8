"""The Visibility type beyond its vectors: text and bytes, trees, depth, errors that point."""

from __future__ import annotations

import copy
import pickle

import pytest

from lexigraph.errors import InvalidValue, InvalidVisibility
from lexigraph.security import ALL, NodeKind, Visibility, conjunction, quote
from tests.unit.security.faces import Face, each_face, problem

DEPTH = 100_000


def test_text_means_its_utf8() -> None:
    assert Visibility('"é"') == Visibility(b'"\xc3\xa9"')
    assert Visibility('"é"').evaluate([b"\xc3\xa9"])


def test_the_tree_is_as_written() -> None:
    root = Visibility('A&("b c"|(A))').tree
    assert root is not None
    term, group = root.children
    assert (root.kind, term.kind, group.kind) == (NodeKind.AND, NodeKind.TERM, NodeKind.OR)
    assert (root.start, root.end, group.start, group.end) == (0, 13, 3, 12)
    assert [child.token for child in group.children] == [b"b c", b"A"]


def test_the_empty_expression_has_no_tree_and_no_tokens() -> None:
    assert (Visibility().tree, Visibility().tokens) == (None, frozenset())


def test_the_owner_sees_every_label() -> None:
    assert Visibility("A&B").evaluate(ALL)


def test_equivalent_labels_are_not_equal_until_they_are_normalised() -> None:
    one, other = Visibility("A&B"), Visibility("B&A")
    assert one != other
    assert one.normalise() == other.normalise()
    assert len({one, other, one.normalise(), other.normalise()}) == 2


def test_a_label_keeps_the_bytes_it_was_made_from() -> None:
    label = Visibility("(B)&A")
    label.normalise()
    assert (label.expression, bytes(label), str(label)) == (b"(B)&A", b"(B)&A", "(B)&A")
    with pytest.raises(AttributeError):
        label.expression = b"A"  # type: ignore[misc]


def test_a_label_shows_itself_even_where_it_is_not_text() -> None:
    assert repr(Visibility('"é"')) == "Visibility('\"é\"')"
    assert repr(Visibility(b'"\xff"')) == "Visibility(b'\"\\xff\"')"
    assert str(Visibility(b'"\xff"')) == '"\\xff"'


@pytest.mark.parametrize("wrong", [1, None, ["A"]])
def test_what_is_neither_text_nor_bytes_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidVisibility, match="text or bytes"):
        Visibility(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidValue, match="text or bytes"):
        quote(wrong)  # type: ignore[arg-type]


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(InvalidVisibility, match="surrogate"):
        Visibility('"\ud800"')


def test_evaluating_against_one_string_is_refused_instead_of_read_as_letters() -> None:
    with pytest.raises(InvalidValue, match="not one token"):
        Visibility("A").evaluate("A")


def test_a_bad_label_in_a_conjunction_is_refused() -> None:
    with pytest.raises(InvalidVisibility) as caught:
        conjunction(["A", Visibility("B"), "C)|(D"])
    assert caught.value.expression == "C)|(D"


@each_face
def test_an_error_points_at_the_character_even_after_wide_ones(face: Face) -> None:
    with pytest.raises(InvalidVisibility) as caught:
        face.parse('"é日"&&A'.encode())
    error = caught.value
    assert error.expression is not None
    assert error.position is not None
    assert error.expression[error.position :] == "&A"
    assert (error.position, error.context["offset"]) == (5, 8)
    assert str(error).splitlines()[1:] == ['  "é日"&&A', "       ^"]


@each_face
def test_an_error_shows_what_cannot_be_printed_as_escapes(face: Face) -> None:
    found = problem(face, b'"\n\xff"\x00')
    assert found is not None
    assert found[1].splitlines()[1:] == ['  "\\n\\xff"\\x00', "          ^"]


@each_face
def test_an_error_shows_only_the_neighbourhood_of_a_long_label(face: Face) -> None:
    found = problem(face, b"A&" * 50_000 + b"&B" + b"&A" * 50_000)
    assert found is not None
    excerpt, caret = found[1].splitlines()[1:]
    assert len(excerpt) < 100
    assert excerpt[caret.index("^") - 2 :].startswith("A&&B")


@each_face
def test_brackets_as_deep_as_the_label_is_long_are_read(face: Face) -> None:
    expression = b"(" * DEPTH + b"A" + b")" * DEPTH
    assert face.evaluate(expression, [b"A"])
    assert face.normalise(expression) == b"A"
    assert problem(face, b"(" * DEPTH) is not None


@each_face
def test_groups_nest_as_deep_as_the_label_is_long(face: Face) -> None:
    levels = DEPTH // 4
    expression = b"B&(A|(" * levels + b"A" + b"))" * levels
    assert face.evaluate(expression, [b"A", b"B"])
    flat = face.flatten(expression)
    assert face.flatten(flat) == flat


@each_face
def test_a_deep_chain_of_one_operator_rolls_up(face: Face) -> None:
    assert face.normalise(b"(" * DEPTH + b"A" + b"&B)" * DEPTH) == b"A&B"


def test_a_deep_label_can_be_copied_and_pickled() -> None:
    levels = DEPTH // 4
    label = Visibility("B&(A|(" * levels + "A" + "))" * levels)
    assert copy.deepcopy(label) == label
    assert pickle.loads(pickle.dumps(label)) == label
