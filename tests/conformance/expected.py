"""How many cases of each outside system, and tests on a cluster, a whole run checks.

Fewer is a failure in CI. The numbers follow from the sample that is there, so that another sample
of the same generators is judged as strictly; of a file that is missing one case is expected.
Shares are for cases that the tests leave out by rule, as functions without a counterpart.
"""

import json
import os
from collections.abc import Container, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.conformance.outside import VARIABLE
from tests.conformance.vertexium.left_out import left_out, left_out_scenario

ON_CLUSTER = "tests on a real cluster"
TESTS_ON_CLUSTER = 500
"""Of a level "test", which takes every second test of the suites (see ``tests/levels.py``).

It goes up when there are more tests; it never goes down to make a run pass.
"""
SHARES = {"predicate": 0.7, "function": 0.35, "operator": 0.6}
"""About three quarters of the share that was understood when the tests were written."""
ON_CLUSTER_SHARE = 0.1
"""The least share of Vertexium's steps that a spread of 20 scenarios has."""
LAID_OUT = 0.4
"""The share of rows that are of string vertices, and of different elements."""
ASKED = {
    *("GetElements", "GetAllElements", "GetAdjacentIds"),
    *("GetElementsBetweenSets", "GetElementsWithinSet", "GetElementsInRanges"),
}


@cache
def expected() -> dict[str, int]:
    """Return the least numbers for the outside cases that are there."""
    root = Path(os.environ.get(VARIABLE, ""))
    stages = _read(root / "accumulo" / "stages.json").get("cases", [])
    labels = _read(root / "accumulo" / "visibility.json")
    vectors = _read(root / "accumulo" / "lexicoders.json").get("vectors", [])
    functions = _read(root / "gaffer" / "functions.json")
    graphs = [_read(path) for path in (root / "gaffer" / "graphs").glob("*.json")]
    rows = sum(len(_read(path)) for path in (root / "gaffer" / "tables").glob("*.json"))
    questions = sum(_is_asked(one) for graph in graphs for one in graph["questions"])
    found: dict[str, float] = {
        "accumulo.lexicoders": len(vectors),
        "accumulo.visibility": sum(map(len, _lists(labels))),
        "accumulo.visibility.native": sum(map(len, _lists(labels))),
        "accumulo.stages": len(stages),
        "accumulo.stages.cluster": len({one["name"].split("/")[0] for one in stages}) / 2,
        **{f"gaffer.{kind}s": SHARES[kind] * _answered(functions, kind) for kind in SHARES},
        "gaffer.rows": rows,
        "gaffer.layouts": LAID_OUT * rows,
        "gaffer.schemas": len(_read(root / "gaffer" / "schemas.json")),
        "gaffer.elements": sum(len(batch) for graph in graphs for batch in graph["batches"]),
        **{f"gaffer.questions.{engine}": questions for engine in ENGINES},
        **{
            f"vertexium.{engine}": _compared(root / "vertexium")
            for engine in ("memory", "embedded")
        },
        "vertexium.accumulo": ON_CLUSTER_SHARE * _compared(root / "vertexium"),
    }
    return {ON_CLUSTER: TESTS_ON_CLUSTER, **{name: max(1, int(n)) for name, n in found.items()}}


ENGINES = ("memory", "embedded", "accumulo")


def _read(path: Path) -> Any:
    return json.loads(path.read_bytes()) if path.is_file() else {}


def _lists(labels: dict[str, Any]) -> Iterator[list[Any]]:
    for name in ("cases", "quote", "authorizations", "authorizations_text"):
        yield labels.get(name, [])


def _answered(functions: list[dict[str, Any]], kind: str) -> int:
    cases = [case for one in functions if one["kind"] == kind for case in one.get("cases", ())]
    return sum("expected" in case for case in cases)


def _is_asked(question: dict[str, Any]) -> bool:
    """Say whether a question is of one operation that the tests ask."""
    chain = question["operation"]
    steps = chain.get("operations", [chain]) if isinstance(chain, dict) else []
    return len(steps) == 1 and str(steps[0].get("class")).rpartition(".")[2] in ASKED


def _compared(root: Path) -> int:
    """Return the steps of the scenarios that are not left out."""
    scenarios = [_read(path) for path in (root / "scenarios").glob("*.json")]
    return sum(
        step.get("do") != "dump" and left_out(step) is None
        for scenario in scenarios
        if left_out_scenario(scenario) is None
        for step in scenario["steps"]
    )


def shortfalls(counted: dict[str, int], asked: Container[str] | None = None) -> list[str]:
    """Return what ran less often than expected, one line each; only of what is asked, or of all."""
    return [
        f"{system}: {counted.get(system, 0)} checked, {least} expected"
        for system, least in expected().items()
        if counted.get(system, 0) < least and (asked is None or system in asked)
    ]
