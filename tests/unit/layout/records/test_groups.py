"""What record groups of a schema say."""

from __future__ import annotations

from datetime import date

import pytest

import lexigraph as lg
from lexigraph.errors import UnsupportedError, UsageError
from lexigraph.layout.records.facts import EdgeShape
from lexigraph.layout.records.groups import NO_GROUPS, RecordGroups
from lexigraph.layout.records.rows import SortField
from lexigraph.layout.records.subjects import OUT, EdgeSubject, ReferenceSubject, VertexSubject
from lexigraph.schema import declare, schema_of
from lexigraph.schema.model import History
from lexigraph.schema.records import keep
from lexigraph.types import Many

VERTEX, EDGE = VertexSubject("ann"), EdgeSubject("e")
REFERENCE = ReferenceSubject("ann", OUT, "Knows", (), "bob", "e")


class Person(lg.Vertex, history=keep(days=3)):
    id: str
    name: str
    emails: Many[str] = ()  # type: ignore[assignment]


class Worker(lg.Vertex, history=keep(days=5)):
    id: str
    name: str


class Knows(lg.Edge, multiplicity="simple", unidirected=True, history=keep(days=1)):
    source: str
    destination: str
    since: date = declare.sort_key(descending=True)
    weight: float = declare.signature()


class Likes(lg.Edge):
    source: str
    destination: str


class Count(lg.Vertex, summary=True):
    id: int
    total: int = lg.sum()


GROUPS = RecordGroups.of(schema_of([Person, Worker, Knows, Likes, Count]))


def test_labels_of_edges_have_their_shape_and_multiplicity() -> None:
    knows = GROUPS.edge("Knows")
    assert knows.sort_key == (SortField("since", "date", descending=True),)
    assert (knows.signature, knows.multiplicity, knows.unidirected) == (
        ("weight",),
        "simple",
        True,
    )
    assert knows.shape_names == ("since", "weight")
    assert GROUPS.edge("Likes").multiplicity == "multi"
    assert GROUPS.rows().sort_keys == {"Knows": knows.sort_key}


def test_a_label_that_nobody_declared_is_free() -> None:
    for groups in (GROUPS, NO_GROUPS, RecordGroups.of(None)):
        assert groups.edge("ELSE").shape_names == ()


def test_summary_groups_do_not_count() -> None:
    assert GROUPS.vertex_codec == "str"
    assert "Count" not in GROUPS.edges
    assert GROUPS.cardinality(VERTEX, "total") is None
    assert RecordGroups.of(schema_of([Person]), vertex_codec="any").vertex_codec == "any"
    assert NO_GROUPS.vertex_codec == "any"


def test_cardinalities_are_those_of_vertices_or_of_edges() -> None:
    assert GROUPS.cardinality(VERTEX, "emails") == "list"
    assert GROUPS.cardinality(VERTEX, "name") == "single"
    assert GROUPS.cardinality(EDGE, "name") is None


def test_a_property_has_the_longest_history_of_the_classes_that_declare_it() -> None:
    kept = GROUPS.retention(VERTEX)
    assert kept.history == History(5, None)
    assert (kept.names["name"], kept.names["emails"]) == (History(5, None), History(3, None))


def test_a_class_that_keeps_everything_is_the_longest_and_references_are_kept_like_edges() -> None:
    for subject in (EDGE, REFERENCE):
        assert GROUPS.retention(subject).history is None
        assert RecordGroups.of(schema_of([Knows])).retention(subject).history == History(1, None)


def test_values_of_a_shape_are_split_into_sort_key_and_signature() -> None:
    knows = GROUPS.edge("Knows")
    shape = EdgeShape("Knows", "ann", "bob", True, (("weight", 0.5),))
    assert knows.sort_values(shape) == (None,)
    assert knows.signature_of(shape) == (("weight", 0.5),)
    with pytest.raises(UsageError, match=r"'wheight' is not in the sort key.*mean: weight"):
        knows.check_shape(EdgeShape("Knows", "ann", "bob", True, (("wheight", 0.5),)))


@pytest.mark.parametrize("multiplicity", ["one2many", "one2one"])
def test_what_cannot_be_checked_is_refused(multiplicity: str) -> None:
    class Leads(lg.Edge, multiplicity=multiplicity, unidirected=True):
        source: str
        destination: str

    with pytest.raises(UnsupportedError, match=rf"{multiplicity} cannot be checked"):
        RecordGroups.of(schema_of([Leads]))
