"""Where stages stand: the table's and the scan's together, by distinct priorities.

Layer ``store``. Given priorities are kept and must differ; a stage without one takes its class's
default or the next free number above. The result is sorted, so the first stage is the closest to
the data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lexigraph.errors import InvalidOption
from lexigraph.store.stages.registry import stage_class
from lexigraph.store.stages.spec import AnyStage, StageSpec, read_stages


def resolve_priorities(stages: Iterable[AnyStage]) -> tuple[StageSpec, ...]:
    """Give every stage its priority and sort them.

    >>> [(s.name, s.priority) for s in resolve_priorities(
    ...     [StageSpec("grep", {"term": "a"}), StageSpec("versions", {"max": 1}, 20)])]
    [('versions', 20), ('grep', 35)]
    """
    listed = read_stages(stages)
    taken: dict[int, str] = {}
    for stage in listed:
        if stage.priority is None:
            continue
        if stage.priority in taken:
            raise InvalidOption(
                f"stages {taken[stage.priority]!r} and {stage.name!r} both have priority "
                f"{stage.priority}",
                hint="Give each stage its own priority; lower is closer to the data.",
            )
        taken[stage.priority] = stage.name
    placed = []
    for stage in listed:
        priority = stage.priority
        if priority is None:
            priority = stage_class(stage.name).default_priority
            while priority in taken:
                priority += 1
            taken[priority] = stage.name
        placed.append(replace(stage, priority=priority))
    return tuple(sorted(placed, key=_priority))


def _priority(stage: StageSpec) -> int:
    return stage.priority or 0


def first_whole_scan(stages: tuple[StageSpec, ...]) -> int:
    """Return where the stages begin that run over all ranges at once.

    A stage that groups cells range by range cannot run after one of them.
    """
    first = len(stages)
    for place, stage in enumerate(stages):
        cls = stage_class(stage.name)
        if cls.whole_scan:
            first = min(first, place)
        elif place > first and cls.combines:
            raise InvalidOption(
                f"stage {stage.name!r} groups cells and cannot run after {stages[first].name!r}, "
                "which sees the whole scan",
                hint=f"Give {stage.name!r} a lower priority than {stages[first].name!r}.",
            )
    return first
