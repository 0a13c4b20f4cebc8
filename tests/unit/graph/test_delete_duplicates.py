"""Groups that keep duplicates: all elements of a key go together, so all have to be meant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import UsageError
from lexigraph.layout import ByteEntity, Classic, Layout
from lexigraph.testing.duplicates import open_keeping


class Pays(lg.Edge, summary=True, aggregates=False, directed=True):
    source: str
    destination: str
    day: lg.Int64
    note: str | None = None
    label: str | None = lg.visibility(default=None)


class Moved(lg.Vertex, summary=True, aggregates=False):
    id: str
    where: str
    at: lg.Int64 = lg.timestamp()


LAYOUTS: list[Layout] = [ByteEntity(), Classic(), ByteEntity(shards=3, shard_by="duplicates")]
FOUR = [Pays("a1", "a2", day=day) for day in (1, 2, 3, 3)]
ALONE = Pays("a1", "b", day=2)
KEY = {"group": "Pays", "source": "a1", "destination": "a2"}


@pytest.fixture(params=["memory", "embedded"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return ":memory:" if request.param == "memory" else tmp_path / "g"


@pytest.fixture(params=LAYOUTS, ids=lambda one: f"{one.name} {dict(one.options)}")
def graph(where: Any, request: pytest.FixtureRequest) -> Iterator[lg.Graph]:
    how = {"layout": request.param, "authorizations": lg.ALL}
    with open_keeping(where, [Pays, Moved], **how) as made:
        made.add([*FOUR, ALONE])
        yield made


def days(graph: lg.Graph) -> list[int]:
    return sorted(one.day for one in graph.edge("a1", "a2", Pays))


def test_a_condition_on_a_value_deletes_nothing_of_a_shared_key(graph: lg.Graph) -> None:
    with pytest.raises(UsageError, match=r"source='a1', destination='a2'.* 3 of 4") as caught:
        graph.delete(graph.all(Pays).where(Pays.day == 2))
    assert repr(KEY) in caught.value.hint
    assert days(graph) == [1, 2, 3, 3]
    assert graph.count(Pays) == 5
    assert graph.delete(graph.edge("a1", "b", Pays).where(Pays.day == 2)) == 1


@pytest.mark.parametrize(
    "given",
    [
        [FOUR[0]],
        FOUR[:3],
        [*FOUR[:3], FOUR[0]],
        [Pays("a1", "a2", day=9)] * 4,
        [*FOUR[:3], Pays("a1", "a2", day=3, note="x")],
        [{**KEY, "day": 1}],
        [{**KEY, "day": 3}, {**KEY, "day": 3}],
    ],
)
def test_some_of_a_key_are_refused(graph: lg.Graph, given: list[Any]) -> None:
    with pytest.raises(UsageError, match="keeps duplicates"):
        graph.delete(given)
    with graph.transaction() as one, pytest.raises(UsageError, match="keeps duplicates"):
        one.delete(given)
    assert days(graph) == [1, 2, 3, 3]


@pytest.mark.parametrize(
    "given",
    [FOUR, [*FOUR, *FOUR], [KEY], [FOUR[0], KEY], [{**KEY, "day": n} for n in (1, 2, 3, 3)]],
)
def test_all_of_a_key_go(graph: lg.Graph, given: list[Any]) -> None:
    assert graph.delete(given) == 4
    assert graph.all(Pays).to_list() == [ALONE]


def test_what_a_question_finds_goes_if_it_is_all_of_the_key(graph: lg.Graph) -> None:
    assert graph.delete(graph.edge("a1", "a2", Pays)) == 4
    graph.add(FOUR)
    assert graph.delete(graph.all(Pays).elements()) == 5
    graph.add(FOUR)
    with pytest.raises(UsageError, match="1 of 4"):
        graph.delete(graph.edge("a1", "a2", Pays).limit(3))
    with pytest.raises(UsageError, match="4 of 4"):
        graph.delete(graph.edge("a1", "a2", Pays).select("note"))


def test_elements_without_the_value_are_not_the_whole_key(graph: lg.Graph) -> None:
    graph.add([Pays("c", "d", day=1), Pays("c", "d", day=1, note="x")])
    without = graph.edge("c", "d", Pays).where(~lg.field(Pays.note).exists())
    with pytest.raises(UsageError, match="1 of 2"):
        graph.delete(without)


def test_other_labels_count_as_far_as_the_caller_reads_them(graph: lg.Graph) -> None:
    graph.add([Pays("e", "f", day=1, label="s"), Pays("e", "f", day=2, label="t")])
    with pytest.raises(UsageError, match="1 of 2"):
        graph.delete([Pays("e", "f", day=1, label="s")])
    one = graph.session(["s"], role="writer")
    assert one.delete([Pays("e", "f", day=1, label="s")]) == 1
    graph.add([Pays("e", "f", day=1, label="s")])
    assert graph.delete([Pays("e", "f", day=1, label="s")], visibility="s") == 1
    assert [one.day for one in graph.edge("e", "f", Pays)] == [2]


def test_elements_of_other_times_share_the_key(graph: lg.Graph) -> None:
    graph.add([Moved("m", where="x", at=5), Moved("m", where="x", at=6)])
    with pytest.raises(UsageError, match=r"vertex='m'.* 1 of 2"):
        graph.delete([Moved("m", where="x", at=5)])
    with pytest.raises(UsageError, match="1 of 2"):
        graph.delete([Moved("m", where="x", at=5)] * 2)
    assert graph.delete(graph.get("m")) == 2


def test_a_transaction_counts_what_it_added_itself(graph: lg.Graph) -> None:
    with graph.transaction() as one:
        one.add([Pays("x", "y", day=1), Pays("x", "y", day=2)])
        with pytest.raises(UsageError, match="1 of 2"):
            one.delete([Pays("x", "y", day=1)])
        assert one.delete([Pays("x", "y", day=1), Pays("x", "y", day=2)]) == 2
        one.add([Pays("p", "q", day=1)])
    assert graph.count(Pays) == 6
