"""Records and histories as a notebook and ``print`` show them."""

from datetime import UTC, datetime

import pytest

import lexigraph as lg
from lexigraph.plan.records import showing

EVIL = "<script>alert(1)</script>"


class Person(lg.Vertex):
    id: str
    name: str | None = None
    mails: lg.Many[str] | None = None
    tags: set[str] | None = None


class Knows(lg.Edge):
    source: str
    destination: str
    since: int | None = None


@pytest.fixture
def graph() -> lg.Graph:
    return lg.open(":memory:", [Person, Knows], authorizations=lg.ALL)


def test_markup_is_shown_as_text_wherever_it_comes_from(graph: lg.Graph) -> None:
    value = lg.value(EVIL, metadata={EVIL: EVIL})
    graph.add_vertex(EVIL, Person, name=value, note=EVIL)
    graph.vertex(EVIL).set("mails", "a@x", key=EVIL)
    edge = graph.add_edge(EVIL, Knows, EVIL, note=EVIL, id=EVIL)
    shown = [
        graph.vertex(EVIL).one(),
        graph.vertex(EVIL).history(),
        graph.edge(edge).one(),
        graph.edge(edge).history(),
    ]
    for one in shown:
        page = one._repr_html_() or ""
        assert "<script" not in page
        assert "&lt;script" in page


def test_a_reader_is_shown_nothing_else(graph: lg.Graph) -> None:
    graph.add_vertex("ann", Person, name="Ann")
    secret = {"visibility": "police", "metadata": {"file": 7}}
    graph.vertex("ann").set("name", "Anna", note="from the police", **secret)
    graph.vertex("ann").set_metadata("name", "source", "informer", visibility="police")
    public = graph.session().vertex("ann")
    told = [str(public.one()), public.one()._repr_html_() or ""]
    told += [str(public.history()), public.history()._repr_html_()]
    for text in told:
        assert "Ann" in text
        assert not any(word in text for word in ("Anna", "police", "file", "informer"))


def test_metadata_says_who_may_see_it(graph: lg.Graph) -> None:
    graph.add_vertex("ann", Person, name=lg.value("Ann", metadata={"source": "form"}))
    graph.vertex("ann").set_metadata("name", "checked", "yes", visibility="police")
    assert "checked=yes [police], source=form" in (graph.vertex("ann").one()._repr_html_() or "")


@pytest.mark.parametrize(
    ("of_value", "of_metadata", "shown"),
    [("", "", "a=1<"), ("x", "x", "a=1<"), ("x", "", "a=1 [everybody]<"), ("", "x", "a=1 [x]<")],
)
def test_metadata_names_who_sees_it_where_the_value_does_not(
    graph: lg.Graph, of_value: str, of_metadata: str, shown: str
) -> None:
    graph.add_vertex("ann", Person)
    graph.vertex("ann").set("name", "Ann", visibility=of_value)
    graph.vertex("ann").set_metadata("name", "a", 1, visibility=of_metadata, of=of_value)
    assert shown in (graph.vertex("ann").one()._repr_html_() or "")


def test_keys_that_lists_and_sets_make_are_not_shown(graph: lg.Graph) -> None:
    graph.add_vertex("ann", Person, mails=["a@x", "b@x"], tags={"friend"})
    lines = str(graph.vertex("ann").one()).splitlines()
    assert lines[1].split() == ["property", "|", "value", "|", "since"]
    graph.vertex("ann").set("mails", "c@x", key="work")
    assert "work" in str(graph.vertex("ann").one())


def test_a_moment_of_several_events_is_shown_once(graph: lg.Graph) -> None:
    graph.add_vertex("ann", Person, name="Ann", time=datetime(2026, 1, 2, tzinfo=UTC))
    page = graph.vertex("ann").history()._repr_html_()
    assert page.count("2026-01-02 00:00:00") == 1
    assert page.count("<tr>") == 4


def test_long_histories_and_lists_say_how_much_is_left_out(graph: lg.Graph) -> None:
    many = showing.MAX_ROWS + 3
    graph.add_vertex("ann", Person, mails=[f"{one}@x" for one in range(many)])
    ann = graph.vertex("ann").one()
    assert str(ann).endswith("\n(3 more)")
    assert (ann._repr_html_() or "").endswith("<p>3 more</p>")
    history = graph.vertex("ann").history()
    assert str(history).endswith("\n(5 more)")
    assert history._repr_html_().endswith("<p>5 more</p>")


def test_an_edge_names_its_ends_and_its_id(graph: lg.Graph) -> None:
    edge = graph.add_edge("ann", Knows, "bob", since=2019)
    first = str(graph.edge(edge).one()).splitlines()[0]
    assert first.startswith(f"Knows 'ann' -> 'bob' #{edge} (since ")
