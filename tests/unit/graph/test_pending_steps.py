"""What a step of a transaction costs does not grow with what the transaction holds already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.cells.mutations import MutationBatch
from lexigraph.keyplan import KeyPlan
from lexigraph.layout.observe.changed import Changed
from lexigraph.layout.write import uncommitted

HELD = 200


class Calls(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    tone: str = lg.group_by(default="plain")
    label: str = lg.visibility(default="")
    count: int = lg.sum(default=1)


@pytest.fixture(params=["memory", "embedded"])
def graph(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    where = ":memory:" if request.param == "memory" else tmp_path / "g"
    with lg.open(where, [Calls], authorizations=lg.ALL) as opened:
        opened.index.create("by_tone", Calls.tone)
        yield opened


@pytest.fixture
def observed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many cells of elements each look at what is held makes, with those of observers."""
    sizes: list[int] = []
    real = uncommitted.observed_cells

    def count(stored: Any, changed: Changed, moment: Any) -> dict[str, MutationBatch]:
        made = real(stored, changed, moment)
        sizes.append(sum(map(len, made.values())))
        return made

    monkeypatch.setattr(uncommitted, "observed_cells", count)
    return sizes


def test_a_question_after_each_add_makes_only_the_new_cells(
    graph: lg.Graph, observed: list[int]
) -> None:
    with graph.transaction() as inside:
        inside.add(Calls(f"a{number}", "b") for number in range(HELD))
        assert inside.count(Calls) == HELD
        for number in range(5):
            inside.add([Calls(f"x{number}", "b", tone="loud")])
            assert inside.get(f"x{number}").count() == 1
            assert inside.all(Calls).where(Calls.tone == "loud").count() == number + 1
    # Two rows of an edge, and an entry of the index.
    assert observed == [3 * HELD, 3, 3, 3, 3, 3]
    assert graph.all(Calls).where(Calls.tone == "loud").count() == 5


def test_what_is_taken_back_is_found_by_its_key(
    graph: lg.Graph, observed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[Any] = []
    decode = KeyPlan.decode
    graph.add([Calls("a0", "b")])
    with graph.transaction() as inside:
        inside.add(Calls(f"a{number}", "b", tone="loud") for number in range(HELD))
        assert inside.count(Calls) == HELD + 1
        assert inside.delete([Calls("a1", "b", tone="loud")]) == 1
        monkeypatch.setattr(
            KeyPlan, "decode", lambda plan, cell: decoded.append(cell) or decode(plan, cell)
        )
        assert inside.delete([Calls("a2", "b", tone="loud")]) == 1
        assert inside.delete([Calls("a0", "b")]) == 1
        assert len(decoded) <= 8
        assert inside.all(Calls).where(Calls.tone == "loud").count() == HELD - 2
        assert inside.get("a2").count() == 0
        assert inside.get("a0").count() == 1
    assert observed[1:] == [3, 3, 3]
    assert graph.count(Calls) == HELD - 2


def test_cells_that_no_question_saw_are_taken_back_too(graph: lg.Graph) -> None:
    with graph.transaction() as inside:
        inside.add([Calls("a", "b"), Calls("a", "c")])
        assert inside.delete([Calls("a", "b")]) == 1
        assert inside.count(Calls) == 1
        inside.add([Calls("a", "b", count=7)])
        assert sorted(one.count for one in inside.all(Calls)) == [1, 7]
    assert sorted(one.count for one in graph.all(Calls)) == [1, 7]


def test_a_delete_under_one_label_takes_back_that_label_alone(graph: lg.Graph) -> None:
    with graph.transaction() as inside:
        inside.add([Calls("a", "b", label="x"), Calls("a", "b", label="y", count=4)])
        assert inside.all(Calls).by_visibility().count() == 2
        inside.delete([Calls("a", "b")], visibility="x")
        assert [one.label for one in inside.all(Calls).by_visibility()] == ["y"]
    assert [(one.label, one.count) for one in graph.all(Calls).by_visibility()] == [("y", 4)]


def test_a_marker_hides_a_cell_of_a_clock_that_was_ahead(
    graph: lg.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = graph._access.engine
    before = engine.now()
    graph.add([Calls("a", "b")])
    with graph.transaction() as inside:
        inside.add([Calls("x", "y")])
        with monkeypatch.context() as behind:
            behind.setattr(engine, "now", lambda: before)
            assert inside.count(Calls) == 2
        inside.delete([Calls("a", "b")])
        assert [one.source for one in inside.all(Calls)] == ["x"]
    assert [one.source for one in graph.all(Calls)] == ["x"]
