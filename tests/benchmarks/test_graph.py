"""The benchmark runs, and its systems answer alike; how fast they are is no matter of tests."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks.graph import bars, data
from benchmarks.graph.__main__ import disagreements
from benchmarks.graph.one import Measuring
from benchmarks.graph.systems import OURS, PEERS, system_named

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> data.Data:
    return data.make(tmp_path_factory.mktemp("data"), data.SCALES["tiny"])


@pytest.fixture(scope="module")
def ours(made: data.Data, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return measured(OURS, made, tmp_path_factory.mktemp("ours"))


def measured(name: str, made: data.Data, where: Path) -> dict[str, Any]:
    return Measuring(system_named(name, where / "store"), made).run()


@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_gives_our_answers(
    peer: str, ours: dict[str, Any], made: data.Data, tmp_path: Path
) -> None:
    if peer != "sqlite" and importlib.util.find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed; requirements/bench.txt has it")
    theirs = measured(peer, made, tmp_path)
    assert disagreements({OURS: ours["answers"], peer: theirs["answers"]}) == []
    assert set(ours["answers"]) <= set(theirs["answers"])
    # Whoever runs the process looks at its memory.
    assert set(theirs["figures"]) == set(bars.BARS) - {"own-memory", "load-memory"}


def test_answers_are_those_of_the_files(ours: dict[str, Any], made: data.Data) -> None:
    import pyarrow.parquet as pq

    edges = pq.read_table(made.edges).to_pylist()
    by_day = [
        [
            day,
            sum(edge["day"] == day for edge in edges),
            sum(edge["weight"] for edge in edges if edge["day"] == day),
        ]
        for day in sorted({edge["day"] for edge in edges})
    ]
    assert ours["answers"]["by-day"] == by_day
    assert sum(count for _, _, count in ours["answers"]["events"]) == made.scale.events
    assert sum(keys for _, keys, _ in ours["answers"]["events"]) == made.scale.keys


def test_the_graph_has_each_pair_once_and_no_loops(made: data.Data) -> None:
    import pyarrow.parquet as pq

    edges = pq.read_table(made.edges).to_pylist()
    pairs = {(edge["source"], edge["destination"]) for edge in edges}
    assert len(edges) == len(pairs) == made.scale.edges
    assert not [pair for pair in pairs if pair[0] == pair[1]]
    assert {edge["label"] for edge in edges} == set(data.LABELS)


def test_a_different_answer_is_named() -> None:
    assert disagreements({"a": {"x": [1], "y": 2}, "b": {"x": [1], "y": 3}, "c": {"x": [1]}}) == [
        "y: {'a': '2', 'b': '3'}"
    ]


def test_ratios_are_to_the_best_peer_and_the_last_line_names_what_falls_short() -> None:
    slow = dict.fromkeys(bars.BARS, 3.0)
    figures = {OURS: {**slow, "hops-3": 1.0, "load": 2.0}, "duckdb": slow}
    figures["sqlite"] = {**slow, "load": 0.5}
    verdicts = {one.name: one for one in bars.judge(figures)}
    assert verdicts["load"].best == "sqlite"
    assert verdicts["load"].ratio == 4.0
    assert not verdicts["hops-3"].short
    text = bars.summary([verdicts["load"], verdicts["hops-3"], verdicts["memory"]])
    assert text == "bench: falls short: W1 bulk load from Parquet, durable (4.00, bar 1.5)"
    assert bars.summary([verdicts["hops-3"]]) == "bench: nothing falls short"


def test_a_bar_of_our_own_figure_does_not_look_at_peers() -> None:
    little, much = {"load-memory": 9.0}, {"load-memory": 251.0}
    [enough] = [
        one for one in bars.judge({OURS: little, "duckdb": {"load-memory": 1.0}}) if one.figures
    ]
    assert not enough.short
    [short] = [
        one for one in bars.judge({OURS: much, "duckdb": {"load-memory": 999.0}}) if one.figures
    ]
    assert bars.summary([short]).endswith("(251 MB, bar 250 MB)")


def test_the_command_runs_each_system_by_itself_and_keeps_what_it_found(tmp_path: Path) -> None:
    out = tmp_path / "found.json"
    options = ["--scale", "tiny", "--systems", OURS, "sqlite", "--out", str(out)]
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.graph", *options, "--scratch", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(out.read_text(encoding="utf-8"))
    assert "lexigraph, sqlite gave the same answers" in ran.stdout
    assert ran.stdout.splitlines()[-1].startswith("bench: ")
    assert found["failed"] == {}
    assert found["answers_differ"] == []
    assert found["result"]["load"]["best"] == "sqlite"
    assert set(found["result"]) == set(bars.BARS)
    assert 0 < found["result"]["own-memory"][OURS] <= found["result"]["memory"][OURS]
    assert list(tmp_path.iterdir()) == [out]
