"""A check of a graph finds records that do not fit together."""

from __future__ import annotations

import pytest

import lexigraph as lg
from lexigraph.store.checks import OK, PROBLEM, SKIPPED
from tests.unit.graph.records.cutting import CHANGES, DAY, cutting
from tests.unit.graph.records.graphs import Knows, Meets, Owns, Person


def steps(graph: lg.Graph) -> list[tuple[str, str]]:
    return [
        (one.state, one.what) for one in graph.admin.check_graph().steps if one.step == "records"
    ]


def test_what_fits_together_is_counted(graph: lg.Graph) -> None:
    graph.add([Person("ann", name="A"), Person("bob", name="B"), Owns("ann", "bob")])
    graph.vertex("ann").set("name", "N", visibility="x")
    assert steps(graph) == [(OK, "2 vertices, 1 edges")]
    assert graph.admin.check_graph().ok


def test_references_that_differ_are_a_problem(graph: lg.Graph) -> None:
    with cutting(graph._access.stored.engine, {0}):
        CHANGES["add"](graph)
    assert (PROBLEM, "edges whose references differ from their row: 'k'") in steps(graph)
    graph.admin.repair_half_edges()
    assert graph.admin.check_graph().ok


def test_edges_without_an_end_are_listed(graph: lg.Graph) -> None:
    graph.add([Person("ann", name="A"), Person("bob", name="B")])
    for number in range(5):
        graph.add_edge("ann", Meets, f"other-{number}", id=number)
    graph.add_edge("ann", Meets, "bob", id=9)
    what = "edges with an end that is not there as a vertex: 0, 1, 2, and 2 more"
    assert (OK, f"{what}; questions about edges find them") in steps(graph)
    assert graph.admin.check_graph().ok


def test_edges_that_no_writer_read_together_are_found(graph: lg.Graph) -> None:
    for name in ("x", "y"):
        writer = graph.session([name], role="writer")
        writer.add_edge("ann", Owns, f"car-{name}", id=name, visibility=name)
    found = [what for state, what in steps(graph) if state == PROBLEM]
    assert found == ["edges that their label does not allow together: 'x' and 'y'"]
    graph.edge("y").delete()
    assert graph.admin.check_graph().ok


@pytest.mark.parametrize("multiplicity", ["simple", "many2one", "one2many", "one2one"])
def test_every_multiplicity_is_judged_as_writers_are(path: str, multiplicity: str) -> None:
    class One(lg.Edge, multiplicity=multiplicity):
        source: str
        destination: str

    pairs = [("a", "b"), ("a", "c"), ("c", "b"), ("b", "a"), ("a", "a"), ("c", "c")]
    for other in pairs:
        with lg.open(":memory:", [One], authorizations=lg.ALL) as graph:
            graph.add_edge("a", One, "b", id=1, visibility="x")
            try:
                graph.add_edge(other[0], One, other[1], id=2, visibility="y")
                allowed = True
            except lg.errors.MultiplicityViolation:
                allowed = False
                graph.session(["y"], role="writer").add_edge(
                    other[0], One, other[1], id=2, visibility="y"
                )
            assert graph.admin.check_graph().ok == allowed


def test_several_values_of_a_single_property_are_found(path: str) -> None:
    class Thing(lg.Vertex):
        id: str
        colour: str | None = None

    with lg.open(path, authorizations=lg.ALL) as graph:
        graph.add_vertex("a", "Thing", colour=lg.value("red", key="k"))
        graph.vertex("a").set("colour", "blue", key="l")
        graph.add_vertex("b", "Thing", colour="red")
        graph.admin.evolve([Thing])
        found = [what for state, what in steps(graph) if state == PROBLEM]
    assert found == ["several values of a property that has one: vertex 'a': 'colour'"]


def test_limited_grants_read_nothing(graph: lg.Graph) -> None:
    graph.add([Knows("k", "ann", "bob", DAY)])
    limited = lg.open(graph._access.stored.engine, [Person], grants=["x"])
    assert [state for state, _ in steps(limited)] == [SKIPPED]


def test_a_limited_history_is_not_a_fault(path: str) -> None:
    class Rents(lg.Edge, history=lg.keep(versions=1)):
        id: str | None
        source: str
        destination: str
        rank: int = lg.sort_key()

    with lg.open(path, [Rents], authorizations=lg.ALL) as graph:
        for rank in (1, 2, 1, 3):
            graph.add([Rents("r", "ann", "flat", rank)])
        graph.edge("r").delete()
        graph.add([Rents("r", "ann", "house", 2)])
        graph.admin.compact()
        assert list(graph.admin.find_half_edges()) == []
        assert graph.admin.check_graph().ok
