"""The visibility check of a scan: once per label, bounded, and never raising."""

from __future__ import annotations

import pytest

from lexigraph.errors import InvalidValue
from lexigraph.security import LabelCache
from tests.unit.security.faces import Face, each_face


@each_face
def test_a_label_is_judged_once_however_often_it_is_asked_for(face: Face) -> None:
    cache = face.label_cache([b"A"])
    for _ in range(10):
        assert [cache.can_see(label) for label in (b"A", b"A&", b"")] == [True, False, True]
    assert (cache.evaluated, len(cache)) == (3, 3)


@each_face
def test_a_full_cache_starts_afresh_and_answers_the_same(face: Face) -> None:
    cache = face.label_cache([b"A"], limit_bytes=1000)
    for number in range(100):
        assert cache.can_see(b"A|B%d" % number)
        assert 0 < len(cache) < 10
    assert cache.can_see(b"A|B0")
    assert cache.evaluated == 101


@each_face
def test_a_label_larger_than_the_limit_is_judged_but_not_kept(face: Face) -> None:
    cache = face.label_cache([b"A"], limit_bytes=1000)
    assert cache.can_see(b"A|" + b"B" * 2000)
    assert len(cache) == 0


@each_face
def test_the_owner_sees_labels_that_cannot_be_parsed(face: Face) -> None:
    assert face.label_cache(None, b"A&").can_see(b"")
    assert face.label_cache(None).can_see(b"A&")


def test_a_cache_takes_plain_lists_and_text() -> None:
    cache = LabelCache(["é"], '"é"')
    assert cache.can_see(b"")
    assert repr(cache) == "LabelCache(Authorizations(['é']), kept=1, evaluated=1)"


def test_a_lone_string_as_authorizations_is_refused() -> None:
    with pytest.raises(InvalidValue):
        LabelCache("A")
