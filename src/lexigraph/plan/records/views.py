"""Views with record groups: divided from the others, or of records whose properties do not matter.

Layer ``plan``.
"""

from __future__ import annotations

from dataclasses import replace

from lexigraph.plan.logical.elements import Elements, Steps, View
from lexigraph.plan.scope import Scope


def split_view(asked: Elements, scope: Scope) -> tuple[Elements, Elements | None]:
    """Return a question without its record groups, and one with these alone, if it has any."""
    keys = scope.keys
    if keys.records is None:
        return asked, None
    records = {name: one for name, one in asked.view.items() if keys.is_record(name)}
    if not records:
        return asked, None
    others = {name: one for name, one in asked.view.items() if name not in records}
    return replace(asked, view=others), replace(asked, view=records)


def without_properties(view: View) -> dict[str, Steps]:
    """Return a view whose elements need not show any property: conditions still see all."""
    return {name: one if one.last else replace(one, keep=(), drop=()) for name, one in view.items()}


def ends_only(asked: Elements, scope: Scope) -> Elements:
    """Return a question of whose records only the ends matter, so that references suffice."""
    keys = scope.keys
    if keys.records is None:
        return asked
    view = {
        name: replace(one, keep=(), drop=()) if keys.is_record(name) and not one.last else one
        for name, one in asked.view.items()
    }
    return replace(asked, view=view)
