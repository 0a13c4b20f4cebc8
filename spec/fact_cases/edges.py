"""Sections 1, 4 and 8: edges, their shapes and their references."""

from __future__ import annotations

from spec.fact_cases.words import (
    ANN,
    DELETED,
    EDGE,
    IN,
    MOVED,
    OUT,
    REMOVED,
    case,
    edge,
    exists,
    hide,
    prop,
    reference,
    seen,
    sees,
    shape,
    value,
    vertex,
)

ABOUT = "Edges, their shapes and their references (sections 1 and 4)."

LIKES = reference(label="LIKES")
TO_CARL = reference(other="carl")
NULL = {"t": "null"}
DAY = {"t": "date", "v": "20455"}
LATER = {"t": "date", "v": "20456"}


def rated(stars: object, other: str = "bob", number: str = "k1") -> dict[str, object]:
    """Return a reference with a sort key."""
    return reference(other=other, label="RATED", sort_key=(stars,), edge=number)


def visited(day: object, gate: object) -> dict[str, object]:
    """Return a reference with two parts of a sort key."""
    return reference(label="VISITED", sort_key=(day, gate))


CASES = [
    case(
        "an edge has a shape, and a reference at each end",
        [exists(1, of=EDGE), exists(1, of=OUT), exists(1, of=IN), value("w", 5, 1, of=EDGE)],
        sees(seen(OUT, 1), seen(IN, 1), edge(1, prop("w", 5, 1))),
    ),
    case(
        "an edge without readable ends is an edge",
        [exists(1, "a"), exists(1, of=EDGE), exists(1, of=OUT)],
        sees(seen(OUT, 1), edge(1), to=""),
        sees(vertex(1, vis="a"), seen(OUT, 1), edge(1), to="a"),
    ),
    case(
        "references follow their vertex: out, in, either",
        [
            exists(1, of=reference(direction="either", label="A")),
            exists(1, of=reference(direction="in", label="B")),
            exists(1, of=reference(direction="out", label="C")),
            exists(1),
            exists(1, of={"vertex": "anna"}),
        ],
        sees(
            vertex(1),
            seen(reference(direction="out", label="C"), 1),
            seen(reference(direction="in", label="B"), 1),
            seen(reference(direction="either", label="A"), 1),
            vertex(1, id="anna"),
        ),
    ),
    case(
        "references are sorted by label, neighbour and edge id",
        [
            exists(1, of=reference(label="B", other="a")),
            exists(1, of=reference(label="A", other="c", edge="k2")),
            exists(1, of=reference(label="A", other="c", edge="k1")),
            exists(1, of=reference(label="A", other="b", edge="k9")),
        ],
        sees(
            seen(reference(label="A", other="b", edge="k9"), 1),
            seen(reference(label="A", other="c", edge="k1"), 1),
            seen(reference(label="A", other="c", edge="k2"), 1),
            seen(reference(label="B", other="a"), 1),
        ),
    ),
    case(
        "the sort key comes before the neighbour, descending if declared, null last",
        [
            *(exists(1, of=rated(stars)) for stars in (1, 300, -2, NULL, 5)),
            exists(1, of=rated(5, "al", "k2")),
        ],
        sees(
            seen(rated(300), 1),
            seen(rated(5, "al", "k2"), 1),
            *(seen(rated(stars), 1) for stars in (5, 1, -2, NULL)),
        ),
    ),
    case(
        "sort keys of several parts",
        [
            exists(1, of=visited(LATER, "a")),
            exists(1, of=visited(DAY, "b")),
            exists(1, of=visited(NULL, "a")),
            exists(1, of=visited(DAY, NULL)),
            exists(1, of=visited(DAY, "a\u0000")),
            exists(1, of=visited(DAY, "a")),
        ],
        sees(
            seen(visited(DAY, "a"), 1),
            seen(visited(DAY, "a\u0000"), 1),
            seen(visited(DAY, "b"), 1),
            seen(visited(DAY, NULL), 1),
            seen(visited(LATER, "a"), 1),
            seen(visited(NULL, "a"), 1),
        ),
    ),
    case(
        "an edge from a vertex to itself has both references",
        [
            exists(1, of=EDGE, shape=shape(destination="ann")),
            exists(1, of=reference(other="ann")),
            exists(1, of=reference(other="ann", direction="in")),
        ],
        sees(
            seen(reference(other="ann"), 1),
            seen(reference(other="ann", direction="in"), 1),
            edge(1, of=shape(destination="ann")),
        ),
    ),
    case(
        "an undirected edge",
        [
            exists(1, of=EDGE, shape=shape(directed=False)),
            exists(1, of=reference(direction="either")),
            exists(1, of=reference("bob", "ann", "either")),
        ],
        sees(
            seen(reference(direction="either"), 1),
            seen(reference("bob", "ann", "either"), 1),
            edge(1, of=shape(directed=False)),
        ),
    ),
    case(
        "a signature is read from the reference",
        [exists(1, of=OUT, signature=(("km", 7), ("type", "road")))],
        sees(seen(OUT, 1, signature=(("km", 7), ("type", "road")))),
    ),
    case(
        "equal references under several visibilities count once, and the newest is shown",
        [
            exists(1, "a", OUT, signature=(("km", 7),)),
            exists(2, "b", OUT, signature=(("km", 8),)),
        ],
        sees(seen(OUT, 2, "b", signature=(("km", 8),))),
        sees(seen(OUT, 1, "a", signature=(("km", 7),)), to="a"),
    ),
    # Section 4: rows that differ are different references, also of one edge.
    case(
        "an edge with two shapes under two visibilities has the references of both",
        [
            exists(1, "a", EDGE),
            exists(1, "a", OUT),
            exists(2, "b", EDGE, shape=shape(destination="carl")),
            exists(2, "b", TO_CARL),
        ],
        sees(
            seen(OUT, 1, "a"), seen(TO_CARL, 2, "b"), edge(2, vis="b", of=shape(destination="carl"))
        ),
        sees(seen(OUT, 1, "a"), edge(1, vis="a"), to="a"),
    ),
    # Section 6: the old references are deleted.
    case(
        "another shape under the same visibility ends the old references",
        [
            exists(1, of=EDGE),
            exists(1, of=OUT),
            exists(5, of=EDGE, shape=shape(label="LIKES")),
            exists(5, of=OUT, **DELETED),
            exists(5, of=LIKES),
        ],
        sees(seen(LIKES, 5), edge(5, of=shape(label="LIKES"))),
        sees(seen(OUT, 1), edge(1), at=4),
    ),
    case(
        "values of an edge outlive another shape",
        [exists(1, of=EDGE), value("w", 5, 1, of=EDGE), exists(5, of=EDGE, shape=shape("LIKES"))],
        sees(edge(5, prop("w", 5, 1), of=shape("LIKES"))),
    ),
    case(
        "a deleted edge is gone at its ends too",
        [
            *(exists(1, of=one) for one in (EDGE, OUT, IN)),
            value("w", 5, 1, of=EDGE),
            *(exists(5, of=one, **DELETED) for one in (EDGE, OUT, IN)),
        ],
        sees(),
        sees(seen(OUT, 1), seen(IN, 1), edge(1, prop("w", 5, 1)), at=4),
    ),
    case(
        "a deleted edge that is added again does not have its values",
        [
            exists(1, of=EDGE),
            value("w", 5, 1, of=EDGE),
            exists(5, of=EDGE, **DELETED),
            exists(7, of=EDGE),
        ],
        sees(edge(7)),
    ),
    case(
        "deleting a vertex leaves an edge that its user could not read",
        [
            exists(1),
            exists(5, **DELETED),
            exists(1, "a", OUT),
            exists(1, "b", TO_CARL),
            exists(5, "a", OUT, **DELETED),
        ],
        sees(seen(TO_CARL, 1, "b")),
        sees(to="a"),
    ),
    case(
        "a removed reference is gone at every time",
        [exists(1, of=OUT), exists(5, of=OUT, **REMOVED)],
        sees(),
        sees(at=3),
    ),
    case(
        "an edge that moves is found by its new readers",
        [
            exists(1, "a", EDGE),
            exists(1, "a", OUT),
            exists(5, "a", EDGE, **MOVED),
            exists(5, "a", OUT, **MOVED),
            exists(5, "b", EDGE),
            exists(5, "b", OUT),
        ],
        sees(to="a"),
        sees(seen(OUT, 5, "b"), edge(5, vis="b"), to="b"),
        sees(seen(OUT, 1, "a"), edge(1, vis="a"), to="a", at=4),
    ),
    case(
        "a hidden edge",
        [
            exists(1, of=EDGE),
            exists(1, of=OUT),
            hide(2, "a", EDGE),
            hide(2, "a", OUT),
        ],
        sees(to="a"),
        sees(seen(OUT, 1), edge(1), to=""),
    ),
    case(
        "a vertex and an edge of one id are two things",
        [exists(1, of=ANN), exists(2, of={"edge": "ann"})],
        sees(vertex(1), {**edge(2), "edge": "ann"}),
    ),
]
