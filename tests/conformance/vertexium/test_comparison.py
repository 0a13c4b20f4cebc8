"""The comparison with Vertexium fails on differences without a reason, and on false agreement."""

from __future__ import annotations

from typing import Any

import lexigraph as lg
from lexigraph.store import MemoryEngine
from lexigraph.store.clock import ManualClock
from tests.conformance.vertexium.comparison import Comparison
from tests.conformance.vertexium.deviations import DECIDED, QUIRKS
from tests.conformance.vertexium.given import START, step_time
from tests.conformance.vertexium.model.steps import VertexiumModel
from tests.conformance.vertexium.records_driver import RecordsDriver

ADD = {"do": "addVertex", "id": "a", "visibility": "", "auths": []}
DELETE = {"do": "softDeleteVertex", "id": "a", "eventData": "why", "auths": []}
SEEN = {
    **{"type": "vertex", "id": "a", "visibility": "", "timestamp": step_time(0)},
    **{"properties": [], "edges": []},
}


def asked(expected: Any) -> dict[str, Any]:
    return {"ask": "getVertex", "id": "a", "auths": [], "expected": expected}


def compared(*steps: dict[str, Any], driver: Any = None) -> Comparison:
    clock = ManualClock(START * 1000)
    driver = driver or RecordsDriver(MemoryEngine(clock=clock), clock)
    comparison = Comparison({"id": "made", "steps": list(steps)}, driver)
    comparison.run()
    return comparison


def test_the_same_answer_is_no_problem() -> None:
    found = compared(ADD, asked(SEEN))
    assert (found.checked, found.problems, dict(found.reasons)) == (2, [], {})


def test_an_answer_that_no_quirk_explains_is_a_problem() -> None:
    (problem,) = compared(ADD, asked(None)).problems
    assert "is not explained" in problem


def test_an_answer_that_a_quirk_explains_has_a_reason() -> None:
    found = compared(ADD, DELETE, asked(SEEN))
    assert found.problems == []
    assert dict(found.reasons) == {QUIRKS["delete with data"]: 1}


def test_a_quirk_that_we_have_too_is_a_problem() -> None:
    (problem,) = compared(ADD, DELETE, asked(SEEN), driver=VertexiumModel({})).problems
    assert "agrees, though the quirks make a difference" in problem


def test_another_answer_than_without_quirks_is_a_problem() -> None:
    halved = VertexiumModel({}, {*QUIRKS} - {"delete with data"})
    (problem,) = compared(ADD, DELETE, asked(None), driver=halved).problems
    assert "is not what Vertexium answers without its quirks" in problem


def test_a_change_that_only_we_refuse_is_a_problem() -> None:
    (problem,) = compared(DELETE).problems
    assert "is not explained" in problem


def test_what_is_left_out_is_counted() -> None:
    found = compared({"ask": "query", "auths": [], "expected": {}})
    assert (found.checked, found.left_out.total()) == (0, 1)


def test_what_is_neither_right_nor_wrong_is_decided() -> None:
    assert set(DECIDED) == {14, 15, 17, 21, 23}
    decisions = {
        number: [reason for reason in QUIRKS.values() if reason.startswith(f"{number}:")]
        for number in set(DECIDED) - {21}
    }
    assert decisions == {number: [DECIDED[number]] for number in decisions}


def test_the_first_value_of_a_name_does_not_decide_the_type_of_others() -> None:
    with lg.open(MemoryEngine(), authorizations=lg.ALL) as graph:
        for number, value in enumerate((1.5, 3, "three")):
            graph.add_vertex(number, p=value)
        assert [one["p"] for one in graph.all()] == [1.5, 3, "three"]
        assert [one.id for one in graph.all().where(lg.field("p") == 3)] == [1]
