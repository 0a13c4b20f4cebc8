"""Sections 3 and 4 of facts.md: existence, versions and their order."""

from __future__ import annotations

from spec.fact_cases.words import (
    DELETED,
    HIDDEN,
    REMOVED,
    bare,
    case,
    exists,
    hide,
    label,
    prop,
    require,
    sees,
    value,
    vertex,
)

ABOUT = "Existence (section 4, rules 1 and 6), as-of times, and the order of versions (section 3)."

CASES = [
    # 4.5: a subject is seen only if it has a live existence.
    case("a value alone is not a vertex", [value("n", "x", 1)], sees(), sees(hints=HIDDEN)),
    case("a label alone is not a vertex", [label("Person", 1)], sees()),
    case("a hide alone is not a vertex", [hide(1)], sees(), sees(hints=HIDDEN)),
    case("an additional visibility alone is not a vertex", [require("", 1)], sees()),
    case("a deleted existence alone is not a vertex", [exists(1, **DELETED)], sees()),
    case("a moved existence alone is not a vertex", [exists(1, state="moved")], sees()),
    # Section 3: only readable cells count.
    case(
        "who cannot read the existence sees nothing",
        [exists(1, "a"), value("n", "x", 1)],
        sees(vertex(1, prop("n", "x", 1), vis="a")),
        sees(vertex(1, prop("n", "x", 1), vis="a"), to="a"),
        sees(to="b"),
        sees(to=""),
    ),
    case(
        "visibilities are expressions",
        [exists(1, "a&(b|c)")],
        sees(vertex(1, vis="a&(b|c)"), to="a c"),
        sees(to="b c"),
    ),
    case(
        "a visibility that cannot be parsed is the owner's",
        [exists(1, "a&")],
        sees(vertex(1, vis="a&")),
        sees(to="a"),
    ),
    # 4.6: the latest live existence is shown.
    case(
        "of several existences the newest readable one is shown",
        [exists(1, "a"), exists(2, "b")],
        sees(vertex(2, vis="b")),
        sees(vertex(1, vis="a"), to="a"),
        sees(vertex(2, vis="b"), to="a b"),
        sees(vertex(2, vis="b"), to="b"),
    ),
    case(
        "a later visibility does not win over a later time",
        [exists(2, "a"), exists(1, "b")],
        sees(vertex(2, vis="a")),
    ),
    case(
        "of existences of one time that with the greatest visibility is shown",
        [exists(1, "a"), exists(1, "b"), exists(1)],
        sees(vertex(1, vis="b")),
        sees(vertex(1, vis="a"), to="a"),
        sees(vertex(1), to=""),
    ),
    case(
        "of existences of one time that was written last is shown",
        [exists(5, "a", stamp=9), exists(5, "b", stamp=8)],
        sees(vertex(5, vis="a")),
    ),
    case(
        "an existence that is not live is not shown",
        [exists(1, "a"), exists(1, "b"), exists(3, "b", **DELETED)],
        sees(vertex(1, vis="a")),
        sees(vertex(1, vis="b"), at=2),
        sees(to="b"),
    ),
    # Section 3, rules 2 and 3.
    case(
        "the time is that of the newest version, as of a time",
        [exists(1), exists(5)],
        sees(vertex(5)),
        sees(at=0),
        sees(vertex(1), at=1),
        sees(vertex(1), at=4),
        sees(vertex(5), at=5),
        sees(vertex(5), at=2**63 - 1),
    ),
    case(
        "without an as-of time the future counts",
        [exists(1), value("n", "now", 1), value("n", "then", 2**62, stamp=2)],
        sees(vertex(1, prop("n", "then", 2**62))),
        sees(vertex(1, prop("n", "now", 1)), at=100),
    ),
    case(
        "times may be negative",
        [exists(-(2**63)), value("n", "x", -5)],
        sees(vertex(-(2**63), prop("n", "x", -5))),
        sees(vertex(-(2**63)), at=-6),
    ),
    case(
        "a back-dated existence changes the past",
        [exists(9), exists(3, stamp=20)],
        sees(vertex(9)),
        sees(vertex(3), at=5),
    ),
    case(
        "a back-dated value changes the past and not the present",
        [exists(1), value("n", "new", 9), value("n", "old", 3, stamp=20)],
        sees(vertex(1, prop("n", "new", 9))),
        sees(vertex(1, prop("n", "old", 3)), at=8),
        sees(vertex(1), at=2),
    ),
    # Section 3: time, then time of writing, then bytes.
    case(
        "at equal times the later stamp wins, whatever the bytes",
        [exists(1), value("n", "z", 5, stamp=10), value("n", "a", 5, stamp=20)],
        sees(vertex(1, prop("n", "a", 5))),
    ),
    case(
        "a version that was dated back wins over one that was not",
        [exists(1), value("n", "z", 5), value("n", "a", 5, stamp=9)],
        sees(vertex(1, prop("n", "a", 5))),
    ),
    case(
        "a version that was dated in advance loses to the commit of that time",
        [exists(1), value("n", "z", 5, stamp=3), value("n", "a", 5)],
        sees(vertex(1, prop("n", "a", 5))),
    ),
    case(
        "of equal times and stamps the greater bytes win",
        [exists(1), value("n", "a", 5), value("n", "b", 5)],
        sees(vertex(1, prop("n", "b", 5))),
    ),
    case(
        "deleted wins over said of the same time",
        [exists(1), value("n", "x", 5), value("n", None, 5, **DELETED)],
        sees(vertex(1)),
    ),
    case(
        "said of the same time wins over deleted if it was written later",
        [exists(1), value("n", None, 5, **DELETED), value("n", "x", 5, stamp=9)],
        sees(vertex(1, prop("n", "x", 5))),
    ),
    case(
        "an existence that was said after its delete of the same time is live and has an end",
        [
            exists(1),
            exists(5, **DELETED),
            exists(5, stamp=9),
            value("n", "x", 5),
            value("m", "y", 6),
        ],
        sees(vertex(5, prop("m", "y", 6))),
    ),
    case(
        "nothing of the same time wins over removed",
        [exists(5, **REMOVED), exists(5, stamp=9)],
        sees(),
    ),
    case("equal facts count once", [exists(1), exists(1)], sees(vertex(1))),
    case(
        "vertices come in the order of their rows",
        [
            exists(1, of={"vertex": "b"}),
            exists(1, of={"vertex": "a\u0000"}),
            exists(1, of={"vertex": "a"}),
            exists(1, of={"vertex": ""}),
            exists(1, of={"vertex": "ab"}),
        ],
        sees(*(vertex(1, id=one) for one in ("", "a", "a\u0000", "ab", "b"))),
    ),
    case(
        "without hints only the existence is read",
        [exists(1, "a"), label("Person", 1), value("n", "x", 1)],
        sees(bare(1, "a"), to="a", hints={}),
        sees(to="b", hints={}),
    ),
]
