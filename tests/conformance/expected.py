"""How many cases of each outside system, and tests on a cluster, a whole run checks.

Fewer is a failure in CI. A number here goes up when more cases are understood; it never goes down
to make a run pass.
"""

from collections.abc import Container

ON_CLUSTER = "tests on a real cluster"

EXPECTED = {
    ON_CLUSTER: 800,
    "accumulo.lexicoders": 281,
    "accumulo.visibility": 3391,
    "accumulo.visibility.native": 3391,
    "accumulo.stages": 2354,
    "accumulo.stages.cluster": 200,
    "gaffer.functions": 250,
    "gaffer.operators": 91,
    "gaffer.predicates": 499,
    "gaffer.rows": 1180,
    "gaffer.layouts": 781,
    "gaffer.schemas": 57,
    "gaffer.elements": 832,
    "gaffer.questions.memory": 928,
    "gaffer.questions.embedded": 928,
    "gaffer.questions.accumulo": 928,
}


def shortfalls(counted: dict[str, int], asked: Container[str] | None = None) -> list[str]:
    """Say what ran less often than expected, one line each; only of what is asked, or of all."""
    return [
        f"{system}: {counted.get(system, 0)} checked, {expected} expected"
        for system, expected in EXPECTED.items()
        if counted.get(system, 0) < expected and (asked is None or system in asked)
    ]
