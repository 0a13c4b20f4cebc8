"""The check before anything is merged: every property has an aggregator.

Layer ``store``. A value without one has no time of its own once cells are combined, so no choice
between two of them would be the same in every order of merging.
"""

from __future__ import annotations

from lexigraph.errors import InvalidOption
from lexigraph.keyplan import KeyPlan


def check_mergeable(plan: KeyPlan, stage: str) -> None:
    """Refuse a plan that has a property without an aggregator."""
    for group in plan.model.groups:
        for one in group.value.properties:
            if one.aggregate is None:
                raise InvalidOption(
                    f"stage {stage!r} cannot merge group {group.name!r}: "
                    f"its property {one.field!r} has no aggregator",
                    hint="Give it an aggregator, or name a plan that leaves the group out.",
                )
