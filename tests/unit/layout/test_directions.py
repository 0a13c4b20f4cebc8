"""Every direction and kind, for every layout: the answers are those of the elements themselves."""

from __future__ import annotations

import pytest

from lexigraph.layout import ByteEntity, Classic, Layout, Wanted
from lexigraph.schema import Schema, ValueType
from tests.unit.layout.engines import ENGINES, memory
from tests.unit.layout.graphs import (
    NAMES,
    elements,
    make,
    matches,
    name_of,
    names_of,
    questions,
    read,
    schema,
)

LAYOUTS: dict[str, Layout] = {
    "byte-entity": ByteEntity(),
    "classic": Classic(),
    "byte-entity in shards": ByteEntity(shards=3),
    "classic in shards": Classic(shards=3, shard_by="duplicates"),
    "byte-entity in tables": ByteEntity(table_per_group=True),
}
ONLY_PYTHON: dict[str, Layout] = {
    "byte-entity short": ByteEntity(short_columns=True),
    "classic short": Classic(short_columns=True),
    "all at once": Classic(short_columns=True, shards=2, table_per_group=True),
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "place" in metafunc.fixturenames:
        both = [(name, engine) for name in LAYOUTS for engine in ENGINES]
        metafunc.parametrize("place", [*both, *((name, "memory") for name in ONLY_PYTHON)])


def test_around_a_vertex(place: tuple[str, str]) -> None:
    layout, engine_name = {**LAYOUTS, **ONLY_PYTHON}[place[0]], place[1]
    of, given = schema(), elements()
    with ENGINES[engine_name]() as engine:
        bound = make(engine, layout, of, given)
        for wanted in questions(of):
            for vertex in NAMES:
                found = read(engine, bound, bound.around([vertex], wanted))
                expected = {name_of(one) for one in given if matches(one, vertex, wanted)}
                assert names_of(found) == expected, (wanted, vertex)
                assert len(found) == len(expected), (wanted, vertex)


def test_between_two_vertices(place: tuple[str, str]) -> None:
    layout, engine_name = {**LAYOUTS, **ONLY_PYTHON}[place[0]], place[1]
    of, given = schema(), elements()
    with ENGINES[engine_name]() as engine:
        bound = make(engine, layout, of, given)
        for wanted in questions(of):
            for pair in (("a", "b"), ("b", "a"), ("a", "a"), ("", "a\x00")):
                found = read(engine, bound, bound.edges_between([pair], wanted))
                expected = {
                    name_of(one)
                    for one in given
                    if one.kind == "edge"
                    and wanted.edges
                    and one.group in wanted.groups
                    and wanted.directed in (None, one.directed)
                    and ((one.source, one.destination) == pair)
                    | (not one.directed and (one.destination, one.source) == pair)
                }
                assert names_of(found) == expected, (wanted, pair)
                assert len(found) == len(expected), (wanted, pair)


def test_a_range_of_vertices(place: tuple[str, str]) -> None:
    layout, engine_name = {**LAYOUTS, **ONLY_PYTHON}[place[0]], place[1]
    of, given = schema(), elements()
    with ENGINES[engine_name]() as engine:
        bound = make(engine, layout, of, given)
        for wanted in questions(of):
            for start, end in (("", "b"), ("a", "a\x00"), ("b", "a\x00"), ("a\x01", "zz")):
                found = read(engine, bound, bound.within(start, end, wanted))
                inside = [name for name in NAMES if min(start, end) <= name <= max(start, end)]
                expected = {
                    name_of(one)
                    for one in given
                    if any(matches(one, vertex, wanted) for vertex in inside)
                }
                assert names_of(found) == expected, (wanted, start, end)


def test_everything(place: tuple[str, str]) -> None:
    layout, engine_name = {**LAYOUTS, **ONLY_PYTHON}[place[0]], place[1]
    of, given = schema(), elements()
    with ENGINES[engine_name]() as engine:
        bound = make(engine, layout, of, given)
        for wanted in questions(of):
            found = read(engine, bound, bound.everything(wanted))
            kinds = {"vertex": wanted.vertices, "edge": wanted.edges}
            expected = [
                one
                for one in given
                if one.group in wanted.groups
                and kinds[one.kind]
                and (one.kind == "vertex" or wanted.directed in (None, one.directed))
            ]
            assert names_of(found) == names_of(expected), wanted
            assert sum(one.once for one in found) == len(expected), wanted


@pytest.mark.parametrize("layout", [ByteEntity(fixed_length=True), Classic(fixed_length=True)])
@pytest.mark.parametrize("engine_name", ENGINES)
def test_rows_of_a_fixed_length(layout: Layout, engine_name: str) -> None:
    ids = (0, 1, -1, 256, 2**63 - 1)
    of, given = schema(ValueType("int", bits=64)), elements(ids)
    with ENGINES[engine_name]() as engine:
        bound = make(engine, layout, of, given)
        for wanted in questions(of):
            for vertex in ids:
                found = read(engine, bound, bound.around([vertex], wanted))
                expected = {name_of(one) for one in given if matches(one, vertex, wanted)}
                assert names_of(found) == expected, (wanted, vertex)
            found = read(engine, bound, bound.within(0, 2**63 - 1, wanted))
            assert names_of(found) == {
                name_of(one)
                for one in given
                if any(matches(one, vertex, wanted) for vertex in (0, 1, 256, 2**63 - 1))
            }


def test_a_directed_edge_to_itself_does_not_come_in() -> None:
    of = schema()
    loop = [one for one in elements(["a"]) if one.group == "calls"]
    for layout in LAYOUTS.values():
        with memory() as engine:
            bound = make(engine, layout, of, loop)
            for direction, count in (("out", 1), ("in", 0), ("both", 1)):
                wanted = Wanted(frozenset({"calls"}), direction=direction)
                assert len(read(engine, bound, bound.around(["a"], wanted))) == count


def test_a_question_about_no_kind_of_row_looks_nowhere() -> None:
    bound = ByteEntity().bind(schema())
    assert bound.around(["a"], Wanted(frozenset({"person"}), vertices=False)) == []
    assert bound.everything(Wanted(frozenset({"calls"}), directed=False)) == []
    assert bound.within("a", "b", Wanted(frozenset({"knows"}), edges=False)) == []
    assert bound.edges_between([("a", "b")], Wanted(frozenset({"person"}))) == []


def test_ids_of_several_types_describe_themselves() -> None:
    of = schema()
    other = schema(ValueType("int")).groups["person"]
    mixed = Schema({**of.groups, "person": other})
    people = [one for one in elements([1, 2]) if one.kind == "vertex"]
    edges = [one for one in elements() if one.kind == "edge"]
    with memory() as engine:
        bound = make(engine, Classic(), mixed, people + edges)
        wanted = Wanted(frozenset(mixed.groups))
        assert names_of(read(engine, bound, bound.around([1], wanted))) == {name_of(people[0])}
        found = read(engine, bound, bound.around(["a"], wanted))
        assert names_of(found) == {name_of(one) for one in edges if matches(one, "a", wanted)}
