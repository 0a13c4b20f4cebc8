"""Our predicates written in Gaffer's JSON: the way back of ``translate_predicate``.

Layer ``schema``. A predicate that Gaffer has no class for is an UnsupportedError that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexigraph.errors import UnsupportedError
from lexigraph.schema.gaffer.check import IDENTIFIERS
from lexigraph.schema.gaffer.document import Document
from lexigraph.schema.gaffer.types import java_class
from lexigraph.schema.gaffer.values import value_to_gaffer
from lexigraph.schema.keys import compared_by, plan_field, type_of
from lexigraph.schema.model import Group, Rule

PACKAGE = "uk.gov.gchq.koryphe.impl.predicate"
_NAMES = {ours: theirs for theirs, ours in IDENTIFIERS.items()}
_SIMPLE = {"lt": "IsLessThan", "le": "IsLessThan", "gt": "IsMoreThan", "ge": "IsMoreThan"}


def written_rule(group: Group, rule: Rule) -> Document:
    """Write a rule of a group as a function on a selection."""
    names = list(rule.fields)
    selection = [name if _is_property(group, name) else _NAMES.get(name, name) for name in names]
    return {"selection": selection, "predicate": _predicate(group, rule.where, names)}


def _is_property(group: Group, name: str) -> bool:
    return any(one.name == name for one in group.properties)


def _predicate(group: Group, where: Mapping[str, Any], names: list[str]) -> Document:
    op = where["op"]
    lenient = _lenient(where, names)
    if lenient is not None:
        simple, options = lenient
        return {"class": f"{PACKAGE}.{simple}", **options}
    if op in ("and", "or"):
        inner = [_inside(group, one, names) for one in where["of"]]
        return {"class": f"{PACKAGE}.{op.capitalize()}", "predicates": inner}
    if op == "not" and len(names) == 1:
        inside = _predicate(group, where["of"], names)
        return {"class": f"{PACKAGE}.Not", "predicate": inside}
    if op == "length" or (op == "eq" and "other" in where):
        # Gaffer's let absent values pass, ours do not.
        absent: Document = {"op": "not", "of": {"op": "exists", "field": where["field"]}}
        if op == "eq":
            other = {"op": "not", "of": {"op": "exists", "field": where["other"]}}
            absent = {"op": "and", "of": [absent, other]}
        there = {"op": "exists", "field": where["field"]}
        whole = {"op": "and", "of": [there, {"op": "or", "of": [where, absent]}]}
        return _predicate(group, whole, names)
    written = _simple(group, where, names)
    if written is None:
        raise UnsupportedError(
            f"Gaffer has no predicate for the rule {op!r} on {', '.join(names)}",
            hint="Remove the rule from the schema before writing it.",
        )
    simple, options = written
    return {"class": f"{PACKAGE}.{simple}", **options}


def _lenient(where: Mapping[str, Any], names: list[str]) -> tuple[str, Document] | None:
    parts = where.get("of")
    if where["op"] != "or" or not isinstance(parts, list) or len(parts) != 2:
        return None
    test, absent = parts
    nothing = {"op": "not", "of": {"op": "exists", "field": test.get("field")}}
    if test["op"] == "length" and absent == nothing:
        shorter = test["compare"] in ("lt", "le")
        option = "maxLength" if shorter else "minLength"
        options = {option: test["size"], **_if_equal(test["compare"])}
        known = test["compare"] in ("lt", "le", "gt", "ge")
        return ("IsShorterThan" if shorter else "IsLongerThan", options) if known else None
    other = {"op": "not", "of": {"op": "exists", "field": test.get("other")}}
    neither = {"op": "and", "of": [nothing, other]}
    return ("AreEqual", {}) if test["op"] == "eq" and absent == neither else None


def _if_equal(compare: str) -> Document:
    return {"orEqualTo": True} if compare in ("le", "ge") else {}


def _inside(group: Group, where: Mapping[str, Any], names: list[str]) -> Document:
    if len(names) == 1:
        return _predicate(group, where, names)
    used = [name for name in names if plan_field(group, name) in _fields(where)]
    selection = [names.index(name) for name in used]
    return {"selection": selection, "predicate": _predicate(group, where, used)}


def _fields(where: Mapping[str, Any]) -> set[str]:
    inner = where.get("of", ())
    several = [inner] if isinstance(inner, Mapping) else inner
    own = {where[name] for name in ("field", "other") if name in where}
    return own.union(*(_fields(one) for one in several))


def _simple(
    group: Group, where: Mapping[str, Any], names: list[str]
) -> tuple[str, Document] | None:
    op, name = where["op"], names[0]
    if "other" in where:
        two = {"lt": "IsXLessThanY", "gt": "IsXMoreThanY"}.get(op)
        return (two, {}) if two else None
    if op in _SIMPLE:
        value = _value(group, name, where["value"])
        return _SIMPLE[op], {"orEqualTo": op in ("le", "ge"), "value": value}
    if op == "eq":
        value = _value(group, name, where["value"])
        if isinstance(value, bool):
            return "IsTrue" if value else "IsFalse", {}
        return "IsEqual", {"value": value}
    if op == "in" and "values" in where:
        return "IsIn", {"values": [_value(group, name, one) for one in where["values"]]}
    if op == "exists":
        return "Exists", {}
    if op == "regex":
        return "Regex", {"value": {"java.util.regex.Pattern": where["pattern"]}}
    if op == "age-off":
        return "AgeOff", {"ageOffTime": where["ttl"] // 1000}
    return None


def _value(group: Group, name: str, data: bytes) -> Any:
    kind = type_of(group, name)
    if name == group.visibility:
        return data.decode("utf-8", "replace")
    return value_to_gaffer(compared_by(group, name).decode(data), java_class(kind, None))
