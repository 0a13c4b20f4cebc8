"""What a newcomer types first and gets wrong: messages speak of classes, fields and types."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import (
    AttributeNotFound,
    InvalidOperator,
    InvalidValue,
    SchemaError,
    UsageError,
    ValidationError,
)


class Person(lg.Vertex, summary=True):
    id: str
    seen: datetime | None = lg.max()


class Pays(lg.Edge, summary=True):
    source: str
    destination: str
    day: date = lg.group_by()
    amount: float = lg.sum()
    payments: int = lg.sum(default=1)


@pytest.fixture
def graph() -> Iterator[lg.Graph]:
    with lg.open(":memory:", [Person, Pays]) as made:
        yield made


DAY = date(2026, 1, 1)


@pytest.mark.parametrize(
    ("element", "said"),
    [
        (lambda: Pays("a", "b", day=DAY, amount="3"), "'amount': it takes float, not str: '3'"),
        (lambda: Pays("a", "b", day=datetime(2026, 1, 1), amount=3.0), "use .date()"),
        (lambda: Person("ann", seen=datetime(2026, 1, 1)), "it needs a time zone"),
        (lambda: Person(7), "id 'id': it takes str, not int: 7"),
    ],
)
def test_types_are_named_and_not_codecs(graph: lg.Graph, element: Any, said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        graph.add([element()])
    assert said in str(caught.value)
    assert "codec" not in str(caught.value)


def test_a_vertex_of_another_type_says_what_vertices_are(graph: lg.Graph) -> None:
    with pytest.raises(InvalidValue, match="a vertex of this graph: it takes str, not int: 7"):
        graph.get(7)


def test_a_constructor_does_not_speak_of_a_batch() -> None:
    with pytest.raises(ValidationError, match="needs a value for 'day'") as caught:
        Pays("a", "b", amount=3.0)
    assert "batch" not in caught.value.hint


def test_a_misspelt_field_of_a_class_names_the_nearest() -> None:
    missing: Any = Pays
    with pytest.raises(AttributeNotFound, match="did you mean: amount") as caught:
        missing.amuont  # noqa: B018 - it is the access that fails
    assert isinstance(caught.value, AttributeError)
    assert not hasattr(missing, "amuont")
    assert not hasattr(missing, "__amuont__")


def test_forgotten_brackets_are_explained() -> None:
    amount: Any = Pays.amount
    for wrong in (lambda: amount > 3 & amount < 5, lambda: amount == 3 | amount):
        with pytest.raises(InvalidOperator, match="put brackets around each comparison"):
            wrong()


def test_a_misspelt_keyword_of_a_class_names_the_nearest() -> None:
    with pytest.raises(SchemaError, match="did you mean: summary"):
        type("A", (lg.Vertex,), {"__annotations__": {"id": str}}, sumary=True)


@pytest.mark.parametrize("given", ["fraud", None])
def test_authorizations_that_are_not_a_list(graph: lg.Graph, given: Any) -> None:
    with pytest.raises(InvalidValue) as caught:
        graph.session(given)
    assert '["fraud"]' in caught.value.hint


def test_a_report_prints_its_reasons(graph: lg.Graph) -> None:
    wrong: Any = "3"
    rows = [Pays("a", "b", day=DAY, amount=1.0), Pays("a", "b", day=DAY, amount=wrong)]
    shown = str(graph.add(rows, skip_invalid=True))
    assert shown.startswith("1 added, 1 skipped\n  1 x amount: it takes float")


def test_a_delete_of_an_id_says_what_to_pass(graph: lg.Graph) -> None:
    with pytest.raises(ValidationError) as caught:
        graph.delete("ann")
    assert "graph.get('ann')" in caught.value.hint


def test_only_columns_that_look_like_a_field_are_proposed(graph: lg.Graph) -> None:
    rows = {"payment_id": ["1"], "source": ["a"], "destination": ["b"], "amount_eur": [3.0]}
    with pytest.raises(UsageError) as caught:
        graph.load(pa.table(rows), group=Pays)
    assert """columns={'amount_eur': "amount"}""" in caught.value.hint
    assert "No column fills: amount, day" in caught.value.hint
