from __future__ import annotations

from lexigraph.plan import Around, Elements, Everything, Steps, Where, explain

from .support import figure, scope_of, summary
from .test_execute import DATA


def test_a_tree_tells_layout_ranges_and_where_stages_run() -> None:
    scope = scope_of(DATA, ())
    found = explain(Elements(Around(["a"]), {"activity": Steps()}), scope)
    assert str(found).splitlines() == [
        "elements: around 1 vertex, layout layout, engine memory, operator cells",
        "├─ declined frames: because the memory engine returns cells, which the client decodes "
        "one by one",
        "└─ scan: groups activity, table g.cells, scans 1, ranges 1, families 1",
        "   ├─ stage aggregate: where engine, priority 40",
        "   └─ stage roll-up: where engine, priority 60, by day, visibility merge",
    ]


def test_what_runs_in_the_client_says_why() -> None:
    scope = scope_of(DATA, ())
    steps = Steps(by=(), before=(Where(call=bool, text="bool"),))
    found = explain(Elements(Everything(), {"calls": steps}), scope)
    [merge] = found.find("merge")
    assert merge.facts["because"] == "a filter before merging is a Python function"
    assert found.find("filter before merging")[0].facts["is"] == "bool"


def test_a_reader_counts_what_it_may_read() -> None:
    asked = Elements(Around(["a"]), {"activity": Steps()})
    for auths, cells in (((), 1), (("secret",), 2)):
        [scan] = explain(asked, scope_of(DATA, auths), run=True).find("scan")
        assert scan.facts["cells_read"] == cells
        assert scan.facts["cells_given"] == 1


def test_summaries_tell_where_they_are_made() -> None:
    total = figure("total", "sum", "count")
    asked = summary(Elements(Everything(), {"calls": Steps()}), ("day",), total)
    found = explain(asked, scope_of(DATA, ()))
    assert found.facts == {"by": ["day"], "figures": ["total"], "where": "engine"}
    assert found.to_json()["parts"][0]["parts"][0]["groups"] == ["calls"]
