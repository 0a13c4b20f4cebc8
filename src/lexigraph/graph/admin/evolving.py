"""What a change of a schema would do to the elements that are stored: counted, not done.

Layer ``graph``. A rule that is added later hides the stored elements that break it; one about ids
and group-by properties alone, or with ``remove=True``, also lets merges remove them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.plan import Elements, Everything, Keys, Scope, Steps, Where, count
from lexigraph.schema import Group, Schema, effect_of, merge_stored, plan_field
from lexigraph.schema.describe import describe
from lexigraph.schema.evolve import new_rules
from lexigraph.security import ALL

_NEVER: Mapping[str, Any] = {"op": "or", "of": []}


@dataclass(frozen=True, slots=True)
class NewRule:
    """A rule that a schema would add to a group that is stored."""

    group: str
    rule: str
    """What it asks for, or its own words."""
    hidden: int
    """How many stored elements break it now; those under different labels count each."""
    elements: int
    """How many elements the group has."""
    removes: bool
    """Whether merges remove what breaks it, so that it cannot be had back."""


@dataclass(frozen=True, slots=True)
class EvolveReport:
    """What evolving to a schema would do."""

    schema: Schema
    """The schema that would be stored."""
    changes: bool
    """Whether anything would change."""
    rules: tuple[NewRule, ...] = ()

    @property
    def hidden(self) -> dict[str, dict[str, int]]:
        """How many stored elements each new rule would hide, by group and rule."""
        found: dict[str, dict[str, int]] = {}
        for one in self.rules:
            found.setdefault(one.group, {})[one.rule] = one.hidden
        return found

    def __str__(self) -> str:
        """Return a line for each new rule."""
        lines = [_line(one) for one in self.rules]
        return "\n".join(lines) or ("no new rules" if self.changes else "nothing changes")


def try_evolve(stored: StoredGraph, wanted: Schema) -> EvolveReport:
    """Return what evolving would do; SchemaError if it could not be done."""
    merged = merge_stored(stored.schema, wanted)
    stored.bind(merged)
    # As it is stored, without the defaults of classes: rules look at what is there.
    scope = Scope(stored.engine, Keys(stored.layout), stored.tables, ALL)
    rules = [
        rule
        for name, group in merged.groups.items()
        if name in stored.schema.groups
        for rule in _count(stored.schema.groups[name], group, scope)
    ]
    return EvolveReport(merged, merged is not stored.schema, tuple(rules))


def _count(before: Group, after: Group, scope: Scope) -> Iterator[NewRule]:
    rules = new_rules(before, after)
    if not rules:
        return
    known = {one.name for one in before.properties}
    absent = {plan_field(after, one.name) for one in after.properties if one.name not in known}
    elements = _having({"op": "and", "of": []}, before, scope)
    for rule in rules:
        broken = {"op": "not", "of": _with_absent(rule.where, absent)}
        said = rule.doc or describe(rule.where, after)
        removes = effect_of(rule, after).at_merge
        yield NewRule(before.name, said, _having(broken, before, scope), elements, removes)


def _having(where: Mapping[str, Any], group: Group, scope: Scope) -> int:
    view = {group.name: Steps(before=(Where(where),))}
    return count(Elements(Everything(), view, by_visibility=True), scope)


def _with_absent(where: Mapping[str, Any], absent: set[str]) -> Mapping[str, Any]:
    """Return what a predicate asks of elements that cannot have some fields yet."""
    inner = where.get("of")
    if isinstance(inner, Mapping):
        return {**where, "of": _with_absent(inner, absent)}
    if inner is not None:
        return {**where, "of": [_with_absent(one, absent) for one in inner]}
    asks = {where.get("field"), where.get("other")}
    return where if asks.isdisjoint(absent) else _NEVER


def _line(one: NewRule) -> str:
    how = "hides and removes" if one.removes else "hides"
    return f"{one.group}: the rule {one.rule!r} {how} {one.hidden} of {one.elements} elements"
