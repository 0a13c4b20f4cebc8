from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import PropertyNotFound
from lexigraph.plan import Around, Elements, Everything, Figure, Steps, Where
from lexigraph.plan.physical.rows.lower import lower
from lexigraph.plan.physical.rows.summing import SumElements

from .support import count_elements, day, figure, iter_summary, scope_of, summary
from .test_execute import DATA, EVERYTHING

TOTAL = figure("total", "sum", "count")
MOST = figure("most", "max", "count")
HOW_MANY = figure("elements", "count")


def rows(source: Any, steps: Steps, *measures: Figure, by: Any = (), auths: Any = ()) -> Any:
    asked = summary(Elements(source, {"calls": steps}), by, *measures)
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

    def stages(*measures: Figure) -> list[str]:
        operator = lower(summary(asked, ("day",), *measures), scope)
        assert isinstance(operator, SumElements)
        [(scans, _)] = operator.summed.branched.ways
        return [stage.name for scan in scans.scans() for stage in scan.spec.stages]

    assert stages(TOTAL) == ["filter", "summarise"]
    assert stages(TOTAL, HOW_MANY) == ["filter", "roll-up", "summarise"]


def test_several_seeds_count_an_edge_once() -> None:
    found = rows(Around(["a", "b"]), Steps(by=()), TOTAL, HOW_MANY)
    assert found == [{"total": 8, "elements": 3}]


def test_filters_after_merging_come_first() -> None:
    few = Where({"op": "gt", "field": "count", "value": b"\x81\x03"})
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
        rows(Everything(), Steps(), figure("x", "sum", "coutn"))
