from __future__ import annotations

from dataclasses import replace

import pytest

from lexigraph.codec import codec_for
from lexigraph.plan import Around, Between, Elements, SeedSet, Steps, Within
from lexigraph.plan.sources.seeds import BATCH
from lexigraph.store.preferences import Preferences

from .support import count_elements, edge, iter_elements, scope_of


def test_membership_is_exact() -> None:
    seeds = SeedSet((f"v{at}" for at in range(0, 20_000, 2)), codec_for("str"))
    assert len(seeds) == 10_000
    assert all(f"v{at}".encode() in seeds for at in range(0, 20_000, 2))
    assert not any(f"v{at}".encode() in seeds for at in range(1, 20_000, 2))
    assert sum(map(len, seeds.batches(999))) == 10_000


def test_many_seeds_are_looked_up_in_batches_and_give_an_edge_once() -> None:
    names = [f"v{at:05}" for at in range(BATCH + 100)]
    scope = scope_of([edge("knows", names[0], names[-1], directed=False)])
    view = {"knows": Steps()}
    for source in (Around(names), Within(names), Between(names, names)):
        assert len(list(iter_elements(Elements(source, view), scope))) == 1
        assert count_elements(Elements(source, view), scope) == 1
    both = Elements(Around(names), view, both_ends=True)
    assert len(list(iter_elements(both, scope))) == 2


def test_edges_among_many_seeds_come_once() -> None:
    names = [f"v{at:05}" for at in range(BATCH + 100)]
    scope = scope_of([edge("knows", names[0], "z", directed=False)])
    asked = Around(names, edges=((names[0], "z", None), ("z", names[0], None)))
    assert len(list(iter_elements(Elements(asked, {"knows": Steps()}), scope))) == 1
    alone = Around(["y"], edges=((names[0], "z", None),))
    assert len(list(iter_elements(Elements(alone, {"knows": Steps()}), scope))) == 1


def test_filters_are_as_large_as_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexigraph.plan.sources.seeds.MAX_EXACT", 10)
    wanted = Preferences(client_filter_bits=256, passed_filter_bits=4096, false_positive_rate=0.01)
    seeds = SeedSet((f"v{at}" for at in range(30)), codec_for("str"), wanted)
    assert seeds.filter_bits == 256
    assert repr(seeds.key_set(wanted)) == "a filter of 4096 bits"
    looser = replace(wanted, false_positive_rate=0.1)
    assert repr(seeds.key_set(looser)) == "a filter of 512 bits"
    small = SeedSet((f"v{at}" for at in range(3000)), codec_for("str"), wanted)
    assert small.filter_bits == 256
    keys = list(map(codec_for("str").encode, ("v7", "v2999", "v3000", "w")))
    assert [key in small for key in keys] == [True, True, False, False]
    assert all(key in small.key_set(wanted) for key in keys[:2])
