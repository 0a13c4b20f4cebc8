"""What was given to a graph of Gaffer's up to a question, and what it merges to: for tests only.

Merging is written here once more, over Gaffer's JSON, so that it is independent of what it judges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain
from operator import mul
from typing import Any

from .gaffer_reader import operations
from .gaffer_view import simple_name
from .judging import SKETCH, Facts, alike, dump, identity

Json = Mapping[str, Any]
Answer = list[Any]


class History:
    """What was loaded, asked and changed up to a question; ``ask`` asks our own graph."""

    def __init__(self, case: Json, ask: Callable[[Json, Iterable[str]], Answer]) -> None:
        self.case, self.ask, self.facts = case, ask, Facts(case["schema"])
        self.changes: list[tuple[Json, Json]] = []
        """Operations that change, each with its question."""

    def note(self, question: Json, chain: Iterable[Json]) -> None:
        """Remember what a question changes."""
        self.changes += [(operation, question) for operation in chain]

    def given(self) -> Iterator[Json]:
        """Yield all elements that were loaded or added, in order of arrival."""
        yield from chain.from_iterable(self.case["batches"])
        for operation, question in self.changes:
            added = simple_name(operation) == "AddElements" and operation.get("validate", True)
            if added and "expected_error" not in question:
                yield from operation.get("input") or ()

    def key(self, element: Json) -> str:
        """Return which element it is, with what its group is grouped by."""
        names = self.facts.group(element["group"]).get("groupBy", ())
        return identity(element) + dump([element["properties"].get(name) for name in names])

    def parts(self, element: Json, operation: Json) -> list[Json]:
        """Return the given elements that were merged into an element of an answer."""
        group, shown = element["group"], element.get("properties", {})
        same = [one for one in self.given() if identity(one) == identity(element)]
        if not self.facts.merges(group):
            return [one for one in same if _could_be(one["properties"], shown)]
        by = grouped_by(operation, group, self.facts)
        return [
            one
            for one in same
            if all(dump(one["properties"].get(name)) == dump(shown.get(name)) for name in by)
        ]

    def everything(self, operation: Json, auths: Iterable[str], kind: str = "expected") -> Answer:
        """Return all elements by the same view: as Gaffer answered it, or else as we do.

        Gaffer's answer counts if nothing was changed between it and now. ``kind`` may be ``map``,
        for the answer of its memory store.
        """
        found: Answer | None = None
        passed = False
        for question in self.case["questions"]:
            asked = operations(question)
            passed = passed or operation in asked
            if question.get("mutates") and not self._is_refused(question):
                if passed:
                    break
                found = None
            alone = len(asked) == 1 and simple_name(asked[0]) == "GetAllElements"
            answer = question if kind == "expected" else question.get(kind)
            if not alone or not isinstance(answer, Mapping) or "expected" not in answer:
                continue
            same_user = set(question["user"]["dataAuths"]) == set(auths)
            if same_user and (asked[0].get("view") or {}) == (operation.get("view") or {}):
                found = list(answer["expected"])
        if found is None:
            view = {"view": operation["view"]} if operation.get("view") else {}
            return self.ask({"class": "GetAllElements", **view}, auths)
        return found

    def _is_refused(self, question: Json) -> bool:
        added = [one for step in operations(question) for one in step.get("input") or ()]
        return "expected_error" in question or any(is_misplaced(one, self.facts) for one in added)


def is_misplaced(element: Json, facts: Facts) -> bool:
    """Say whether it is an edge in a group of vertices, which we refuse."""
    return simple_name(element) == "Edge" and facts.is_entity(element.get("group", ""))


def _could_be(given: Json, shown: Json) -> bool:
    return all(alike(shown[name], value) for name, value in given.items() if name in shown)


def views_of(operation: Json, group: str, facts: Facts) -> Iterator[Json]:
    """Yield the parts of a view that are about a group, the global ones first."""
    view = operation.get("view") or {}
    kind = "Entities" if facts.is_entity(group) else "Edges"
    yield from view.get("globalElements", ())
    yield from view.get(f"global{kind}", ())
    yield view.get(kind.lower(), {}).get(group) or {}


def grouped_by(operation: Json, group: str, facts: Facts) -> list[str]:
    """Return what a question groups by: as its view says, or else as the schema does."""
    found = facts.group(group).get("groupBy", [])
    for part in views_of(operation, group, facts):
        found = found if part.get("groupBy") is None else part["groupBy"]
    return list(found)


def merged(aggregator: Json, values: list[Any]) -> Any:
    """Merge values of Gaffer's JSON as ours are merged; None for an aggregator not known here."""
    separator = aggregator.get("separator", ",")
    if len({next(iter(v)) if isinstance(v, Mapping) else type(v) for v in values}) > 1:
        return None  # one of them was refused
    match simple_name(aggregator):
        case "First":
            return values[0]
        case "Last":
            return values[-1]
        case "And" | "Or" as name:
            return (all if name == "And" else any)(values)
        case "Sum" | "Product" | "Max" | "Min" as name:
            bare = [_bare(one) for one in values]
            folds: dict[str, Any] = {"Sum": sum, "Max": max, "Min": min}
            return _dressed(folds[name](bare) if name in folds else reduce(mul, bare), values[0])
        case "StringConcat":
            return separator.join(sorted(values))
        case "StringDeduplicateConcat":
            return separator.join(sorted({part for one in values for part in one.split(separator)}))
        case "CollectionConcat" if all("java.util.TreeSet" in one for one in values):
            return {"java.util.TreeSet": sorted(set(chain.from_iterable(map(_bare, values))))}
        case "FreqMapAggregator":
            counts: Counter[str] = Counter()
            for one in values:
                counts.update(_bare(one))
            return _dressed(dict(counts), values[0])
        case "HyperLogLogPlusAggregator":
            offers = chain.from_iterable(_bare(one)["hyperLogLogPlus"]["offers"] for one in values)
            return {SKETCH: {"hyperLogLogPlus": {"cardinality": len(set(offers))}}}
        case _:
            return None


def _bare(value: Any) -> Any:
    return next(iter(value.values())) if isinstance(value, Mapping) else value


def _dressed(value: Any, like: Any) -> Any:
    return {next(iter(like)): value} if isinstance(like, Mapping) else value
