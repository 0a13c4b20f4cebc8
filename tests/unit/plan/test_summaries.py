from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import PropertyNotFound, SemanticProblem
from lexigraph.plan import Around, Elements, Everything, Filter, Measure, Steps, Summarise
from lexigraph.plan.summaries import Summed, count_elements, iter_summary
from lexigraph.schema import Aggregate

from .support import day, scope_of
from .test_execute import DATA, EVERYTHING

TOTAL = Measure("total", Aggregate("sum"), "count")
MOST = Measure("most", Aggregate("max"), "count")
HOW_MANY = Measure("elements", Aggregate("count"))


def rows(source: Any, steps: Steps, *measures: Measure, by: Any = (), auths: Any = ()) -> Any:
    asked = Summarise(Elements(source, {"calls": steps}), by, measures)
    return list(iter_summary(asked, scope_of(DATA, auths)))


def test_figures_are_those_of_what_the_reader_sees() -> None:
    assert rows(Everything(), Steps(), TOTAL, HOW_MANY, by=("day",)) == [
        {"day": day(1), "total": 6, "elements": 3},
        {"day": day(2), "total": 2, "elements": 1},
        {"day": day(3), "total": 1, "elements": 1},
    ]
    found = rows(Everything(), Steps(), TOTAL, HOW_MANY, by=("day",), auths=["secret"])
    assert found[1] == {"day": day(2), "total": 22, "elements": 1}


def test_another_aggregator_sees_merged_elements() -> None:
    assert rows(Everything(), Steps(), MOST, auths=["secret"]) == [{"most": 22}]


def test_labels_are_left_apart_where_they_change_no_figure() -> None:
    scope = scope_of(DATA, ())
    asked = Elements(Everything(), {"calls": Steps()})

    def stages(*measures: Measure) -> list[str]:
        summed = Summed(Summarise(asked, ("day",), measures), scope)
        [(scans, _)] = summed.branched.ways
        return [stage.name for scan in scans.scans() for stage in scan.spec.stages]

    assert stages(TOTAL) == ["filter", "summarise"]
    assert stages(TOTAL, HOW_MANY) == ["filter", "roll-up", "summarise"]


def test_several_seeds_count_an_edge_once() -> None:
    found = rows(Around(["a", "b"]), Steps(by=()), TOTAL, HOW_MANY)
    assert found == [{"total": 8, "elements": 3}]


def test_filters_after_merging_come_first() -> None:
    few = Filter({"op": "gt", "field": "count", "value": b"\x81\x03"})
    found = rows(Everything(), Steps(after=(few,)), TOTAL, auths=["secret"], by=("label",))
    assert found == [{"label": None, "total": 4}, {"label": "secret", "total": 22}]


def test_counts() -> None:
    asked = Elements(Everything(), EVERYTHING)
    assert count_elements(asked, scope_of(DATA, ())) == 2 + 5 + 2 + 3
    assert count_elements(asked, scope_of([], ())) == 0
    limited = Elements(Everything(), EVERYTHING, limit=4)
    assert count_elements(limited, scope_of(DATA, ())) == 4


def test_mistakes() -> None:
    with pytest.raises(PropertyNotFound, match="did you mean: count"):
        rows(Everything(), Steps(), Measure("x", Aggregate("sum"), "coutn"))
    with pytest.raises(SemanticProblem, match="rolled up"):
        rows(Everything(), Steps(by=()), TOTAL, by=("device",))
