"""Whether records come in an order by themselves: then nothing is sorted, and pages can be read.

Layer ``plan``. References of one vertex, direction and label lie in the order of their sort key.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from lexigraph.plan.logical.expressions import FieldValue
from lexigraph.plan.logical.rows import ELEMENT, SortKey
from lexigraph.plan.records.branch import RecordBranch

_WITH_NAN = ("float", "any")
"""Codecs of numbers that have NaN, which is last in an answer, wherever it stands among keys."""


def field_order(keys: Sequence[SortKey]) -> list[tuple[str, bool]] | None:
    """Return an order as fields, each with whether it is descending; ``None`` if it is no such."""
    found = []
    for one in keys:
        if not isinstance(one.value, FieldValue) or one.value.column != ELEMENT:
            return None
        found.append((one.value.name, one.descending))
    return found


def is_sorted(records: RecordBranch, keys: Sequence[SortKey]) -> bool:
    """Return whether records come in this order: it is that of one run of references."""
    names = field_order(keys)
    if not names or records.vertex_groups or len(records.edge_groups) != 1:
        return False
    [steps] = records.edge_groups
    if steps.label is None or steps.steps.transforms or not records.sorts_runs(names):
        return False
    key = records.tables.sort_key(steps.label)
    if any(one.codec in _WITH_NAN for one in key[: len(names)]):
        return False
    runs = records.places.runs(records.wanted_labels)
    return runs is not None and len(list(islice(runs, 2))) == 1
