"""What a new user tries next: attributes of answers, steps in another order, previews, ends."""

from __future__ import annotations

import abc
import copy
import pickle
from datetime import date, timedelta
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    AttributeNotFound,
    InvalidOption,
    SchemaError,
    SemanticProblem,
    UsageError,
    ValidationError,
)
from lexigraph.security import quote

DAY = date(2026, 1, 1)


class Person(lg.Vertex, summary=True):
    id: str
    seen: int = lg.sum(check=[lg.this <= 10])


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum()


@pytest.fixture
def graph() -> lg.Graph:
    graph = lg.open(":memory:", [Person, Calls])
    graph.add([Person("ann", seen=1), Calls("ann", "bob", day=DAY, count=3)])
    graph.add([Calls("ann", "cid", day=DAY, count=1)])
    return graph


def test_an_element_says_how_its_properties_are_read(graph: lg.Graph) -> None:
    found: Any = graph.all(Calls).derive("twice", lambda count: 2 * count, "count").first()
    with pytest.raises(AttributeNotFound, match=r"use \['twice'\]"):
        _ = found.twice
    with pytest.raises(AttributeNotFound, match="did you mean: twice") as raised:
        _ = found.twicce
    assert "day, count, twice" in raised.value.hint
    assert not hasattr(found, "twice")
    assert found["twice"] == 6
    assert copy.deepcopy(found) == pickle.loads(pickle.dumps(found)) == found


def test_a_condition_on_what_a_roll_up_merged_says_where_to_put_it(graph: lg.Graph) -> None:
    calls = graph.all(Calls)
    with pytest.raises(SemanticProblem, match="merged all values of 'day'") as raised:
        calls.roll_up().where(Calls.day >= DAY)
    assert "before .roll_up(...)" in raised.value.hint
    assert ".roll_up('day')" in raised.value.hint
    assert calls.where(Calls.day >= DAY).roll_up().count() == 2
    assert calls.roll_up("day").where(Calls.day >= DAY).count() == 2


def test_the_ends_of_an_edge_have_their_names() -> None:
    with pytest.raises(SchemaError, match="'source' and 'destination'") as raised:

        class Sends(lg.Edge, summary=True):
            src: str
            dst: str

    assert "rename 'src' to 'source' and 'dst' to 'destination'" in raised.value.hint


def test_print_says_what_is_asked_and_reads_nothing(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = graph.get("ann").edges(Calls).where(Calls.count > 2).roll_up().limit(5)
    summary = graph.all(Calls).summarise(by=["day"], total=lg.sum("count"))
    monkeypatch.setattr(type(graph._access.engine), "scan", None)
    told = "Calls around 1 vertex, where count > 2, rolled up, limit 5"
    assert repr(question) == f"<question: {told}>"
    assert str(question).startswith(f"question: {told}\nNothing is read yet")
    assert repr(summary) == "<summary: total by day of all Calls>"
    assert ".to_polars()" in str(summary)


def test_one_vertex_is_a_set_of_one(graph: lg.Graph) -> None:
    assert graph.between("ann", "bob").to_list() == graph.between(["ann"], ["bob"]).to_list()
    assert graph.between("ann", ["bob", "cid"]).edges().count() == 2
    assert graph.within("ann").to_list() == [Person("ann", seen=1)]
    with pytest.raises(UsageError, match="not None"):
        graph.between(None, "bob")


def test_a_walk_needs_hops(graph: lg.Graph) -> None:
    with pytest.raises(UsageError, match="needs the group of each hop") as raised:
        graph.walk("ann")
    assert 'graph.walk("ann", Calls)' in raised.value.hint


def test_an_edge_without_its_day_names_the_form_that_deletes(graph: lg.Graph) -> None:
    with pytest.raises(ValidationError, match="needs a value for 'day'") as raised:
        graph.delete([Calls("ann", "bob")])
    form = {"group": "Calls", "source": "ann", "destination": "bob"}
    assert f"graph.delete([{form!r}])" in raised.value.hint
    assert graph.delete([form]) == 1


def test_a_cut_table_says_so() -> None:
    with lg.open(":memory:", [Person]) as graph:
        graph.add(Person(f"p{number}", seen=1) for number in range(51))
        rows = graph.all(Person).summarise(by=["vertex"], seen=lg.sum("seen"))
        for answer in (rows, graph.all(Person)):
            assert "the first 50: there are more" in answer._repr_html_()
        graph.delete([Person("p0", seen=1)])
        for answer in (rows, graph.all(Person)):
            assert "there are more" not in answer._repr_html_()


def test_a_schema_shows_its_rules(graph: lg.Graph) -> None:
    assert str(graph.schema).endswith("rule of Person: seen <= 10")
    assert "rule of Person: seen &lt;= 10" in graph.schema._repr_html_()


def test_age_off_in_other_units_names_the_ones_there_are() -> None:
    with pytest.raises(InvalidOption, match="no option 'weeks'") as raised:
        lg.this.age_off(weeks=3)  # type: ignore[call-overload]
    assert "days=21" in raised.value.hint
    assert repr(lg.field("day").age_off(timedelta(weeks=3))) == "day.age_off(days=21)"


def test_age_off_of_numbers_says_their_unit() -> None:
    class Seen(lg.Vertex, summary=True):
        id: str
        at: int = lg.max(check=[lg.this.age_off(days=3)])

    with lg.open(":memory:", [Seen]) as graph:
        with pytest.raises(ValidationError, match="at is in milliseconds since 1970"):
            graph.add([Seen("ann", at=3)])
        assert "milliseconds" in str(graph.schema)


def test_a_class_of_elements_may_have_an_abstract_base() -> None:
    class Named(abc.ABC):
        @abc.abstractmethod
        def name(self) -> str: ...

    class Thing(lg.Vertex, Named, summary=True):
        id: str

        def name(self) -> str:
            return self.id

    with lg.open(":memory:", [Thing]) as graph:
        graph.add([Thing("x")])
        [found] = graph.all(Thing).to_list()
        assert isinstance(found, Named)
        assert found.name() == "x"


def test_a_label_with_other_characters_names_quote() -> None:
    class Secret(lg.Vertex, summary=True):
        id: str
        label: str = lg.visibility()

    with lg.open(":memory:", [Secret]) as graph:
        with pytest.raises(ValidationError, match=r"lexigraph\.security\.quote"):
            graph.add([Secret("ann", label="top secret")])
        graph.add([Secret("ann", label=quote("top secret").decode())])
        assert graph.session(["top secret"]).count() == 1
        assert graph.session(["top"]).count() == 0


def test_calls_that_lack_something_say_what(graph: lg.Graph) -> None:
    with pytest.raises(UsageError, match="needs the field to compare") as raised:
        graph.all(Calls).top(3)
    assert 'top(3, by="count")' in raised.value.hint
    with pytest.raises(InvalidOption, match="name the group of each hop"):
        graph.walk("ann", Calls, steps=2)
    with pytest.raises(AttributeNotFound, match=r'lg\.max\("count"\)'):
        _ = graph.all(Calls).max
    with pytest.raises(AttributeNotFound, match=r'lg\.min\("count"\)'):
        _ = graph.all(Calls).min
