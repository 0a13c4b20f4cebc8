"""Rules and merges: no answer depends on whether a merge ran, unless a rule says remove=True."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lexigraph as lg
from lexigraph.graph import Graph
from lexigraph.schema import Effect
from lexigraph.security import ALL
from lexigraph.store import EmbeddedEngine, Engine, ManualClock, MemoryEngine
from tests.unit.layout.engines import ENGINES

NOW = datetime(2026, 1, 31, tzinfo=UTC)
NOW_US = int(NOW.timestamp()) * 1_000_000
ALWAYS_ASKED = Effect(on_read=True, at_merge=False, because="")
DAY_US = 24 * 3600 * 1_000_000


class Small(lg.Vertex, summary=True):
    id: str
    n: int = lg.sum(check=[lg.this <= 10])


class Swept(lg.Vertex, summary=True):
    id: str
    n: int = lg.sum(check=[lg.rule(lg.this <= 10, remove=True)])


class Seen(lg.Vertex, summary=True):
    id: str
    last: datetime = lg.max(check=[lg.this.age_off(days=30)])
    n: int = lg.sum(default=1)


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with ENGINES[request.param]() as engine:
        yield engine


def cells(graph: Graph) -> int:
    return sum(one.cells for one in graph.admin.stats().values())


@pytest.mark.parametrize("compacts", [False, True])
def test_a_merge_keeps_a_sum_that_may_come_back(engine: Engine, compacts: bool) -> None:  # noqa: FBT001
    graph = lg.open(engine, [Small])
    graph.add([Small("a", n=6)])
    graph.add([Small("a", n=6)])
    assert graph.count() == 0
    if compacts:
        graph.admin.compact()
        assert (graph.count(), cells(graph)) == (0, 1)
    graph.add([Small("a", n=-5)])
    assert [one.n for one in graph.all()] == [7]


def test_a_merge_removes_where_the_rule_says_so(engine: Engine) -> None:
    graph = lg.open(engine, [Swept])
    graph.add([Swept("a", n=6)])
    graph.add([Swept("a", n=6)])
    graph.admin.compact()
    assert cells(graph) == 0
    graph.add([Swept("a", n=-5)])
    assert [one.n for one in graph.all()] == [-5]


@pytest.mark.parametrize("compacts", [False, True])
def test_a_merge_keeps_what_a_newer_date_brings_back(compacts: bool) -> None:  # noqa: FBT001
    clock = ManualClock(NOW_US)
    graph = lg.open(MemoryEngine(clock=clock), [Seen])
    graph.add([Seen("a", last=NOW)])
    clock.advance(31 * DAY_US)
    assert graph.count() == 0
    if compacts:
        graph.admin.compact()
    graph.add([Seen("a", last=NOW + timedelta(days=31))])
    assert [one.n for one in graph.all()] == [2]


# One of these is drawn for each class: on keys, on values that merge, on the clock, on both.
RULES: list[Any] = [
    lg.field("total") <= 4,
    lg.field("total") >= 0,
    lg.field("total") != 0,
    ~lg.field("total").exists() | (lg.field("total") > 1),
    lg.field("most") <= 2,
    lg.field("most") > lg.field("total"),
    (lg.field("most") >= 1) | (lg.field("sort") == 1),
    lg.field("least") != -1,
    lg.field("newest").is_in([-2, 0, 1, 3]),
    lg.field("words").length <= 2,
    ~lg.field("words").contains("x"),
    lg.field("words").exists(),
    lg.field("sort") < 2,
    (lg.field("sort") == 0) & (lg.field("vertex") != "b"),
    lg.field("seen").age_off(days=30),
    lg.field("born").age_off(days=30),
    lg.field("born").age_off(days=20) | ~lg.field("born").age_off(days=30),
    ~lg.field("seen").age_off(days=30) | (lg.field("total") < 2),
    (lg.field("label") == "s") | (lg.field("total") < 3),
]


def class_with(wanted: list[Any]) -> Any:
    class Thing(lg.Vertex, summary=True):
        id: str
        sort: int = lg.group_by()
        born: datetime = lg.group_by()
        total: int | None = lg.sum()
        most: int = lg.max()
        least: int = lg.min()
        newest: int = lg.last()
        words: set[str] | None = lg.set_of()
        seen: datetime = lg.max()
        label: str = lg.visibility(default="")
        rules = wanted

    return Thing


SMALL = st.integers(-2, 3)
# Few keys, so that most of what is added merges.
THINGS = st.fixed_dictionaries(
    {
        "vertex": st.sampled_from("aaab"),
        "sort": st.sampled_from([0, 0, 0, 1]),
        "born": st.sampled_from([NOW, NOW, NOW - timedelta(days=15)]),
        "total": st.none() | SMALL,
        "most": SMALL,
        "least": SMALL,
        "newest": SMALL,
        "words": st.none() | st.sets(st.sampled_from("xyz"), min_size=1, max_size=2),
        "seen": st.sampled_from([1, 25]),
        "label": st.sampled_from(["", "", "s"]),
    }
)
DELETES = st.sampled_from([None, None, None, "a", 1])
ROUNDS = st.tuples(
    st.lists(THINGS, min_size=1, max_size=3),
    DELETES,
    st.sampled_from([0, 0, 10, 20]),
    st.booleans(),
)


@dataclass
class Ruled:
    """A graph on its own clock, with what it answered."""

    engine: Engine
    clock: ManualClock
    kind: Any
    answers: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.graph = lg.open(self.engine, [self.kind], authorizations=ALL)

    def add(self, things: list[Any]) -> None:
        now = datetime.fromtimestamp(self.clock.now() // 1_000_000, tz=UTC)
        rows = [
            {"group": "Thing", **one, "seen": now - timedelta(days=one["seen"])} for one in things
        ]
        self.graph.add(rows, skip_invalid=True)
        self.answer()

    def delete(self, what: Any) -> None:
        if isinstance(what, int):
            some = self.graph.all(self.kind).where(self.kind.most == what)
        else:
            some = self.graph.get(what)
        self.answers.append(int(self.graph.delete(some)))

    def answer(self) -> None:
        summed = self.graph.all().summarise(total=lg.sum("total"), n=lg.count())
        self.answers.append(
            (sorted(map(repr, self.graph.all())), self.graph.count(), summed.to_list())
        )


@contextmanager
def engine_of(name: str, clock: ManualClock) -> Iterator[Engine]:
    if name == "memory":
        with MemoryEngine(clock=clock, join_runs=False) as engine:
            yield engine
        return
    home = tempfile.mkdtemp(prefix="lexigraph-")
    try:
        with EmbeddedEngine(home, durability="relaxed", merge_cells=None, clock=clock) as engine:
            yield engine
    finally:
        shutil.rmtree(home, ignore_errors=True)


@pytest.mark.parametrize("name", ["memory", "embedded"])
@settings(max_examples=15)
@given(
    rules=st.lists(st.sampled_from(RULES), min_size=1, max_size=2, unique_by=id),
    rounds=st.lists(ROUNDS, min_size=2, max_size=5),
)
def test_no_answer_depends_on_merges(name: str, rules: list[Any], rounds: list[Any]) -> None:
    kind = class_with(rules)
    clocks = ManualClock(NOW_US), ManualClock(NOW_US)
    with engine_of("memory", clocks[0]) as plain, engine_of(name, clocks[1]) as merging:
        # What is expected comes from a graph that asks every rule whenever it reads.
        with patch("lexigraph.layout.stored.table_settings.effect_of", return_value=ALWAYS_ASKED):
            expected = Ruled(plain, clocks[0], kind)
        found = Ruled(merging, clocks[1], kind)
        for things, deleted, days, merges in rounds:
            for one in (expected, found):
                one.add(things)
                if deleted is not None:
                    one.delete(deleted)
                one.clock.advance(days * DAY_US)
            if merges:
                found.graph.admin.compact()
            expected.answer()
            found.answer()
            assert found.answers == expected.answers
