"""Section 7: events."""

from __future__ import annotations

from spec.fact_cases.words import (
    DELETED,
    EDGE,
    IN,
    MOVED,
    OUT,
    REMOVED,
    UNDONE,
    case,
    event,
    exists,
    happened,
    hide,
    hide_value,
    label,
    meta,
    reference,
    require,
    shape,
    value,
)

ABOUT = "The history of subjects as events, newest first (section 7)."

LIFE = [
    exists(1, "a"),
    label("Person", 1),
    value("n", "x", 1),
    meta("source", "book", 1, at=1),
    exists(2, of=OUT),
    value("n", "y", 3, note="typing error"),
    hide_value("n", 4, "h"),
    hide_value("n", 5, "h", note=7, **UNDONE),
    exists(6, "a", **MOVED),
    exists(6, "b"),
    hide(7, "h"),
    hide(8, "h", **UNDONE),
    value("n", None, 9, **DELETED),
    exists(10, of=OUT, **DELETED),
    require("r", 11),
    require("r", 12, **UNDONE),
    label("Person", 13, **DELETED),
    exists(14, "b", **DELETED),
]
EVENTS = [
    event("deleted", 14, "b"),
    event("label deleted", 13, label="Person"),
    event("visibility released", 12, expression="r"),
    event("visibility required", 11, expression="r"),
    event("edge deleted", 10, of=OUT),
    event("value deleted", 9, name="n", previous="y"),
    event("shown", 8, "h"),
    event("hidden", 7, "h"),
    event("moved", 6, "b", **{"from": ["a"]}),
    event("value shown", 5, "h", name="n", note=7),
    event("value hidden", 4, "h", name="n"),
    event("value set", 3, name="n", value="y", previous="x", note="typing error"),
    event("edge added", 2, of=OUT),
    event("added", 1, "a"),
    event("label added", 1, label="Person"),
    event("value set", 1, name="n", value="x", metadata=[{"key": "source", "value": "book"}]),
]

AROUND = [
    reference(label="A", other="carl"),
    reference(label="B", other="bob"),
    reference(label="B", other="carl"),
    reference(label="B", other="carl", edge="k2"),
    reference(label="A", direction="in"),
    reference(label="A", direction="either"),
]

CASES = [
    case(
        "the life of a vertex and its edges",
        LIFE,
        happened(*EVENTS),
        happened(*EVENTS, to="a b h"),
        happened(*EVENTS[:5], limit=5),
        happened(*EVENTS[10:], at=4),
        happened(*EVENTS[5:11], since=4, at=9),
        happened(*EVENTS[5:7], at=9, limit=2),
    ),
    case(
        "who cannot read the old visibility sees an addition, and the other way round",
        [exists(1, "a"), exists(6, "a", **MOVED), exists(6, "b")],
        happened(event("added", 6, "b"), to="b"),
        happened(event("moved away", 6, "a"), event("added", 1, "a"), to="a"),
        happened(event("moved", 6, "b", **{"from": ["a"]}), event("added", 1, "a"), to="a b"),
    ),
    case(
        "existences that move together to one",
        [
            *(exists(1, one) for one in ("a", "b")),
            *(exists(6, one, **MOVED) for one in ("a", "b")),
            exists(6, "c"),
        ],
        happened(
            event("moved", 6, "c", **{"from": ["a", "b"]}),
            event("added", 1, "a"),
            event("added", 1, "b"),
        ),
    ),
    # After removal: what a removal ends has no events; the removal of an existence has one.
    case(
        "a removal leaves one event",
        [
            exists(1),
            value("n", "x", 1),
            hide(2),
            exists(5, **REMOVED),
            value("n", None, 5, **REMOVED),
            hide(5, **REMOVED),
            exists(7),
        ],
        happened(event("added", 7), event("removed", 5)),
        happened(event("removed", 5), at=6),
        happened(at=4),
    ),
    case(
        "an edge gets another shape",
        [
            exists(1, of=EDGE),
            exists(3, of=EDGE),
            exists(5, of=EDGE, shape=shape("LIKES")),
            exists(6, of=EDGE, **DELETED),
            exists(7, of=EDGE),
        ],
        happened(
            event("added", 7, of=EDGE),
            event("deleted", 6, of=EDGE),
            event("reshaped", 5, of=EDGE),
            event("added", 3, of=EDGE),
            event("added", 1, of=EDGE),
        ),
    ),
    case(
        "a reference gets another signature",
        [
            exists(1, of=OUT, signature=(("km", 1),)),
            exists(2, of=OUT, signature=(("km", 2),)),
            hide(3, of=OUT),
            require("", 3, of=OUT),
        ],
        happened(event("edge reshaped", 2, of=OUT), event("edge added", 1, of=OUT)),
    ),
    case(
        "moves and removals at references",
        [exists(1, "a", IN), exists(5, "a", IN, **MOVED), exists(5, "b", IN, **REMOVED)],
        happened(
            event("edge moved away", 5, "a", of=IN),
            event("edge removed", 5, "b", of=IN),
            event("edge added", 1, "a", of=IN),
        ),
    ),
    case(
        "who does not satisfy the additional visibilities of now has no history",
        [exists(1), value("n", "x", 2), require("r", 10)],
        happened(to=""),
        happened(to="", at=5),
        happened(event("value set", 2, name="n", value="x"), event("added", 1), to="r", at=5),
    ),
    case(
        "hides do not take away the history",
        [exists(1, "a"), hide(2, "a")],
        happened(event("hidden", 2, "a"), event("added", 1, "a"), to="a"),
        happened(to=""),
    ),
    case(
        "a hide says which vertex caused it",
        [exists(1), hide(2, cause="bob")],
        happened(event("hidden", 2, cause="bob"), event("added", 1)),
    ),
    case(
        "unreadable versions have no events and are not the value before",
        [exists(1), value("n", "secret", 2, "a"), value("n", "x", 3), value("n", "y", 4)],
        happened(
            event("value set", 4, name="n", value="y", previous="x"),
            event("value set", 3, name="n", value="x"),
            event("added", 1),
            to="",
        ),
    ),
    case(
        "the value before is that of the same key and visibility, if it was said",
        [
            exists(1),
            value("n", "x", 2),
            value("n", "k", 3, key="k"),
            value("n", None, 4, **DELETED),
            value("n", "z", 5),
        ],
        happened(
            event("value set", 5, name="n", value="z"),
            event("value deleted", 4, name="n", previous="x"),
            event("value set", 3, name="n", key="k", value="k"),
            event("value set", 2, name="n", value="x"),
            event("added", 1),
        ),
    ),
    case(
        "back-dated versions stand at their own time, of equal times the one written last first",
        [exists(1), value("n", "x", 5), value("n", "w", 3, stamp=9), value("n", "v", 3)],
        happened(
            event("value set", 5, name="n", value="x", previous="w"),
            event("value set", 3, name="n", value="w", previous="v"),
            event("value set", 3, name="n", value="v"),
            event("added", 1),
        ),
    ),
    case(
        "events of one time come in the order of kinds, then of names",
        [
            require("r", 1),
            hide(1, **UNDONE),
            hide_value("n", 1, **UNDONE),
            value("b", 1, 1),
            value("a", 1, 1),
            label("L", 1),
            exists(1),
            exists(1, of=OUT),
        ],
        happened(
            event("added", 1),
            event("label added", 1, label="L"),
            event("value set", 1, name="a", value=1),
            event("value set", 1, name="b", value=1),
            event("value shown", 1, name="n"),
            event("shown", 1),
            event("visibility required", 1, expression="r"),
            event("edge added", 1, of=OUT),
        ),
    ),
    case(
        "a value that replaces one of its own time does not have its metadata",
        [
            exists(1),
            value("n", "x", 3, stamp=9),
            meta("source", "book", 3, at=3, stamp=9),
            value("n", "y", 3, stamp=12),
        ],
        happened(
            event("value set", 3, name="n", value="y", previous="x"),
            event(
                "value set", 3, name="n", value="x", metadata=[{"key": "source", "value": "book"}]
            ),
            event("added", 1),
        ),
    ),
    case(
        "events of references of one time come by direction, label and neighbour",
        [exists(1, of=one) for one in reversed(AROUND)],
        happened(*(event("edge added", 1, of=one) for one in AROUND)),
        happened(*(event("edge added", 1, of=one) for one in AROUND[:2]), limit=2),
    ),
    case(
        "metadata that is changed later is that of its value",
        [
            exists(1),
            value("n", "x", 2),
            meta("s", "b", 2, at=2),
            meta("s", "w", 6, at=2),
            value("n", "y", 4),
            meta("t", "c", 4, at=4),
            meta("t", None, 5, at=4, **UNDONE),
        ],
        happened(
            event("value set", 4, name="n", value="y", previous="x"),
            event("value set", 2, name="n", value="x", metadata=[{"key": "s", "value": "w"}]),
            event("added", 1),
        ),
    ),
]
