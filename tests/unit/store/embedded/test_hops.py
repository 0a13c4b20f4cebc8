"""Hops from Python: values in, values out, the same as following scans by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lexigraph.errors import InvalidOption, NotGranted, QueryTimeout
from lexigraph.keyplan import KeyPlan, StoredElement
from lexigraph.store import CellBatch, EmbeddedEngine, ScanSpec, TableSettings

PLAN: dict[str, Any] = {
    "version": 1,
    "rows": [
        {
            "kind": "edge",
            "directed": True,
            "matched": matched,
            "once": once,
            "parts": [
                {"field": first, "codec": "str", "form": "escaped"},
                {"const": {"hex": mark}},
                {"field": second, "codec": "str", "form": "escaped"},
                {"const": {"hex": mark}},
            ],
        }
        for matched, once, first, second, mark in (
            ("source", "always", "source", "destination", "0002"),
            ("destination", "never", "destination", "source", "0003"),
        )
    ],
    "family": [{"field": "group", "codec": "str", "form": "rest"}],
    "groups": {
        name: {"kind": "edge", "qualifier": [], "value": {"form": "none"}}
        for name in ("calls", "knows")
    },
}
EDGES = [
    ("a", "b", "calls", b""),
    ("b", "c", "calls", b""),
    ("c", "a", "calls", b""),
    ("b", "d", "calls", b"SECRET"),
    ("a", "e", "knows", b""),
    ("e", "f", "calls", b""),
]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[EmbeddedEngine]:
    plan = KeyPlan.parse(PLAN)
    with EmbeddedEngine(tmp_path, durability="relaxed") as engine:
        engine.create_table("edges", TableSettings(plans={"calls": PLAN}))
        for source, destination, group, label in EDGES:
            edge = StoredElement(
                "edge", group, {}, source=source, destination=destination, directed=True
            )
            cells = [cell._replace(visibility=label) for cell in plan.encode(edge)]
            engine.write({"edges": CellBatch.from_cells(cells)})
        yield engine


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["b", "e"]),
        ({"steps": 2}, ["c", "f"]),
        ({"steps": 2, "within": True}, ["b", "c", "e", "f"]),
        ({"steps": 2, "authorizations": ["SECRET"]}, ["c", "d", "f"]),
        ({"direction": "in"}, ["c"]),
        ({"direction": "both"}, ["b", "c", "e"]),
        ({"groups": "knows"}, ["e"]),
        ({"groups": ["calls"], "steps": 3}, []),
        ({"steps": 9}, []),
    ],
)
def test_hops_reach_what_edges_lead_to(
    engine: EmbeddedEngine, options: dict[str, Any], expected: list[str]
) -> None:
    assert list(engine.expand("edges", "calls", ["a"], **options)) == expected
    engine.compact("edges")
    assert list(engine.expand("edges", "calls", ["a"], **options)) == expected


def test_vertices_are_a_sequence(engine: EmbeddedEngine) -> None:
    found = engine.expand("edges", "calls", ["a"])
    assert (len(found), found[0], list(found[1:]), "e" in found) == (2, "b", ["e"], True)
    assert (repr(found), found.expanded) == ("Vertices(['b', 'e'])", 1)
    assert [found == other for other in (["b", "e"], found[:], ["b"], "be")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_snapshot_holds_for_hops_too(engine: EmbeddedEngine) -> None:
    with engine.snapshot() as before:
        plan = KeyPlan.parse(PLAN)
        edge = StoredElement("edge", "calls", {}, source="a", destination="z", directed=True)
        engine.write({"edges": CellBatch.from_cells(plan.encode(edge))})
        assert list(engine.expand("edges", "calls", ["a"], snapshot=before)) == ["b", "e"]
    assert list(engine.expand("edges", "calls", ["a"])) == ["b", "e", "z"]


def test_a_plan_of_the_scan_can_be_used(engine: EmbeddedEngine) -> None:
    spec = ScanSpec(plans={"mine": PLAN})
    assert list(engine.expand("edges", "mine", ["a"], spec=spec)) == ["b", "e"]


@pytest.mark.parametrize(
    "options",
    [{"plan": "cals"}, {"direction": "up"}, {"groups": 5}, {"groups": [5]}],
)
def test_mistakes_are_refused(engine: EmbeddedEngine, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        engine.expand("edges", **{"plan": "calls", "seeds": ["a"], **options})


def test_a_wrong_field_is_refused_without_seeds_too(engine: EmbeddedEngine) -> None:
    where = {"op": "exists", "field": "devise"}
    spec = ScanSpec(stages=[("filter", {"plan": "calls", "where": where})])
    with pytest.raises(InvalidOption, match="devise"):
        engine.expand("edges", "calls", [], spec=spec)


def test_hops_have_grants_and_limits_as_scans_have(engine: EmbeddedEngine, tmp_path: Path) -> None:
    with pytest.raises(QueryTimeout):
        engine.expand("edges", "calls", ["a"], timeout_s=1e-9)
    with EmbeddedEngine(tmp_path, grants=["A"]) as granted, pytest.raises(NotGranted):
        granted.expand("edges", "calls", ["a"], authorizations=["SECRET"])
