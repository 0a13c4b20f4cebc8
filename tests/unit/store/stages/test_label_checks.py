"""How often a scan looks into labels: once for each that it meets."""

from __future__ import annotations

import pytest

from lexigraph.cells.cell import Cell
from lexigraph.cells.ranges import Range
from lexigraph.security import Authorizations, LabelCache
from lexigraph.store.stages import stack
from lexigraph.store.stages.base import Families, StageContext
from tests.conformance.store.plain_stack import SortedCells


def test_a_scan_judges_each_label_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[LabelCache] = []

    def cache(authorizations: Authorizations, default: bytes) -> LabelCache:
        made.append(LabelCache(authorizations, default))
        return made[-1]

    monkeypatch.setattr(stack, "LabelCache", cache)
    labels = (b"A", b"B", b"A&B", b"")
    cells = [Cell(b"r%02d" % number, visibility=labels[number % 4]) for number in range(40)]
    context = StageContext(authorizations=Authorizations(["A"]))
    found = list(stack.build_stack(SortedCells(cells), (), context).scan(Range(), Families()))
    assert len(found) == 20
    assert [one.evaluated for one in made] == [4]
