"""What Gaffer's answer would be without one of its decided defects: for tests only.

A repair makes of Gaffer's own answers (to this question, or to others about the same graph) and of
what was given the answer that is right. So a question that is answered otherwise is still judged
to the last property.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .gaffer_view import simple_name
from .history import Answer, History, Json, grouped_by, is_misplaced, merged, views_of
from .judging import identity

_INTEGERS = {f"java.lang.{name}" for name in ("Byte", "Short", "Integer", "Long")}
_FLOATS = {"java.lang.Float", "java.lang.Double"}
_BY_ARRIVAL = {"First", "Last", "StringConcat", "StringDeduplicateConcat"}


@dataclass(frozen=True)
class Asked:
    """One question with what went before it."""

    history: History
    question: Json
    operation: Json

    @property
    def failed(self) -> bool:
        """Gaffer answered with an error."""
        return "expected_error" in self.question

    @property
    def auths(self) -> list[str]:
        return list(self.question["user"]["dataAuths"])

    @property
    def seeds(self) -> list[Any]:
        found = self.operation.get("input") or ()
        return [one["vertex"] for one in found if "vertex" in one]

    @property
    def has_free_group_by(self) -> bool:
        """Its view groups by something else than the first properties that the schema names."""
        view, facts = self.operation.get("view") or {}, self.history.facts
        for group in [*view.get("entities", {}), *view.get("edges", {})]:
            by, own = grouped_by(self.operation, group, facts), facts.group(group).get("groupBy")
            if by != list(own or ())[: len(by)]:
                return True
        return False

    @property
    def has_other_width(self) -> bool:
        held = self.history.facts.vertex_class
        other = [one for one in self.seeds if type(one) is int and held != "java.lang.Integer"]
        return held in _INTEGERS and bool(other)

    @property
    def has_range_of_floats(self) -> bool:
        ranges = simple_name(self.operation) == "GetElementsInRanges"
        return ranges and self.history.facts.vertex_class in _FLOATS

    @property
    def unknown_auths(self) -> set[str]:
        """Authorizations that occur in no label."""
        label = self.history.facts.label
        used = [one["properties"].get(label) or "" for one in self.history.given()]
        return set(self.auths) - {word for text in used for word in re.findall(r"[^&|()]+", text)}

    @property
    def has_misplaced_edge(self) -> bool:
        return any(is_misplaced(one, self.history.facts) for one in self._added())

    @property
    def has_deleted_labels(self) -> bool:
        return self.history.facts.label is not None and bool(self._changed("DeleteElements"))

    @property
    def has_added_again(self) -> bool:
        deleted = self._changed("DeleteElements") or self._changed("DeleteAllData")
        return bool(deleted and self._changed("AddElements"))

    @property
    def has_added_nulls(self) -> bool:
        return any(map(_is_null, self._added()))

    def _changed(self, name: str) -> list[Json]:
        return [one for one, _ in self.history.changes if simple_name(one) == name]

    def _added(self) -> Iterator[Json]:
        for one in self._changed("AddElements"):
            yield from one.get("input") or ()


def at_seeds(asked: Asked, expected: Answer) -> Answer:
    """Take of everything what the question is about; Gaffer's memory store has any group-by."""
    kind = "map" if asked.has_free_group_by else "expected"
    found = asked.history.everything(asked.operation, asked.auths, kind)
    if simple_name(asked.operation) == "GetAllElements":
        return found
    return list(_touching(found, lambda vertex: vertex in asked.seeds))


def around(asked: Asked, expected: Answer) -> Answer:
    """Find the elements at some vertices among all, as a question with good seeds would."""
    seeds = {str(_bare(seed)) for seed in asked.seeds}
    found = asked.history.everything(asked.operation, asked.auths)
    return list(_touching(found, lambda vertex: str(_bare(vertex)) in seeds))


def by_size(asked: Asked, expected: Answer) -> Answer:
    """Find the elements in a range of numbers among all; Gaffer goes by their bytes."""
    found: Answer = []
    for pair in asked.operation["input"]:
        ends = [next(iter(pair[end].values()))["vertex"] for end in ("first", "second")]
        low, high = sorted(float(_bare(end)) for end in ends)
        found += _touching(
            asked.history.everything(asked.operation, asked.auths),
            lambda vertex, a=low, b=high: a <= float(_bare(vertex)) <= b,
        )
    return found


def as_without_it(asked: Asked, expected: Answer) -> Answer:
    """An authorization that is in no label shows what none would."""
    return asked.history.everything(asked.operation, set(asked.auths) - asked.unknown_auths)


def exactly_deleted(asked: Asked, expected: Answer) -> Answer:
    """Gaffer's delete leaves what has a label."""
    deleted: set[str] = set()
    named: list[Json] = []
    for operation, _ in asked.history.changes:
        if simple_name(operation) == "DeleteElements":
            given = operation.get("input")
            deleted |= {identity(one) for one in (named if given is None else given)}
        named = _chosen(asked.history, operation)
    return [one for one in expected if identity(one) not in deleted]


def _chosen(history: History, operation: Json) -> list[Json]:
    """Return the given elements that a question without filters finds, for what follows it."""
    if not simple_name(operation).startswith("Get"):
        return []
    view = operation.get("view") or {}
    groups = {name for part in ("entities", "edges") for name in view.get(part, {})}
    found = [one for one in history.given() if not groups or one["group"] in groups]
    if operation.get("input") is None:
        return found
    seeds = [seed.get("vertex") for seed in operation["input"]]
    return list(_touching(found, lambda vertex: vertex in seeds))


def added_again(asked: Asked, expected: Answer) -> Answer:
    """What was deleted before stays deleted in Gaffer, however often it is added."""
    history = asked.history
    alive: dict[str, Json] = {}
    deleted = False
    for operation, _ in history.changes:
        match simple_name(operation):
            case "AddElements" if deleted:
                alive.update({history.key(one): one for one in operation.get("input") or ()})
            case "DeleteElements" if operation.get("input") is not None:
                gone = {identity(one) for one in operation["input"]}
                alive = {key: one for key, one in alive.items() if identity(one) not in gone}
                deleted = True
            case "DeleteElements" | "DeleteAllData":
                alive, deleted = {}, True
    there = {history.key(one) for one in expected}
    again: Iterable[Json] = [one for key, one in alive.items() if key not in there]
    if asked.operation.get("input") is not None:
        again = _touching(again, lambda vertex: vertex in asked.seeds)
    return [*expected, *again]


def without_nulls(asked: Asked, expected: Answer) -> Answer:
    """Gaffer stores a null vertex as "", and a null end fails a whole add.

    Ours refuses what is null: alone if invalid elements are skipped, with its batch otherwise.
    """
    history = asked.history
    more: list[tuple[Json, int]] = []
    for one, question in history.changes:
        added = list(one.get("input") or ()) if simple_name(one) == "AddElements" else []
        if not any(map(_is_null, added)):
            continue
        times = int(one["skipInvalidElements"]) - int("expected_error" not in question)
        more += [(element, times) for element in added if not _is_null(element)]
    found = [one for one in expected if one.get("vertex") != ""]
    return [_with_more(history, one, more) for one in found]


def _with_more(history: History, element: Json, more: list[tuple[Json, int]]) -> Json:
    """Add parts to the sums of an element, or take them away."""
    properties = dict(element["properties"])
    for part, times in more:
        if history.key(part) != history.key(element):
            continue
        for name, value in part["properties"].items():
            if simple_name(history.facts.aggregator(element["group"], name)) == "Sum":
                sum_ = _bare(properties[name]) + times * _bare(value)
                typed = isinstance(value, Mapping)
                properties[name] = {next(iter(value)): sum_} if typed else sum_
    return {**element, "properties": properties}


def _is_null(element: Json) -> bool:
    ids = ("vertex",) if simple_name(element) == "Entity" else ("source", "destination")
    return any(element.get(name) is None for name in (*ids, "group"))


def given_alone(asked: Asked, expected: Answer) -> Answer:
    """Merge anew what was given where Gaffer reads a missing property as an empty value.

    So are values that depend on the order of arrival, and counts of its small sketches.
    """
    return [new for one in expected if (new := _merged_anew(asked, one)) is not None]


def _merged_anew(asked: Asked, element: Json) -> Json | None:
    history, operation = asked.history, asked.operation
    if "group" not in element:
        return element
    group, facts = element["group"], history.facts
    views = list(views_of(operation, group, facts))
    filters = [one for v in views for one in v.get("preAggregationFilterFunctions") or ()]
    needed = {n for f in filters if simple_name(f["predicate"]) == "Exists" for n in f["selection"]}
    others = [one for one in filters if simple_name(one["predicate"]) != "Exists"]
    parts = history.parts(element, operation)
    # What another filter, or another aggregator, leaves of merged parts is not modelled here.
    if not parts or (facts.merges(group) and (others or any("aggregator" in v for v in views))):
        return element
    kept = [part["properties"] for part in parts if needed <= set(part["properties"])]
    if not kept:
        return None
    properties = dict(element["properties"])
    for name in element["properties"]:
        given = [part[name] for part in kept if part.get(name) is not None]
        aggregator = facts.aggregator(group, name)
        if not facts.type_of(group, name) or name == facts.label:
            continue
        if not given:
            del properties[name]
        elif len(kept) < len(parts) or len(given) < len(kept) or _is_other(aggregator):
            value = merged(aggregator, given)
            properties[name] = properties[name] if value is None else value
    return {**element, "properties": properties}


def _is_other(aggregator: Json) -> bool:
    return simple_name(aggregator) in {*_BY_ARRIVAL, "HyperLogLogPlusAggregator"}


def _touching(elements: Iterable[Json], inside: Callable[[Any], bool]) -> Iterator[Json]:
    """Yield elements as a question about some vertices does: edges by each end that is inside."""
    for one in elements:
        if "vertex" in one:
            if inside(one["vertex"]):
                yield one
            continue
        for end in ("source", "destination"):
            is_loop = end == "destination" and one["source"] == one["destination"]
            if inside(one[end]) and not is_loop:
                yield {**one, "matchedVertex": end.upper()}


def _bare(value: Any) -> Any:
    return next(iter(value.values())) if isinstance(value, Mapping) else value
