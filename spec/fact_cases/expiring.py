"""Section 7: what has a time to live, and what is left when it has expired."""

from __future__ import annotations

from spec.fact_cases.words import (
    ANN,
    DELETED,
    EDGE,
    MOVED,
    OUT,
    REMOVED,
    case,
    edge,
    exists,
    hide,
    label,
    meta,
    prop,
    require,
    seen,
    sees,
    shape,
    value,
    vertex,
)

ABOUT = "Times to live: what expires, and what is seen then (section 7)."

CASES = [
    case(
        "a value is seen as long as it lives",
        [exists(1), value("n", "x", 2, ttl=5)],
        sees(vertex(1, prop("n", "x", 2)), now=6),
        sees(vertex(1), now=7),
        sees(vertex(1, prop("n", "x", 2))),
    ),
    case(
        "what has expired is not seen as of a time when it lived",
        [exists(1), value("n", "x", 2, ttl=5)],
        sees(vertex(1, prop("n", "x", 2)), now=6, at=3),
        sees(vertex(1), now=7, at=3),
    ),
    case(
        "the version before it is seen again if it lives longer",
        [exists(1), value("n", "x", 2), value("n", "y", 3, ttl=5)],
        sees(vertex(1, prop("n", "y", 3)), now=7),
        sees(vertex(1, prop("n", "x", 2)), now=8),
    ),
    case(
        "a delete does not expire, and goes on hiding what it ended",
        [exists(1), value("n", "x", 2), value("n", None, 3, **DELETED), value("n", "y", 4, ttl=5)],
        sees(vertex(1, prop("n", "y", 4)), now=8),
        sees(vertex(1), now=9),
    ),
    case(
        "a removal ends what would live longer",
        [exists(1), value("n", "x", 2), value("n", None, 3, **REMOVED), value("n", "y", 4, ttl=5)],
        sees(vertex(1, prop("n", "y", 4)), now=8),
        sees(vertex(1), now=9),
    ),
    case(
        "metadata expires with its value",
        [exists(1), value("n", "x", 2, ttl=5), meta("s", "b", 3, at=2)],
        sees(vertex(1, prop("n", "x", 2, metadata=(("s", "b"),))), now=6),
        sees(vertex(1), now=7),
    ),
    case(
        "a vertex is not seen when its existence has expired",
        [exists(1, ttl=5), label("S", 1, ttl=5), value("n", "x", 2)],
        sees(vertex(1, prop("n", "x", 2), labels=("S",)), now=5),
        sees(now=6),
    ),
    case(
        "a vertex of two classes is there as long as one of them",
        [exists(1), label("P", 1), exists(3, ttl=5), label("S", 3, ttl=5)],
        sees(vertex(3, labels=("P", "S")), now=7),
        sees(vertex(1, labels=("P",)), now=8),
    ),
    case(
        "each existence expires by itself, for whom it is",
        [exists(1, "a", ttl=5), exists(1, "b")],
        sees(vertex(1, vis="a"), to="a", now=5),
        sees(to="a", now=6),
        sees(vertex(1, vis="b"), to="a b", now=6),
    ),
    case(
        "a delete ends what an expired existence no longer hides",
        [exists(1), exists(2, **DELETED), exists(3, ttl=5)],
        sees(vertex(3), now=7),
        sees(now=8),
    ),
    case(
        "a move does not expire",
        [exists(1, "a"), exists(2, "a", **MOVED), exists(2, "b", ttl=5)],
        sees(vertex(2, vis="b"), to="a b", now=6),
        sees(to="a b", now=7),
    ),
    case(
        "a fresh existence that has expired is deleted: it goes on ending what is older",
        [exists(1), value("n", "x", 1), exists(3, ended=2, ttl=5)],
        sees(vertex(3), now=7),
        sees(now=8),
        sees(vertex(1, prop("n", "x", 1)), now=8, at=2),
    ),
    case(
        "what is written after it is not covered by what it ended",
        [exists(1), value("n", "x", 1), exists(3, ended=2, ttl=5, note="why"), exists(9)],
        sees(vertex(9), now=20),
    ),
    case(
        "hides and additional visibilities stay",
        [exists(1, ttl=5), hide(2), require("a", 2), exists(8)],
        sees(to="a", now=20),
    ),
    case(
        "an edge and its reference expire, each by its own row",
        [exists(1, of=EDGE, ttl=5), exists(1, of=OUT, ttl=5), value("w", 1, 2, of=EDGE)],
        sees(seen(OUT, 1), edge(1, prop("w", 1, 2)), now=5),
        sees(now=6),
    ),
    case(
        "an edge does not need ends that live",
        [exists(1, of=ANN, ttl=5), exists(1, of=OUT), exists(1, of=EDGE)],
        sees(seen(OUT, 1), edge(1), now=20),
    ),
    case(
        "a reference that ended with another shape begins again when that has expired",
        [
            exists(1, of=EDGE),
            exists(1, of=OUT),
            exists(3, of=EDGE, shape=shape("LIKES"), ttl=5),
            exists(3, of=OUT, ttl=5, **DELETED),
        ],
        sees(edge(3, of=shape("LIKES")), now=7),
        sees(seen(OUT, 1), edge(1), now=8),
    ),
    case(
        "a fact of the future lives from its time on",
        [exists(1), value("n", "x", 50, ttl=5)],
        sees(vertex(1, prop("n", "x", 50)), now=54),
        sees(vertex(1), now=55),
    ),
    case(
        "a time to live that reaches beyond all times never ends",
        [exists(9223372036854775000, ttl=9223372036854775807)],
        sees(vertex(9223372036854775000), now=9223372036854775807),
    ),
]
