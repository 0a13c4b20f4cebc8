"""What can follow an order, distinct fields and summaries, and what mistakes say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import (
    InvalidOption,
    InvalidValue,
    PropertyNotFound,
    SemanticProblem,
    UnsupportedError,
    UsageError,
)


class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    day: date = lg.group_by()
    count: int = lg.sum()
    note: str | None = lg.last(default=None)


class Person(lg.Vertex, summary=True):
    name: str = lg.id()
    age: int = lg.max()


def call(source: str, destination: str, day: date, count: int, note: str | None = None) -> Calls:
    return Calls(source, destination, day=day, count=count, note=note)


JANUARY, LATER, FEBRUARY = date(2026, 1, 5), date(2026, 1, 30), date(2026, 2, 1)


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Graph]:
    where = ":memory:" if request.param == "memory" else str(tmp_path / "g.lexi")
    with lg.open(where, [Calls, Person]) as graph:
        graph.add(
            [
                call("a", "b", JANUARY, 3, "hello"),
                call("a", "b", LATER, 4),
                call("b", "c", FEBRUARY, 1),
                Person("a", age=40),
                Person("b", age=7),
            ]
        )
        yield graph


def test_elements_without_a_field_come_last_in_both_directions(graph: lg.Graph) -> None:
    for turned in (False, True):
        found = list(graph.all().order_by("age", descending=turned).elements())
        assert [one.get("age") for one in found] == [*([40, 7] if turned else [7, 40]), *[None] * 3]
    notes = graph.all(Calls).order_by(lg.desc("note"), lg.desc("count"))
    assert [one.count for one in notes] == [3, 4, 1]


def test_an_order_shows_in_every_form_of_an_answer(graph: lg.Graph) -> None:
    ordered = graph.all(Calls).order_by("count")
    assert [one.count for one in ordered] == [1, 3, 4]
    assert ordered.to_arrow()["count"].to_pylist() == [1, 3, 4]
    assert ordered.to_polars()["count"].to_list() == [1, 3, 4]
    assert list(ordered.to_pandas()["count"]) == [1, 3, 4]
    assert [n for batch in ordered.to_batches(rows=2) for n in batch["count"].to_pylist()] == [
        1,
        3,
        4,
    ]
    shown = ordered._repr_html_()
    assert shown.index(">1</td>") < shown.index(">3</td>") < shown.index(">4</td>")
    assert repr(ordered.limit(2)) == "<question: all Calls, ordered by count, limit 2>"
    assert ordered.first() == call("b", "c", FEBRUARY, 1)


def test_explain_shows_the_order_and_the_figures(graph: lg.Graph) -> None:
    top = graph.all(Calls).top(2, by="count").explain()
    assert (top.what, top.facts["by"], top.facts["count"]) == (
        "top",
        ["element.count descending"],
        2,
    )
    months = graph.all(Calls).summarise(by=[lg.month("day")], mean=lg.mean("count"))
    found = months.order_by("mean").explain()
    assert found.what == "sort"
    [figures] = found.find("summarise")
    assert figures.facts["summarised_by"] == ["day"]
    assert figures.facts["where"] == "engine"
    assert graph.all(Calls).distinct("day").explain().what == "distinct"


def test_a_limit_before_an_order_takes_the_first_keys(graph: lg.Graph) -> None:
    assert [one.count for one in graph.all(Calls).limit(2).order_by(lg.desc("count"))] == [4, 3]
    assert [one.count for one in graph.all(Calls).order_by(lg.desc("count")).limit(2)] == [4, 3]
    assert [one.count for one in graph.all(Calls).order_by("count").limit(2)] == [1, 3]


def test_figures_of_the_first_elements_of_an_order(graph: lg.Graph) -> None:
    best = graph.all(Calls).top(2, by="count")
    assert best.summarise(total=lg.sum("count")).to_list() == [{"total": 7}]
    assert (best.count(), best.limit(1).count()) == (2, 1)
    assert best.distinct("source").to_list() == [{"source": "a"}]


def test_what_was_ordered_can_be_selected_and_derived(graph: lg.Graph) -> None:
    found = graph.all(Calls).order_by(lg.desc("count")).select("day")
    assert [dict(one.properties) for one in found.elements()] == [
        {"day": LATER},
        {"day": JANUARY},
        {"day": FEBRUARY},
    ]
    twice = graph.all(Calls).top(1, by="count").derive("twice", lambda n: 2 * n, "count")
    assert [one["twice"] for one in twice] == [8]
    with pytest.raises(SemanticProblem, match="ordered by 'count'"):
        graph.all(Calls).order_by("count").derive("count", abs, "count")


@pytest.mark.parametrize(
    "then",
    [
        lambda asked: asked.roll_up(),
        lambda asked: asked.edges(Calls),
        lambda asked: asked.limit(1).where(Calls.count > 1),
    ],
)
def test_an_order_comes_last(graph: lg.Graph, then: Callable[[Any], Any]) -> None:
    with pytest.raises(SemanticProblem, match="cannot come after the order"):
        then(graph.all(Calls).order_by("count"))


def test_conditions_may_follow_an_order_without_a_limit(graph: lg.Graph) -> None:
    found = graph.all(Calls).order_by(lg.desc("count")).where(Calls.count < 4)
    assert [one.count for one in found] == [3, 1]


def test_neighbours_are_not_those_of_some_edges(graph: lg.Graph) -> None:
    edges = graph.get("a").edges(Calls).order_by("count")
    assert edges.adjacent() == ["b"]
    for ask in (edges.limit(1).adjacent, edges.limit(1).pairs):
        with pytest.raises(SemanticProblem, match="first in an order"):
            ask()
    with pytest.raises(UsageError, match="a hop cannot be ordered"):
        graph.walk("a", graph.get().edges(Calls).order_by("count"))


def test_a_prepared_question_keeps_its_order(graph: lg.Graph) -> None:
    best = graph.get().edges(Calls, direction="out").order_by(lg.desc("count")).limit(1).prepare()
    assert best("a") == [call("a", "b", LATER, 4)]


def test_only_the_first_of_an_order_are_deleted(graph: lg.Graph) -> None:
    graph.delete(graph.all(Calls).top(1, by="count"))
    assert sorted(one.count for one in graph.all(Calls)) == [1, 3]


def test_rows_of_a_summary_are_rows_of_a_table(graph: lg.Graph) -> None:
    rows = graph.all(Calls).summarise(by=["source"], calls=lg.sum("count"))
    assert rows.order_by(lg.desc("calls")).to_polars()["calls"].to_list() == [7, 1]
    assert rows.order_by("calls").limit(1).to_list() == [{"source": "b", "calls": 1}]
    assert rows.limit(1).to_arrow().num_rows == 1
    assert rows.where((lg.field("calls") > 1) & lg.field("source").is_in(["a", "b"])).count() == 1
    assert rows.where(lambda row: row["calls"] == 1).to_list() == [{"source": "b", "calls": 1}]
    assert rows.where(lg.field("source").matches("[b-z]")).count() == 1
    assert rows.where(lg.field("source").has_text("A", ignore_case=True)).count() == 1
    assert rows.where(~lg.field("source").exists()).count() == 0
    assert rows.where(lg.field("source").length > 1).count() == 0
    assert "ordered by calls" in repr(rows.order_by("calls"))
    with pytest.raises(SemanticProblem, match="did you mean: calls"):
        rows.order_by("cals")
    with pytest.raises(SemanticProblem, match="did you mean: calls"):
        rows.where(lg.field("cals") > 1)
    with pytest.raises(UnsupportedError, match="age_off"):
        rows.where(lg.field("calls").age_off(days=1))
    with pytest.raises(UsageError, match="a condition"):
        rows.where(True)


def test_a_summary_by_what_was_derived(graph: lg.Graph) -> None:
    asked = graph.all(Calls).derive("half", lambda day: day.day <= 15, Calls.day, type=bool)
    found = asked.summarise(by=["half"], calls=lg.sum("count"), days=lg.count())
    assert found.to_list() == [
        {"half": False, "calls": 4, "days": 1},
        {"half": True, "calls": 4, "days": 2},
    ]
    assert asked.summarise(last=lg.max("half")).to_list() == [{"last": True}]
    by_week = graph.all(Calls).summarise(by=lg.week("day"), calls=lg.sum("count"))
    assert [row["week"] for row in by_week] == [JANUARY, date(2026, 1, 26)]
    assert by_week.to_arrow().schema.field("week").type == "date32[day]"


def test_elements_merge_by_what_was_derived(graph: lg.Graph) -> None:
    rolled = graph.all(Calls).roll_up(lg.quarter("day"))
    assert [(one.destination, one["quarter"], one["count"]) for one in rolled] == [
        ("b", date(2026, 1, 1), 7),
        ("c", date(2026, 1, 1), 1),
    ]
    assert [one["count"] for one in rolled.where(lg.field("quarter") > JANUARY)] == []
    assert [one["count"] for one in rolled.where(lambda one: one["quarter"] < JANUARY)] == [7, 1]
    both = graph.all(Calls).derive("month", lg.month("day")).roll_up("month", "day")
    assert both.count() == 3
    assert both.roll_up().to_arrow().column_names[-2:] == ["count", "note"]
    with pytest.raises(SemanticProblem, match="neither an id nor a group-by property"):
        graph.all(Calls).derive("even", lambda n: n % 2, "count").roll_up("even").to_list()
    [merge] = rolled.explain().find("merge")
    assert merge.facts["because"] == "merged by what a function makes: quarter"


def test_times_are_cut_to_hours_and_days() -> None:
    class Seen(lg.Vertex, summary=True):
        name: str = lg.id()
        at: datetime = lg.group_by()
        count: int = lg.sum(default=1)

    with lg.open(":memory:", [Seen]) as graph:
        graph.add([Seen("a", at=datetime(2026, 5, 3, 7, m, tzinfo=UTC)) for m in (1, 59)])
        [row] = graph.all(Seen).summarise(by=[lg.hour("at"), lg.day("at")], n=lg.count())
        assert row == {"hour": datetime(2026, 5, 3, 7, tzinfo=UTC), "day": date(2026, 5, 3), "n": 2}
        [one] = graph.all(Seen).roll_up(lg.hour("at"))
        assert (one["hour"], one["count"]) == (datetime(2026, 5, 3, 7, tzinfo=UTC), 2)


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        (lambda g: g.all(Calls).order_by("coutn"), PropertyNotFound, "did you mean: count"),
        (lambda g: g.all(Calls).top(3, by="coutn"), PropertyNotFound, "did you mean: count"),
        (lambda g: g.all(Calls).distinct("dya"), PropertyNotFound, "did you mean: day"),
        (lambda g: g.all().order_by("agee"), PropertyNotFound, "did you mean: age"),
        (
            lambda g: g.all(Calls).summarise(x=lg.mean("coutn")),
            PropertyNotFound,
            "did you mean: count",
        ),
        (lambda g: g.all(Calls).summarise(x=lg.mean("note")), SemanticProblem, "is of numbers"),
        (lambda g: g.all(Calls).summarise(by=[lg.month("count")]), SemanticProblem, "holds int"),
        (lambda g: g.all(Calls).summarise(by=[lg.hour("day")]), SemanticProblem, "is of times"),
        (lambda g: g.all(Calls).roll_up().order_by("day"), SemanticProblem, "rolled up"),
        (lambda g: g.all(Calls).roll_up().summarise(by=["day"]), SemanticProblem, "rolled up"),
        (lambda g: g.all(Calls).order_by(), UsageError, "at least one field"),
        (lambda g: g.all(Calls).distinct(), UsageError, "name the fields"),
        (lambda g: g.all(Calls).order_by("day", descending=1), UsageError, "True or False"),
        (lambda g: g.all(Calls).top(-1, by="day"), UsageError, "at least 0"),
        (lambda g: g.all(Calls).order_by(3), UsageError, "a field of a class or a name"),
        (lambda g: lg.desc(3), UsageError, "a field of a class"),
        (lambda g: lg.month(3), UsageError, "lg.month is of a field"),
        (lambda g: lg.mean(), InvalidOption, "store a sum"),
    ],
)
def test_mistakes(graph: lg.Graph, wrong: Any, error: type[Exception], says: str) -> None:
    with pytest.raises(error) as caught:
        wrong(graph)
    assert says in f"{caught.value} {getattr(caught.value, 'hint', '')}"


def test_a_function_that_does_not_fit_says_so(graph: lg.Graph) -> None:
    with pytest.raises(InvalidValue, match="a date or a time is needed"):
        graph.all(Calls).derive("x", "month", "source").to_list()


def test_a_computed_order_reads_columns_where_the_order_of_a_field_does(graph: lg.Graph) -> None:
    def is_by_columns(question: lg.Query[Any]) -> bool:
        return "reads columns" in str(question.explain())

    everything = graph.all(Calls)
    computed = everything.order_by(lg.desc(lg.month("day")), "count")
    assert [one.count for one in computed] == [1, 3, 4]
    assert is_by_columns(computed) == is_by_columns(everything.order_by("count"))
    derived = everything.derive("twice", lambda count: 2 * count, "count").order_by("twice")
    assert [one["count"] for one in derived] == [1, 3, 4]
    assert not is_by_columns(derived)
