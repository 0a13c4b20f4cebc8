"""Authorizations as a set, ALL, and the check against what was granted."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from lexigraph.errors import InvalidBytes, InvalidValue, NotGranted
from lexigraph.security import ALL, Authorizations, check_granted

AB = Authorizations(["A", "B"])


def test_text_and_bytes_are_the_same_token() -> None:
    assert Authorizations(["A", b"A"]) == Authorizations([b"A"]) == {b"A"}
    assert "A" in AB
    assert b"A" in AB
    assert AB.contains("B")
    assert 1 not in AB


def test_tokens_come_in_byte_order() -> None:
    assert list(Authorizations(["é", "b", "B"])) == [b"B", b"b", "é".encode()]


@pytest.mark.parametrize(
    ("combine", "expected"),
    [
        (lambda: AB | ["C"], "ABC"),
        (lambda: ["C"] | AB, "ABC"),
        (lambda: AB & {"A", "C"}, "A"),
        (lambda: {"A", "C"} & AB, "A"),
        (lambda: AB - {"A"}, "B"),
        (lambda: {"A", "C"} - AB, "C"),
        (lambda: AB ^ [b"B", "C"], "AC"),
        (lambda: [b"B", "C"] ^ AB, "AC"),
    ],
)
def test_set_operations_take_text_and_bytes(
    combine: Callable[[], Authorizations], expected: str
) -> None:
    result = combine()
    assert isinstance(result, Authorizations)
    assert result == Authorizations(list(expected))


def test_subsets_take_text_and_bytes() -> None:
    assert AB <= ["A", "B"]
    assert AB < ["A", "B", "C"]
    assert not AB < ["A", "B"]
    assert AB >= ["A"]
    assert AB > ["A"]
    assert not AB > ["A", "B"]
    assert AB.isdisjoint(["C"])
    assert not AB.isdisjoint(["A"])


def test_equal_sets_hash_alike() -> None:
    assert len({AB, Authorizations(["B", b"A"])}) == 1
    assert hash(AB) == hash(frozenset({b"A", b"B"}))


def test_copies_and_pickles_are_equal() -> None:
    assert copy.deepcopy(AB) == AB == pickle.loads(pickle.dumps(AB))


def test_tokens_that_are_text_are_shown_as_text() -> None:
    assert repr(Authorizations([b"\xff", "é"])) == "Authorizations(['é', b'\\xff'])"


@pytest.mark.parametrize("one_token", ["A", b"A"])
def test_a_lone_string_is_refused_instead_of_split_into_letters(one_token: str | bytes) -> None:
    with pytest.raises(InvalidValue, match="not one token"):
        Authorizations(one_token)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [[""], [b""], ["A", ""], [1], [None], 1, None, ["\ud800"]])
def test_what_is_no_set_of_tokens_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidValue):
        Authorizations(wrong)  # type: ignore[arg-type]


def test_half_a_surrogate_pair_is_held_by_nobody() -> None:
    assert "\ud800" not in AB


def test_a_list_with_a_gap_is_refused_and_the_gap_is_named() -> None:
    with pytest.raises(InvalidBytes, match="authorization 2 of"):
        Authorizations.parse("A,,B")


def test_all_shows_its_name_and_stays_itself_through_a_pickle() -> None:
    assert repr(ALL) == "ALL"
    assert pickle.loads(pickle.dumps(ALL)) is ALL
    assert copy.deepcopy(ALL) is ALL


@pytest.mark.parametrize("asked", [[], ["A"], ["A", b"B"], AB])
def test_what_was_granted_may_be_asked_for(asked: Authorizations) -> None:
    check_granted(asked, AB)
    check_granted(asked, ALL)


def test_the_owner_may_ask_for_all() -> None:
    check_granted(ALL, ALL)


def test_what_was_not_granted_is_named() -> None:
    with pytest.raises(NotGranted, match="asked for 'C', 'D', which were not granted") as caught:
        check_granted(["A", "D", "C"], AB)
    assert caught.value.context["missing"] == {b"C", b"D"}


def test_the_owners_view_must_be_granted_as_such() -> None:
    with pytest.raises(NotGranted, match="ALL"):
        check_granted(ALL, AB)


def test_an_empty_grant_says_none() -> None:
    with pytest.raises(NotGranted, match="granted: none"):
        check_granted(["A"], [])
