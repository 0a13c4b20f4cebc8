"""Tables whose merges combine elements: what they refuse, whatever the elements are."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import ConstraintError, InvalidOption, UnsupportedError
from lexigraph.security import ALL
from lexigraph.store import Mutations, ScanSpec, StageSpec, TableSettings
from lexigraph.store.checking import check_settings
from lexigraph.store.constraints import check_batch
from lexigraph.store.scan.reading import ScanPlan

COMBINING = TableSettings(merge_stages=[StageSpec("aggregate", {"plan": "p"}, 15)])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("as-of", {"timestamp": 5}),
        ("time-range", {"start": 1}),
        ("age-off", {"ttl": 5}),
        ("column-age-off", {"ttls": [{"family": "f", "qualifier": None, "ttl": 1}]}),
    ],
)
def test_stages_that_need_the_times_of_parts_are_refused(name: str, options: Any) -> None:
    spec = ScanSpec(stages=[StageSpec(name, options)])
    ScanPlan(spec, TableSettings())
    with pytest.raises(UnsupportedError, match=f"'{name}'"):
        ScanPlan(spec, COMBINING)


def test_a_delete_marker_needs_the_engines_time() -> None:
    check_batch("t", COMBINING, Mutations().delete("a").put("b", timestamp=1).batch(), ALL)
    with pytest.raises(ConstraintError, match=r"cell 1 .* without a timestamp"):
        check_batch("t", COMBINING, Mutations().put("a").delete("a", timestamp=1).batch(), ALL)


@pytest.mark.parametrize("scope", ["scan_stages", "merge_stages"])
def test_aggregate_must_see_every_version(scope: str) -> None:
    above: dict[str, Any] = {scope: [StageSpec("aggregate", {"plan": "p"}, 21)]}
    with pytest.raises(InvalidOption, match="after all but the newest 1 versions were dropped"):
        check_settings(TableSettings(**above))


@pytest.mark.parametrize("scope", ["scan_stages", "merge_stages"])
def test_a_combiner_must_see_every_version(scope: str) -> None:
    above: dict[str, Any] = {scope: [StageSpec("sum", {"encoding": "text"}, 25)]}
    with pytest.raises(
        InvalidOption, match=r"'sum' runs at scope .* after all but the newest 1 versions"
    ):
        check_settings(TableSettings(**above))
    check_settings(TableSettings(max_versions=None, **above))


def test_a_combiner_of_scans_alone_is_refused_where_merges_drop_versions() -> None:
    total = ("sum", {"encoding": "text"})
    with pytest.raises(InvalidOption, match="at scope scan only") as caught:
        check_settings(TableSettings(scan_stages=[total]))
    assert "with_stages" in caught.value.hint
    other = ("sum", {"encoding": "text", "columns": [["other"]]})
    with pytest.raises(InvalidOption, match="at scope scan only"):
        check_settings(TableSettings(scan_stages=[total], merge_stages=[other]))


def test_a_combiner_of_scans_is_accepted_where_nothing_is_lost() -> None:
    total = ("sum", {"encoding": "text"})
    check_settings(TableSettings.with_stages(total))
    check_settings(TableSettings(scan_stages=[total], max_versions=None))
    check_settings(TableSettings(scan_stages=["whole-row"]))
    ScanPlan(ScanSpec(stages=[StageSpec(*total, 25)]), TableSettings())


@pytest.mark.parametrize("plan", [5, {}, {"version": 2}, {"version": 1, "rows": 5}])
def test_a_plan_that_cannot_be_read_is_refused_though_no_stage_uses_it(plan: Any) -> None:
    with pytest.raises(InvalidOption, match=r"plans\.people"):
        check_settings(TableSettings(plans={"people": plan}))


def test_a_combiner_of_full_merges_alone_is_refused_where_other_merges_drop_versions() -> None:
    total = ("sum", {"encoding": "text", "full_merge_only": True})
    with pytest.raises(InvalidOption, match="in full merges only"):
        check_settings(TableSettings.with_stages(total))
    check_settings(TableSettings.with_stages(total, max_versions=None))
