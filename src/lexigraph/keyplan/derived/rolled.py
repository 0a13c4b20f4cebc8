"""The plan of what a roll-up gives: fewer group-by properties, and other aggregators where asked.

Layer ``keyplan``. Consts and identity fields stay where they are, so the rolled qualifier is read
by the rolled plan whatever was left out.
"""

from __future__ import annotations

from dataclasses import replace

from lexigraph.errors import InvalidOption, nearest
from lexigraph.keyplan.derived.remade import Aggregates, remade_value
from lexigraph.keyplan.model import IDENTITY, Const, GroupPlan, Model, Part, Parts, fields_in


def roll_model(model: Model, by: tuple[str, ...], aggregates: Aggregates | None = None) -> Model:
    """Leave out the group-by properties that are not in ``by``, in every group."""
    given = aggregates or {}
    rolled = []
    for group in model.groups:
        _check_known(group, by)
        own = given.get(group.name)
        value = group.value if own is None else remade_value(group, own)
        rolled.append(replace(group, qualifier=kept_parts(group, by), value=value))
    return replace(model, groups=tuple(rolled))


def keeps_prefix(group: GroupPlan, by: tuple[str, ...]) -> bool:
    """Return whether what is kept of the qualifier comes before all that is left out."""
    kept = [_stays(part, by) for part in fields_in(group.qualifier)]
    return kept == sorted(kept, reverse=True)


def kept_parts(group: GroupPlan, by: tuple[str, ...]) -> Parts:
    """Return the parts of the rolled qualifier."""
    return tuple(part for part in group.qualifier if _stays(part, by))


def _stays(part: Part, by: tuple[str, ...]) -> bool:
    return isinstance(part, Const) or part.field in IDENTITY or part.field in by


def _check_known(group: GroupPlan, by: tuple[str, ...]) -> None:
    known = [part.field for part in fields_in(group.qualifier) if part.field not in IDENTITY]
    for name in by:
        if name not in known:
            raise InvalidOption(
                f"roll-up by {name!r}: group {group.name!r} has no such group-by property",
                near=nearest(name, known),
                hint=f"Its group-by properties are: {', '.join(known) or 'none'}.",
            )
