"""A group with a property for each aggregator, and random elements of it."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from hypothesis import strategies as st

from lexigraph.keyplan import KeyPlan, StoredElement

PROPERTIES: list[tuple[str, str, dict[str, Any], st.SearchStrategy[Any]]] = [
    ("sum", "int", {}, st.integers(-(2**70), 2**70)),
    ("product", "int", {}, st.integers(-(2**30), 2**30)),
    ("product", "decimal", {}, st.decimals(-99, 99, places=1)),
    ("min", "date", {}, st.dates()),
    ("max", "decimal", {}, st.decimals(-9, 9, places=2)),
    ("and", "bool", {}, st.booleans()),
    ("or", "bool", {}, st.booleans()),
    ("first", "str", {}, st.text(max_size=2)),
    ("last", "str", {}, st.text(max_size=2)),
    ("set", "str", {}, st.frozensets(st.text(max_size=2), max_size=3)),
    ("list", "decimal", {}, st.lists(st.decimals(-2, 2, places=1), max_size=4)),
    ("list", "any", {}, st.lists(st.integers(0, 3) | st.text(max_size=1), max_size=4)),
    ("concat", "str", {}, st.text("ab,", max_size=3)),
    ("concat", "str", {"separator": "|", "distinct": True}, st.text("ab|", max_size=5)),
    ("frequency-map", "str", {}, st.lists(st.text("ab", max_size=2), max_size=4)),
    (
        "frequency-map",
        "decimal",
        {},
        st.dictionaries(st.decimals(-2, 2, places=1), st.integers(-(2**70), 2**70), max_size=3),
    ),
    ("top-n", "int", {"n": 3}, st.lists(st.integers(-9, 9), max_size=5)),
    ("top-n", "bytes", {"n": 2}, st.lists(st.binary(max_size=2), max_size=4)),
    ("time-series", "datetime", {"bucket": "hour"}, st.datetimes(timezones=st.just(UTC))),
    ("time-series", "date", {"bucket": "week"}, st.lists(st.dates(), max_size=3)),
    ("time-series", "naive_datetime", {"bucket": "month"}, st.datetimes()),
    ("reservoir", "int", {"size": 3}, st.lists(st.integers(0, 99), max_size=5)),
    ("bitmap", "int", {}, st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=5)),
]


def field_of(number: int) -> str:
    """Name the property of that number."""
    name, codec, *_ = PROPERTIES[number]
    return f"{name} {codec} {number}"


PLAN: dict[str, Any] = {
    "version": 1,
    "rows": [{"kind": "vertex", "parts": [{"field": "vertex", "codec": "str", "form": "rest"}]}],
    "family": [{"field": "group", "codec": "str", "form": "rest"}],
    "groups": {
        "seen": {
            "kind": "vertex",
            "qualifier": [{"field": "day", "codec": "int8", "form": "part"}],
            "value": {
                "form": "tagged",
                "properties": [
                    {
                        "id": number,
                        "field": field_of(number),
                        "codec": codec,
                        "aggregate": {"name": name, **options},
                    }
                    for number, (name, codec, options, _) in enumerate(PROPERTIES)
                ],
            },
        }
    },
}
FIELDS = [field_of(number) for number in range(len(PROPERTIES))]
MEASURES = [
    {"name": f"m{number}", "aggregate": name, "field": field_of(number)}
    for number, (name, *_) in enumerate(PROPERTIES)
]
KEY_PLAN = KeyPlan.parse(PLAN)

elements = st.builds(
    StoredElement,
    st.just("vertex"),
    st.just("seen"),
    st.fixed_dictionaries(
        {"day": st.integers(0, 1)},
        optional={field_of(at): values for at, (*_, values) in enumerate(PROPERTIES)},
    ),
    vertex=st.sampled_from(["a", "b"]),
    visibility=st.sampled_from([b"", b"A"]),
    timestamp=st.integers(-3, 3),
)
