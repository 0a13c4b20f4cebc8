"""How the elements of a group merge: what stays apart, and by which aggregators the rest merges.

Layer ``plan``. The schema says both; a view may roll up over group-by properties and bring
aggregators of its own. Whether a stage or the client merges, it asks here.
"""

from __future__ import annotations

from typing import Any

from lexigraph.codec import Codec, codec_for
from lexigraph.functions import Aggregator, aggregator_for
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import Steps
from lexigraph.schema.model import Aggregate, Group


def merges(group: Group, steps: Steps, *, by_visibility: bool) -> bool:
    """Tell whether elements of a group have to merge when they are read."""
    if not group.aggregates:
        return False
    fewer = steps.by is not None and set(steps.by) != set(group.group_by)
    return fewer or bool(steps.derived_by) or (group.visibility is not None and not by_visibility)


def merges_defaults(group: Group, steps: Steps, keys: Keys) -> bool:
    """Tell whether merging takes defaults of properties, which no stage knows."""
    fewer = set(kept_by(group, steps)) != set(group.group_by)
    names = keys.defaults(group.name).names
    return bool(names) and (fewer or not names.isdisjoint(steps.aggregators))


def kept_by(group: Group, steps: Steps) -> tuple[str, ...]:
    """Return the group-by properties that stay apart, in the schema's order."""
    if steps.by is None:
        return group.group_by
    return tuple(name for name in group.group_by if name in steps.by)


def own_aggregators(group: Group, keys: Keys) -> dict[str, Aggregator]:
    """Give the aggregators that the stored states of a group have, by field."""
    value = keys.plan_of(group.name).decoder.groups[group.name].value
    return dict(zip(value.names, value.aggregators, strict=True))


def other_aggregators(group: Group, steps: Steps, keys: Keys) -> dict[str, Aggregator]:
    """Give the aggregators, by field, that start from finished values.

    These are the view's, where they differ from the schema's, and those of group-by properties
    that are merged over.
    """
    own, kept = own_aggregators(group, keys), kept_by(group, steps)
    asked = {name: group.property(name).aggregate for name in group.group_by if name not in kept}
    found: dict[str, Aggregator] = {}
    for name, aggregate in {**asked, **steps.aggregators}.items():
        field = keys.field(group.name, name)
        if aggregate is None or (field not in own and name not in asked):
            continue
        bound = _bind(aggregate, codec_for(group.property(name).type.codec))
        held = own.get(field)
        if held is None or (bound.name, bound.settings) != (held.name, held.settings):
            found[field] = bound
    return found


def _bind(aggregate: Aggregate, codec: Codec[Any]) -> Aggregator:
    return aggregator_for(aggregate.name, codec, aggregate.options)
