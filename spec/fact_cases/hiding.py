"""Section 4, rule 4, and section 5, rule 2: hides of subjects and of properties."""

from __future__ import annotations

from spec.fact_cases.words import (
    DELETED,
    HIDDEN,
    IN,
    OUT,
    UNDONE,
    case,
    exists,
    hide,
    hide_value,
    meta,
    prop,
    seen,
    sees,
    value,
    vertex,
)

ABOUT = "Hides of subjects (section 4, rule 4) and of properties (section 5, rule 2)."

N1 = value("n", "x", 1)
X1 = prop("n", "x", 1)

SUBJECTS = [
    case(
        "a hide is for those who can read it",
        [exists(1), N1, hide(2, "a")],
        sees(to="a"),
        sees(to="a b"),
        sees(vertex(1, X1), to="b"),
        sees(),
        sees(vertex(1, X1, hidden=True), to="a", hints=HIDDEN),
        sees(vertex(1, X1), to="b", hints=HIDDEN),
    ),
    case(
        "a hide without a visibility is for everybody",
        [exists(1), hide(2)],
        sees(to=""),
        sees(vertex(1, hidden=True), to="", hints=HIDDEN),
    ),
    case(
        "before the hide it was seen",
        [exists(1), hide(5), hide(9, **UNDONE)],
        sees(vertex(1)),
        sees(at=8),
        sees(at=5),
        sees(vertex(1), at=4),
        sees(vertex(1, hidden=True), at=8, hints=HIDDEN),
    ),
    case(
        "hides stack, and each is shown again by its own visibility",
        [exists(1), hide(2, "a&b"), hide(3, "a"), hide(4, "a", **UNDONE)],
        sees(vertex(1), to="a"),
        sees(to="a b"),
        sees(to="a", at=3),
        sees(vertex(1), to="a", at=2),
        sees(vertex(1), to="b"),
    ),
    case(
        "showing for another visibility undoes nothing",
        [exists(1), hide(2, "a"), hide(3, "a&b", **UNDONE)],
        sees(to="a b"),
        sees(to="a"),
    ),
    case(
        "showing what was not hidden does nothing",
        [exists(1), hide(3, "a", **UNDONE)],
        sees(vertex(1), to="a"),
    ),
    case(
        "hidden again",
        [exists(1), hide(2), hide(3, **UNDONE), hide(4)],
        sees(),
        sees(vertex(1), at=3),
        sees(at=2),
    ),
    case(
        "a hide that is dated back before a show has no effect now",
        [exists(1), hide(5, **UNDONE), hide(3, stamp=9)],
        sees(vertex(1)),
        sees(at=4),
    ),
    case(
        "a hide in the future hides now",
        [exists(1), hide(100, stamp=2)],
        sees(),
        sees(vertex(1), at=50),
    ),
    case(
        "a deleted vertex is not among the hidden ones",
        [exists(1), hide(2), exists(3, **DELETED)],
        sees(hints=HIDDEN),
        sees(vertex(1, hidden=True), hints=HIDDEN, at=2),
    ),
    case(
        "a vertex that is added again is still hidden",
        [exists(1), hide(2), exists(3, **DELETED), exists(5)],
        sees(),
        sees(vertex(5, hidden=True), hints=HIDDEN),
    ),
    case(
        "a hide that a vertex caused is undone by that vertex alone",
        [
            exists(1, of=OUT),
            hide(2, of=OUT, cause="ann"),
            hide(3, of=OUT, cause="bob"),
            hide(4, of=OUT, cause="ann", **UNDONE),
        ],
        sees(),
        sees(seen(OUT, 1, hidden=True), hints=HIDDEN),
        sees(seen(OUT, 1), at=1),
    ),
    case(
        "showing a vertex leaves what was hidden itself",
        [
            exists(1, of=OUT),
            hide(2, of=OUT),
            hide(3, of=OUT, cause="ann"),
            hide(4, of=OUT, cause="ann", **UNDONE),
        ],
        sees(),
    ),
    case(
        "all causes undone",
        [
            exists(1, of=OUT),
            hide(2, of=OUT, cause="ann"),
            hide(3, of=OUT, cause="bob"),
            hide(4, of=OUT, cause="ann", **UNDONE),
            hide(5, of=OUT, cause="bob", **UNDONE),
        ],
        sees(seen(OUT, 1)),
    ),
    case(
        "a reference is hidden by its own row alone",
        [exists(1, of=OUT), exists(1, of=IN), hide(2, of=IN)],
        sees(seen(OUT, 1)),
        sees(seen(OUT, 1), seen(IN, 1, hidden=True), hints=HIDDEN),
    ),
    case(
        "a hidden vertex does not hide its references",
        [exists(1), exists(1, of=OUT), hide(2)],
        sees(seen(OUT, 1)),
    ),
]

VALUES = [
    case(
        "a hidden value",
        [exists(1), N1, hide_value("n", 2, "a")],
        sees(vertex(1), to="a"),
        sees(vertex(1, X1), to="b"),
        sees(vertex(1, prop("n", "x", 1, hidden=True)), to="a", hints=HIDDEN),
        sees(vertex(1, X1), to="a", at=1),
    ),
    case(
        "a hide of a value leaves its twins",
        [
            exists(1),
            N1,
            value("n", "k", 1, key="k"),
            value("n", "a", 1, "a"),
            value("m", "m", 1),
            hide_value("n", 2),
        ],
        sees(vertex(1, prop("m", "m", 1), prop("n", "a", 1, "a"), prop("n", "k", 1, key="k"))),
    ),
    case(
        "a hide names the visibility of its property",
        [exists(1), N1, value("n", "a", 1, "a"), hide_value("n", 2, value_visibility="a")],
        sees(vertex(1, X1)),
    ),
    case(
        "a hide names the key of its property",
        [exists(1), N1, value("n", "k", 1, key="k"), hide_value("n", 2, key="k")],
        sees(vertex(1, X1)),
    ),
    case(
        "name and key are not run together",
        [
            exists(1),
            value("ab", "1", 1, key="c"),
            value("a", "2", 1, key="bc"),
            hide_value("ab", 2, key="c"),
        ],
        sees(vertex(1, prop("a", "2", 1, key="bc"))),
    ),
    case(
        "a hide also hides newer values",
        [exists(1), N1, hide_value("n", 2), value("n", "y", 5)],
        sees(vertex(1)),
        sees(vertex(1, prop("n", "y", 5, hidden=True)), hints=HIDDEN),
    ),
    case(
        "a value is shown again",
        [exists(1), N1, hide_value("n", 2), hide_value("n", 5, **UNDONE)],
        sees(vertex(1, X1)),
        sees(vertex(1), at=4),
    ),
    case(
        "showing for one visibility leaves the hide for another",
        [
            exists(1),
            N1,
            hide_value("n", 2, "a"),
            hide_value("n", 2, "b"),
            hide_value("n", 5, "b", **UNDONE),
        ],
        sees(vertex(1), to="a b"),
        sees(vertex(1, X1), to="b"),
    ),
    case(
        "a hide of a value that is not there does nothing",
        [exists(1), hide_value("n", 2)],
        sees(vertex(1)),
        sees(vertex(1), hints=HIDDEN),
    ),
    case(
        "showing a vertex does not show its values",
        [exists(1), N1, hide(2), hide_value("n", 2), hide(3, **UNDONE)],
        sees(vertex(1)),
        sees(vertex(1, prop("n", "x", 1, hidden=True)), hints=HIDDEN),
    ),
    case(
        "a hidden value has its metadata",
        [exists(1), N1, meta("source", "book", 1, at=1), hide_value("n", 2)],
        sees(vertex(1)),
        sees(
            vertex(1, prop("n", "x", 1, metadata=(("source", "book"),), hidden=True)),
            hints=HIDDEN,
        ),
    ),
    case(
        "a deleted value is not among the hidden ones",
        [exists(1), N1, hide_value("n", 2), value("n", None, 3, **DELETED)],
        sees(vertex(1), hints=HIDDEN),
    ),
]

CASES = [*SUBJECTS, *VALUES]
