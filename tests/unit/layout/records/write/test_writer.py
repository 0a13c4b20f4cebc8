"""The writer: whole changes or none, and reading what is not written yet."""

from __future__ import annotations

from typing import Any

import pytest

from lexigraph.errors import CardinalityViolation, InvalidValue, MultiplicityViolation, UsageError
from lexigraph.layout.records.assembling.assembler import assemble
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.reading import RecordReading
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write.changes import (
    AddEdge,
    AddVertex,
    DeleteElement,
    GivenMetadata,
    GivenValue,
    Hide,
    PutValue,
    Relabel,
    SetMetadata,
)
from tests.unit.layout.records.write.world import World

ANN, BOB = VertexSubject("ann"), VertexSubject("bob")


def ann(*values: int) -> AddVertex:
    return AddVertex(id="ann", values=tuple(GivenValue(name="n", value=one) for one in values))


def knows(edge: int, label: str = "KNOWS", **more: Any) -> AddEdge:
    return AddEdge(id=edge, shape=EdgeShape(label, "ann", "bob"), **more)


def test_a_change_that_is_refused_writes_nothing() -> None:
    world = World()
    writer = world.writer(now=1)
    writer.take(ann(1))
    before, counted = writer.facts(1), writer.report.added_vertices
    with pytest.raises(CardinalityViolation):
        writer.take(ann(2, 3))
    assert (writer.facts(1), writer.report.added_vertices) == (before, counted)
    assert writer.report.updated == 0
    writer.take(ann(4))
    world.store(writer, 1)
    assert world.values("ann") == [("n", 4)]


def test_a_change_of_several_existences_is_refused_whole() -> None:
    world = World()
    world.commit(knows(1, "BORN"), knows(2, visibility=b"a"), at=1)
    world.commit(AddEdge(id=2, shape=EdgeShape("KNOWS", "eve", "bob"), visibility=b""), at=2)
    writer = world.writer(now=3)
    # The first existence could have the label, the second could not.
    with pytest.raises(MultiplicityViolation):
        writer.take(Relabel(edge=EdgeSubject(2), label="BORN"))
    assert writer.cells(3) == {}


def test_what_is_no_change_is_refused() -> None:
    with pytest.raises(UsageError, match="a change of records is needed, not 'ann'"):
        World().writer().take("ann")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        AddVertex(id=1, blind=True),
        AddVertex(id="ann", note=object()),
        AddVertex(id="ann", values=(GivenValue(name="n", value=object()),)),
        AddEdge(id=1, shape=EdgeShape("KNOWS", "ann", 2), blind=True),
        AddEdge(id=1, shape=EdgeShape("PAID", "ann", "bob", True, (("day", "x"),))),
        AddEdge(id=1, shape=EdgeShape("PAID", "ann", "bob", True, (("sum", object()),))),
        SetMetadata(subject=BOB, name="n", entry="s", value=object()),
        PutValue(
            subject=BOB,
            value=GivenValue(name="n", value=1, metadata=(GivenMetadata(key="s", value={}),)),
        ),
    ],
)
def test_what_cannot_be_stored_is_refused_before_the_commit(change: Any) -> None:
    world = World()
    world.commit(AddVertex(id="bob", values=(GivenValue(name="n", value=1),)), at=1)
    writer = world.writer(now=2)
    with pytest.raises(InvalidValue):
        writer.take(change)
    assert writer.cells(2) == {}


def test_the_row_of_an_edge_comes_before_its_references() -> None:
    writer = World().writer(now=1)
    writer.take(ann())
    writer.take(knows(1))
    assert list(writer.cells(1)) == ["edges", "vertices"]


def test_a_reader_sees_what_is_not_written_yet() -> None:
    world = World()
    world.commit(ann(1), AddVertex(id="bob"), knows(1), knows(2), at=1)
    writer = world.writer(now=2)
    for change in (
        PutValue(subject=ANN, value=GivenValue(name="n", value=2)),
        knows(3),
        Relabel(edge=EdgeSubject(2), label="LIKES"),
        DeleteElement(subject=EdgeSubject(1)),
        Hide(subject=BOB),
    ):
        writer.take(change)
    subjects = [ANN, BOB, *(EdgeSubject(one) for one in (1, 2, 3))]
    held = writer.records.many(subjects)
    references = [list(writer.records.references(one)) for one in ("ann", "bob")]
    kept = [list(writer.records.references("ann", "out", "LIKES"))]
    single = [writer.records.facts(one.subject) for one in references[0]]
    assert list(writer.records.many(one.subject for one in references[0]).values()) == list(
        {one.subject: facts for one, facts in zip(references[0], single, strict=True)}.values()
    )
    world.store(writer, 2)
    after = world.writer(now=3).records
    assert held == after.many(subjects)
    assert references == [list(after.references(one)) for one in ("ann", "bob")]
    assert kept == [list(after.references("ann", "out", "LIKES"))]
    assert single == [after.facts(one.subject) for one in references[0]]
    assert list(assemble(references[0], RecordReading())) == [
        one for one in world.read() if getattr(getattr(one, "subject", None), "vertex", 0) == "ann"
    ]


def test_a_note_goes_with_each_fact_that_has_an_event() -> None:
    writer = World().writer(now=1)
    value = GivenValue(name="n", value=1)
    writer.take(knows(1, values=(value,), note="why"))
    assert {one.note for one in writer.facts(1)} == {"why"}
    assert len(writer.facts(1)) == 4
    writer.take(DeleteElement(subject=EdgeSubject(1), note="gone"))
    assert {one.note for one in writer.facts(1)} == {"gone"}
