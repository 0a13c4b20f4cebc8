"""Real Gaffer's answers to questions of one operation, on every engine, deviation by deviation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine
from tests.accumulo.engines import Fresh
from tests.conformance.outside import count, outside

from .deviations import DEVIATIONS
from .gaffer_graphs import LoadedGraph

GRAPHS = [
    *("aggoff", "awkward", "basic", "concat", "delete", "delete_vis", "direction", "firstlast"),
    *("longs", "pipeline", "props", "road", "sets", "sets_classic", "timestamps", "validation"),
    *("vdate", "vdouble", "vint", "visibility", "vtsv"),
]


CLUSTER = pytest.param("accumulo", marks=pytest.mark.accumulo)


@pytest.mark.parametrize("kind", ["memory", "embedded", CLUSTER])
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_those_of_real_gaffer(name: str, kind: str, tmp_path: Path) -> None:
    case = json.loads(outside("gaffer", "graphs", f"{name}.json").read_text())
    listed = DEVIATIONS.get(name, [])
    with engine_of(kind, tmp_path) as engine:
        judged = list(LoadedGraph(case, engine, listed).judge_all())
    marked = {question: outcome for outcome, _, questions in listed for question in questions}
    wrong = [
        (question, outcome, marked.get(question, "same"), why)
        for question, outcome, why in judged
        if outcome != marked.get(question, "same")
    ]
    assert not wrong
    assert set(marked) <= {question for question, _, _ in judged}
    count(f"gaffer.questions.{kind}", len(judged))


def engine_of(kind: str, where: Path) -> Engine:
    match kind:
        case "memory":
            return MemoryEngine()
        case "embedded":
            return EmbeddedEngine(where / "db")
        case _:
            return Fresh()
