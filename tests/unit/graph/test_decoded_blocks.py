"""Tables of many blocks, which the core reads by column, are those that its stages give."""

from __future__ import annotations

import gc
import random
from pathlib import Path
from typing import Any

import pyarrow as pa

import lexigraph as lg

LABELS = ("", "a", "b", "a&b", "b|a")
READERS: tuple[list[str], ...] = (["a", "b"], ["a"], [])
FEW = 1000
"""So few rows at a time go through the stages."""


class Link(lg.Edge, summary=True, directed=True):
    source: str
    destination: str
    day: lg.Int32 = lg.group_by()
    weight: int = lg.sum()
    longest: lg.Int32 = lg.max()
    label: str = lg.visibility()


class Near(lg.Edge, summary=True, directed=False):
    source: str
    destination: str
    count: int = lg.sum()


class Place(lg.Vertex, summary=True):
    id: str
    name: str = lg.last()


def links(draw: random.Random, count: int, names: int) -> Any:
    """Draw edges: some have several labels, some are drawn twice."""
    rows = range(count)
    return pa.table(
        {
            "source": [f"v{draw.randrange(names)}" for _ in rows],
            "destination": [f"v{draw.randrange(names)}" for _ in rows],
            "day": [draw.randrange(6) for _ in rows],
            "weight": [draw.choice([1, -5, 2**40]) for _ in rows],
            "longest": [draw.randrange(100) for _ in rows],
            "label": [draw.choice(LABELS) if draw.random() < 0.2 else "a" for _ in rows],
        }
    )


def fill(graph: Any) -> None:
    draw = random.Random(7)
    graph.load(links(draw, 30_000, 4_000), group=Link)
    graph.add(Near(f"v{one}", f"v{draw.randrange(4_000)}", count=one) for one in range(500))
    graph.add(Place(f"v{one}", name=f"name {one}") for one in range(0, 4_000, 9))
    graph.admin.compact()


def added_later(graph: Any) -> None:
    graph.add(links(random.Random(8), 300, 40), group=Link)


def deleted_some(graph: Any) -> None:
    graph.admin.compact()
    graph.delete(list(graph.get("v5", "v77").edges(Link)))


def one_of_many(graph: Any) -> None:
    """Give a vertex more edges than a block has, with ids that are escaped in keys."""
    many = range(2000)
    ends = {"source": ["v1"] * len(many), "destination": [f"w{one}\0\x01" for one in many]}
    figures = {name: [1] * len(many) for name in ("day", "weight", "longest")}
    graph.add(pa.table({**ends, **figures, "label": ["a"] * len(many)}), group=Link)
    graph.admin.compact()


def questions(session: Any) -> dict[str, Any]:
    return {
        "links": session.all(Link),
        "near": session.all(Near),
        "all": session.all(),
        "days": session.all(Link).where(Link.day >= 3),
        "heavy": session.all(Link).where(Link.weight > 5),
        "apart": session.all(Link).by_visibility(),
        "rolled": session.all(Link).roll_up(),
        "range": session.ranges(("v2", "v4")).edges(Link),
        "few": session.all(Link).select("longest").where(Link.day == 2),
    }


def test_blocks_give_what_the_stages_give(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g.lexi", [Link, Near, Place], authorizations=["a", "b"]) as graph:
        for change in (fill, added_later, deleted_some, one_of_many):
            change(graph)
            for reader in READERS:
                for name, question in questions(graph.session(reader)).items():
                    expected = pa.Table.from_batches(question.to_batches(rows=FEW))
                    found = question.to_arrow()
                    assert found.equals(expected), (change.__name__, name, reader)


def test_no_batch_of_blocks_has_more_rows_than_asked_for(tmp_path: Path) -> None:
    with lg.open(tmp_path / "g.lexi", [Link, Near, Place], authorizations=["a", "b"]) as graph:
        fill(graph)
        sizes = [len(one) for one in graph.all(Link).to_batches(rows=5000)]
        assert max(sizes) <= 5000
        assert sum(sizes) == graph.all(Link).count()


def test_ids_of_every_kind_of_text_come_as_they_are(tmp_path: Path) -> None:
    draw = random.Random(11)
    pieces = ["a", "b", "\x00", "\x01", "\x02", "\x7f", "é", "\U0001f600", "some longer text"]
    names = sorted({"".join(draw.choices(pieces, k=draw.randrange(5))) for _ in range(300)})
    edges = {
        (draw.choice(names), draw.choice(names), draw.randrange(3)): draw.randrange(9)
        for _ in range(5_000)
    }
    with lg.open(tmp_path / "ids.lexi", [Link]) as graph:
        graph.add(
            Link(source, destination, day=day, weight=weight, longest=1, label="")
            for (source, destination, day), weight in edges.items()
        )
        graph.admin.compact()
        table = graph.all(Link).select("day", "weight").to_arrow()
        found = table.select(["source", "destination", "day", "weight"]).to_pylist()
        assert {
            (one["source"], one["destination"], one["day"]): one["weight"] for one in found
        } == (edges)
        assert len(found) == len(edges)


def test_a_table_outlives_its_graph(tmp_path: Path) -> None:
    with lg.open(tmp_path / "links.lexi", [Link, Near, Place]) as graph:
        fill(graph)
        table = graph.all(Link).to_arrow()
        expected = table.to_pylist()
    del graph
    gc.collect()
    assert table.to_pylist() == expected
