from __future__ import annotations

import json
from typing import Any

import pytest

from lexigraph.errors import InvalidOption, InvalidVisibility
from lexigraph.store.settings import TableSettings
from lexigraph.store.stages.spec import StageSpec

FULL = TableSettings(
    scan_stages=[StageSpec("grep", {"term": b"\x00"}, 30)],
    merge_stages=[StageSpec("age-off", {"ttl": 5}, 10)],
    plans={"p": {"version": 1}},
    max_versions=None,
    time_unit="millis",
    default_visibility=b"A&B",
    constraints=["visibility", "readable-visibility"],
    append_only=True,
    max_clock_jump=1000,
    durability="sync",
    locality_groups={"g": [b"f", b"\xff"]},
    splits=[b"m", b"c", b"m"],
    bloom="row",
)


@pytest.mark.parametrize("settings", [TableSettings(), FULL])
def test_settings_survive_json(settings: TableSettings) -> None:
    assert TableSettings.from_json(json.loads(json.dumps(settings.to_json()))) == settings


def test_fields_left_out_have_their_default() -> None:
    assert TableSettings.from_json({"version": 1}) == TableSettings()


def test_splits_are_sorted_and_distinct() -> None:
    assert FULL.splits == (b"c", b"m")


def test_the_newest_version_is_kept_at_both_scopes_unless_all_are() -> None:
    keep = (StageSpec("versions", {"max": 3}, 20),)
    three = TableSettings(max_versions=3)
    assert three.stages("scan") == three.stages("merge") == keep
    assert FULL.stages("merge") == (StageSpec("age-off", {"ttl": 5}, 10),)


@pytest.mark.parametrize(
    "fields",
    [
        {"max_versions": 0},
        {"max_versions": True},
        {"max_versions": "1"},
        {"time_unit": "seconds"},
        {"constraints": ["no-such"]},
        {"append_only": 1},
        {"max_clock_jump": -1},
        {"durability": "maybe"},
        {"bloom": "value"},
        {"locality_groups": {"a": ["f"], "b": ["f"]}},
        {"locality_groups": []},
        {"splits": [1]},
        {"scan_stages": [{}]},
        {"plans": 1},
        {"no_such": 1},
    ],
)
def test_settings_that_make_no_sense_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        TableSettings.from_json({"version": 1, **fields})


def test_a_default_label_must_be_parsable() -> None:
    with pytest.raises(InvalidVisibility):
        TableSettings(default_visibility=b"A&")


def test_a_default_label_given_as_text_is_its_bytes() -> None:
    settings = TableSettings(default_visibility="A|B")  # type: ignore[arg-type]
    assert settings.default_visibility == b"A|B"
    assert TableSettings.from_json(settings.to_json()) == settings


def test_a_locality_group_lists_bytes() -> None:
    with pytest.raises(InvalidOption, match="in bytes"):
        TableSettings(locality_groups={"g": ["f"]})  # type: ignore[list-item]


def test_settings_need_their_version() -> None:
    with pytest.raises(InvalidOption, match="version 1"):
        TableSettings.from_json({})


def test_a_stage_may_be_given_by_name_by_name_with_options_or_as_a_spec() -> None:
    add_up = ("sum", {"encoding": "text"})
    settings = TableSettings(scan_stages=["whole-row", add_up], merge_stages=StageSpec(*add_up))
    assert settings.stages("scan")[1:] == (StageSpec("whole-row"), StageSpec(*add_up))
    assert settings.stages("merge")[1:] == (StageSpec(*add_up),)
    assert TableSettings.with_stages(add_up).stages("merge") == settings.stages("merge")


@pytest.mark.parametrize("stages", [5, b"sum", {"sum": {}}, [("sum",)], [5], [("sum", 5)]])
def test_what_is_no_stage_is_refused(stages: object) -> None:
    with pytest.raises(InvalidOption):
        TableSettings(scan_stages=stages)  # type: ignore[arg-type]


def test_a_priority_is_an_integer() -> None:
    with pytest.raises(InvalidOption, match="the priority of stage 'grep' must be an integer"):
        StageSpec("grep", {"term": "a"}, "5")  # type: ignore[arg-type]
