"""Rules that are added to a graph with elements: tried first, then they hide what breaks them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import lexigraph as lg
from lexigraph.errors import SchemaError, ValidationError
from lexigraph.layout import ByteEntity, Classic
from lexigraph.store import ManualClock

DAY = 86_400_000_000
NOW = 20_000 * DAY


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: lg.Int64 = lg.group_by()
    count: int = lg.sum(default=1)
    label: str | None = lg.visibility(default=None)


class Checked(lg.Edge, summary=True, directed=True, group="Calls"):
    source: str
    destination: str
    day: lg.Int64 = lg.group_by()
    count: int = lg.sum(default=1, check=[lg.this <= 5])
    label: str | None = lg.visibility(default=None)


class Aging(lg.Edge, summary=True, directed=True, group="Calls"):
    source: str
    destination: str
    day: lg.Int64 = lg.group_by()
    count: int = lg.sum(default=1)
    label: str | None = lg.visibility(default=None)
    price: int | None = lg.max(default=None)
    rules = {
        "calls are kept for ten days": lg.field("day").age_off(days=10),
        "calls have a price": lg.field("price") > 0,
    }


OLD = [
    Calls("a", "b", day=(NOW // 1000) - days * DAY // 1000, count=count)
    for days, count in ((1, 3), (2, 9), (20, 4), (30, 8))
]


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[lg.Engine]:
    clock = ManualClock(NOW)
    with (
        lg.MemoryEngine(clock=clock)
        if request.param == "memory"
        else lg.EmbeddedEngine(tmp_path / "g", clock=clock)
    ) as made:
        yield made


@pytest.fixture(params=[ByteEntity(), Classic()], ids=lambda one: one.name)
def graph(engine: lg.Engine, request: pytest.FixtureRequest) -> lg.Graph:
    made = lg.open(engine, [Calls], layout=request.param, authorizations=lg.ALL)
    made.add(OLD)
    return made


def counts(graph: lg.Graph) -> list[int]:
    return sorted(one["count"] for one in graph.all("Calls").elements())


def test_a_dry_run_counts_and_stores_nothing(graph: lg.Graph, engine: lg.Engine) -> None:
    before = graph.schema
    report = graph.admin.evolve([Checked], dry_run=True)
    [rule] = report.rules
    assert (rule.group, rule.hidden, rule.elements, rule.removes) == ("Calls", 2, 4, False)
    assert report.hidden == {"Calls": {rule.rule: 2}}
    assert "count <= 5" in rule.rule
    assert "hides 2 of 4" in str(report)
    assert graph.schema is before
    assert lg.open(engine).schema == before
    assert counts(graph) == [3, 4, 8, 9]
    graph.add([Calls("a", "b", day=1, count=100)])


def test_rules_of_age_and_of_new_properties_are_counted(graph: lg.Graph) -> None:
    report = graph.admin.evolve([Aging], dry_run=True)
    assert report.changes
    assert report.hidden == {
        "Calls": {"calls are kept for ten days": 2, "calls have a price": 4},
    }
    assert [one.removes for one in report.rules] == [True, False]


def test_what_a_dry_run_counts_is_what_is_hidden(graph: lg.Graph) -> None:
    [rule] = graph.admin.evolve([Checked], dry_run=True).rules
    shown = graph.count()
    graph.admin.evolve([Checked])
    assert graph.count() == shown - rule.hidden


def test_opening_adds_no_rule_that_could_hide_what_is_stored(
    graph: lg.Graph, engine: lg.Engine
) -> None:
    with pytest.raises(SchemaError, match="count <= 5") as refused:
        lg.open(engine, [Checked])
    assert "dry_run=True" in refused.value.hint
    assert counts(graph) == [3, 4, 8, 9]
    graph.admin.evolve([Checked])
    assert lg.open(engine, [Checked]).count() == 2


def test_a_misspelt_field_with_a_check_hides_nothing(graph: lg.Graph, engine: lg.Engine) -> None:
    class Misspelt(lg.Edge, summary=True, directed=True, group="Calls"):
        source: str
        destination: str
        day: lg.Int64 = lg.group_by()
        cuont: int = lg.sum(check=[lg.this >= 0])
        label: str | None = lg.visibility(default=None)

    with pytest.raises(SchemaError, match="cuont"):
        lg.open(engine, [Misspelt])
    assert counts(graph) == [3, 4, 8, 9]


def test_opening_adds_a_rule_that_holds_where_its_new_property_is_absent(
    graph: lg.Graph, engine: lg.Engine
) -> None:
    class More(lg.Edge, summary=True, directed=True, group="Calls"):
        source: str
        destination: str
        day: lg.Int64 = lg.group_by()
        count: int = lg.sum(default=1)
        label: str | None = lg.visibility(default=None)
        price: int | None = lg.max(default=None, check=[lg.this > 0])

    assert counts(lg.open(engine, [More], authorizations=lg.ALL)) == [3, 4, 8, 9]


def test_a_new_rule_hides_what_breaks_it(graph: lg.Graph) -> None:
    graph.admin.evolve([Checked])
    for _ in range(2):
        assert counts(graph) == [3, 4]
        assert graph.count() == 2
        assert graph.all("Calls").to_arrow()["count"].to_pylist() in ([3, 4], [4, 3])
        [row] = graph.all("Calls").summarise(total=lg.sum("count"))
        assert row == {"total": 7}
        graph.admin.compact()
    with pytest.raises(ValidationError, match="count <= 5"):
        graph.add([Checked("a", "b", day=7, count=6)])
    # A rule on a merged value removes nothing: what is hidden can become whole again.
    graph.add([Checked("a", "b", day=OLD[1].day, count=-5)])
    assert counts(graph) == [3, 4, 4]


def test_a_rule_on_the_key_removes_at_merges(graph: lg.Graph) -> None:
    class Recent(lg.Edge, summary=True, directed=True, group="Calls"):
        source: str
        destination: str
        day: lg.Int64 = lg.group_by(check=[lg.this.age_off(days=10)])
        count: int = lg.sum(default=1)
        label: str | None = lg.visibility(default=None)

    [rule] = graph.admin.evolve([Recent], dry_run=True).rules
    assert (rule.hidden, rule.removes) == (2, True)
    graph.admin.evolve([Recent])
    assert counts(graph) == [3, 9]
    graph.admin.compact()
    assert sum(one.cells for one in graph.admin.stats().values()) == 4


def test_labels_are_counted_apart(graph: lg.Graph) -> None:
    graph.add([Calls("x", "y", day=1, count=4, label=label) for label in (None, "s", "t")])
    graph.add([Calls("x", "y", day=1, count=6, label="s")])
    [rule] = graph.admin.evolve([Checked], dry_run=True).rules
    assert (rule.hidden, rule.elements) == (3, 7)


def test_a_stored_rule_stays(graph: lg.Graph, engine: lg.Engine) -> None:
    graph.admin.evolve([Checked])
    with pytest.raises(SchemaError, match="given without"):
        lg.open(engine, [Calls])
    with pytest.raises(SchemaError, match="given without"):
        graph.admin.evolve([Calls], dry_run=True)
    assert counts(lg.open(engine, authorizations=lg.ALL)) == [3, 4]


def test_nothing_new_says_so(graph: lg.Graph) -> None:
    report = graph.admin.evolve([Calls], dry_run=True)
    assert (report.changes, report.rules, str(report)) == (False, (), "nothing changes")
    graph.admin.evolve([Checked])
    assert not graph.admin.evolve([Checked], dry_run=True).changes


def test_a_reader_may_try(graph: lg.Graph, engine: lg.Engine) -> None:
    reader = lg.open(engine, read_only=True)
    assert [one.hidden for one in reader.admin.evolve([Checked], dry_run=True).rules] == [2]
