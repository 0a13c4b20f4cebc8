"""What Gaffer's answer would be without one of its decided defects: for tests only.

A repair makes of Gaffer's own answers (to this question, or to others about the same graph) and of
what was written the answer that is right. So a question that is answered otherwise is still judged
to the last property.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any

from .gaffer_reader import operations
from .gaffer_view import simple_name
from .judging import SKETCH, dump, identity

Json = Mapping[str, Any]
Answer = list[Any]


class History:
    """What was loaded, asked and changed up to a question."""

    def __init__(self, case: Json) -> None:
        self.case = case
        self.changes: list[tuple[Json, Json]] = []
        """Operations that change, each with its question."""

    def note(self, question: Json, chain: Iterable[Json]) -> None:
        """Remember what a question changes."""
        self.changes += [(operation, question) for operation in chain]

    @property
    def loaded(self) -> Answer:
        """All elements that were loaded at first."""
        return [one for batch in self.case["batches"] for one in batch]

    def added(self) -> Answer:
        """Give the elements of the newest add."""
        adds = [one for one, _ in self.changes if simple_name(one) == "AddElements"]
        return list(adds[-1].get("input") or ())

    def deleted(self) -> set[str]:
        """Give the identities of all elements that were named to deletes, or handed on to them."""
        found: set[str] = set()
        named: Answer = []
        for operation, _ in self.changes:
            if simple_name(operation) == "DeleteElements":
                found |= {identity(one) for one in operation.get("input") or named}
            elif simple_name(operation).startswith("Get"):
                groups = {name for part in operation["view"].values() for name in part}
                seeds = [seed["vertex"] for seed in operation.get("input") or ()]
                there = [one for one in self.answer("before") if one["group"] in groups]
                named = [one for one in there if not seeds or one.get("vertex") in seeds]
        return found

    def key(self, element: Json) -> str:
        """Give which element it is, with what its group is grouped by."""
        part = "entities" if "vertex" in element else "edges"
        names = self.case["schema"][part][element["group"]].get("groupBy", ())
        return identity(element) + dump({name: element["properties"].get(name) for name in names})

    def answer(self, name: str, kind: str = "expected") -> Answer:
        """Give what Gaffer answered to another question, or its memory store did."""
        [found] = [one for one in self.case["questions"] if one["name"] == name]
        return list((found if kind == "expected" else found["map"])["expected"])


def added_again(history: History, operation: Json, expected: Answer) -> Answer:
    """What was deleted before stays deleted in Gaffer, however often it is added."""
    seeds = [seed["vertex"] for seed in operation.get("input") or ()]
    added = history.added()
    again = list(_touching(added, lambda vertex: vertex in seeds)) if seeds else added
    there = {history.key(one) for one in expected}
    return [*expected, *(one for one in again if history.key(one) not in there)]


def exactly_deleted(history: History, operation: Json, expected: Answer) -> Answer:
    """Gaffer's delete leaves what has a label."""
    return [one for one in expected if identity(one) not in history.deleted()]


def around(history: History, operation: Json, expected: Answer) -> Answer:
    """Find the elements at some vertices among all, as a question with good seeds would."""
    seeds = [str(seed["vertex"]) for seed in operation["input"]]
    return list(_touching(history.answer("all"), lambda vertex: _bare(vertex) in seeds))


def by_size(history: History, operation: Json, expected: Answer) -> Answer:
    """Find the elements in a range of numbers among all; Gaffer goes by their bytes."""
    found: Answer = []
    for pair in operation["input"]:
        ends = [next(iter(pair[end].values()))["vertex"] for end in ("first", "second")]
        low, high = sorted(map(float, ends))
        found += _touching(
            history.answer("all"), lambda vertex, a=low, b=high: a <= float(_bare(vertex)) <= b
        )
    return found


def any_group_by(history: History, operation: Json, expected: Answer) -> Answer:
    """Gaffer's memory store takes any group-by; of its answer about all, what touches the seeds."""
    seeds = [seed["vertex"] for seed in operation["input"]]
    everything = history.answer("all_view_groupby_not_prefix", "map")
    return list(_touching(everything, lambda vertex: vertex in seeds))


def as_without_it(history: History, operation: Json, expected: Answer) -> Answer:
    """An authorization that satisfies no label shows what none would."""
    return history.answer("all_none")


def by_order(history: History, operation: Json, expected: Answer) -> Answer:
    """First and last over all days, in the order in which elements were added."""
    found = []
    for one in expected:
        parts = [part["properties"] for part in history.loaded if identity(part) == identity(one)]
        ends = {"first": parts[0]["first"], "last": parts[-1]["last"]}
        found.append({**one, "properties": {**one["properties"], **ends}})
    return found


def true_counts(history: History, operation: Json, expected: Answer) -> Answer:
    """Count what was offered to sketches; in Gaffer's 32 registers values fall together."""
    found = []
    for one in expected:
        sketch = {name for name, value in one["properties"].items() if SKETCH in dump(value)}
        parts = [
            part["properties"]
            for part in history.loaded
            if identity(part) == identity(one)
            and set(_tags(part["properties"])) <= set(_tags(one["properties"]))
        ]
        counts = {}
        for name in sketch:
            given = [part[name][SKETCH]["hyperLogLogPlus"]["offers"] for part in parts]
            true = len(set(chain.from_iterable(given)))
            counts[name] = {SKETCH: {"hyperLogLogPlus": {"cardinality": true}}}
        found.append({**one, "properties": {**one["properties"], **counts}})
    return found


def _tags(properties: Json) -> list[str]:
    return list(properties.get("edgeGroup", {}).get("java.util.TreeSet", ()))


def given_flags(history: History, operation: Json, expected: Answer) -> Answer:
    """Gaffer takes a missing flag for false; take those that were given."""
    found = []
    for one in expected:
        flags = [
            part["properties"]["ok"]
            for part in history.loaded
            if part.get("vertex") == one.get("vertex") and "ok" in part["properties"]
        ]
        kept = {name: value for name, value in one["properties"].items() if name != "ok"}
        found.append({**one, "properties": {**kept, **({"ok": all(flags)} if flags else {})}})
    return found


def given_alone(history: History, operation: Json, expected: Answer) -> Answer:
    """Gaffer finds a missing property; keep elements that were given it."""
    [steps] = operation["view"]["entities"].values()
    [name] = steps["preAggregationFilterFunctions"][0]["selection"]
    given = [
        (one.get("vertex"), one["properties"].get("day"))
        for one in history.loaded
        if name in one["properties"]
    ]
    return [one for one in expected if (one.get("vertex"), one["properties"].get("day")) in given]


def without_nulls(history: History, operation: Json, expected: Answer) -> Answer:
    """Gaffer stores a null vertex as "", and a null end fails a whole add.

    Ours refuses what is null: alone where invalid elements are skipped, with its batch otherwise.
    """
    more = 0
    for one, question in history.changes:
        given = one.get("input") or ()
        if simple_name(one) == "AddElements" and any(map(_is_null, given)):
            good = sum(not _is_null(element) for element in given)
            more += good if one["skipInvalidElements"] else 0
            more -= 0 if "expected_error" in question else good
    found = []
    for one in expected:
        if one.get("vertex") == "":
            continue
        if one.get("vertex") == "vele" and one["group"] == "Ent":
            count = {"java.lang.Long": one["properties"]["count"]["java.lang.Long"] + more}
            score = one["properties"]["score"] + more
            one = {**one, "properties": {**one["properties"], "count": count, "score": score}}
        found.append(one)
    return found


def _is_null(element: Json) -> bool:
    ids = ("vertex",) if simple_name(element) == "Entity" else ("source", "destination")
    return any(element.get(name) is None for name in (*ids, "group"))


def as_before(history: History, operation: Json, expected: Answer) -> Answer:
    """What was refused changed nothing: as the newest answer about everything says."""
    newest: Answer = []
    for question in history.case["questions"]:
        chain = operations(question)
        if chain == [operation]:
            break
        if [simple_name(one) for one in chain] == ["GetAllElements"] and "expected" in question:
            newest = question["expected"]
    seeds = [seed["vertex"] for seed in operation["input"]]
    return list(_touching(newest, lambda vertex: vertex in seeds))


def _touching(elements: Answer, inside: Callable[[Any], bool]) -> Iterable[Json]:
    """Give elements as a question about some vertices does: edges by each end that is inside."""
    for one in elements:
        if "vertex" in one:
            if inside(one["vertex"]):
                yield one
            continue
        for end in ("source", "destination"):
            is_loop = end == "destination" and one["source"] == one["destination"]
            if inside(one[end]) and not is_loop:
                yield {**one, "matchedVertex": end.upper()}


def _bare(vertex: Any) -> str:
    return str(next(iter(vertex.values())) if isinstance(vertex, Mapping) else vertex)


Repair = Callable[[History, Json, Answer], Answer]
REPAIRS: dict[str, tuple[Repair, str]] = {
    "added again": (added_again, "same"),
    "exactly deleted": (exactly_deleted, "labels"),
    "seeds of any width": (around, "same"),
    "numbers by size": (by_size, "same"),
    "any group-by": (any_group_by, "same"),
    "as without it": (as_without_it, "labels"),
    "true counts": (true_counts, "sketches"),
    "by order": (by_order, "same"),
    "given flags": (given_flags, "order of texts"),
    "given texts alone": (given_alone, "order of texts"),
    "given alone": (given_alone, "absent, empty parts"),
    "without nulls": (without_nulls, "same"),
    "as before": (as_before, "same"),
}
"""What is made of Gaffer's answer, and how ours may still differ from that."""
