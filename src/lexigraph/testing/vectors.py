"""Stage vectors: cells in, a scan spec, cells out; read from ``spec/stages``, run by anyone.

Layer ``testing``. A vector knows nothing of how it is run: an engine or language hands in a
callable that takes a case and gives cells. Every case is also cut behind each of its cells and
resumed, which must not change what comes out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from lexigraph.cells.cell import Cell, order
from lexigraph.cells.jsonbytes import cell_from_json, key_to_json
from lexigraph.errors import LexigraphError, UsageError

SPEC = "LEXIGRAPH_SPEC"
"""The environment variable that names the folder ``spec``, where it is not beside ``src``."""

_FIELDS = {"name", "cells", "spec", "scope", "expected", "error"}


@dataclass(frozen=True, slots=True)
class StageCase:
    """One vector. Either ``expected`` or ``error``, the code of an error, says what comes out."""

    stage: str
    name: str
    cells: tuple[Cell, ...]
    """What is in the table, in the order it was written."""
    spec: dict[str, Any] = field(default_factory=dict)
    """The scan in the JSON form of ``spec/scan.md``."""
    scope: str = "scan"
    """``scan``, ``merge`` (some runs) or ``full`` (all runs)."""
    expected: tuple[Cell, ...] = ()
    error: str | None = None

    def __str__(self) -> str:
        """Name the case for a test report."""
        return f"{self.stage}: {self.name}"

    def resumed(self, given: tuple[Cell, ...]) -> StageCase:
        """Return the case that goes on behind the cells already given."""
        last = given[-1].key
        seen = sum(cell.key == last for cell in given)
        after = {"key": key_to_json(last), "seen": seen}
        return replace(
            self, spec={**self.spec, "after": after}, expected=self.expected[len(given) :]
        )


Run = Callable[[StageCase], Iterable[Cell]]


def stage_files() -> list[Path]:
    """Return the files of vectors, one a stage, of the clone or of the folder ``SPEC`` names.

    They are no part of an installed package: a suite without them would pass and show little.
    """
    named = os.environ.get(SPEC)
    folder = (Path(named) if named else Path(__file__).parents[3] / "spec") / "stages"
    found = list(folder.glob("*.json"))
    if not found:
        raise UsageError(
            f"there are no stage vectors in {folder}",
            hint=f"Run the suite from a clone, or let {SPEC} name the folder spec of one.",
        )
    return found


def load_cases(path: Path) -> list[StageCase]:
    """Read the cases of one file.

    ``plans`` of the file are those of every case; a plan given as text is a file in ``spec/plans``.
    """
    content = json.loads(path.read_text(encoding="utf-8"))
    plans = {name: _load_plan(plan, path) for name, plan in content.get("plans", {}).items()}
    return [_read(content["stage"], case, plans) for case in content["cases"]]


def check_case(case: StageCase, run: Run) -> list[str]:
    """Run a case, whole and cut behind every cell; give what is wrong, nothing when all is well."""
    problems = list(_compare(case, run))
    if case.error is None and case.scope == "scan" and not problems:
        for count in range(1, len(case.expected) + 1):
            cut = case.resumed(case.expected[:count])
            problems += [f"cut behind cell {count}: {text}" for text in _compare(cut, run)]
    return problems


def _compare(case: StageCase, run: Run) -> Iterator[str]:
    cells: list[Cell] = []
    try:
        cells.extend(run(case))
    except LexigraphError as error:
        if error.code != case.error:
            yield f"raised {error!r}, expected {case.error or 'cells'}"
        return
    if case.error is not None:
        yield f"gave {len(cells)} cells, expected the error {case.error}"
    elif tuple(cells) != case.expected:
        yield f"gave {cells}, expected {list(case.expected)}"
    elif any(order(left) > order(right) for left, right in pairwise(cells)):
        yield f"gave cells out of order: {cells}"


def _load_plan(plan: Any, path: Path) -> Any:
    if not isinstance(plan, str):
        return plan
    return json.loads((path.parents[1] / "plans" / f"{plan}.json").read_text(encoding="utf-8"))


def _read(stage: str, case: dict[str, Any], plans: dict[str, Any]) -> StageCase:
    name = case["name"]
    spec = case.get("spec", {})
    if plans:
        spec = {**spec, "plans": {**plans, **spec.get("plans", {})}}
    if set(case) - _FIELDS or ("expected" in case) == ("error" in case):
        raise ValueError(f"{stage}: {name}: a case has {sorted(_FIELDS)}, an outcome exactly once")
    return StageCase(
        stage,
        name,
        tuple(map(cell_from_json, case["cells"])),
        spec,
        case.get("scope", "scan"),
        tuple(map(cell_from_json, case.get("expected", ()))),
        case.get("error"),
    )
