"""Graphs of real Gaffer's test data, loaded and asked question by question: for tests only."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from lexigraph.errors import InternalError, LexigraphError, PropertyNotFound, UnsupportedError
from lexigraph.graph.write.add import Adder
from lexigraph.graph.write.delete import Deleter
from lexigraph.graph.write.rows.options import RowOptions
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.layout.write.sinks import Commit
from lexigraph.layout.write.writer import Writer
from lexigraph.plan import ELEMENT, Element, Keys, Scope, run
from lexigraph.schema import Schema
from lexigraph.schema.gaffer.json import schema_from_gaffer
from lexigraph.schema.validate import Validator
from lexigraph.security import ALL, Authorizations
from lexigraph.store import Engine, Mutations

from .deviations import names_unknown_property, repaired
from .gaffer_reader import ASKED, Asker, operations, read_element, simple_name
from .history import History
from .judging import agree, canon, mentions
from .repairs import Asked

Json = Mapping[str, Any]
OK, DECIDED = "same", "as decided"


class LoadedGraph:
    """One graph of Gaffer's, in an engine."""

    def __init__(self, case: Json, engine: Engine) -> None:
        self.case, self.history = case, History(case, self.ask)
        layout = "classic" if "Classic" in case.get("keyPackage", "") else "byte-entity"
        schema = schema_from_gaffer(case["schema"])
        self.stored = StoredGraph.create(engine, "g", schema, layout)
        self.asker = Asker(self.stored.schema)
        for batch in case["batches"]:
            self.add(batch)

    def add(self, elements: list[Json], *, skip_invalid: bool = False) -> None:
        adder = Adder(Writer(self.stored, Commit(self.stored, ALL)))
        adder.add(self._read(elements), options=RowOptions(skip_invalid=skip_invalid))

    def add_unchecked(self, elements: list[Json]) -> None:
        """Store elements that break rules, as Gaffer does when it is told not to look.

        A group of directed edges has no key for an undirected one; Gaffer hides it from the start.
        """
        stored, mutations = self.stored, Mutations()
        for element in self._read(elements):
            if stored.schema.group(element.group).directed not in (None, element.directed):
                continue
            fitting = Validator(stored.schema.group(element.group)).fit(element, [])
            for cell in stored.plan_of(element.group).encode(stored.layout.derive(fitting)):
                mutations.put(*cell[:3], cell.value, visibility=cell.visibility)
        stored.engine.write({stored.tables["elements"]: mutations})

    def _read(self, elements: list[Json]) -> list[Element]:
        return [read_element(one, self.stored.schema) for one in elements]

    def judge_all(self) -> Iterator[tuple[str, str, str]]:
        """Ask all questions in order; yield name, outcome and what was wrong."""
        for question in self.case["questions"]:
            chain = operations(question)
            if len(chain) == 1 and simple_name(chain[0]) in ASKED:
                yield (question["name"], *self.judge(question, chain[0]))
            elif question.get("mutates"):
                self.history.note(question, chain)
                self.change(question, chain)

    def scope(self, auths: Iterable[str]) -> Scope:
        """Return the view of a user with these authorizations."""
        asked = Authorizations(auths)
        return Scope(self.stored.engine, Keys(self.stored.layout), self.stored.tables, asked)

    def ask(self, operation: Json, auths: Iterable[str]) -> list[Any]:
        """Answer one operation in Gaffer's JSON."""
        found = self.asker.answer(operation, self.scope(auths))
        return list(json.loads(json.dumps(found)))

    def judge(self, question: Json, operation: Json) -> tuple[str, str]:
        """Ask one question; return ``same``, ``as decided`` or what is wrong, with a reason."""
        asked = Asked(self.history, question, operation)
        try:
            found = self.ask(operation, asked.auths)
        except UnsupportedError as error:
            return "not built", str(error)
        except InternalError as error:
            return "failed", repr(error)
        except LexigraphError as error:
            if asked.failed:
                return OK, ""
            named = isinstance(error, PropertyNotFound) and mentions(error, operation)
            if named and names_unknown_property(asked, operation):
                return DECIDED, "unknown names are refused"
            return "refused", repr(error)
        expected = question.get("expected") or []
        if not asked.failed and canon(expected) == canon(found):
            return OK, ""
        for reason, right in [("", expected)] * (not asked.failed) + repaired(asked, expected):
            if agree(right, found, self.history.facts):
                return DECIDED, reason
        return "differs", f"{len(expected)} expected, {len(found)} found: {expected} {found}"

    def change(self, question: Json, chain: list[Json]) -> None:
        """Run what changes the graph; what is refused leaves it as it was."""
        self.user = question["user"]["dataAuths"]
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
            scope = self.scope(self.user)
            asked = self.asker.elements(chain[0], scope)
            found = list(run(asked, scope).values(ELEMENT))
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


def _identity(element: Element, schema: Schema) -> Json:
    """Keep of an element its key alone: all that share it are meant."""
    group = schema.group(element.group)
    kept = {n: v for n, v in element.properties.items() if n in group.group_by}
    ids = {name: getattr(element, name) for name in group.ids}
    way = {} if element.directed is None else {"directed": element.directed}
    return {"group": element.group, **ids, **way, **kept}
