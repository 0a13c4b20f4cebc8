"""Following edges of records in the engine: which references lead on, as spans of keys.

Layer ``plan``. A reference is enough for the other end of an edge, its sort key and its direction;
what needs more than that is followed by the client, with a reason.
"""

from __future__ import annotations

from lexigraph.codec.prefix import Bound
from lexigraph.layout.records.assembling.native import prepare_records
from lexigraph.layout.records.reading import FetchHints, RecordReading
from lexigraph.layout.records.rows import VERTICES, SortField
from lexigraph.layout.records.tables import WHOLE
from lexigraph.plan.records.branch import RecordBranch
from lexigraph.plan.records.slices import required_parts
from lexigraph.plan.records.steps import RecordSteps
from lexigraph.plan.scope import Scope
from lexigraph.store.operators import Declined, EdgeReader, FollowReferences

_REAL = ("float32", "float64")


def prepare_references(records: RecordBranch, scope: Scope) -> EdgeReader | Declined:
    """Prepare the engine to follow the edges of a question, or return why it does not."""
    reason = _keeps_from_references(records, scope)
    if reason is not None:
        return Declined(reason)
    tables, hidden = records.tables, scope.fetch.hidden
    hints = FetchHints(out_edges=True, in_edges=True, hidden=hidden)
    reading = RecordReading(scope.authorizations, scope.as_of, hints)
    prepared, why = prepare_records(tables.rows, VERTICES, reading)
    if prepared is None:
        return Declined(why or "the native module does not read these records")
    operator = FollowReferences(
        tables.names[VERTICES],
        prepared,
        _spans(records),
        tables.rows.vertex_codec,
        scope.authorizations,
    )
    return scope.engine.prepare(operator, snapshot=scope.snapshot)


def _keeps_from_references(records: RecordBranch, scope: Scope) -> str | None:
    if scope.sees_nothing:
        return "the reader sees nothing of it"
    if records.tables.expires:
        # What is planned once may be read at many times.
        return "times to live are judged in the client"
    if records.tables.keeps_less:
        # What a history keeps depends on the time of each question.
        return "a history that keeps less than everything is judged in the client"
    if scope.keys.vertex_codec.name != records.tables.vertex_codec.name:
        return "ids of records have another codec than those of summaries"
    for one in records.edge_groups:
        if one.label is None:
            return "labels that no group declares are told apart in the client"
        reason = _keeps_group(one, records.tables.sort_key(one.label))
        if reason is not None:
            return reason
    return None


def _keeps_group(steps: RecordSteps, key: tuple[SortField, ...]) -> str | None:
    if steps.steps.transforms or steps.steps.last:
        return f"transforms of {steps.name!r} run in the client"
    if steps.calls:
        return "a function looks at whole edges"
    if not _are_exact(steps, key):
        return f"a condition on {steps.name!r} is not a range of the first part of its sort key"
    return None


def _are_exact(steps: RecordSteps, key: tuple[SortField, ...]) -> bool:
    """Return whether the slices of a label say all that its conditions do."""
    if not steps.predicates:
        return True
    # NaN compares by rules of its own.
    if not key or key[0].codec in _REAL or steps.slices == [WHOLE]:
        return False
    atoms = list(required_parts(steps.predicates))
    if any(set(one.fields()) != {key[0].name} for one in atoms):
        return False
    if not all(len(part.values) <= 1 for part in steps.slices):
        return False
    if any(part.values for part in steps.slices):
        return len(atoms) == 1
    # Nulls come last: only bounds on both sides keep them out.
    return all(
        isinstance(part.lower, Bound) and isinstance(part.upper, Bound) for part in steps.slices
    )


def _spans(records: RecordBranch) -> list[tuple[bytes, bytes]]:
    """Return what follows a vertex in the rows of its references: from, and up to."""
    found = []
    for label, one in records.wanted_labels.items():
        directions = records.places.directions_of(one)
        for part in one.slices:
            found += records.tables.reference_spans(directions, label, part)
    return sorted(found)
