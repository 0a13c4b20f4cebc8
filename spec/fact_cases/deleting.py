"""Section 4, rules 2 and 3: soft deletes, removals, moves and what they end."""

from __future__ import annotations

from spec.fact_cases.words import (
    DELETED,
    HIDDEN,
    MOVED,
    REMOVED,
    case,
    exists,
    hide,
    label,
    meta,
    prop,
    require,
    sees,
    value,
    vertex,
)

ABOUT = "Deletes, removals and moves, and the facts that end with them (section 4, rules 2 and 3)."

N1 = value("n", "x", 1)
X1 = prop("n", "x", 1)

SOFT = [
    case(
        "a deleted vertex is still there before",
        [exists(1), label("Person", 1), N1, exists(5, **DELETED)],
        sees(),
        sees(hints=HIDDEN),
        sees(at=5),
        sees(vertex(1, X1, labels=("Person",)), at=4),
    ),
    # Rule 3: the end is 5, so what has the time 5 or less is not covered.
    case(
        "adding a vertex again does not bring back what it had",
        [exists(1), label("Person", 1), N1, exists(5, **DELETED), exists(7)],
        sees(vertex(7)),
        sees(vertex(7), at=7),
        sees(at=6),
        sees(vertex(1, X1, labels=("Person",)), at=4),
    ),
    case(
        "what is newer than the delete is there",
        [
            exists(1),
            exists(5, **DELETED),
            exists(7),
            value("at", "delete", 5),
            value("between", "x", 6),
            value("with", "y", 7),
            label("Old", 5),
            label("New", 6),
        ],
        sees(vertex(7, prop("between", "x", 6), prop("with", "y", 7), labels=("New",))),
    ),
    case(
        "a value that is newer than the delete does not make a vertex",
        [exists(1), exists(5, **DELETED), value("n", "x", 9)],
        sees(),
    ),
    case(
        "a value without an existence of its time is covered all the same",
        [exists(5), N1],
        sees(vertex(5, X1)),
        sees(at=3),
    ),
    # Fresh: ended up to 4, so the times 5 and later are covered.
    case(
        "deleted and added again in one commit ends what is strictly older",
        [
            exists(1),
            N1,
            value("edge", "x", 4),
            exists(5, ended=4),
            value("with", "y", 5),
        ],
        sees(vertex(5, prop("with", "y", 5))),
        sees(vertex(1, prop("edge", "x", 4), X1), at=4),
    ),
    case(
        "a later existence that is not fresh keeps the end",
        [exists(1), N1, exists(5, ended=4), exists(8)],
        sees(vertex(8)),
        sees(vertex(1, X1), at=4),
    ),
    case(
        "an end that is not reached yet does not count",
        [exists(1), N1, exists(9, ended=8)],
        sees(vertex(9)),
        sees(vertex(1, X1), at=8),
    ),
    case(
        "deleting one existence leaves the facts to the other",
        [exists(1, "a"), exists(1, "b"), N1, exists(5, "a", **DELETED)],
        sees(to="a"),
        sees(vertex(1, X1, vis="b"), to="b"),
        sees(vertex(1, X1, vis="b"), to="a b"),
        sees(vertex(1, X1, vis="a"), to="a", at=4),
    ),
    case(
        "a value that the deleting user could not read ends with the existence",
        [exists(1, "a"), value("n", "x", 1, "c"), exists(5, "a", **DELETED), exists(7, "a")],
        sees(vertex(7, vis="a"), to="a c"),
        sees(vertex(1, prop("n", "x", 1, "c"), vis="a"), to="a c", at=4),
    ),
    # The end belongs to the existence a; b has none.
    case(
        "an existence that was never deleted covers everything",
        [exists(1, "a"), N1, exists(5, "a", **DELETED), exists(7, "b")],
        sees(vertex(7, X1, vis="b"), to="b"),
        sees(to="a"),
    ),
    case(
        "covered by one of two live existences is enough",
        [exists(1, "a"), exists(5, "a", **DELETED), exists(6, "a"), exists(2, "b"), N1],
        sees(vertex(6, X1, vis="a"), to="a b"),
        sees(vertex(6, vis="a"), to="a"),
    ),
    case(
        "both live existences ended it",
        [
            *(exists(1, one) for one in "ab"),
            exists(5, "a", **DELETED),
            exists(3, "b", **DELETED),
            *(exists(6, one) for one in "ab"),
            value("n", "x", 3),
            value("m", "y", 4),
        ],
        sees(vertex(6, prop("m", "y", 4), vis="b"), to="a b"),
        sees(vertex(6, vis="a"), to="a"),
    ),
    case(
        "deleted and added several times",
        [
            exists(1),
            exists(2, **DELETED),
            exists(3),
            value("n", "x", 3),
            exists(4, **DELETED),
            exists(5),
        ],
        sees(vertex(5)),
        sees(vertex(3, prop("n", "x", 3)), at=3),
        sees(at=2),
        sees(vertex(1), at=1),
    ),
    case(
        "a back-dated delete ends what is not newer, also if the vertex lives",
        [
            exists(1),
            exists(10),
            value("n", "x", 3),
            value("m", "y", 7),
            exists(5, stamp=20, **DELETED),
        ],
        sees(vertex(10, prop("m", "y", 7))),
        sees(vertex(1, prop("n", "x", 3)), at=4),
        sees(at=6),
    ),
    case(
        "a delete in the future counts without an as-of time",
        [exists(1), N1, exists(100, stamp=2, **DELETED)],
        sees(),
        sees(vertex(1, X1), at=50),
    ),
    case(
        "a value is deleted and set again",
        [exists(1), N1, value("n", None, 3, **DELETED), value("n", "y", 5)],
        sees(vertex(1, prop("n", "y", 5))),
        sees(vertex(1), at=4),
        sees(vertex(1, X1), at=2),
    ),
    case(
        "deleting a value leaves that of another visibility, key and name",
        [
            exists(1),
            N1,
            value("n", "a", 1, "a"),
            value("n", "k", 1, key="k"),
            value("m", "m", 1),
            value("n", None, 3, **DELETED),
        ],
        sees(
            vertex(1, prop("m", "m", 1), prop("n", "a", 1, "a"), prop("n", "k", 1, key="k")),
            to="a",
        ),
    ),
    case(
        "a back-dated delete of a value leaves a newer one",
        [
            exists(1),
            value("n", "x", 2),
            value("n", "y", 5),
            value("n", None, 3, stamp=9, **DELETED),
        ],
        sees(vertex(1, prop("n", "y", 5))),
        sees(vertex(1), at=4),
        sees(vertex(1, prop("n", "x", 2)), at=2),
    ),
    case(
        "a label is deleted under one visibility",
        [
            exists(1),
            label("P", 1, "a"),
            label("P", 1, "b"),
            label("P", 3, "a", **DELETED),
        ],
        sees(vertex(1, labels=("P",)), to="a b"),
        sees(vertex(1), to="a"),
        sees(vertex(1, labels=("P",)), to="a", at=2),
        sees(vertex(1, labels=("P",)), to="b"),
    ),
    case(
        "hides and additional visibilities outlive a delete",
        [exists(1), hide(2, "h"), require("r", 2), exists(5, **DELETED), exists(7)],
        sees(vertex(7), to="r"),
        sees(to="r h"),
        sees(to=""),
    ),
]

HARD = [
    case(
        "what was removed is gone at every time",
        [exists(1), N1, exists(5, **REMOVED), value("n", None, 5, **REMOVED)],
        sees(),
        sees(at=3),
        sees(at=9, hints=HIDDEN),
    ),
    case(
        "what is dated at or before a removal stays away",
        [exists(5, **REMOVED), exists(3, stamp=9), exists(5, stamp=9)],
        sees(),
        sees(at=4),
    ),
    case(
        "what is dated after a removal is there",
        [exists(1), exists(5, **REMOVED), exists(6)],
        sees(vertex(6)),
        sees(at=5),
    ),
    # Rule 2: a removal ends at every as-of time.
    case(
        "a removed existence ends older facts",
        [
            exists(1),
            N1,
            exists(5, **REMOVED),
            exists(7),
            value("m", "back", 5, stamp=9),
            value("o", "after", 6),
        ],
        sees(vertex(7, prop("o", "after", 6))),
    ),
    case(
        "removing one existence leaves the other",
        [exists(1, "a"), exists(2, "b"), N1, exists(5, "b", **REMOVED)],
        sees(vertex(1, X1, vis="a"), to="a b"),
        sees(vertex(1, X1, vis="a"), to="a b", at=3),
        sees(to="b", at=3),
    ),
    case(
        "a removed value is gone at every time, a newer one is there",
        [exists(1), N1, value("n", None, 5, **REMOVED), value("n", "y", 8)],
        sees(vertex(1, prop("n", "y", 8))),
        sees(vertex(1), at=3),
    ),
    case(
        "a removed value does not come back with a back-dated write",
        [exists(1), value("n", None, 5, **REMOVED), value("n", "y", 4, stamp=9)],
        sees(vertex(1)),
        sees(vertex(1), at=4),
    ),
    case(
        "of several removals the newest counts",
        [
            exists(1),
            value("n", None, 3, **REMOVED),
            value("n", "y", 4),
            value("n", None, 6, **REMOVED),
        ],
        sees(vertex(1)),
        sees(vertex(1), at=4),
    ),
    case(
        "a removal in the future removes now",
        [exists(1), N1, value("n", None, 100, stamp=2, **REMOVED)],
        sees(vertex(1)),
        sees(vertex(1), at=50),
    ),
    case(
        "a removed label is gone at every time",
        [exists(1), label("P", 1), label("Q", 1), label("P", 4, **REMOVED)],
        sees(vertex(1, labels=("Q",))),
        sees(vertex(1, labels=("Q",)), at=2),
    ),
    case(
        "a removed hide does not hide, at any time",
        [exists(1), hide(2), hide(4, **REMOVED)],
        sees(vertex(1)),
        sees(vertex(1), at=3),
    ),
    case(
        "a removed additional visibility is not required",
        [exists(1), require("r", 2), require("r", 4, **REMOVED)],
        sees(vertex(1), to=""),
    ),
    # Section 6: the removal is dated one microsecond before.
    case(
        "removed and added again in one commit",
        [exists(1), N1, exists(4, **REMOVED), exists(5), value("m", "y", 5)],
        sees(vertex(5, prop("m", "y", 5))),
        sees(at=3),
        sees(at=4),
    ),
    case(
        "metadata goes with a removed value",
        [
            exists(1),
            N1,
            meta("source", "book", 1, at=1),
            value("n", None, 5, **REMOVED),
            value("n", "y", 6),
        ],
        sees(vertex(1, prop("n", "y", 6))),
        sees(vertex(1), at=3),
    ),
]

MOVES = [
    case(
        "a vertex moves to other readers with what it has",
        [exists(1, "a"), N1, exists(5, "a", **MOVED), exists(5, "b")],
        sees(to="a"),
        sees(vertex(5, X1, vis="b"), to="b"),
        sees(vertex(5, X1, vis="b"), to="a b"),
        sees(vertex(1, X1, vis="a"), to="a", at=4),
        sees(to="b", at=4),
    ),
    case(
        "a vertex that moves back has what it had",
        [
            exists(1, "a"),
            N1,
            exists(5, "a", **MOVED),
            exists(5, "b"),
            exists(8, "b", **MOVED),
            exists(8, "a"),
        ],
        sees(vertex(8, X1, vis="a"), to="a"),
        sees(to="b"),
        sees(vertex(5, X1, vis="b"), to="b", at=7),
    ),
    # Section 6: the new existence is fresh with the end of the old one, 3.
    case(
        "a move does not bring back what was deleted",
        [
            exists(1, "a"),
            value("n", "x", 1, "c"),
            exists(3, "a", **DELETED),
            exists(4, "a"),
            value("m", "y", 4),
            exists(6, "a", **MOVED),
            exists(6, "b", ended=3),
        ],
        sees(vertex(6, prop("m", "y", 4), vis="b"), to="b c"),
        sees(vertex(4, prop("m", "y", 4), vis="a"), to="a c", at=5),
        sees(vertex(1, prop("n", "x", 1, "c"), vis="a"), to="a c", at=2),
    ),
    case(
        "a move with its past leaves nothing to the old readers",
        [exists(1, "b", stamp=6), exists(6, "a", **REMOVED), exists(6, "b"), N1],
        sees(to="a", at=3),
        sees(vertex(1, X1, vis="b"), to="b", at=3),
        sees(vertex(6, X1, vis="b"), to="b"),
    ),
    case(
        "a value moves to other readers",
        [
            exists(1),
            value("n", "x", 1, "a"),
            value("n", None, 5, "a", **DELETED),
            value("n", "x", 5, "b"),
        ],
        sees(vertex(1), to="a"),
        sees(vertex(1, prop("n", "x", 5, "b")), to="a b"),
        sees(vertex(1, prop("n", "x", 1, "a")), to="a", at=4),
    ),
]

CASES = [*SOFT, *HARD, *MOVES]
