"""The stack of one scan or merge: system steps first, then stages by ascending priority.

Layer ``store``. Everything that reads cells goes through :func:`build_stack`; nothing puts a stage
below the visibility check.
"""

from __future__ import annotations

from collections.abc import Sequence

from lexigraph.security import ALL, LabelCache
from lexigraph.store.stages.base import CellSource, StageContext, StageScope
from lexigraph.store.stages.registry import stage_class
from lexigraph.store.stages.spec import StageSpec
from lexigraph.store.stages.system import Deletes, FamilySkip, Qualifiers, VisibilityCheck


def build_stack(
    source: CellSource,
    stages: Sequence[StageSpec],
    context: StageContext,
    *,
    columns: Sequence[tuple[bytes, bytes | None]] = (),
    default_visibility: bytes = b"",
) -> CellSource:
    """Put the system steps and the stages on a source of raw cells.

    The caller of ``scan`` passes the families of ``columns`` as ``Families``. Stages of equal
    priority keep their order; whoever reads a spec refuses such a spec before.
    """
    stack: CellSource = Deletes(source, keep_markers=context.scope.keeps_deletes)
    stack = FamilySkip(stack)
    if context.scope is StageScope.SCAN:
        if any(qualifier is not None for _, qualifier in columns):
            stack = Qualifiers(stack, columns)
        if context.authorizations is not ALL:
            stack = VisibilityCheck(stack, LabelCache(context.authorizations, default_visibility))
    for spec in sorted(stages, key=priority_of):
        stack = stage_class(spec.name)(stack, spec.options, context)
    return stack


def priority_of(spec: StageSpec) -> int:
    """Return the place of a stage: its own priority, or its stage's default."""
    if spec.priority is not None:
        return spec.priority
    return stage_class(spec.name).default_priority
