"""Real Gaffer's answers to questions of one operation, on every engine, deviation by deviation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine
from tests.accumulo.engines import fresh_engine
from tests.conformance.outside import count, outside

from .gaffer_graphs import DECIDED, OK, LoadedGraph

GRAPHS = sorted(
    path.stem for path in (outside("gaffer", "index.json").parent / "graphs").glob("*.json")
)
CLUSTER = pytest.param("accumulo", marks=pytest.mark.accumulo)


@pytest.mark.parametrize("kind", ["memory", "embedded", CLUSTER])
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_those_of_real_gaffer(name: str, kind: str, tmp_path: Path) -> None:
    case = json.loads(outside("gaffer", "graphs", f"{name}.json").read_text())
    users = [question["user"]["dataAuths"] for question in case["questions"]]
    with engine_of(kind, tmp_path, {token for tokens in users for token in tokens}) as engine:
        judged = list(LoadedGraph(case, engine).judge_all())
    wrong = [one for one in judged if one[1] not in (OK, DECIDED)]
    assert not wrong
    count(f"gaffer.questions.{kind}", len(judged))


def engine_of(kind: str, where: Path, tokens: set[str]) -> Engine:
    match kind:
        case "memory":
            return MemoryEngine()
        case "embedded":
            return EmbeddedEngine(where / "db")
        case _:
            return fresh_engine(tokens=tokens)
