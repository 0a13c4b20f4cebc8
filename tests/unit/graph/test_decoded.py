"""Tables that the core decodes are those that elements of Python make."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import lexigraph as lg
from lexigraph.errors import Closed, InvalidValue, UsageError
from lexigraph.graph.read import frames
from lexigraph.keyplan import KeyPlan
from lexigraph.layout import Layout
from lexigraph.testing.duplicates import open_keeping
from tests.unit.graph.random_graphs import (
    CLASSES,
    DAY,
    LAYOUTS,
    NAMES,
    READERS,
    Calls,
    Knows,
    Person,
    Seen,
    fill,
    layout_name,
)


def questions(session: Any) -> dict[str, Any]:
    """Give questions of every kind."""
    some, others = NAMES[:3], NAMES[2:6]
    return {
        "all": session.all(),
        "calls": session.all(Calls),
        "people": session.all(Person),
        "one": session.get("a"),
        "nobody": session.get("nobody"),
        "none": session.get(),
        "many": session.get(NAMES),
        "out": session.get(NAMES).edges(Calls, direction="out"),
        "in": session.get(some).edges(Calls, Knows, direction="in"),
        "undirected": session.get(some).edges(directed=False),
        "edge": session.edge("a", "b"),
        "element": session.get(Knows("a", "b", since=0), "c"),
        "between": session.between(some, others),
        "within": session.within(some),
        "ranges": session.ranges(("a", "b"), ("c", "z")).edges(),
        "days": session.all(Calls).where(Calls.day >= DAY + timedelta(days=1), Calls.count > 5),
        "rolled": session.all(Calls).roll_up("day"),
        "rolled over all": session.get(some).edges(Calls).roll_up().where(Calls.count > 100),
        "apart": session.all(Calls, Knows).by_visibility(),
        "chosen": session.all(Seen).select("sure", "note", "data"),
        "pairs": session.get(NAMES).edges(Calls, direction="out").select(),
        "excluded": session.all(Calls).exclude("day", "label"),
        "limited": session.all(Knows).limit(3),
        "limited many": session.get(NAMES).limit(7),
        "called": session.all(Calls).where(lambda one: one["count"] % 2 == 0),
        "aggregated": session.all(Calls).roll_up(count=lg.max()),
        "aggregated days": session.all(Calls).roll_up("device", day=lg.max(), longest=lg.min()),
        "aggregated sets": session.all(Calls).roll_up(device="set", day="set"),
        "aggregated some": session.get(some)
        .edges(Calls)
        .roll_up(count=lg.min())
        .where(Calls.count > 100),
        "derived": session.all(Calls).derive("twice", lambda n: 2 * n, "count", type=int),
    }


def by_elements(question: Any) -> Any:
    """Make the table of a question from elements."""
    return frames.to_arrow(question._rows(), question._columns())


@pytest.mark.parametrize("layout", LAYOUTS, ids=layout_name)
def test_the_core_and_the_elements_make_equal_tables(tmp_path: Path, layout: Layout) -> None:
    with (
        open_keeping(tmp_path / "g.lexi", CLASSES, layout=layout) as graph,
        open_keeping(":memory:", CLASSES, layout=layout) as memory,
    ):
        fill(graph, seed=3)
        fill(memory, seed=3)
        decoded = 0
        for reader in READERS:
            same = questions(memory.session(reader))
            for name, question in questions(graph.session(reader)).items():
                expected = by_elements(question)
                decoded += question._decoded() is not None
                assert question.to_arrow().equals(expected), name
                assert question.to_arrow().schema.equals(expected.schema), name
                streamed = frames.import_package("pyarrow", "arrow").table(question)
                assert streamed.equals(expected), name
                if not name.startswith("limited") and layout.options.get("shards", 1) == 1:
                    assert same[name].to_arrow().equals(expected), name
        # Elements as seeds, functions and what they derive are Python's.
        assert decoded == (len(same) - 3) * len(READERS)


def test_no_element_is_made_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise AssertionError("a cell was decoded in Python")

    with open_keeping(tmp_path / "g.lexi", CLASSES, authorizations=["s"]) as graph:
        fill(graph, seed=4)
        expected = by_elements(graph.all(Calls)), by_elements(graph.get(NAMES))
        monkeypatch.setattr(KeyPlan, "decode", refuse)
        monkeypatch.setattr("lexigraph.cells.batch.CellBatch.__iter__", refuse)
        assert graph.all(Calls).to_arrow().equals(expected[0])
        assert graph.get(NAMES).to_arrow().equals(expected[1])
        assert graph.all(Calls).to_polars().height == expected[0].num_rows
        assert len(graph.all(Calls).to_pandas()) == expected[0].num_rows
        with pytest.raises(AssertionError):
            graph.all(Calls).to_list()


@pytest.mark.parametrize("path", [":memory:", "g.lexi"])
def test_batches_come_one_by_one(tmp_path: Path, path: str) -> None:
    with lg.open(path if path == ":memory:" else tmp_path / path, [Knows]) as graph:
        graph.add(Knows(f"v{one}", f"v{one + 1}", since=one) for one in range(3000))
        sizes = [batch.num_rows for batch in graph.all(Knows).to_batches(rows=1000)]
        assert sizes == [1000, 1000, 1000]
        assert graph.all(Knows).limit(10).to_arrow().num_rows == 10
        assert graph.all(Knows).limit(0).to_arrow().num_rows == 0
        first = graph.all(Knows).to_batches(rows=100)
        assert next(first).num_rows == 100
        graph.add([Knows("late", "later", since=1)])
        assert "late" not in {name for one in first for name in one["source"].to_pylist()}
        with pytest.raises(UsageError, match="size of a batch"):
            graph.all(Knows).to_batches(rows=0)


def test_a_number_that_a_column_cannot_hold_is_named(tmp_path: Path) -> None:
    for path in (":memory:", tmp_path / "g.lexi"):
        with open_keeping(path, CLASSES) as graph:
            graph.add([Knows("a", "b", since=2**70)])
            with pytest.raises(InvalidValue, match=f"'since' of type int64 cannot hold {2**70}"):
                graph.all(Knows).to_arrow()


def test_labels_are_shown_merged_and_hidden_ones_not_at_all(tmp_path: Path) -> None:
    with open_keeping(tmp_path / "g.lexi", CLASSES) as graph:
        graph.add([Knows("a", "b", since=1, label=label) for label in ("s", "t", None)])
        found = [
            graph.session(reader).all(Knows).select("since", "label").to_arrow().to_pylist()
            for reader in ([], ["t"], ["s", "t"])
        ]
        assert [[row["label"] for row in rows] for rows in found] == [[None], ["t"], ["s&t"]]


def test_a_closed_graph_and_a_snapshot(tmp_path: Path) -> None:
    with open_keeping(tmp_path / "g.lexi", CLASSES) as graph:
        graph.add([Knows("a", "b", since=1)])
        with graph.snapshot() as before:
            graph.add([Knows("a", "c", since=1)])
            assert before.all(Knows).to_arrow().num_rows == 1
        question = graph.all(Knows)
        assert question.to_arrow().num_rows == 2
    with pytest.raises(Closed):
        question.to_arrow()


def test_a_transaction_is_told_what_was_decoded(tmp_path: Path) -> None:
    with open_keeping(tmp_path / "g.lexi", CLASSES) as graph:
        one = graph.transaction()
        assert one.get("a").to_arrow().num_rows == 0
        one.add([Knows("x", "y", since=1)])
        graph.add([Knows("a", "b", since=1)])
        with pytest.raises(lg.Conflict):
            one.commit()


def test_properties_that_end_like_the_names_of_columns(tmp_path: Path) -> None:
    class Odd(lg.Vertex, summary=True):
        id: str
        a: int = lg.last()
        a_: int = lg.last()

    for path in (":memory:", tmp_path / "g.lexi"):
        with lg.open(path, [Odd]) as graph:
            graph.add([Odd("x", a=1, a_=2)])
            [row] = graph.all().to_arrow().to_pylist()
            assert (row["a"], row["a_"]) == (1, 2)
    with pytest.raises(UsageError):
        graph.all().limit(-1)
