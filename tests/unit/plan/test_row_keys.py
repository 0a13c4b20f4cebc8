"""What counts as equal in groups: values by their key forms, also inside tuples."""

from __future__ import annotations

from decimal import Decimal

import pytest

import lexigraph as lg
from lexigraph.errors import UsageError
from lexigraph.plan.physical.rows.comparing import RowKeys, compare, order_of


def test_tuples_of_values_that_python_takes_for_equal_are_apart() -> None:
    values = [(True,), (1,), (1.0,), (1,)]
    keys = RowKeys().keys([values], len(values))
    assert keys[1] == keys[3]
    assert len(set(keys)) == 3


def test_a_nan_that_refuses_to_be_compared_comes_last_like_any_other() -> None:
    signalling = Decimal("sNaN")
    assert order_of([[signalling, Decimal(2), None, Decimal(1)]], [False]) == [3, 1, 0, 2]
    assert compare("gt", signalling, Decimal(1)) is True
    assert compare("eq", signalling, Decimal("NaN")) is True


def test_a_cursor_that_nests_without_end_is_refused() -> None:
    class Person(lg.Vertex, summary=True):
        id: str

    nested = "W1tb" * 40_000
    with lg.open(":memory:", [Person]) as graph, pytest.raises(UsageError, match="not the cursor"):
        graph.all(Person).page(2, after=nested)
