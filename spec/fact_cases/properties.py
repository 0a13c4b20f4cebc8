"""Section 5: values, keys, metadata, labels."""

from __future__ import annotations

from spec.fact_cases.words import (
    DELETED,
    UNDONE,
    case,
    exists,
    label,
    meta,
    prop,
    sees,
    value,
    vertex,
)

ABOUT = "Properties, their metadata, and labels (section 5)."

N1 = value("n", "x", 1)
TYPED = [
    ("bool", {"t": "bool", "v": True}),
    ("bytes", {"t": "bytes", "v": "00ff"}),
    ("date", {"t": "date", "v": "20455"}),
    ("decimal", {"t": "decimal", "v": "100E-2"}),
    ("float", {"t": "float", "v": "3ff8000000000000"}),
    ("int", -7),
    ("int8", {"t": "int8", "v": "-7"}),
    ("list", {"t": "list", "v": [{"t": "int", "v": "1"}, {"t": "str", "v": "a"}]}),
    ("str", ""),
    ("uuid", {"t": "uuid", "v": "00112233445566778899aabbccddeeff"}),
]

VALUES = [
    case(
        "values of every type come back as they were",
        [exists(1), *(value(name, given, 1) for name, given in TYPED)],
        sees(vertex(1, *(prop(name, given, 1) for name, given in TYPED))),
    ),
    case(
        "name, key and visibility tell properties apart",
        [
            exists(1),
            value("n", "1", 1),
            value("n", "2", 1, "a"),
            value("n", "3", 1, key="k"),
            value("n", "4", 1, "a", key="k"),
        ],
        sees(
            vertex(
                1,
                prop("n", "1", 1),
                prop("n", "2", 1, "a"),
                prop("n", "3", 1, key="k"),
                prop("n", "4", 1, "a", key="k"),
            ),
            to="a",
        ),
        sees(vertex(1, prop("n", "1", 1), prop("n", "3", 1, key="k")), to=""),
    ),
    # Rule 4.
    case(
        "values are ordered by key, then by visibility, as bytes",
        [
            exists(1),
            *(value("n", key, 1, key=key) for key in ("b", "a", "aa", "Z", "0", "A", "")),
            value("n", "zz", 1, "z"),
        ],
        sees(
            vertex(
                1,
                prop("n", "", 1),
                prop("n", "zz", 1, "z"),
                *(prop("n", key, 1, key=key) for key in ("0", "A", "Z", "a", "aa", "b")),
            )
        ),
    ),
    case(
        "names are ordered by their bytes",
        [exists(1), *(value(name, "x", 1) for name in ("ab", "a", "b", "é", "a\u0000b", "Z"))],
        sees(vertex(1, *(prop(name, "x", 1) for name in ("Z", "a", "a\u0000b", "ab", "b", "é")))),
    ),
    case(
        "the value of a name is the newest",
        [exists(1), value("n", "old", 1, "b"), value("n", "new", 2, "a")],
        sees(
            vertex(1, prop("n", "new", 2, "a"), prop("n", "old", 1, "b")),
            to="a b",
            newest={"n": "new"},
        ),
        sees(vertex(1, prop("n", "old", 1, "b")), to="b", newest={"n": "old"}),
        sees(vertex(1), to="", newest={"n": None}),
    ),
    case(
        "of equally new values the greater bytes win, then the smallest key and visibility",
        [
            exists(1),
            value("bytes", "b", 1, "a"),
            value("bytes", "c", 1, "b"),
            value("stamp", "z", 1, stamp=5),
            value("stamp", "a", 1, "b", stamp=6),
        ],
        sees(
            vertex(
                1,
                prop("bytes", "b", 1, "a"),
                prop("bytes", "c", 1, "b"),
                prop("stamp", "z", 1),
                prop("stamp", "a", 1, "b"),
            ),
            newest={"bytes": "c", "stamp": "a"},
        ),
    ),
    # Section 2: the key of a set is the key form of the value; of a list with the occurrence.
    case(
        "a set has each value once, whatever the number of adds",
        [
            exists(1),
            value("tags", "red", 1, key={"hex": "4872656400"}),
            value("tags", "blue", 1, key={"hex": "48626c756500"}),
            value("tags", "red", 5, key={"hex": "4872656400"}),
        ],
        sees(
            vertex(
                1,
                prop("tags", "blue", 1, key={"hex": "48626c756500"}),
                prop("tags", "red", 5, key={"hex": "4872656400"}),
            )
        ),
    ),
    case(
        "a list has a value as often as it was given",
        [
            exists(1),
            value("tags", "red", 1, key={"hex": "487265640101" + "00" + "00000000"}),
            value("tags", "red", 1, key={"hex": "487265640101" + "00" + "00000001"}),
        ],
        sees(
            vertex(
                1,
                prop("tags", "red", 1, key={"hex": "48726564010100" + "00000000"}),
                prop("tags", "red", 1, key={"hex": "48726564010100" + "00000001"}),
            )
        ),
    ),
    case(
        "a value under a visibility that cannot be parsed is the owner's",
        [exists(1), value("n", "x", 1, "a|")],
        sees(vertex(1), to="a"),
        sees(vertex(1, prop("n", "x", 1, "a|"))),
    ),
]

METADATA = [
    case(
        "metadata is seen with its value by those who can read both",
        [exists(1), N1, meta("source", "book", 1, at=1), meta("source", "spy", 1, "a", at=1)],
        sees(
            vertex(1, prop("n", "x", 1, metadata=(("source", "book"), ("source", "spy", "a")))),
            to="a",
        ),
        sees(vertex(1, prop("n", "x", 1, metadata=(("source", "book"),))), to=""),
    ),
    case(
        "who cannot read the value does not see its metadata",
        [exists(1), value("n", "x", 1, "a"), meta("source", "book", 1, at=1, value_visibility="a")],
        sees(vertex(1), to=""),
        sees(vertex(1, prop("n", "x", 1, "a", metadata=(("source", "book"),))), to="a"),
    ),
    case(
        "a new value does not have the metadata of the old one",
        [exists(1), N1, meta("source", "book", 1, at=1), value("n", "y", 5)],
        sees(vertex(1, prop("n", "y", 5))),
        sees(vertex(1, prop("n", "x", 1, metadata=(("source", "book"),))), at=4),
    ),
    case(
        "metadata of an old value that is changed later is not that of the new one",
        [exists(1), N1, value("n", "y", 5), meta("source", "web", 9, at=1)],
        sees(vertex(1, prop("n", "y", 5))),
    ),
    case(
        "metadata changes without its value",
        [exists(1), N1, meta("source", "book", 1, at=1), meta("source", "web", 5, at=1)],
        sees(vertex(1, prop("n", "x", 1, metadata=(("source", "web"),)))),
        sees(vertex(1, prop("n", "x", 1, metadata=(("source", "book"),))), at=4),
    ),
    case(
        "metadata is deleted without its value",
        [
            exists(1),
            N1,
            meta("source", "book", 1, at=1),
            meta("sure", "yes", 1, at=1),
            meta("source", None, 5, at=1, **UNDONE),
        ],
        sees(vertex(1, prop("n", "x", 1, metadata=(("sure", "yes"),)))),
        sees(vertex(1, prop("n", "x", 1, metadata=(("source", "book"), ("sure", "yes")))), at=4),
    ),
    case(
        "metadata of a back-dated value is seen when the value is",
        [
            exists(1),
            value("n", "x", 3, stamp=9),
            meta("source", "book", 3, at=3, stamp=9),
        ],
        sees(vertex(1, prop("n", "x", 3, metadata=(("source", "book"),))), at=5),
        sees(vertex(1), at=2),
    ),
    # Rule 3: entries that were written before the value are not seen.
    case(
        "a value that replaces one of its own time has its own metadata only",
        [
            exists(1),
            value("n", "x", 3, stamp=9),
            meta("source", "book", 3, at=3, stamp=9),
            meta("sure", "yes", 10, at=3),
            value("n", "y", 3, stamp=12),
            meta("page", "7", 3, at=3, stamp=12),
            meta("seen", "twice", 15, at=3),
        ],
        sees(vertex(1, prop("n", "y", 3, metadata=(("page", "7"), ("seen", "twice"))))),
    ),
    case(
        "metadata of a value that was dated in advance",
        [
            exists(1),
            value("n", "x", 50, stamp=3),
            meta("source", "book", 50, at=50, stamp=3),
            meta("sure", "yes", 5, at=50),
        ],
        sees(vertex(1, prop("n", "x", 50, metadata=(("source", "book"), ("sure", "yes"))))),
        sees(vertex(1), at=20),
    ),
    case(
        "metadata belongs to one name, key and visibility",
        [
            exists(1),
            N1,
            value("n", "k", 1, key="k"),
            value("n", "a", 1, "a"),
            value("m", "m", 1),
            meta("source", "book", 1, at=1, key="k"),
            meta("source", "spy", 1, at=1, value_visibility="a"),
        ],
        sees(
            vertex(
                1,
                prop("m", "m", 1),
                prop("n", "x", 1),
                prop("n", "a", 1, "a", metadata=(("source", "spy"),)),
                prop("n", "k", 1, key="k", metadata=(("source", "book"),)),
            )
        ),
    ),
    case(
        "metadata without a value is nothing",
        [exists(1), meta("source", "book", 1, at=1)],
        sees(vertex(1)),
    ),
    case(
        "metadata of a deleted value is not seen",
        [exists(1), N1, meta("source", "book", 1, at=1), value("n", None, 3, **DELETED)],
        sees(vertex(1)),
        sees(vertex(1, prop("n", "x", 1, metadata=(("source", "book"),))), at=2),
    ),
    case(
        "metadata needs no cover of its own",
        [
            exists(1),
            exists(3, **DELETED),
            exists(4),
            value("n", "x", 4),
            meta("s", "b", 2, at=4, stamp=9),
        ],
        sees(vertex(4, prop("n", "x", 4, metadata=(("s", "b"),)))),
    ),
]

LABELS = [
    case(
        "labels are ordered by their bytes, each once",
        [
            exists(1),
            label("b", 1),
            label("a", 2),
            label("a", 1, "x"),
            label("Z", 1),
            label("hidden", 1, "y"),
        ],
        sees(vertex(1, labels=("Z", "a", "b")), to="x"),
    ),
    case(
        "another class adds a label with its own visibility",
        [exists(1), label("Person", 1), exists(4, "a"), label("Spy", 4, "a")],
        sees(vertex(1, labels=("Person",)), to=""),
        sees(vertex(4, vis="a", labels=("Person", "Spy")), to="a"),
        sees(vertex(1, labels=("Person",)), to="a", at=3),
    ),
]

CASES = [*VALUES, *METADATA, *LABELS]
