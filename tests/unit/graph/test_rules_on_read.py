"""Rules that reads do not ask again: told by explain, safe because every way to add asks them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lexigraph as lg
from lexigraph.errors import ValidationError
from lexigraph.graph import Graph
from lexigraph.layout.stored.catalogue import Catalogue
from lexigraph.store import Engine, MemoryEngine
from lexigraph.store.preferences import Preferences
from tests.unit.layout.engines import ENGINES


class Paid(lg.Edge, summary=True):
    source: str
    destination: str
    sum: int = lg.sum(check=[lg.this >= 0])
    most: int = lg.max(default=1, check=[lg.this < 100])
    count: int = lg.sum(default=1, check=[lg.rule(lg.this <= 3, remove=True)])


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with ENGINES[request.param]() as engine:
        yield engine


def frame(**values: Any) -> pa.Table:
    row = {"source": "a", "destination": "b", "sum": 1, "most": 1, "count": 1, **values}
    return pa.table({name: [value] for name, value in row.items()})


def in_transaction(graph: Graph, **values: Any) -> None:
    with graph.transaction() as writing:
        writing.add([Paid("a", "b", **values)])


WAYS: dict[str, Callable[..., Any]] = {
    "element": lambda graph, **values: graph.add([Paid("a", "b", **values)]),
    "mapping": lambda graph, **values: graph.add(
        [{"group": "Paid", "source": "a", "destination": "b", **values}]
    ),
    "frame": lambda graph, **values: graph.add(frame(**values), group=Paid),
    "load": lambda graph, **values: graph.load(frame(**values), group=Paid),
    "transaction": in_transaction,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("wrong", [{"sum": -1}, {"sum": 1, "most": 100}])
def test_every_way_to_add_asks_the_rules(engine: Engine, way: str, wrong: dict[str, int]) -> None:
    graph = lg.open(engine, [Paid])
    with pytest.raises(ValidationError, match="breaks the rule"):
        WAYS[way](graph, **wrong)
    assert sum(one.cells for one in graph.admin.stats().values()) == 0
    WAYS[way](graph, sum=1)
    assert graph.count() == 1


def asked(graph: Graph) -> list[tuple[str, str]]:
    found = graph.all(Paid).explain().find("rule")
    return [(one.facts["checked"], one.facts["because"]) for one in found]


def test_explain_says_which_rules_reads_ask(engine: Engine) -> None:
    graph = lg.open(engine, [Paid])
    kept = ("when added", "all elements were checked, and merging cannot break it")
    assert asked(graph) == [kept, kept, ("on read", "merging may break it")]
    assert "is sum >= 0" in str(graph.all(Paid).explain())
    settings = engine.settings("graph.elements")
    (rules,) = [one for one in settings.scan_stages if one.name == "filter"]  # type: ignore[union-attr]
    assert "'sum'" not in str(rules)
    assert "'count'" in str(rules)


def test_an_engine_that_does_not_validate_asks_none() -> None:
    class Trusting(MemoryEngine):
        preferences = Preferences(validates=False)

    with Trusting() as engine:
        graph = lg.open(engine, [Paid])
        assert {when for when, _ in asked(graph)} == {"when added"}
        assert asked(graph)[2][1] == "this engine leaves rules to those who add"


def forget_flags(engine: Engine) -> None:
    """Make the stored schema what versions before this one stored."""
    catalogue = Catalogue(engine)
    entry = catalogue.get("graph")
    group = entry.schema.group("Paid")
    rules = tuple(replace(one, remove=False, checked=False) for one in group.rules)
    schema = replace(entry.schema, groups={"Paid": replace(group, rules=rules)})
    catalogue.change("graph", entry, replace(entry, schema=schema))


def test_a_graph_of_before_asks_all_rules_and_takes_removal(engine: Engine) -> None:
    lg.open(engine, [Paid]).add([Paid("a", "b", sum=1)])
    forget_flags(engine)
    never = ("on read", "older elements may not have been checked")
    graph = lg.open(engine)
    assert asked(graph) == [never] * 3
    assert [rule.remove for rule in graph.schema.group("Paid").rules] == [False] * 3
    graph = lg.open(engine, [Paid])
    assert asked(graph) == [never] * 3
    assert [rule.remove for rule in graph.schema.group("Paid").rules] == [False, False, True]
    assert graph.count() == 1


def test_a_graph_of_before_is_read_without_being_changed(tmp_path: Path) -> None:
    with lg.open(tmp_path / "d", [Paid]) as graph:
        graph.add([Paid("a", "b", sum=1)])
        forget_flags(graph._access.engine)
    with lg.open(tmp_path / "d", [Paid], read_only=True) as graph:
        assert graph.count() == 1
        assert not any(rule.remove for rule in graph.schema.group("Paid").rules)
