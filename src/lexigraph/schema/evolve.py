"""How the schema of a graph may change: numbers that stay, and what may not differ.

Layer ``schema``. A property keeps its number for ever and no number is given twice, because stored
values name properties by number. A wanted schema may leave out groups and properties that are
stored, and add new ones; where both speak of the same thing, they must agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.errors import SchemaError, UnsupportedError
from lexigraph.schema.describe import describe
from lexigraph.schema.keys import plan_field
from lexigraph.schema.model import Aggregate, Group, Property, Record, Rule, Schema, ValueType
from lexigraph.schema.records import check_records, shown_ttl


def merge_stored(stored: Schema | None, wanted: Schema, *, takes_removal: bool = True) -> Schema:
    """Return the schema that is to be stored: the stored one with what is new in the wanted one.

    The answer is ``stored`` itself if nothing changes. ``takes_removal`` says whether stored rules
    take ``remove`` of the wanted ones. New rules of new groups are marked as checked.

    >>> person = Group("person", "vertex", {"vertex": ValueType("str")})
    >>> merge_stored(None, Schema({"person": person})).version
    1
    """
    base = stored or Schema({})
    for name, group in wanted.groups.items():
        if name not in base.groups:
            _refuse_duplicates(group)
    problems = list(difference(base, wanted))
    if problems:
        lines = "".join(f"\n  {line}" for line in problems)
        raise SchemaError(
            f"the schema disagrees with the stored one:{lines}",
            hint="Open the graph without a schema, or with the stored one.",
            difference=problems,
        )
    groups = dict(base.groups)
    for name, group in wanted.groups.items():
        groups[name] = _numbered(base.groups.get(name), group, takes_removal=takes_removal)
    merged = replace(
        base, groups=groups, config={**base.config, **wanted.config}, doc=wanted.doc or base.doc
    )
    check_records(merged)
    if stored is not None and merged == stored:
        return stored
    return replace(merged, version=base.version + 1)


def _refuse_duplicates(group: Group) -> None:
    # Elements that share a key share a delete marker too: one cannot be deleted without the others.
    if group.of_class and group.record is None and not group.aggregates:
        raise UnsupportedError(
            f"elements of the class {group.name!r} do not merge, and new classes that keep "
            "duplicates are not supported",
            hint="Add summary=True to the class (without aggregates=False), and an aggregator to "
            "each property that is not in lg.group_by(); or leave summary=True out, for records. "
            "Graphs that store such a group already can still be opened with the class.",
        )


def difference(stored: Schema, wanted: Schema) -> Iterator[str]:
    """Say, line by line, where two schemas speak of the same thing and do not agree.

    >>> one = Group("p", "vertex", {"vertex": ValueType("str")})
    >>> other = Group("p", "vertex", {"vertex": ValueType("int")})
    >>> list(difference(Schema({"p": one}), Schema({"p": other})))
    ['p.vertex: stored str, given int']
    """
    for name, group in wanted.groups.items():
        if name in stored.groups:
            yield from _group_difference(stored.groups[name], group)


def _group_difference(stored: Group, wanted: Group) -> Iterator[str]:
    name = wanted.name
    if stored.kind != wanted.kind:
        yield _line(name, f"a group of kind {stored.kind}", f"of kind {wanted.kind}")
        return
    for one, kind in wanted.ids.items():
        if _shown_type(stored.ids[one]) != _shown_type(kind):
            yield _line(f"{name}.{one}", _shown_type(stored.ids[one]), _shown_type(kind))
    for what in ("directed", "summary", "aggregates", "visibility", "timestamp"):
        old, new = getattr(stored, what), getattr(wanted, what)
        if old != new:
            yield _line(name, f"{what}={old!r}", f"{what}={new!r}")
    yield from _record_difference(stored, wanted)
    if stored.group_by != wanted.group_by:
        yield _line(name, f"grouped by {_listed(stored)}", f"by {_listed(wanted)}")
    known = {one.name: one for one in stored.properties}
    for now in wanted.properties:
        if now.name in known:
            key = now.name in wanted.group_by
            yield from _property_difference(name, known[now.name], now, in_key=key)
    yield from _rule_difference(stored, wanted)


def _record_difference(stored: Group, wanted: Group) -> Iterator[str]:
    # A group that was stored before there were records keeps duplicates, whatever its class says.
    # How long values are kept may change: it says nothing about what stored bytes mean.
    was, now = stored.record, wanted.record
    if was is None or now is None:
        return
    fixed = ("sort_key", "signature", "multiplicity", "unidirected", "edge_id", "static")
    for what in fixed:
        old, new = getattr(was, what), getattr(now, what)
        if old != new:
            yield _line(wanted.name, f"{what}={_plain(old)}", f"{what}={_plain(new)}")
    # What is stored has its time to live with it.
    if was.ttl != now.ttl:
        yield _line(wanted.name, f"to live {shown_ttl(was.ttl)}", shown_ttl(now.ttl))
    old_ttls, new_ttls = dict(was.ttls), dict(now.ttls)
    known = {one.name for one in stored.properties}
    for one in wanted.properties:
        old, new = old_ttls.get(one.name), new_ttls.get(one.name)
        if one.name in known and old != new:
            yield _line(f"{wanted.name}.{one.name}", f"to live {shown_ttl(old)}", shown_ttl(new))


def _plain(value: Any) -> str:
    if isinstance(value, ValueType):
        return _shown_type(value)
    if not isinstance(value, tuple):
        return repr(value)
    parts = (one if isinstance(one, str) else one.name + " desc" * one.descending for one in value)
    return ", ".join(parts) or "none"


def _rule_difference(stored: Group, wanted: Group) -> Iterator[str]:
    given = {one.name for one in wanted.properties}
    left_out = {one.name for one in stored.properties} - given
    for rule in stored.rules:
        # A rule about a property that the wanted schema leaves out stays as it is, also where the
        # property is called as an id.
        if (
            _find(rule, wanted) is None
            and left_out.isdisjoint(rule.fields)
            and not _lets_all_pass(rule.where)
        ):
            yield f"{wanted.name}: stored with the rule {_said(rule, stored)}, given without"


def _lets_all_pass(where: Mapping[str, Any]) -> bool:
    # What versions before made of check=[lg.this.exists()] of a property that may be absent.
    parts = where.get("of")
    if where["op"] != "or" or not isinstance(parts, list) or len(parts) != 2:
        return False
    absent, there = parts
    return bool(there["op"] == "exists") and absent == {"op": "not", "of": there}


def new_rules(stored: Group, wanted: Group) -> list[Rule]:
    """Return the rules of a group that it does not have as it is stored."""
    return [rule for rule in wanted.rules if _find(rule, stored) is None]


def check_no_new_rules(stored: Schema, wanted: Schema) -> None:
    """Refuse a schema with new rules that could hide stored elements.

    A rule that holds wherever its new properties are absent hides nothing, and passes.
    """
    problems = [
        f"{name}: given with the rule {_said(rule, group)}, stored without"
        for name, group in wanted.groups.items()
        if name in stored.groups
        for rule in new_rules(stored.groups[name], group)
        if _without(rule.where, _new_fields(stored.groups[name], group)) is not True
    ]
    if problems:
        lines = "".join(f"\n  {line}" for line in problems)
        raise SchemaError(
            f"the schema has rules that could hide stored elements:{lines}",
            hint="Open the graph without a schema. graph.admin.evolve(schema, dry_run=True) counts "
            "what the rules hide; graph.admin.evolve(schema) adds them.",
            difference=problems,
        )


def _new_fields(stored: Group, wanted: Group) -> set[str]:
    known = {one.name for one in stored.properties}
    return {plan_field(wanted, one.name) for one in wanted.properties if one.name not in known}


def _without(where: Mapping[str, Any], absent: set[str]) -> bool | None:
    """Return what a predicate answers if some fields are absent; ``None`` if it depends."""
    op, inner = where["op"], where.get("of")
    if op == "not":
        answer = _without(inner, absent) if isinstance(inner, Mapping) else None
        return None if answer is None else not answer
    if op in ("and", "or"):
        answers = [_without(one, absent) for one in inner or ()]
        decides: bool = op == "or"
        if decides in answers:
            return decides
        return None if None in answers else not decides
    return False if where.get("field") in absent or where.get("other") in absent else None


def _find(rule: Rule, group: Group) -> Rule | None:
    return next((one for one in group.rules if one.is_same(rule)), None)


def _property_difference(
    group: str, stored: Property, wanted: Property, *, in_key: bool
) -> Iterator[str]:
    name = f"{group}.{wanted.name}"
    was, now = _shown_type(stored.type), _shown_type(wanted.type)
    if was != now:
        yield _line(name, was, now)
    elif in_key and stored.type.optional != wanted.type.optional:
        # A key part that may be absent has other bytes than one that may not.
        words = {True: "may be absent", False: "is always there"}
        yield _line(name, words[stored.type.optional], words[wanted.type.optional])
    if stored.cardinality != wanted.cardinality:
        yield _line(name, f"cardinality {stored.cardinality}", wanted.cardinality)
    if stored.aggregate != wanted.aggregate:
        yield _line(name, _shown(stored.aggregate), _shown(wanted.aggregate))


def _line(where: str, stored: str, given: str) -> str:
    return f"{where}: stored {stored}, given {given}"


def _listed(group: Group) -> str:
    return ", ".join(group.group_by) or "nothing"


def _shown_type(kind: ValueType) -> str:
    # The Java class is how Gaffer's JSON calls it, not what is stored.
    return kind.codec if kind.bits is None else f"{kind.codec} of {kind.bits} bits"


def _shown(aggregate: Aggregate | None) -> str:
    if aggregate is None:
        return "without an aggregator"
    options = ", ".join(f"{name}={value!r}" for name, value in aggregate.options.items())
    return f"{aggregate.name}({options})"


def _said(rule: Rule, group: Group) -> str:
    return repr(describe(rule.where, group))


def _numbered(stored: Group | None, wanted: Group, *, takes_removal: bool) -> Group:
    is_new = stored is None
    if stored is None:
        stored = replace(wanted, properties=(), rules=(), last_number=0)
    last = stored.last_number
    given = {one.name: one for one in wanted.properties}
    properties = []
    for one in stored.properties:
        new = given.pop(one.name, None)
        # The wanted one says how it is described and whether it may be absent; the rest agrees.
        if new is not None:
            one = replace(new, number=one.number, doc=new.doc or one.doc, later=one.later)
        properties.append(one)
    for one in given.values():
        last += 1
        properties.append(replace(one, number=last, later=not is_new))
    rules = list(stored.rules)
    if takes_removal:
        rules = [replace(one, remove=(_find(one, wanted) or one).remove) for one in rules]
    # What was stored before a rule was added has never been checked.
    rules += [replace(one, checked=is_new) for one in new_rules(stored, wanted)]
    return replace(
        wanted,
        properties=tuple(properties),
        last_number=last,
        rules=tuple(rules),
        doc=wanted.doc or stored.doc,
        record=_record(stored, wanted),
    )


def _record(stored: Group, wanted: Group) -> Record | None:
    if stored.record is None or wanted.record is None:
        return stored.record
    ttls = {**dict(wanted.record.ttls), **dict(stored.record.ttls)}
    return replace(stored.record, history=wanted.record.history, ttls=tuple(ttls.items()))
