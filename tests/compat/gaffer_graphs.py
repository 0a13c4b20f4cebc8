"""Graphs of real Gaffer's test data, loaded and asked question by question: for tests only."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from lexigraph.errors import InternalError, LexigraphError, PropertyNotFound, UnsupportedError
from lexigraph.graph.add import Adder
from lexigraph.graph.delete import Deleter
from lexigraph.graph.stored import StoredGraph
from lexigraph.plan import Element, Keys, Scope, iter_elements
from lexigraph.schema import Schema
from lexigraph.schema.gaffer_json import schema_from_gaffer
from lexigraph.schema.validate import Validator
from lexigraph.security import ALL, Authorizations
from lexigraph.store import Engine, Mutations

from .gaffer_reader import ASKED, Asker, operations, read_element, simple_name
from .judging import RELATIONS, agree, mentions
from .repairs import REPAIRS, History

Json = Mapping[str, Any]
OK = "same"


class LoadedGraph:
    """One graph of Gaffer's, in an engine."""

    def __init__(
        self, case: Json, engine: Engine, deviations: list[tuple[str, str, list[str]]]
    ) -> None:
        self.deviations = deviations
        self.case, self.history = case, History(case)
        layout = "classic" if "Classic" in case.get("keyPackage", "") else "byte-entity"
        schema = schema_from_gaffer(case["schema"])
        self.stored = StoredGraph.create(engine, "g", schema, layout)
        self.asker = Asker(self.stored.schema)
        for batch in case["batches"]:
            self.add(batch)

    def add(self, elements: list[Json], *, skip_invalid: bool = False) -> None:
        adder = Adder(self.stored, self.stored.engine.write)
        adder.add(self._read(elements), skip_invalid=skip_invalid)

    def add_unchecked(self, elements: list[Json]) -> None:
        """Store elements that break rules, as Gaffer does when it is told not to look.

        A group of directed edges has no key for an undirected one; Gaffer hides it from the start.
        """
        stored, mutations = self.stored, Mutations()
        for element in self._read(elements):
            if stored.schema.group(element.group).directed not in (None, element.directed):
                continue
            fitting = Validator(stored.schema.group(element.group)).fit(element, [])
            for cell in stored.plan.encode(stored.layout.derive(fitting)):
                mutations.put(*cell[:3], cell.value, visibility=cell.visibility)
        stored.engine.write({stored.tables["elements"]: mutations})

    def _read(self, elements: list[Json]) -> list[Element]:
        return [read_element(one, self.stored.schema) for one in elements]

    def judge_all(self) -> Iterator[tuple[str, str, str]]:
        """Ask all questions in order; give name, outcome and what was wrong."""
        for question in self.case["questions"]:
            chain = operations(question)
            if len(chain) == 1 and simple_name(chain[0]) in ASKED:
                yield (question["name"], *self.judge(question, chain[0]))
            elif question.get("mutates"):
                self.history.note(question, chain)
                self.change(chain)

    def scope(self, question: Json) -> Scope:
        """Give the view of a question's user."""
        asked = Authorizations(question["user"]["dataAuths"])
        return Scope(self.stored.engine, Keys(self.stored.layout), self.stored.tables, asked)

    def judge(self, question: Json, operation: Json) -> tuple[str, str]:
        """Ask one question; give ``same``, the name of a deviation, or ``wrong`` with a reason."""
        try:
            scope = self.scope(question)
            found: Any = json.loads(json.dumps(self.asker.answer(operation, scope)))
        except UnsupportedError as error:
            return "not built", str(error)
        except InternalError as error:
            return "failed", repr(error)
        except LexigraphError as error:
            if "expected_error" in question:
                return OK, ""
            named = isinstance(error, PropertyNotFound) and mentions(error, operation)
            return "refused by name" if named else "refused", repr(error)
        if "expected_error" in question:
            other = question.get("map")
            if isinstance(other, Mapping) and agree(other.get("expected", ()), found):
                return "no error, as in memory", ""
        else:
            for relation in RELATIONS:
                if agree(question["expected"], found, relation):
                    return relation, ""
        return self._judge_repaired(question, operation, found)

    def _judge_repaired(self, question: Json, operation: Json, found: Any) -> tuple[str, str]:
        listed = {name: why for why, _, names in self.deviations for name in names}
        expected = question.get("expected") or []
        if listed.get(question["name"]) in REPAIRS:
            repair, relation = REPAIRS[listed[question["name"]]]
            if agree(repair(self.history, operation, expected), found, relation):
                return listed[question["name"]], ""
        return "differs", f"{len(expected)} expected, {len(found)} found"

    def change(self, chain: list[Json]) -> None:
        """Run what changes the graph; what is refused leaves it as it was."""
        try:
            for operation in chain:
                change = self._changes.get(simple_name(operation))
                if change is not None:
                    change(self, operation, chain)
        except LexigraphError:
            return

    def _add(self, operation: Json, chain: list[Json]) -> None:
        given = operation.get("input")
        if given is None and simple_name(chain[0]) == "GenerateElements":
            given = [json.loads(one) for one in chain[0]["input"]]
        if operation.get("validate", True):
            self.add(given or [], skip_invalid=operation.get("skipInvalidElements", False))
        else:
            self.add_unchecked(given or [])

    def _name_view(self, operation: Json, chain: list[Json]) -> None:
        if operation["name"] not in self.asker.views or operation.get("overwriteFlag"):
            self.asker.views[operation["name"]] = operation

    def _forget_view(self, operation: Json, chain: list[Json]) -> None:
        self.asker.views.pop(operation["name"], None)

    def _delete(self, operation: Json, chain: list[Json]) -> None:
        given = operation.get("input")
        if given is None and simple_name(chain[0]) not in ASKED:
            return
        if given is None:
            scope = self.scope(self.case["questions"][0])
            asked = self.asker.elements(chain[0], scope)
            found = list(iter_elements(asked, scope))
        else:
            found = self._read(given)
        Deleter(self.stored, ALL).delete([_identity(one, self.stored.schema) for one in found])

    def _clear(self, operation: Json, chain: list[Json]) -> None:
        self.stored.clear()

    _changes: dict[str, Callable[[LoadedGraph, Json, list[Json]], None]] = {
        "AddElements": _add,
        "AddNamedView": _name_view,
        "DeleteNamedView": _forget_view,
        "DeleteAllData": _clear,
        "DeleteElements": _delete,
    }


def _identity(element: Element, schema: Schema) -> Element:
    """Keep of an element what says which one it is."""
    group = schema.group(element.group)
    kept = {n: v for n, v in element.properties.items() if n in group.group_by}
    return replace(element, properties=kept)
