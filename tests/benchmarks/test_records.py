"""The benchmark of records runs, and its systems answer alike."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from benchmarks.graph.__main__ import disagreements
from benchmarks.graph.data import LABELS, Data
from benchmarks.graph.one import digest
from benchmarks.graph.systems import OURS, PEERS
from benchmarks.records import data
from benchmarks.records.bars import BARS
from benchmarks.records.one import Measuring
from benchmarks.records.systems import system_named

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Data:
    return data.make(tmp_path_factory.mktemp("data"), data.SCALES["tiny"])


@pytest.fixture(scope="module")
def ours(made: Data, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return measured(OURS, made, tmp_path_factory.mktemp("ours"))


def measured(name: str, made: Data, where: Path) -> dict[str, Any]:
    return Measuring(system_named(name, where / "store"), made).run()


@pytest.mark.parametrize("peer", PEERS)
def test_a_peer_gives_our_answers(
    peer: str, ours: dict[str, Any], made: Data, tmp_path: Path
) -> None:
    if peer != "sqlite" and importlib.util.find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed; requirements/bench.txt has it")
    theirs = measured(peer, made, tmp_path)
    assert disagreements({OURS: ours["answers"], peer: theirs["answers"]}) == []
    assert set(ours["answers"]) == set(theirs["answers"])
    # Whoever runs the process looks at its memory.
    assert set(theirs["figures"]) == set(BARS) - {"own-memory", "load-memory"}


def test_answers_are_those_of_the_files(ours: dict[str, Any], made: Data) -> None:
    people = {one.pop("vertex"): one for one in pq.read_table(data.labelled(made)).to_pylist()}
    assert {one["label"] for one in people.values()} == set(LABELS)
    rows = [(one, people[one]["name"], people[one]["age"]) for one in made.singles]
    assert ours["answers"]["vertex"] == digest(rows)
    edges = pq.read_table(made.edges).to_pylist()
    near = [
        (one["source"], end, people[end]["name"], people[end]["age"])
        for one in edges
        if one["source"] in made.many and (end := one["destination"])
    ]
    assert ours["answers"]["near"] == digest(near)


def test_changed_ages_are_new(made: Data) -> None:
    people = {one["vertex"]: one for one in pq.read_table(data.labelled(made)).to_pylist()}
    changed = data.changed_ages(made).to_pylist()
    assert len({one["id"] for one in changed}) == len(people) // 2
    assert all(one["age"] != people[one["id"]]["age"] for one in changed)
    assert all(one["label"] == people[one["id"]]["label"] for one in changed)


def test_the_command_keeps_what_it_found(tmp_path: Path) -> None:
    out = tmp_path / "found.json"
    options = ["--scale", "tiny", "--systems", OURS, "sqlite", "--out", str(out)]
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.records", *options, "--scratch", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(out.read_text(encoding="utf-8"))
    assert "lexigraph, sqlite gave the same answers" in ran.stdout
    assert found["workload"] == "records"
    assert found["failed"] == {}
    assert set(found["result"]) == set(BARS)
    assert list(tmp_path.iterdir()) == [out]
