"""Annotations are read where the class is, also if its module is not registered."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import SchemaError
from lexigraph.schema import group_of

SOURCE = """
from __future__ import annotations
from datetime import date as Day
import lexigraph as lg

class Calls(lg.Edge, summary=True):
    source: str
    destination: str
    day: Day = lg.group_by()
    note: Later | None = lg.last()

Later = str
"""


def codecs(cls: Any) -> dict[str, str]:
    return {one.name: one.type.codec for one in group_of(cls).properties}


def test_a_file_that_is_loaded_without_being_registered(tmp_path: Path) -> None:
    file = tmp_path / "calls.py"
    file.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("a_module_nobody_registered", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert codecs(module.Calls) == {"day": "date", "note": "str"}
    with lg.open(":memory:", [module.Calls]) as graph:
        assert list(graph.schema.groups) == ["Calls"]


@pytest.mark.parametrize("name", [None, "nobody.registered.this", "json"])
def test_source_that_is_executed(name: str | None) -> None:
    space: dict[str, Any] = {} if name is None else {"__name__": name}
    exec(SOURCE, space)
    assert codecs(space["Calls"]) == {"day": "date", "note": "str"}


def test_a_type_that_is_nowhere_is_a_schema_error() -> None:
    space: dict[str, Any] = {"__name__": "nobody.registered.this"}
    exec(SOURCE.replace("Later = str", ""), space)
    with pytest.raises(SchemaError, match="class Calls cannot be read: name 'Later'"):
        lg.open(":memory:", [space["Calls"]])


@pytest.mark.parametrize("text", ["lg.Nowhere", "str | 5", "[][0]"])
def test_a_type_that_cannot_be_evaluated_is_a_schema_error(text: str) -> None:
    def declare() -> None:
        space: dict[str, Any] = {}
        exec(SOURCE.replace("Later | None", text), space)
        group_of(space["Calls"])

    with pytest.raises(SchemaError, match="cannot be read"):
        declare()


def test_a_class_made_by_a_call() -> None:
    made = type(
        "Made",
        (lg.Vertex,),
        {"__annotations__": {"id": "str"}, "__module__": "nobody.registered.this"},
        summary=True,
    )
    assert group_of(made).ids["vertex"].codec == "str"
