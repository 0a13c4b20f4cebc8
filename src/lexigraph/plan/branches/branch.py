"""From a view to scans: which groups are read together, and what of their steps runs where.

Layer ``plan``. A branch is one way through a table: groups that the same stages fit. What the
stages cannot do is left to the client with its reason, which explain shows; the answer is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lexigraph.errors import PropertyNotFound, SemanticProblem, nearest
from lexigraph.functions import Aggregator
from lexigraph.plan.branches.aggregators import (
    kept_by,
    merges,
    merges_defaults,
    other_aggregators,
    own_aggregators,
)
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import Elements, Steps
from lexigraph.schema.model import Group


@dataclass(frozen=True, slots=True)
class Branch:
    """Groups of one table that one scan reads.

    ``by`` are the fields of a roll-up in the scan; ``None`` where it has none. ``aggregators`` are
    those that it has besides the plan's, by group and field. ``merged`` are the groups whose
    elements merge in the client, each with the reason why.
    """

    table: str
    groups: tuple[str, ...]
    by: tuple[str, ...] | None
    aggregators: Mapping[str, Mapping[str, Aggregator]]
    merged: Mapping[str, str]

    __hash__ = None  # type: ignore[assignment]

    @property
    def pushes_after(self) -> bool:
        """Whether filters after merging can be stages too."""
        return not self.merged


def branches(asked: Elements, keys: Keys, unmerged: frozenset[str] = frozenset()) -> list[Branch]:
    """Divide the groups of a view into branches; those ``unmerged`` are read as they are stored."""
    found: dict[tuple[str, tuple[str, ...] | str | None], list[tuple[str, str]]] = {}
    aggregators: dict[str, Mapping[str, Aggregator]] = {}
    for name, steps in asked.view.items():
        group = keys.group(name)
        check_steps(group, steps)
        table = keys.layout.table_of(name)
        reason = ""
        way: tuple[str, ...] | str | None = None
        if name not in unmerged and merges(group, steps, by_visibility=asked.by_visibility):
            others = other_aggregators(group, steps, keys)
            reason = _why_client(group, steps, keys, others)
            kept = kept_by(group, steps)
            way = "client" if reason else tuple(keys.field(name, one) for one in kept)
            if others and not reason:
                aggregators[name] = others
        found.setdefault((table, way), []).append((name, reason))
    return [
        Branch(
            table,
            tuple(name for name, _ in members),
            None if isinstance(way, str) else way,
            {name: aggregators[name] for name, _ in members if name in aggregators},
            {name: reason for name, reason in members if reason},
        )
        for (table, way), members in found.items()
    ]


def check_steps(group: Group, steps: Steps) -> None:
    """Refuse names that the group does not have, and merging where nothing merges."""
    known = [one.name for one in group.properties]
    for name in steps.by or ():
        if name not in group.group_by:
            if name not in known:
                raise _unknown(group, name, [*known, *steps.transient])
            raise SemanticProblem(
                f"group {group.name!r} cannot be rolled up by {name!r}: it is not a group-by "
                "property",
                near=nearest(name, group.group_by),
                hint=f"Its group-by properties are: {', '.join(group.group_by) or 'none'}.",
            )
    for one in steps.derived_by:
        for name in one.fields:
            if name not in group.group_by and name not in group.ids:
                raise SemanticProblem(
                    f"group {group.name!r} cannot be rolled up by {', '.join(one.into)}: "
                    f"{name!r} is neither an id nor a group-by property",
                    hint=f"Its group-by properties are: {', '.join(group.group_by) or 'none'}.",
                )
    if steps.aggregators and not group.aggregates:
        raise SemanticProblem(
            f"group {group.name!r} does not aggregate: its elements do not merge",
            hint="Summarise them, or leave the aggregators out.",
        )
    for name in steps.aggregators:
        if name not in known:
            raise _unknown(group, name, known)
        if name in kept_by(group, steps) or name == group.visibility:
            raise SemanticProblem(
                f"{name!r} of group {group.name!r} takes no aggregator: elements that differ in it "
                "stay apart"
                if name != group.visibility
                else f"{name!r} is the label of group {group.name!r}, which merges automatically",
                hint="Roll up over it first, or aggregate another property.",
            )
    shown = [*known, *steps.transient, *(name for one in steps.transforms for name in one.into)]
    for name in (*(steps.keep or ()), *steps.drop):
        if name not in shown and not group.open:
            raise _unknown(group, name, shown)


def _why_client(group: Group, steps: Steps, keys: Keys, others: Mapping[str, Aggregator]) -> str:
    own = own_aggregators(group, keys)
    # A stage starts from values that have the codec of the property; what a collection or a sketch
    # is finished to has not.
    finished = [field for field in others if field in own and own[field].result != own[field].codec]
    if finished:
        return "other aggregators of collections and sketches: " + ", ".join(sorted(finished))
    spread = [field for field, one in others.items() if _may_spread(one)]
    if spread:
        return "values that may be collections: " + ", ".join(sorted(spread))
    if merges_defaults(group, steps, keys):
        return "defaults of newer properties: " + ", ".join(sorted(keys.defaults(group.name).names))
    if steps.derived_by:
        made = [name for one in steps.derived_by for name in one.into]
        return f"merged by what a function makes: {', '.join(made)}"
    if any(one.call for one in steps.before):
        return "a filter before merging is a Python function"
    return ""


def _may_spread(aggregator: Aggregator) -> bool:
    # A value of "any" may be a tuple, whose members such an aggregator takes one by one.
    return aggregator.codec.name == "any" and type(aggregator).take is not Aggregator.take


def _unknown(group: Group, name: str, known: Iterable[str]) -> PropertyNotFound:
    names = list(dict.fromkeys(known))
    return PropertyNotFound(
        f"group {group.name!r} has no property {name!r}",
        near=nearest(name, names),
        hint=f"Available: {', '.join(names) or 'none'}.",
    )
