"""Whole numbers that outgrow 64 bits: the error names the element, decimal columns hold them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import InvalidValue, UsageError

BIG = 2**63


class Paid(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    cents: int = lg.sum()
    small: float | None = lg.max()


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    where = ":memory:" if request.param == "memory" else tmp_path / "db"
    with lg.open(where, [Paid]) as graph:
        graph.add([Paid("a", "b", cents=5), Paid("b", "c", cents=BIG - 1, small=7)])
        graph.add([Paid("b", "c", cents=1), Paid("c", "d", cents=-5)])
        yield graph


@pytest.mark.parametrize(
    "take",
    [
        lambda found: found.to_arrow(),
        lambda found: found.to_polars(),
        lambda found: found.to_pandas(),
        lambda found: list(found.to_batches(rows=1)),
        lambda found: list(found.to_batches()),
    ],
)
def test_a_number_that_is_too_large_is_told_with_its_element_and_the_fix(
    graph: lg.Graph, take: Callable[[Any], Any]
) -> None:
    with pytest.raises(
        InvalidValue, match=r"'cents'.*Paid\(source='b', destination='c'\)"
    ) as caught:
        take(graph.all(Paid))
    assert "decimals=True" in caught.value.hint
    assert str(BIG) in str(caught.value)


@pytest.mark.parametrize("only", ["a", "b"])
def test_decimal_columns_hold_what_outgrows_64_bits(graph: lg.Graph, only: str) -> None:
    # Of one that stays small the engine makes columns itself; both are of one type.
    found = graph.all(Paid).where(Paid.source == only)
    table = found.to_arrow(decimals=True)
    assert table.schema.field("cents").type == pa.decimal128(38, 0)
    assert table.schema.field("small").type == pa.float64()
    assert table.column("cents").to_pylist() == [Decimal(5 if only == "a" else BIG)]
    assert pa.Table.from_batches(found.to_batches(decimals=True)).equals(table)
    assert found.to_polars(decimals=True)["cents"].to_list() == table.column("cents").to_pylist()
    assert found.to_pandas(decimals=True)["cents"].tolist() == table.column("cents").to_pylist()
    nothing = graph.all(Paid).where(Paid.source == "z").to_arrow(decimals=True)
    assert nothing.schema == table.schema


def test_more_digits_on_request(graph: lg.Graph) -> None:
    graph.add([Paid("b", "c", cents=10**40)])
    with pytest.raises(InvalidValue, match="Paid") as caught:
        graph.all(Paid).to_arrow(decimals=True)
    assert "decimals=76" in caught.value.hint
    table = graph.all(Paid).to_arrow(decimals=76)
    assert table.schema.field("cents").type == pa.decimal256(76, 0)
    assert max(table.column("cents").to_pylist()) == Decimal(10**40 + BIG)
    small = graph.all(Paid).where(Paid.source == "a").to_arrow(decimals=3)
    assert small.schema.field("cents").type == pa.decimal128(3, 0)
    for wrong in (0, 77, "yes", 1.5, None):
        with pytest.raises(UsageError, match="decimals is True"):
            graph.all(Paid).to_arrow(decimals=wrong)  # type: ignore[arg-type]


def test_summaries_have_decimals_and_counts_do_not(graph: lg.Graph) -> None:
    rows = graph.all(Paid).summarise(total=lg.sum(Paid.cents), n=lg.count())
    with pytest.raises(InvalidValue, match="'total'"):
        rows.to_arrow()
    table = rows.to_arrow(decimals=True)
    assert table.schema.field("n").type == pa.int64()
    assert table.to_pylist() == [{"total": Decimal(BIG), "n": 3}]


def test_polars_has_no_decimals_of_more_than_38_digits(graph: lg.Graph) -> None:
    with pytest.raises(UsageError, match="at most 38 digits, not 76") as caught:
        graph.all(Paid).to_polars(decimals=76)
    assert "to_arrow(decimals=76)" in caught.value.hint
