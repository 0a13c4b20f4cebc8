"""What is wrong with a schema in Gaffer's JSON, all of it at once.

Layer ``schema``. What Gaffer refuses is refused here for the same groups. Refused beyond that:
grouping by what is no property, labels that are no text or in the grouping, unknown parents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lexigraph.errors import SchemaError, nearest
from lexigraph.schema.gaffer.document import Document
from lexigraph.schema.gaffer.functions import AGGREGATORS, PREDICATES, find_function
from lexigraph.schema.gaffer.types import OBJECT, STRING, fits
from lexigraph.schema.gaffer.values import value_from_gaffer

IDENTIFIERS = {
    "VERTEX": "vertex",
    "SOURCE": "source",
    "DESTINATION": "destination",
    "DIRECTED": "directed",
    "MATCHED_VERTEX": "matched",
}
RESERVED = {*IDENTIFIERS, "ADJACENT_MATCHED_VERTEX", "GROUP"}
_NEEDED = {"entities": ("vertex",), "edges": ("source", "destination")}


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """One thing that is wrong: a stable code, the group, and what to read."""

    code: str
    group: str
    text: str

    def __str__(self) -> str:
        """Show group and text."""
        return f"{self.group}: {self.text}"


def problems(document: Document) -> Iterator[SchemaFault]:
    """Find everything that is wrong with a merged document.

    >>> print(*problems({"entities": {"E": {}}}))
    E: it has no 'vertex'
    """
    for name in document.get("edges", {}).keys() & document.get("entities", {}).keys():
        yield SchemaFault("shared-group", name, "it is a group of entities and of edges")
    for kind in ("entities", "edges"):
        for name, group in document.get(kind, {}).items():
            yield from _Group(document, kind, name, group).problems()


class _Group:
    def __init__(self, document: Document, kind: str, name: str, group: Document) -> None:
        self._types = document.get("types", {})
        self._label = document.get("visibilityProperty")
        self._siblings = document.get(kind, {})
        self._kind, self._name, self._group = kind, name, group
        self._properties = group.get("properties", {})

    def problems(self) -> Iterator[SchemaFault]:
        yield from self._parents()
        yield from self._ids()
        reserved = [name for name in self._properties if name in RESERVED]
        for name in reserved:
            yield self._problem("reserved-name", f"the name {name!r} is kept for an identifier")
        if reserved:
            return  # a name with two meanings: nothing else about this group can be judged
        for name, used in self._properties.items():
            if self._class_of(name) is None:
                known = used in self._types
                said = "has no class" if known else f"is not there{_near(used, self._types)}"
                yield self._problem("no-class", f"the type {used!r} of {name!r} {said}")
        yield from self._grouping()
        yield from self._aggregators()
        yield from self._rules()

    def _parents(self) -> Iterator[SchemaFault]:
        for name in self._group.get("parents", []):
            if name not in self._siblings:
                more = _near(name, self._siblings)
                yield self._problem("no-parent", f"its parent {name!r} is not there{more}")

    def _ids(self) -> Iterator[SchemaFault]:
        for name in _NEEDED[self._kind]:
            if name not in self._group:
                yield self._problem(f"no-{name}", f"it has no {name!r}")
        for name in ("vertex", "source", "destination", "directed"):
            used = self._group.get(name)
            if used is not None and "class" not in self._types.get(used, {}):
                yield self._problem("no-class", f"the type {used!r} of {name!r} has no class")

    def _grouping(self) -> Iterator[SchemaFault]:
        group_by = self._group.get("groupBy", [])
        if group_by and self._group.get("aggregate") is False:
            yield self._problem(
                "grouped-unmerged",
                "its elements do not merge, so it cannot have group-by properties",
            )
        for name in group_by:
            if name not in self._properties:
                more = _near(name, self._properties)
                yield self._problem("group-by-unknown", f"it has no property {name!r}{more}")
        if self._label in group_by:
            yield self._problem("group-by-label", "labels keep elements apart by themselves")
        java = self._class_of(self._label) if self._label in self._properties else None
        if java not in (None, STRING):
            yield self._problem("label-class", f"a label is text, not {java}")

    def _aggregators(self) -> Iterator[SchemaFault]:
        own = self._group.get("aggregateFunctions", [])
        covered = {name for one in own for name in one["selection"]}
        for one in own:
            yield from self._selected(one, "binaryOperator", "aggregator")
        for name in covered - self._properties.keys():
            yield self._problem(
                "unknown-property", f"it aggregates {name!r}, which it does not have"
            )
        for name, used in self._properties.items():
            function = self._types.get(used, {}).get("aggregateFunction")
            if name in covered:
                continue
            if function is not None:
                yield from self._fitting(AGGREGATORS, function, [name])
            elif self._group.get("aggregate") is not False and self._class_of(name):
                yield self._problem(
                    "no-aggregator", f"{name!r} needs an aggregator that says how its values merge"
                )

    def _rules(self) -> Iterator[SchemaFault]:
        for one in self._group.get("validateFunctions", []):
            yield from self._selected(one, "predicate", "rule")
        named = {**{n: self._group.get(n) for n in _NEEDED[self._kind]}, **self._properties}
        for name, used in named.items():
            for rule in self._types.get(used, {}).get("validateFunctions", []):
                yield from self._fitting(PREDICATES, rule, [name])

    def _selected(self, one: Document, role: str, what: str) -> Iterator[SchemaFault]:
        if role not in one:
            yield self._problem("no-function", f"a {what} on {one['selection']} has no function")
        elif role == "predicate":
            names = [IDENTIFIERS.get(name, name) for name in one["selection"]]
            yield from self._fitting(PREDICATES, one[role], names)
        elif all(name in self._properties for name in one["selection"]):
            yield from self._fitting(AGGREGATORS, one[role], one["selection"])

    def _fitting(self, table: Any, config: Document, names: list[str]) -> Iterator[SchemaFault]:
        function = find_function(table, config["class"], "a function")
        classes = [self._class_of(name) for name in names]
        simple = function.java.rpartition(".")[2]
        takes = function.takes or (OBJECT,) * max(1, len(classes))
        if len(classes) != len(takes):
            yield self._problem("wrong-type", f"{simple} takes {len(takes)} values, not {names}")
            return
        for name, java, wanted in zip(names, classes, takes, strict=True):
            if java is not None and not fits(java, wanted):
                yield self._problem(
                    "wrong-type", f"{simple} takes {wanted}, but {name!r} is {java}"
                )
        yield from self._controls(config, names, classes, simple)

    def _controls(
        self, config: Document, names: list[str], classes: list[str | None], simple: str
    ) -> Iterator[SchemaFault]:
        if simple not in ("IsMoreThan", "IsLessThan", "InRange"):
            return
        for option in ("value", "start", "end"):
            try:
                given = value_from_gaffer(config.get(option))[0]
            except SchemaError as error:
                yield self._problem("no-class", str(error))
                continue
            if given is not None and classes[0] is not None and given != classes[0]:
                yield self._problem(
                    "wrong-type", f"{simple} compares {names[0]!r}, a {classes[0]}, with a {given}"
                )

    def _class_of(self, name: str | None) -> str | None:
        used = self._properties.get(name, self._group.get(name) if name else None)
        found = self._types.get(used, {}).get("class") if isinstance(used, str) else None
        return str(found) if found else None

    def _problem(self, code: str, text: str) -> SchemaFault:
        return SchemaFault(code, self._name, text)


def _near(name: str, names: Iterable[str]) -> str:
    near = nearest(name, names)
    return f" (did you mean: {', '.join(near)}?)" if near else ""
