from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from lexigraph.errors import InvalidValue, UnsupportedError
from lexigraph.graph.read import frames
from lexigraph.plan import Element


def test_columns_have_the_types_of_the_schema_even_without_rows() -> None:
    table = frames.to_arrow([], {"day": "date", "count": "int", "other": None})
    assert [str(kind) for kind in table.schema.types] == ["date32[day]", "int64", "null"]


def test_many_rows_are_made_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "BATCH", 2)
    rows = [{"n": at, "set": ("a",) if at else None} for at in range(5)]
    table = frames.to_arrow(rows, {"n": "int", "set": None})
    assert table.column("n").num_chunks == 3
    assert table.column("set").to_pylist() == [None, *[["a"]] * 4]


def test_a_number_that_a_column_cannot_hold_is_named() -> None:
    with pytest.raises(InvalidValue, match=f"'n' of type int64 cannot hold {2**70}"):
        frames.to_arrow([{"n": 1}, {"n": 2**70}], {"n": "int"})


def test_values_of_no_one_type_become_text() -> None:
    table = frames.to_arrow([{"x": 1}, {"x": "a"}], {"x": None})
    assert table.column("x").to_pylist() == ["1", "a"]


@pytest.mark.parametrize(
    "values",
    [
        [date(2026, 1, 1), datetime(2026, 1, 1, 5)],
        [date(2026, 1, 1), 1],
        [datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC)],
        [time(1, tzinfo=UTC)],
        [time(1), 1],
        [timedelta(1), 5],
        ["a", b"b"],
        [{date(2026, 1, 1): 2}],
        [2**53 + 1, 0.5],
        [Decimal("1E-900000000"), Decimal(1)],
        [Decimal("NaN"), Decimal(1)],
    ],
    ids=str,
)
def test_no_value_is_changed_so_that_one_type_holds_all(values: list[Any]) -> None:
    found = frames.to_arrow([{"x": one} for one in values], {"x": None}).column("x").to_pylist()
    plain = [tuple(one.items()) if isinstance(one, dict) else one for one in values]
    assert found == [str(one) for one in plain]


@pytest.mark.parametrize(
    "values",
    [[1, 0.5], [1, Decimal("1.50")], [None, (1, 2), ()], [b"a", None], [datetime(2026, 1, 1)]],
    ids=str,
)
def test_one_type_holds_all_if_it_can(values: list[Any]) -> None:
    found = frames.to_arrow([{"x": one} for one in values], {"x": None}).column("x").to_pylist()
    assert found == [list(one) if isinstance(one, tuple) else one for one in values]


def test_a_missing_package_says_how_to_get_it() -> None:
    with pytest.raises(UnsupportedError, match="nothing-like-it"):
        frames.import_package("nothing-like-it", "arrow")


def test_undirected_edges_stand_in_both_directions_of_a_directed_graph() -> None:
    one = Element("edge", "knows", {"d": date(2026, 1, 1)}, source=1, destination=2, directed=False)
    two = Element("edge", "calls", source=2, destination=3, directed=True)
    assert not frames.to_networkx([one]).is_directed()
    both = frames.to_networkx([one, two])
    assert sorted((a, b) for a, b in both.edges()) == [(1, 2), (2, 1), (2, 3)]


def test_a_networkx_graph_holds_every_element() -> None:
    seen = [Element("vertex", "seen", {"k": k}, vertex=name) for name, k in (("a", 1), ("a", 2))]
    other = Element("vertex", "seen", {"k": 3}, vertex="b")
    one = Element("vertex", "node_for_adding", {"n": 1}, vertex="a")
    nodes = dict(frames.to_networkx([*seen, other, one]).nodes(data=True))
    assert nodes == {
        "a": {"seen": [{"k": 1}, {"k": 2}], "node_for_adding": {"n": 1}},
        "b": {"seen": [{"k": 3}]},
    }


@pytest.mark.parametrize("directed", [[False, False], [True, True], [True, False]])
def test_edges_of_a_networkx_graph_may_have_any_property(directed: list[bool]) -> None:
    ends = [("a", "b"), ("b", "a")]
    given = [
        Element("edge", "calls", {"key": 7, "n": n}, source=a, destination=b, directed=directed[n])
        for n, (a, b) in enumerate(ends)
    ]
    found = [facts for _, _, facts in frames.to_networkx(given).edges(data=True)]
    assert {facts["n"] for facts in found} == {0, 1}
    assert {(facts["key"], facts["group"]) for facts in found} == {(7, "calls")}
