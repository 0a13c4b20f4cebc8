"""Readers that decode packed batches in the client answer as the embedded engine does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.cells.batch import CellBatch
from lexigraph.codec import register, registry
from lexigraph.errors import (
    GroupNotFound,
    InvalidOption,
    InvalidValue,
    LexigraphError,
    NotGranted,
    QueryTimeout,
    TableNotFound,
)
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.keyplan.columns.frames import FrameColumn, FrameEnds
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine, ScanSpec, TableSettings
from lexigraph.store.operators import Declined, EdgeReader, FollowEdges, ReadFrames
from tests.unit.graph.test_unmerged_groups import Shade
from tests.unit.keyplan.frames import entries
from tests.unit.store.decoding import DecodingMemory
from tests.unit.store.embedded.test_hops import EDGES, PLAN

ODD = [("x\0y", "b", "calls", b""), ("a", "x\0y", "calls", b""), ("a\x01", "f", "calls", b"")]
COLUMNS = [
    FrameColumn("source", "text", {"calls": "source", "knows": "source"}),
    FrameColumn("to", "key", {"calls": "destination"}),
    FrameColumn("label", "text", {"calls": "visibility", "knows": "visibility"}),
]


@pytest.fixture
def engines(tmp_path: Path) -> Iterator[tuple[Engine, Engine]]:
    plan = KeyPlan.parse(PLAN)
    with EmbeddedEngine(tmp_path, durability="relaxed") as first, DecodingMemory() as second:
        for engine in (first, second):
            engine.create_table("edges", TableSettings(plans={"calls": PLAN}))
            for source, destination, group, label in (*EDGES, *ODD):
                edge = StoredElement(
                    "edge", group, {}, source=source, destination=destination, directed=True
                )
                cells = [cell._replace(visibility=label) for cell in plan.encode(edge)]
                engine.write({"edges": CellBatch.from_cells(cells)})
        yield first, second


def frames(engine: Engine, operator: ReadFrames, **options: Any) -> list[list[Any]]:
    reader = engine.prepare(operator)
    assert not isinstance(reader, Declined), reader.reason
    return entries(list(reader.frames(**options)), list(operator.columns))


def follow(engine: Engine, **options: Any) -> EdgeReader:
    reader = engine.prepare(FollowEdges("edges", "calls", **options))
    assert not isinstance(reader, Declined), reader.reason
    return reader


SPECS = [
    ScanSpec(),
    ScanSpec(authorizations=["SECRET"]),
    ScanSpec(
        stages=[
            ("filter", {"plan": "calls", "where": {"op": "eq", "field": "source", "value": "b"}})
        ]
    ),
    ScanSpec(stages=[("limit", {"cells": 3})]),
]


@pytest.mark.parametrize("spec", SPECS, ids=["all", "secret", "filtered", "limited"])
@pytest.mark.parametrize("native", [True, False, None])
@pytest.mark.parametrize("ends", [None, FrameEnds(turns=True, far_in=[b"b", b"d"])])
def test_frames_are_those_of_the_embedded_engine(
    engines: tuple[Engine, DecodingMemory],
    spec: ScanSpec,
    native: bool | None,  # noqa: FBT001
    ends: FrameEnds | None,
) -> None:
    embedded, memory = engines
    memory.native = native
    operator = ReadFrames("edges", spec, "calls", COLUMNS, ends)
    wanted = frames(embedded, operator)
    assert wanted[0]
    for rows in (1, 2, 100):
        assert frames(memory, operator, batch_rows=rows) == wanted


@pytest.mark.parametrize("direction", ["out", "in", "both"])
@pytest.mark.parametrize("groups", [None, ["calls"], "knows"])
@pytest.mark.parametrize("spec", SPECS[:3], ids=["all", "secret", "filtered"])
def test_edges_lead_where_they_lead_in_the_embedded_engine(
    engines: tuple[Engine, Engine], direction: str, groups: Any, spec: ScanSpec
) -> None:
    options = {"direction": direction, "groups": groups, "spec": spec}
    first, second = (follow(engine, **options) for engine in engines)
    everyone = sorted({end for source, to, *_ in (*EDGES, *ODD) for end in (source, to)})
    for seeds in (["a"], ["x\0y"], ["a\x01", "e"], everyone, []):
        assert second.neighbours(seeds) == first.neighbours(seeds)
        assert second.pairs(seeds) == first.pairs(seeds)
        for steps in (1, 2, 5):
            for within in (False, True):
                found = second.expand(seeds, steps=steps, within=within)
                wanted = first.expand(seeds, steps=steps, within=within)
                assert found == wanted
                assert found.expanded == wanted.expanded
    assert second.neighbours_of("a") == first.neighbours_of("a")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"direction": "up"}, InvalidOption),
        ({"groups": 5}, InvalidOption),
        ({"groups": ["cals"]}, GroupNotFound),
        ({"plan": "cals"}, InvalidOption),
        ({"table": "edgs"}, TableNotFound),
    ],
)
def test_mistakes_raise_before_anything_is_read(
    engines: tuple[Engine, Engine], options: dict[str, Any], error: type[LexigraphError]
) -> None:
    asked = {"table": "edges", "plan": "calls", **options}
    with pytest.raises(error):
        engines[1].prepare(FollowEdges(**asked))
    if "plan" in options or "table" in options:
        with pytest.raises(error):
            engines[1].prepare(ReadFrames(asked["table"], ScanSpec(), asked["plan"], COLUMNS))


def test_authorizations_and_time_limits_are_kept(engines: tuple[Engine, Engine]) -> None:
    with DecodingMemory(grants=["A"]) as engine:
        engine.create_table("edges", TableSettings(plans={"calls": PLAN}))
        spec = ScanSpec(authorizations=["SECRET"])
        for operator in (
            ReadFrames("edges", spec, "calls", COLUMNS),
            FollowEdges("edges", "calls", spec=spec),
        ):
            with pytest.raises(NotGranted):
                engine.prepare(operator)
    reader = follow(engines[1])
    with pytest.raises(QueryTimeout):
        reader.expand(["a"], steps=3, timeout_s=1e-9)
    with pytest.raises(InvalidValue):
        reader.expand(["a"], steps=0)


def test_what_the_core_does_not_know_is_declined_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_CODECS", dict(registry._CODECS))
    register(Shade())
    plan = KeyPlan.parse(PLAN).to_json()
    for row in plan["rows"]:
        for part in row["parts"]:
            if "codec" in part:
                part["codec"] = "shade"
    with DecodingMemory() as engine:
        engine.create_table("edges", TableSettings(plans={"calls": plan}))
        for operator in (
            ReadFrames("edges", ScanSpec(), "calls", COLUMNS),
            FollowEdges("edges", "calls"),
        ):
            prepared = engine.prepare(operator)
            assert isinstance(prepared, Declined)
            assert "shade" in prepared.reason
        limited = FollowEdges("edges", "calls", spec=ScanSpec(stages=[("limit", {"cells": 1})]))
        prepared = engine.prepare(limited)
        assert isinstance(prepared, Declined)
        assert "limit" in prepared.reason


class Call(lg.Edge, summary=True):
    source: str
    destination: str
    day: int = lg.group_by()
    count: int = lg.sum()
    places: set[str] = lg.set_of()


def test_tables_of_a_graph_are_those_of_memory() -> None:
    answers = []
    for made in (MemoryEngine, DecodingMemory):
        with made() as engine, lg.open(engine, [Call]) as graph:
            for number in range(30):
                graph.add(
                    Call(
                        source=f"a{number % 7}",
                        destination=f"b{number % 5}",
                        day=number % 3,
                        count=1,
                        places={f"p{number % 4}"},
                    )
                )
            table = graph.all(Call).to_arrow()
            near = graph.get("a1", "a2").edges(Call).to_arrow()
            hops = list(graph.hops("a1", Call, direction="both", steps=2))
            answers.append((table, near, hops, graph.all(Call).count()))
            wanted = {MemoryEngine: "cells", DecodingMemory: "frames"}[made]
            assert wanted in str(graph.all(Call).explain())
    assert answers[0][0].equals(answers[1][0])
    assert answers[0][1].equals(answers[1][1])
    assert answers[0][2:] == answers[1][2:]
