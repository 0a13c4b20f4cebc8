"""Iterators side by side: everything comes once, errors come through, nothing runs ahead."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexigraph.examples.parallel import interleave


def test_each_iterator_keeps_its_own_order() -> None:
    parts = [[(name, number) for number in range(20)] for name in "abc"]
    taken = list(interleave(iter(part) for part in parts))
    assert [[item for item in taken if item[0] == name] for name in "abc"] == parts


def test_none_is_an_item_like_any_other() -> None:
    assert list(interleave([iter([None, None])])) == [None, None]


def test_no_iterators_give_nothing() -> None:
    assert list(interleave([])) == []


def test_an_error_is_raised_where_the_items_are_taken() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise LookupError("gone")

    items = interleave([broken()])
    assert next(items) == 1
    with pytest.raises(LookupError, match="gone"):
        next(items)


def test_an_iterator_is_at_most_one_item_ahead() -> None:
    made: list[int] = []

    def counting() -> Iterator[int]:
        for number in range(1000):
            made.append(number)
            yield number

    items = interleave([counting()])
    assert [next(items) for _ in range(3)] == [0, 1, 2]
    assert len(made) <= 4
    items.close()
