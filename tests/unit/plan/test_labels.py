"""For random graphs and readers, every answer is that of a brute-force filter of the elements."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lexigraph.keyplan import StoredElement
from lexigraph.plan import (
    Adjacent,
    Around,
    Between,
    Elements,
    Everything,
    Hops,
    InRanges,
    Steps,
    Within,
    explain,
)
from lexigraph.security import Authorizations, Visibility

from .support import (
    count_elements,
    day,
    edge,
    figure,
    find_hops,
    iter_adjacent,
    iter_elements,
    iter_summary,
    scope_of,
    summary,
)

LABELS = ("", "a", "b", "a&b", "a|b", "(a|b)&c")
NAMES = st.sampled_from("pqrs")
AUTHS = st.sets(st.sampled_from("abc")).map(sorted)
CALLS = st.lists(
    st.builds(
        lambda s, d, label, when, count: edge(
            "calls", s, d, label, day=day(when), count=count, longest=count
        ),
        NAMES,
        NAMES,
        st.sampled_from(LABELS),
        st.integers(1, 2),
        st.integers(1, 9),
    ),
    max_size=12,
)

Key = tuple[Any, ...]


def visible(calls: list[StoredElement], auths: list[str]) -> list[StoredElement]:
    held = Authorizations(auths)
    return [one for one in calls if Visibility(one.visibility).evaluate(held)]


def merged(calls: list[StoredElement], *, by_day: bool) -> dict[Key, int]:
    """Give the sum of counts by what stays apart."""
    found: dict[Key, int] = defaultdict(int)
    for one in calls:
        key: Key = (one.source, one.destination)
        found[(*key, one.properties["day"]) if by_day else key] += one.properties["count"]
    return dict(found)


def answer(asked: Elements, scope: Any, *, by_day: bool) -> dict[Key, int]:
    found: dict[Key, int] = {}
    for one in iter_elements(asked, scope):
        key: Key = (one.source, one.destination)
        key = (*key, one["day"]) if by_day else key
        assert key not in found
        found[key] = one["count"]
    return found


@settings(max_examples=30, deadline=None)
@given(CALLS, AUTHS, st.sets(NAMES, min_size=1).map(sorted), st.booleans())
def test_answers_hold_what_the_reader_may_see(
    calls: list[StoredElement], auths: list[str], seeds: list[str], by_day: Any
) -> None:
    scope = scope_of(calls, auths)
    seen = visible(calls, auths)
    view = {"calls": Steps() if by_day else Steps(by=())}
    low, high = seeds[0], seeds[-1]
    sources: dict[Any, list[StoredElement]] = {
        Everything(): seen,
        Around(tuple(seeds)): [
            one for one in seen if one.source in seeds or one.destination in seeds
        ],
        Within(tuple(seeds)): [
            one for one in seen if one.source in seeds and one.destination in seeds
        ],
        Between(tuple(seeds), ("p",)): [
            one
            for one in seen
            if (one.source in seeds and one.destination == "p")
            or (one.destination in seeds and one.source == "p")
        ],
        InRanges(((low, high),)): [
            one for one in seen if low <= one.source <= high or low <= one.destination <= high
        ],
    }
    for source, expected in sources.items():
        asked = Elements(source, view)
        wanted = merged(expected, by_day=by_day)
        assert answer(asked, scope, by_day=by_day) == wanted
        assert count_elements(asked, scope) == len(wanted)
        total = figure("total", "sum", "count")
        figures = list(iter_summary(summary(asked, (), total), scope))
        assert [row["total"] for row in figures] == ([sum(wanted.values())] if wanted else [])


@settings(max_examples=20, deadline=None)
@given(CALLS, AUTHS, NAMES)
def test_neighbours_and_explain_show_no_more(
    calls: list[StoredElement], auths: list[str], seed: str
) -> None:
    scope = scope_of(calls, auths)
    blind = scope_of(visible(calls, auths), auths)
    asked = Elements(Around((seed,)), {"calls": Steps()})
    one, other = (sorted(iter_adjacent(Adjacent(asked), where)) for where in (scope, blind))
    assert one == other
    assert list(find_hops(Hops((seed,), asked, 2), scope)) == list(
        find_hops(Hops((seed,), asked, 2), blind)
    )
    assert str(explain(asked, scope, run=True)) == str(explain(asked, blind, run=True))
