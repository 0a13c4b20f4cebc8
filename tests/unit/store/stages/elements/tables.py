"""Small tables of elements, and stages run over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hypothesis import strategies as st

from lexigraph.cells.cell import Cell, order
from lexigraph.cells.ranges import Range
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.store.stages.base import Families, StageContext
from lexigraph.store.stages.registry import stage_class
from tests.unit.keyplan.plans import load_plan, plan_json


class Table:
    """Sorted cells as a source."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self.cells = sorted(cells, key=order)

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        return (cell for cell in self.cells if range.contains(cell))


def run(
    name: str,
    cells: Iterable[Cell],
    options: dict[str, Any],
    context: StageContext | None = None,
    within: Range | None = None,
) -> list[Cell]:
    """Run one stage over a table, by the plan ``calls``."""
    context = context or StageContext()
    context.plans.setdefault("calls", CALLS)
    stage = stage_class(name)(Table(cells), {"plan": "calls", **options}, context)
    return list(stage.scan(within or Range(), Families()))


def _calls_alone() -> KeyPlan:
    plan = plan_json("byte-entity")
    plan["groups"] = {"calls": plan["groups"]["calls"]}
    return KeyPlan.parse(plan)


CALLS = _calls_alone()
HITS = load_plan("web-hits")

_NAMES = st.sampled_from(["A", "B", "\0", ""])

calls = st.builds(
    StoredElement,
    st.just("edge"),
    st.just("calls"),
    st.fixed_dictionaries(
        {"day": st.dates().map(lambda day: day.replace(year=2026, month=1, day=day.day % 3 + 1))},
        optional={
            "device": st.sampled_from(["", "m", "\0"]),
            "count": st.integers(-(2**65), 2**65),
            "cost": st.decimals(-1000, 1000, places=2),
            "opened": st.sampled_from(["x", "y", ""]),
            "closed": st.sampled_from(["x", "y", ""]),
        },
    ),
    source=_NAMES,
    destination=_NAMES,
    directed=st.booleans(),
    visibility=st.sampled_from([b"", b"A", b"B", b"A|B"]),
    timestamp=st.integers(-3, 3),
)

tables = st.lists(calls, max_size=12).map(
    lambda elements: [cell for element in elements for cell in CALLS.encode(element)]
)
