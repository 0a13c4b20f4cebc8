"""What a question does with records: which tables, ranges and families, and why rows of edges.

Layer ``plan``. Built from the objects that run. After a run it says how many cells were read, which
are cells that the reader may see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lexigraph.layout.records.rows import EDGES, VERTICES
from lexigraph.layout.records.tables import WHOLE
from lexigraph.plan.explaining.tree import Explanation
from lexigraph.plan.records.branch import RecordBranch
from lexigraph.plan.records.reading import EDGE_ROWS, OWN_ROWS, REFERENCES, RecordReader
from lexigraph.plan.records.steps import RecordSteps
from lexigraph.plan.scope import Scope


def explain_records(branch: RecordBranch, scope: Scope, *, run: bool) -> Explanation:
    """Explain the records of a question; with ``run`` they are read and counted too."""
    reader = RecordReader(branch.tables, scope, keeps_scans=True)
    if run:
        for _ in branch.elements(scope, reader):
            pass
    facts: dict[str, Any] = {
        "groups": [one.name for one in branch.groups],
        "layout": "records",
        "as_of": scope.as_of,
    }
    parts = [*_scans(branch, reader, run=run)]
    parts += [one for steps in branch.groups for one in _steps(steps)]
    return Explanation("records", facts, tuple(parts))


def _scans(branch: RecordBranch, reader: RecordReader, *, run: bool) -> Iterator[Explanation]:
    hints = branch.vertex_hints
    if branch.vertex_groups:
        families = (*hints.families, *hints.reference_families)
        yield _scan(branch, reader, OWN_ROWS, families, {}, run=run)
    if not branch.edge_groups:
        return
    reason = next((one.why_row for one in branch.edge_groups if one.why_row), None)
    if not branch.places.by_rows:
        facts = {"directions": list(branch.places.directions), "first": branch.first_of_runs}
        families = branch.reference_hints.reference_families
        yield _scan(branch, reader, REFERENCES, families, facts, run=run)
    if branch.places.by_rows or reason is not None:
        why = reason
        if branch.places.by_rows:
            why = f"edges are asked for {branch.finder.describe()}"
        families = branch.row_hints.families
        yield _scan(branch, reader, EDGE_ROWS, families, {"because": why}, run=run)


def _scan(
    branch: RecordBranch,
    reader: RecordReader,
    what: str,
    families: tuple[bytes, ...],
    facts: dict[str, Any],
    *,
    run: bool,
) -> Explanation:
    table = branch.tables.names[EDGES if what == EDGE_ROWS else VERTICES]
    told: dict[str, Any] = {"table": table, "families": [one.decode() for one in families]}
    if run:
        made = [one for one in reader.scans if one.what == what]
        told["scans"], told["ranges"] = len(made), sum(one.ranges for one in made)
        told["cells_read"] = sum(one.cells for one in made)
    else:
        jobs = [one for one in branch.jobs() if one.what == what]
        if jobs:
            told["scans"], told["ranges"] = len(jobs), sum(len(one.ranges) for one in jobs)
    return Explanation(what, {**told, **facts})


def _steps(steps: RecordSteps) -> Iterator[Explanation]:
    if steps.slices != [WHOLE]:
        names = [name for name, _ in steps.sort_names]
        facts = {"group": steps.name, "of": "sort key", "by": names, "slices": len(steps.slices)}
        yield Explanation("range", facts)
    for one in (*steps.steps.before, *steps.steps.after):
        facts = {"where": "client", "group": steps.name, "is": one.text or None}
        yield Explanation("condition", facts)
    for transform in steps.steps.transforms:
        facts = {"where": "client", "group": steps.name, "into": list(transform.into)}
        yield Explanation(f"transform {transform.text}".strip(), facts)
