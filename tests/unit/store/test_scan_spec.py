from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexigraph.cells.cell import Key
from lexigraph.cells.ranges import Range
from lexigraph.errors import InvalidOption, UsageError
from lexigraph.security import ALL, Authorizations
from lexigraph.store.scan.priorities import resolve_priorities
from lexigraph.store.scan.spec import Resume, ScanSpec
from lexigraph.store.stages.spec import StageSpec
from tests.unit.store.schemas import is_valid
from tests.unit.store.strategies import keys, parts, ranges

int64 = st.integers(-(2**63), 2**63 - 1)
specs = st.builds(
    ScanSpec,
    ranges=st.lists(ranges(), max_size=3),
    columns=st.lists(st.tuples(parts, st.none() | parts), max_size=3),
    authorizations=st.just(ALL) | st.lists(st.binary(min_size=1, max_size=2), max_size=3),
    default_visibility=st.none() | parts,
    now=st.none() | int64,
    stages=st.lists(
        st.builds(StageSpec, st.just("versions"), st.just({"max": 2}), st.none() | int64),
        max_size=2,
    ),
    after=st.none() | st.builds(Resume, keys, st.integers(0, 9)),
)


@given(specs)
def test_a_spec_survives_json(spec: ScanSpec) -> None:
    written = json.loads(json.dumps(spec.to_json()))
    assert ScanSpec.from_json(written) == spec


@given(specs)
def test_a_written_spec_follows_the_schema(spec: ScanSpec) -> None:
    assert is_valid("scan.json", spec.to_json())


def test_the_default_reads_everything_that_is_unlabelled() -> None:
    assert ScanSpec.from_json({"version": 1}) == ScanSpec()
    assert ScanSpec().ranges == (Range(),)
    assert ScanSpec().authorizations == Authorizations()


def test_no_range_is_not_every_range() -> None:
    assert ScanSpec.from_json({"version": 1, "ranges": []}).ranges == ()


KEY = ["r", "", "", "", 5, 0]
INVALID: list[Any] = [
    [],
    {},
    {"version": 2},
    {"version": True},
    {"version": 1, "range": []},
    {"version": 1, "ranges": {}},
    {"version": 1, "ranges": [{"start": KEY[:5]}]},
    {"version": 1, "ranges": [{"start": ["é", "", "", "", 5, 0]}]},
    {"version": 1, "ranges": [{"start": ["r", "", "", "", 2**63, 0]}]},
    {"version": 1, "ranges": [{"start": ["r", "", "", "", "5", 0]}]},
    {"version": 1, "ranges": [{"start": ["r", "", "", "", 5, 2]}]},
    {"version": 1, "ranges": [{"start": [{"hex": "0"}, "", "", "", 5, 0]}]},
    {"version": 1, "ranges": [{"start": [{"hex": "00 ff"}, "", "", "", 5, 0]}]},
    {"version": 1, "ranges": [{"start": [{"hex": "FF"}, "", "", "", 5, 0]}]},
    {"version": 1, "ranges": [{"start": ["r", "", "", "", 5, True]}]},
    {"version": 1, "ranges": [{"start": ["r\n", "", "", "", 5, 0]}]},
    {"version": 1, "ranges": [{"begin": KEY}]},
    {"version": 1, "ranges": [{"start_inclusive": 1}]},
    {"version": 1, "columns": ["f"]},
    {"version": 1, "columns": [[]]},
    {"version": 1, "columns": [["f", "q", "v"]]},
    {"version": 1, "authorizations": "A"},
    {"version": 1, "authorizations": [1]},
    {"version": 1, "authorizations": [""]},
    {"version": 1, "default_visibility": 1},
    {"version": 1, "now": "today"},
    {"version": 1, "now": 2**63},
    {"version": 1, "now": True},
    {"version": 1, "stages": [{"priority": 5}]},
    {"version": 1, "stages": [{"name": "versions", "options": []}]},
    {"version": 1, "stages": [{"name": "versions", "options": {"max": 1}, "priority": "5"}]},
    {"version": 1, "stages": [{"name": "versions", "options": {"max": 1}, "place": 5}]},
    {"version": 1, "plans": []},
    {"version": 1, "after": {"key": KEY}},
    {"version": 1, "after": {"key": KEY, "seen": -1}},
    {"version": 1, "after": {"key": KEY, "seen": 1, "batch": 2}},
]


@pytest.mark.parametrize("value", INVALID, ids=json.dumps)
def test_what_is_no_spec_is_refused_by_us_and_by_the_schema(value: Any) -> None:
    with pytest.raises(UsageError):
        ScanSpec.from_json(value)
    assert not is_valid("scan.json", value)


def test_an_unknown_field_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InvalidOption, match="did you mean: ranges"):
        ScanSpec.from_json({"version": 1, "range": []})


def test_a_resumed_spec_differs_only_in_where_it_starts() -> None:
    spec = ScanSpec(columns=[(b"f", None)])
    after = Resume(Key(b"r"), 2)
    assert spec.resumed(after).after == after
    assert spec.resumed(after).columns == spec.columns


def test_stages_without_priority_take_their_default_or_the_next_free_number() -> None:
    stages = [
        StageSpec("versions", {"max": 3}),
        StageSpec("versions", {"max": 2}),
        StageSpec("versions", {"max": 1}, 20),
        StageSpec("age-off", {"ttl": 5}, 22),
    ]
    placed = [(stage.options.get("max"), stage.priority) for stage in resolve_priorities(stages)]
    assert placed == [(1, 20), (3, 21), (None, 22), (2, 23)]


def test_equal_priorities_are_refused() -> None:
    stages = [StageSpec("versions", {"max": 1}, 20), StageSpec("age-off", {"ttl": 5}, 20)]
    with pytest.raises(InvalidOption, match="'versions' and 'age-off' both have priority 20"):
        resolve_priorities(stages)


def test_priority_zero_and_negative_ones_have_their_place() -> None:
    stages = [StageSpec("versions", {"max": n}, p) for n, p in ((1, 0), (2, -5), (3, 1))]
    assert [stage.priority for stage in resolve_priorities(stages)] == [-5, 0, 1]


@pytest.mark.parametrize(
    "fields",
    [
        {"columns": ["ab"]},
        {"columns": [b"ab"]},
        {"columns": [("f", None)]},
        {"ranges": [b"a"]},
        {"stages": [b"versions"]},
        {"stages": [("versions",)]},
        {"stages": {"versions": {}}},
        {"ranges": b"a"},
        {"columns": b"ab"},
        {"now": 2**63},
        {"now": 1.5},
    ],
)
def test_a_spec_built_in_python_is_checked_too(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        ScanSpec(**fields)


def test_a_negative_count_is_no_resume_point() -> None:
    with pytest.raises(InvalidOption):
        Resume(Key(b"a"), -1)
