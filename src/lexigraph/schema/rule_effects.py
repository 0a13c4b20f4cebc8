"""Where a rule is asked after an element was added: when it is read, when tables merge, or never.

Layer ``schema``. No answer may depend on whether a merge ran. So a merge removes what breaks a rule
only if nothing that is added later could make it whole again, and a rule is left out of reading
only if it is proven here that merging cannot break it. What is not proven is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lexigraph.codec import is_built_in
from lexigraph.errors import LexigraphError
from lexigraph.functions import traits_of
from lexigraph.functions.built_in import BUILT_IN_PREDICATES
from lexigraph.functions.predicates.base import PredicateJson
from lexigraph.schema.keys import compared_by, plan_field, type_of
from lexigraph.schema.model import Group, Rule

_KNOWN = {one.name for one in BUILT_IN_PREDICATES}
_ALWAYS_KEY = {"group", "kind", "directed", "visibility"}


@dataclass(frozen=True, slots=True)
class Effect:
    """Where a rule is asked, and why there."""

    on_read: bool
    at_merge: bool
    """Whether merges remove what breaks it."""
    because: str


def effect_of(rule: Rule, group: Group) -> Effect:
    """Return where a rule of the group is asked.

    >>> from dataclasses import replace
    >>> from lexigraph.schema import Vertex, declare, group_of, this
    >>> class Person(Vertex, summary=True):
    ...     id: str
    ...     seen: int = declare.sum(check=[this <= 9])
    >>> group = group_of(Person)
    >>> effect_of(replace(group.rules[0], checked=True), group).because
    'merging may break it'
    """
    asks = list(_asks(rule.where))
    if any(one["op"] not in _KNOWN or "set" in one for one in asks):
        return Effect(True, rule.remove, "its predicate is a user's own")
    fields = {one[name] for one in asks for name in ("field", "other") if name in one}
    own = fields - _key_fields(group)
    removes = rule.remove or (
        (not own or not group.aggregates) and "matched" not in fields and _only_ends(rule.where)
    )
    if any(one["op"] == "age-off" for one in asks):
        return Effect(True, removes, "elements grow older")
    if not rule.checked:
        return Effect(True, removes, "older elements may not have been checked")
    if fields & {"timestamp", "matched"} or not all(_is_plain(group, one) for one in fields):
        return Effect(True, removes, "stored values may differ from added ones")
    if group.aggregates and not _survives(rule.where, group):
        return Effect(True, rule.remove, "merging may break it")
    return Effect(False, False, "all elements were checked, and merging cannot break it")


def _asks(where: PredicateJson) -> Iterator[PredicateJson]:
    """Return the questions about fields that a predicate is made of."""
    if where["op"] not in ("and", "or", "not"):
        yield where
        return
    inner = where["of"]
    for one in [inner] if isinstance(inner, Mapping) else inner:
        yield from _asks(one)


def _key_fields(group: Group) -> set[str]:
    """Return the fields that are the same in all cells that merge."""
    return {*_ALWAYS_KEY, *group.ids, *(plan_field(group, name) for name in group.group_by)}


def _only_ends(where: PredicateJson, *, turned: bool = False) -> bool:
    """Return whether a predicate that is false once stays so: no clock makes it true again."""
    if where["op"] == "age-off":
        return not turned
    if where["op"] == "not":
        return _only_ends(where["of"], turned=not turned)
    inner = where.get("of", ()) if where["op"] in ("and", "or") else ()
    return all(_only_ends(one, turned=turned) for one in inner)


def _is_plain(group: Group, field: str) -> bool:
    """Return whether what is read of a field is what was checked; some codecs change values."""
    if field in _ALWAYS_KEY:
        return True
    name = _named(group, field)
    if name is None:
        return False
    codec = type_of(group, name).codec
    return is_built_in(codec) and codec != "any"


def _named(group: Group, field: str) -> str | None:
    names = [*(one.name for one in group.properties), *group.ids]
    return next((name for name in names if plan_field(group, name) == field), None)


def _survives(where: PredicateJson, group: Group) -> bool:
    """Return whether an element satisfies a predicate if all that it was merged of do.

    The parts have one key, and a property is absent after a merge only if all parts lack it.
    """
    if where["op"] == "and":
        return all(_survives(one, group) for one in where["of"])
    key = _key_fields(group)
    asked = {one[name] for one in _asks(where) for name in ("field", "other") if name in one}
    own = asked - key
    if not own:
        return True
    if len(own) > 1:
        return False
    (field,) = own
    found = next((one for one in group.values if plan_field(group, one.name) == field), None)
    if found is None or found.aggregate is None:
        return False
    traits = traits_of(found.aggregate.name)
    if traits.picks_one:
        # The value and the key are those of one of the parts, which satisfies the predicate.
        return True
    if not traits.of_one_value():
        return False
    there = {"op": "exists", "field": field}
    absent = {"op": "not", "of": there}
    if where in (there, absent):
        return True
    if where["op"] == "or" and absent in where["of"] and len(where["of"]) == 2:
        [where] = [one for one in where["of"] if one != absent] or [absent]
    return found.aggregate.name == "sum" and _bounds_sum(where, group, found.name)


def _bounds_sum(where: PredicateJson, group: Group, name: str) -> bool:
    """Return whether a bound of all values is one of their sum: from below and not negative, say.

    Rounding keeps it: adding a value that is not negative to a float never makes it smaller.
    """
    op = where["op"]
    if op not in ("ge", "gt", "le", "lt") or not isinstance(where.get("value"), bytes):
        return False
    try:
        bound = compared_by(group, name).decode(where["value"])
        return bool(bound >= 0) if op in ("ge", "gt") else bool(bound <= 0)
    except (LexigraphError, ArithmeticError):
        return False
