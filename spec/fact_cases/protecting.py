"""Section 4, rule 5: additional visibilities."""

from __future__ import annotations

from spec.fact_cases.words import (
    DELETED,
    EDGE,
    OUT,
    UNDONE,
    case,
    edge,
    exists,
    prop,
    require,
    seen,
    sees,
    value,
    vertex,
)

ABOUT = "Additional visibilities: what a reader must satisfy besides (section 4, rule 5)."

CASES = [
    case(
        "a reader must also satisfy an additional visibility",
        [exists(1, "a"), require("b", 2)],
        sees(to="a"),
        sees(to="b"),
        sees(vertex(1, vis="a"), to="a b"),
        sees(vertex(1, vis="a")),
    ),
    case(
        "a reader must satisfy all of them",
        [exists(1), require("b", 2), require("c|d", 2), value("n", "x", 1)],
        sees(to="b"),
        sees(to="c"),
        sees(vertex(1, prop("n", "x", 1)), to="b d"),
    ),
    case(
        "one that was taken back is not required, the others are",
        [exists(1), require("b", 2), require("c", 2), require("b", 4, **UNDONE)],
        sees(to="b"),
        sees(vertex(1), to="c"),
    ),
    case(
        "required again",
        [exists(1), require("b", 2), require("b", 4, **UNDONE), require("b", 6)],
        sees(to=""),
        sees(vertex(1), to="b"),
    ),
    # Section 3, rule 2: always judged at present.
    case(
        "an additional visibility applies to the past",
        [exists(1), require("b", 10)],
        sees(to="", at=5),
        sees(vertex(1), to="b", at=5),
    ),
    case(
        "one that was taken back is not required in the past",
        [exists(1), require("b", 2), require("b", 10, **UNDONE)],
        sees(vertex(1), to="", at=5),
    ),
    case(
        "one that is dated in the future is required", [exists(1), require("b", 100)], sees(to="")
    ),
    case(
        "an expression that cannot be parsed is satisfied by the owner alone",
        [exists(1), require("b&", 2)],
        sees(to="b"),
        sees(vertex(1)),
    ),
    case(
        "an empty expression is satisfied by everybody",
        [exists(1), require("", 2)],
        sees(vertex(1), to=""),
    ),
    case(
        "it outlives a delete",
        [exists(1), require("b", 2), exists(3, **DELETED), exists(5)],
        sees(to=""),
        sees(vertex(5), to="b"),
    ),
    case(
        "an edge and its references are judged each by its own row",
        [exists(1, of=EDGE), require("b", 2, of=EDGE), exists(1, of=OUT)],
        sees(seen(OUT, 1), to=""),
        sees(seen(OUT, 1), edge(1), to="b"),
    ),
    case(
        "a protected reference",
        [exists(1, of=OUT), require("b", 2, of=OUT)],
        sees(to=""),
        sees(seen(OUT, 1), to="b"),
    ),
    case(
        "a protected vertex does not protect its references",
        [exists(1), require("b", 2), exists(1, of=OUT)],
        sees(seen(OUT, 1), to=""),
    ),
]
