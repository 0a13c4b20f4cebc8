"""Rows of tables under elements: real Vertexium's answers, on scenarios of such changes alone.

A difference must be one of ``ROWS`` in ``deviations.py``, and of exactly its size: rows of elements
that the caller does not see go from Vertexium's answer, and cells that it deletes for others than
the caller go from ours. Then both are equal, with their times.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import NotFoundError
from lexigraph.store import Engine, ManualClock, MemoryEngine
from tests.conformance.outside import count, outside
from tests.conformance.store.embedded_engines import Temporary
from tests.conformance.vertexium.answers import normal_visibility
from tests.conformance.vertexium.deviations import ROWS
from tests.conformance.vertexium.given import START, Ticks, read_value, show_value
from tests.conformance.vertexium.loaded import dump

FOLDER = outside("vertexium", "index.json").parent / "scenarios"
CHANGES = {
    *("addVertex", "addEdge", "mutate", "deleteExtendedDataRow", "dump"),
    *("softDeleteVertex", "deleteVertex"),
}
OPS = {"addExtendedData", "deleteExtendedData", "alterElementVisibility"}
Json = dict[str, Any]
Cells = Counter[str]


def scenarios() -> Iterator[tuple[str, list[Json]]]:
    """Yield the scenarios that ask about rows and change nothing but elements and rows."""
    for path in sorted(Path(FOLDER).glob("*.json")):
        steps = json.loads(path.read_bytes())["steps"]
        done = [one for one in steps if "do" in one]
        plain = all(
            one["do"] in CHANGES
            and "expected_error" not in one
            and {op["op"] for op in one.get("ops") or ()} <= OPS
            for one in done
        )
        if plain and any("xtended" in one.get("ask", "") for one in steps):
            yield path.stem, steps


FOUND = dict(scenarios())


class Rows:
    """A graph that does the steps, and what others than the deleter have left of deleted rows."""

    def __init__(self, graph: lg.Graph) -> None:
        self._graph, self._kept = graph, Counter[str]()

    def change(self, step: Json) -> None:
        what = step["do"]
        if what == "dump":
            return
        with self._graph.session(step["auths"], role="writer").transaction() as session:
            if what == "addVertex":
                session.add_vertex(step["id"], visibility=step["visibility"])
            elif what == "addEdge":
                ends = (step["out"], step["label"], step["in"])
                session.add_edge(*ends, id=step["id"], visibility=step["visibility"])
            handle = session.edge(step["id"]) if is_edge(step) else session.vertex(step["id"])
            if what in ("softDeleteVertex", "deleteVertex"):
                handle.delete(hard=what == "deleteVertex")
            if what == "deleteExtendedDataRow":
                handle.table(step["table"]).delete(step["row"], hard=True)
            for op in step.get("ops") or ():
                self._operate(handle, op)
        if what == "deleteExtendedDataRow":
            asked = {**step, "auths": None}
            self._kept += cells(self.rows(asked, [step["table"]], step["row"]))

    @staticmethod
    def _operate(handle: Any, op: Json) -> None:
        if op["op"] == "alterElementVisibility":
            handle.set_visibility(op["visibility"])
            return
        table, key, label = handle.table(op["table"]), op.get("key"), op["visibility"]
        if op["op"] == "addExtendedData":
            value = read_value(op["value"])
            table.set(op["row"], op["column"], value, key=key, visibility=label)
        else:
            table.delete(op["row"], op["column"], key=key or "", visibility=label, hard=True)

    def session(self, step: Json) -> Any:
        return self._graph if step["auths"] is None else self._graph.session(step["auths"])

    def handle(self, step: Json, id_: str) -> Any:
        session = self.session(step)
        return session.edge(id_) if is_edge(step) else session.vertex(id_)

    def rows(self, step: Json, tables: list[str] | None, row: str | None = None) -> list[Json]:
        """Return rows of an element; of all its tables, if none is named."""
        handle = self.handle(step, step["id"])
        found = []
        for name in handle.tables() if tables is None else tables:
            table = handle.table(name)
            for one in table.rows() if row is None else filter(None, [table.get(row)]):
                where = ["EDGE" if is_edge(step) else "VERTEX", step["id"], name, one.id]
                found.append({"row": where, "columns": [shown(x) for x in one.all_values()]})
        return found

    def left(self, found: list[Json]) -> Cells:
        """Return our cells without those that Vertexium has deleted for all."""
        return cells(found) - self._kept

    def seen(self, step: Json, theirs: list[Json]) -> list[Json]:
        """Return of Vertexium's rows those whose element the caller sees."""
        return [one for one in theirs if self.handle(step, one["row"][1]).exists()]


def is_edge(step: Json) -> bool:
    return step.get("element") == "edge" or "out" in step


def shown(value: Any) -> Json:
    return {
        **{"name": value.name, "key": value.key.decode(), "visibility": value.visibility},
        "timestamp": int(value.time.timestamp() * 1000),
        "value": show_value(value.value),
    }


def cells(rows: list[Json]) -> Cells:
    """Return the cells of rows, in our form or in Vertexium's."""
    found = []
    for row in rows:
        for one in row["columns"]:
            plain = {**one, "key": one["key"] or "", "value": show_value(read_value(one["value"]))}
            if "our int" in str(one["value"]):
                plain["value"] = one["value"]
            plain["visibility"] = normal_visibility(one["visibility"])
            found.append(dump([row["row"], plain]))
    return Counter(found)


def answer(graph: Rows, step: Json) -> tuple[bool, str | None] | None:
    """Return whether our answer is explained, and by what; ``None`` for other questions."""
    what, theirs = step["ask"], step.get("expected")
    tables = None if step.get("table") is None else [step["table"]]
    if what in ("extendedData", "elementExtendedData"):
        there = graph.handle(step, step["id"]).exists()
        if "expected_error" in step:
            return not there and "NotFound" in step["expected_error"]["class"], None
        seen, ours = graph.seen(step, theirs), graph.rows(step, tables)
    elif what in ("extendedDataRow", "extendedDataRows"):
        ids = step.get("rows") or [step["row"]]
        ours = [one for id_ in ids for one in graph.rows(step, tables, id_)]
        if "expected_error" in step:
            several = "rows found" in step["expected_error"]["message"]
            return several and len(ours) <= 1, "row of another id"
        listed = theirs if isinstance(theirs, list) else [one for one in [theirs] if one]
        exact = [one for one in listed if one["row"][3] in ids]
        if exact != listed:
            return graph.left(ours) == cells(graph.seen(step, exact)), "row of another id"
        theirs, seen = listed, graph.seen(step, listed)
    elif what == "extendedDataTableNames":
        names = graph.handle(step, step["id"]).tables()
        return names == theirs, None
    elif what == "extendedDataValue" and "key" in step:
        found = [
            one["value"]
            for row in graph.rows(step, tables, step["row"])
            for one in row["columns"]
            if (one["name"], one["key"]) == (step["column"], step["key"])
        ]
        there = graph.handle(step, step["id"]).exists()
        if "expected_error" in step:
            return not there and not found, "row without its element"
        return (theirs in found) == there, None if there else "row without its element"
    else:
        return None
    equal = graph.left(ours) == cells(seen)
    if seen != theirs:
        return equal, "row without its element"
    return equal, None if graph.left(ours) == cells(ours) else "deletes for all"


@pytest.fixture(params=["memory", "embedded"])
def clocked(request: pytest.FixtureRequest) -> Iterator[tuple[Engine, ManualClock]]:
    clock = ManualClock(START * 1000)
    memory = request.param == "memory"
    with MemoryEngine(clock=clock) if memory else Temporary(clock=clock) as engine:
        yield engine, clock


def test_there_are_scenarios() -> None:
    assert "s1_extended_data" in FOUND


@pytest.mark.parametrize("name", FOUND)
def test_rows_answer_as_vertexium_does(name: str, clocked: tuple[Engine, ManualClock]) -> None:
    engine, clock = clocked
    checked, reasons = 0, Counter[str]()
    with lg.open(engine, authorizations=lg.ALL) as made:
        graph = Rows(made)
        for number, step in enumerate(FOUND[name]):
            clock.micros = Ticks(number).server * 1000
            if "do" in step:
                graph.change(step)
                continue
            try:
                judged = answer(graph, step)
            except NotFoundError as error:
                judged = (False, str(error))
            if judged is not None:
                explained, why = judged
                assert explained, (number, step)
                checked += 1
                if why is not None:
                    reasons[ROWS[why]] += 1
    assert checked
    if isinstance(engine, MemoryEngine):
        for reason, times in reasons.items():
            count(f"vertexium deviates ({reason})", times)
