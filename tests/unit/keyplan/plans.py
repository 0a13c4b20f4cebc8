"""The worked plans of spec/plans, and elements of their groups."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from lexigraph.cells.cell import MAX_TIMESTAMP, MIN_TIMESTAMP
from lexigraph.keyplan import KeyPlan, StoredElement

SPEC = Path(__file__).parents[3] / "spec"
NAMES = ("byte-entity", "classic", "short", "web-hits")
_JSON = {name: json.loads((SPEC / "plans" / f"{name}.json").read_bytes()) for name in NAMES}

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
_INT64 = st.integers(-(2**63), 2**63 - 1)
_INT16 = st.integers(-(2**15), 2**15 - 1)
_TIMES = st.datetimes()
_FACTS = {
    "visibility": st.sampled_from([b"", b"A", b"A&B"]),
    "timestamp": st.integers(MIN_TIMESTAMP, MAX_TIMESTAMP),
}


def plan_json(name: str) -> Any:
    """Give a plan's JSON that the caller may change."""
    return copy.deepcopy(_JSON[name])


def load_plan(name: str) -> KeyPlan:
    """Give a worked plan."""
    return KeyPlan.parse(plan_json(name))


def _properties(
    required: dict[str, st.SearchStrategy[Any]], optional: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(required, optional=optional)


def _vertices(
    group: str, vertex: st.SearchStrategy[Any], properties: st.SearchStrategy[dict[str, Any]]
) -> st.SearchStrategy[StoredElement]:
    return st.builds(
        StoredElement, st.just("vertex"), st.just(group), properties, vertex=vertex, **_FACTS
    )


def _edges(
    group: str, vertex: st.SearchStrategy[Any], properties: st.SearchStrategy[dict[str, Any]]
) -> st.SearchStrategy[StoredElement]:
    return st.builds(
        StoredElement,
        st.just("edge"),
        st.just(group),
        properties,
        source=vertex,
        destination=vertex,
        directed=st.booleans(),
        **_FACTS,
    )


_SETS = st.sets(_TEXT).map(lambda items: tuple(sorted(items, key=str.encode)))

ELEMENTS: dict[str, st.SearchStrategy[StoredElement]] = {
    "byte-entity": st.one_of(
        _vertices(
            "activity",
            _TEXT,
            _properties({"day": st.dates()}, {"count": st.integers(), "places": _SETS}),
        ),
        _edges(
            "calls",
            _TEXT,
            _properties(
                {"day": st.dates()},
                {
                    "device": _TEXT,
                    "count": st.integers(),
                    "longest": st.floats(allow_nan=False),
                    "cost": st.decimals(allow_nan=False, places=2),
                    "opened": _TEXT,
                    "closed": _TEXT,
                },
            ),
        ),
        _edges("knows", _TEXT, st.just({})),
    ),
    "classic": st.one_of(
        _vertices("junction", _INT64, _properties({"name": _TEXT}, {})),
        _edges(
            "road-use",
            _INT64,
            _properties(
                {"start": _TIMES, "end": _TIMES},
                {"count": st.integers(), "fastest": _INT16, "slowest": _INT16},
            ),
        ),
    ),
    "short": st.one_of(
        _vertices("page", _TEXT, st.just({})),
        _edges("calls", _TEXT, _properties({"day": st.dates()}, {"count": st.integers()})),
    ),
    "web-hits": _vertices(
        "hits",
        _TEXT,
        _properties(
            {
                "shard": st.integers(-128, 127),
                "day": st.dates(),
                "path": _TEXT,
                "count": st.integers(),
            },
            {"status": _INT16},
        ),
    ),
}
