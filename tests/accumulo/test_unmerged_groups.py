"""A group that tablet servers cannot merge stays as it is; all others merge, and age off."""

from __future__ import annotations

from typing import Annotated

import pytest

import lexigraph as lg
from lexigraph.codec import register, registry
from tests.accumulo.engines import fresh_engine
from tests.unit.graph.test_unmerged_groups import DAY_MS, NOW_MS, Brief, Door, Shade, cells

pytestmark = pytest.mark.accumulo


def test_other_groups_merge_on_tablet_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_CODECS", dict(registry._CODECS))
    register(Shade())

    class Wall(lg.Vertex, summary=True):
        id: str
        shade: Annotated[str, "shade"] = lg.max()

    class Small(lg.Vertex, summary=True):
        id: str
        n: int = lg.sum(check=[lg.this <= 10])

    with fresh_engine() as engine, lg.open(engine, [Wall, Door, Brief, Small]) as graph:
        for shade in ("red", "blue", "red"):
            graph.add([Wall("w", shade=shade), Door("d"), Brief("a", "b", day=NOW_MS)])
            graph.add([Brief("a", "b", day=NOW_MS - 20 * DAY_MS), Small("s", n=4)])
        before = sorted(map(repr, graph.all()))
        graph.admin.compact()
        assert sorted(map(repr, graph.all())) == before
        # Three of the wall; a door, two edges of two rows each and a total that is hidden.
        assert cells(graph) == 9
        assert list(graph.admin.unmerged_groups()) == ["Wall"]
        graph.admin.compact(now=(NOW_MS + 15 * DAY_MS) * 1000)
        assert cells(graph) == 7
        graph.add([Small("s", n=-5)])
        assert [one.n for one in graph.all(Small)] == [7]
