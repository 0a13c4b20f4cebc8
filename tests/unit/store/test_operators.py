"""An engine says before anything is read what it runs, and why it does not run the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lexigraph.errors import Closed, NotGranted, TableNotFound
from lexigraph.layout.records.assembling.native import prepare_records
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.rows import RecordRows
from lexigraph.security import Authorizations
from lexigraph.store import EmbeddedEngine, Engine, MemoryEngine, ScanSpec, TableSettings
from lexigraph.store.answers.frames import FrameColumn
from lexigraph.store.operators import (
    Declined,
    FollowEdges,
    ReadFrames,
    ReadRecords,
    ReadRows,
)
from lexigraph.store.stages.base import Stage
from lexigraph.store.stages.registry import register_stage
from tests.unit.store.embedded.test_hops import PLAN

SPEC = ScanSpec()
ENDS = dict.fromkeys(PLAN["groups"], "source")
COLUMN = FrameColumn("source", "text", ENDS)
RECORDS, _ = prepare_records(RecordRows(), "edges", RecordReading(Authorizations()))
OPERATORS: list[Any] = [
    ReadRows("edges"),
    ReadFrames("edges", SPEC, "calls", [COLUMN]),
    FollowEdges("edges", "calls"),
    ReadRecords("edges", RECORDS, [b"e"]),
]


class Everyone(Stage):
    """A stage that only Python knows."""

    name = "testing-everyone"
    default_priority = 70

    def scan(self, range: Any, families: Any) -> Iterator[Any]:
        return self.source.scan(range, families)


@pytest.fixture(params=["memory", "embedded"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    made: Engine = MemoryEngine() if request.param == "memory" else EmbeddedEngine(tmp_path)
    with made as engine:
        engine.create_table("edges", TableSettings(plans={"calls": PLAN}))
        yield engine


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda one: one.name)
def test_an_engine_runs_what_it_declares_and_says_why_it_does_not_run_the_rest(
    engine: Engine, operator: Any
) -> None:
    capabilities = engine.capabilities
    prepared = engine.prepare(operator)
    assert isinstance(prepared, Declined) == (operator.name not in capabilities.operators)
    if isinstance(prepared, Declined):
        assert prepared.reason.startswith(f"the {capabilities.engine} engine ")


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda one: one.name)
def test_mistakes_raise_and_are_never_a_reason(tmp_path: Path, operator: Any) -> None:
    with EmbeddedEngine(tmp_path, grants=["A"]) as engine:
        engine.create_table("edges", TableSettings(plans={"calls": PLAN}))
        asked: dict[str, Any] = {"authorizations": ["B"]}
        if hasattr(operator, "spec"):
            asked = {"spec": ScanSpec(authorizations=["B"])}
        with pytest.raises(NotGranted):
            engine.prepare(replace(operator, **asked))
        with pytest.raises(TableNotFound):
            engine.prepare(replace(operator, table="edgs"))
    with pytest.raises(Closed):
        engine.prepare(operator)


def test_what_only_python_knows_is_declined_with_the_reason(tmp_path: Path) -> None:
    register_stage(Everyone)
    spec = ScanSpec(stages=[("testing-everyone", {})])
    with EmbeddedEngine(tmp_path) as engine:
        engine.create_table("edges", TableSettings(plans={"calls": PLAN}))
        for operator in (
            ReadFrames("edges", spec, "calls", [COLUMN]),
            FollowEdges("edges", "calls", spec=spec),
        ):
            prepared = engine.prepare(operator)
            assert isinstance(prepared, Declined)
            assert "testing-everyone" in prepared.reason
        odd = ReadFrames("edges", SPEC, "calls", [FrameColumn("source", "colour", ENDS)])
        prepared = engine.prepare(odd)
        assert isinstance(prepared, Declined)
        assert "colour" in prepared.reason


def test_a_row_reader_goes_on_after_the_table_got_a_stage_of_python(tmp_path: Path) -> None:
    register_stage(Everyone)
    with EmbeddedEngine(tmp_path) as engine:
        engine.create_table("t").put("r", "f", "", "1")
        reader = engine.row_reader("t")
        before = reader.row(b"r")
        engine.configure_table("t", TableSettings(scan_stages=[("testing-everyone", {})]))
        assert reader.row(b"r") == engine.row_reader("t").row(b"r") == before
