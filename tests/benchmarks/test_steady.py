"""A run of the benchmark in which a peer is far off its record is flagged and repeated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchmarks.graph import steady
from benchmarks.graph.bars import BARS
from benchmarks.graph.systems import OURS, PEERS

RECORDED = {"sqlite": {"load": 10.0, "hops-2": 4.0, "memory": 100.0}}
MACHINE = {"processor": "x", "cores": 2, "load_1min": 0.5}


def figures(**load: float) -> dict[str, dict[str, float]]:
    return {who: {"load": seconds, "memory": 1.0} for who, seconds in load.items()}


@pytest.mark.parametrize(
    ("seconds", "is_off"), [(10, False), (15, False), (15.1, True), (6.7, False), (6.6, True)]
)
def test_a_peer_is_off_its_record_beyond_one_and_a_half_times_either_way(
    seconds: float,
    is_off: bool,  # noqa: FBT001
) -> None:
    assert bool(steady.off_record(figures(sqlite=seconds), RECORDED)) is is_off


def test_figures_are_compared_in_the_unit_of_their_bar() -> None:
    hops = 4.0 / BARS["hops-2"].factor
    assert steady.off_record({"sqlite": {"hops-2": hops}}, RECORDED) == []
    assert steady.off_record({"sqlite": {"hops-2": 2 * hops}}, RECORDED)[0].factor == 2


def test_only_peers_with_a_record_and_measures_with_a_bar_count() -> None:
    assert steady.off_record(figures(**{OURS: 99.0, "duckdb": 99.0}), RECORDED) == []
    assert steady.off_record({"sqlite": {"memory": 900.0}}, RECORDED) == []


def test_the_worst_is_named_first() -> None:
    recorded = {"a": {"load": 1.0, "events": 1.0}}
    events = 5 / BARS["events"].factor
    off = steady.off_record({"a": {"load": 2.0, "events": events}}, recorded)
    assert [one.measure for one in off] == ["events", "load"]
    assert str(off[1]) == "a: W1 bulk load from Parquet, durable: 2 s, recorded 1"


def run_all(*seconds: float) -> tuple[Any, list[steady.Off], list[str], int]:
    left, said = list(seconds), []
    found, off = steady.repeated(
        lambda: figures(sqlite=left.pop(0)),
        lambda found: steady.off_record(found, RECORDED),
        said.append,
    )
    return found["sqlite"]["load"], off, said, len(seconds) - len(left)


def test_a_steady_run_is_not_repeated() -> None:
    assert run_all(11, 99) == (11, [], [], 1)


def test_a_disturbed_run_is_flagged_and_repeated_until_one_is_steady() -> None:
    found, off, said, runs = run_all(20, 11, 99)
    assert (found, off, runs) == (11, [], 2)
    assert "UNSTEADY" in said[0]
    assert "20 s, recorded 10" in said[0]
    assert "1 of 2" in said[1]


def test_of_disturbed_runs_alone_the_steadiest_counts_and_stays_flagged() -> None:
    found, off, _, runs = run_all(40, 20, 30, 10)
    assert (found, runs) == (20, 3)
    assert [one.figure for one in off] == [20]


def test_the_record_is_for_one_machine_and_scale(tmp_path: Path) -> None:
    path = tmp_path / "peers.json"
    assert steady.recorded_for("full", MACHINE, path) == {}
    steady.record("full", MACHINE, figures(**{OURS: 1.0, "sqlite": 10.0}), path)
    busier = {**MACHINE, "load_1min": 9.0}
    assert steady.recorded_for("full", busier, path) == {"sqlite": {"load": 10.0, "memory": 1.0}}
    assert steady.recorded_for("small", MACHINE, path) == {}
    assert steady.recorded_for("full", {**MACHINE, "cores": 8}, path) == {}


def test_what_is_recorded_names_the_peers_that_are_measured() -> None:
    import json

    found = json.loads(steady.RECORD.read_text(encoding="utf-8"))
    assert set(found["figures"]) == set(PEERS)
    assert all(set(one) <= set(BARS) for one in found["figures"].values())
