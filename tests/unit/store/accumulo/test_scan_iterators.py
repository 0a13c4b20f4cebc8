"""The iterators of a scan: what their options hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lexigraph.security import ALL
from lexigraph.store import Cell, KeySet, Range, StageSpec
from lexigraph.store.accumulo.stages import scan_iterators
from lexigraph.store.stages import registry
from lexigraph.store.stages.base import Families, Stage


class Own(Stage):
    """A stage of a user, which may look into any set."""

    name = "own"

    def scan(self, range: Range, families: Families) -> Iterator[Cell]:
        return self.source.scan(range, families)


def test_a_set_is_sent_to_the_stages_that_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._added, "own", Own)
    inside = {"op": "in", "field": "source", "set": "other"}
    plain = {"op": "eq", "field": "source", "value": "a"}
    stages = [
        StageSpec("aggregate", {"plan": "elements"}, 1),
        StageSpec("filter", {"plan": "elements", "where": {"calls": plain}}, 2),
        StageSpec("filter", {"plan": "elements", "where": {"calls": inside}}, 3),
        StageSpec("own", {}, 4),
    ]
    more: dict[str, Any] = {"plans": {}, "now": 0, "unit": "micros", "default_visibility": b""}
    made = scan_iterators(stages, sets={"other": KeySet.of([b"a"])}, authorizations=ALL, **more)
    assert ["sets" in one["options"] for one in made] == [False, False, True, True]
