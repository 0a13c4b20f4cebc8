"""Sections 1 and 2: facts and their cells, cells that are refused. The bytes are written out."""

from __future__ import annotations

from typing import Any

from spec.fact_cases.words import (
    DELETED,
    EDGE,
    MOVED,
    OUT,
    REMOVED,
    UNDONE,
    Json,
    exists,
    hide,
    hide_value,
    label,
    meta,
    reference,
    require,
    shape,
    value,
)

ABOUT = "Facts and their cells (sections 1 and 2); cells that are InvalidBytes."

ROW = b"ann\0\x01"
SAID = b"\x01\0"
KNOWS = b"ann\0\x02KNOWS\0bob\0Hk1\0"
SHAPE = b"\x98" + b"\x06HKNOWS" + b"\x04Hann" + b"\x04Hbob" + b"\x02 \x01" + b"\x01\x98"
T1 = b"\x80\0\0\0\0\0\0\x01"
NULL: Json = {"t": "null"}
ID = b"0123456789abcdef"
REFERENCE = b"\x01" + ID + b"\0\0\0\0\0\x20\0\1" + b"\0\x10\0\0"
CHUNKED: Json = {"t": "stream", "v": REFERENCE.hex()}
FILE = b"\x02" + ID + b"\0" * 7 + b"\x03" + b"\0" * 4
FILED: Json = {"t": "stream", "v": FILE.hex()}


def _json(data: bytes) -> Any:
    plain = all(0x20 <= byte <= 0x7E for byte in data)
    return data.decode("ascii") if plain else {"hex": data.hex()}


def both(
    fact: Json, row: bytes, family: bytes, qualifier: bytes = b"", stored: bytes = SAID
) -> Json:
    """Return a fact and its cell."""
    table = "edges" if "edge" in fact["of"] else "vertices"
    visibility = fact.get("visibility", "")
    parts = [_json(row), _json(family), _json(qualifier), visibility, fact["time"], 0]
    return {"fact": fact, "table": table, "cell": [*parts, _json(stored)]}


def bad(
    why: str,
    row: bytes = ROW,
    family: bytes = b"e",
    qualifier: bytes = b"",
    stored: bytes = SAID,
    table: str = "vertices",
    visibility: str = "",
) -> Json:
    """Return a cell that is refused, and why."""
    parts = [_json(row), _json(family), _json(qualifier), visibility, 5, 0, _json(stored)]
    return {"why": why, "table": table, "cell": parts}


VALUE = b"n\0"
META = b"n\0\0\0" + T1

CELLS = [
    # Subjects and rows.
    both(exists(5), ROW, b"e"),
    both(exists(5, of={"vertex": "a\u0000b\u0001"}), b"a\x01\x01b\x01\x02\0\x01", b"e"),
    both(exists(5, of={"vertex": ""}), b"\0\x01", b"e"),
    both(exists(5, "a&b"), ROW, b"e"),
    both(exists(-5), ROW, b"e"),
    both(exists(5, of=EDGE), b"Hk1\0", b"e", stored=SAID + SHAPE),
    both(exists(5, of={"edge": 7}), b"0\x81\x07", b"e", stored=SAID + SHAPE),
    both(exists(5, of=OUT), KNOWS, b"re"),
    both(exists(5, of=reference(direction="in")), b"ann\0\x03KNOWS\0bob\0Hk1\0", b"re"),
    both(exists(5, of=reference(direction="either")), b"ann\0\x04KNOWS\0bob\0Hk1\0", b"re"),
    both(
        exists(5, of=reference(label="a\u0000", other="b\u0001")),
        b"ann\0\x02a\x01\x01\0b\x01\x02\0Hk1\0",
        b"re",
    ),
    both(
        exists(5, of=reference(label="RATED", sort_key=(1,))),
        b"ann\0\x02RATED\0" + b"\0\x7e\xfe" + b"bob\0Hk1\0",
        b"re",
    ),
    both(
        exists(5, of=reference(label="RATED", sort_key=(NULL,))),
        b"ann\0\x02RATED\0" + b"\x01" + b"bob\0Hk1\0",
        b"re",
    ),
    both(
        exists(5, of=reference(label="VISITED", sort_key=({"t": "date", "v": "20455"}, "g\u0000"))),
        b"ann\0\x02VISITED\0" + b"\0\x80\0\x4f\xe7" + b"\0g\x01\x01\0" + b"bob\0Hk1\0",
        b"re",
    ),
    # Kinds of facts.
    both(label("Person", 5), ROW, b"l", b"Person"),
    both(label("é\u0000", 5), ROW, b"l", b"\xc3\xa9\0"),
    both(value("n", "x", 5), ROW, b"p", VALUE, SAID + b"Hx"),
    both(value("n", CHUNKED, 5), ROW, b"p", VALUE, SAID + b"\xa0" + REFERENCE),
    both(
        value("n", FILED, 5),
        ROW,
        b"p",
        VALUE,
        SAID + b"\xa0\x02" + ID + b"\0" * 7 + b"\x03" + b"\0" * 4,
    ),
    both(value("n", 300, 5, key="k"), ROW, b"p", b"n\0k", SAID + b"0\x82\x01\x2c"),
    both(value("n\u0000", "x", 5, key={"hex": "00"}), ROW, b"p", b"n\x01\x01\0\0", SAID + b"Hx"),
    both(value("w", 1, 5, "a", EDGE), b"Hk1\0", b"p", b"w\0", SAID + b"0\x81\x01"),
    both(meta("s", "b", 5, at=1), ROW, b"pm", META + b"s", SAID + b"Hb"),
    both(
        meta("s", "b", 5, "c", at=-1, key={"hex": "0001"}, value_visibility="a|b"),
        ROW,
        b"pm",
        b"n\0\x01\x01\x01\x02\0a|b\0\x7f\xff\xff\xff\xff\xff\xff\xffs",
        SAID + b"Hb",
    ),
    both(hide(5, "a"), ROW, b"h"),
    both(hide(5, cause="bob"), ROW, b"h", b"Hbob\0"),
    both(hide(5, of=OUT, cause=""), KNOWS, b"rh", b"H\0"),
    both(hide_value("n", 5, "a"), ROW, b"hp", b"n\0\0"),
    both(
        hide_value("n", 5, key={"hex": "0061"}, value_visibility="a&b"),
        ROW,
        b"hp",
        b"n\0\x01\x01a\0a&b",
    ),
    both(require("a&b", 5), ROW, b"a", b"a&b"),
    both(require("", 5, of=OUT), KNOWS, b"ra"),
    # Contents.
    both(
        exists(5, of=OUT, signature=(("km", 7),)),
        KNOWS,
        b"re",
        stored=SAID + b"\x98\x09\x98\x03Hkm\x030\x81\x07",
    ),
    both(
        exists(5, of=EDGE, shape=shape(properties=(("a", 1), ("b", "")), directed=False)),
        b"Hk1\0",
        b"e",
        stored=SAID
        + b"\x98\x06HKNOWS\x04Hann\x04Hbob\x02 \0"
        + b"\x11\x98\x08\x98\x02Ha\x030\x81\x01\x06\x98\x02Hb\x01H",
    ),
    # States and flags.
    both(exists(5, **DELETED), ROW, b"e", stored=b"\x02\0"),
    both(exists(5, **MOVED), ROW, b"e", stored=b"\x03\0"),
    both(exists(5, of=EDGE, **REMOVED), b"Hk1\0", b"e", stored=b"\x04\0"),
    both(value("n", None, 5, **DELETED), ROW, b"p", VALUE, b"\x02\0"),
    both(hide(5, **UNDONE), ROW, b"h", stored=b"\x05\0"),
    both(meta("s", None, 5, at=1, **UNDONE), ROW, b"pm", META + b"s", b"\x05\0"),
    both(exists(5, ended=1), ROW, b"e", stored=b"\x01\x01" + T1),
    both(exists(5, stamp=1), ROW, b"e", stored=b"\x01\x02" + T1),
    both(exists(5, note="why"), ROW, b"e", stored=b"\x01\x04\x04Hwhy"),
    both(exists(5, ttl=1), ROW, b"e", stored=b"\x01\x08" + T1),
    both(label("A", 5, ttl=1), ROW, b"l", b"A", stored=b"\x01\x08" + T1),
    both(value("n", "x", 5, ttl=1, note="w"), ROW, b"p", VALUE, b"\x01\x0c\x02Hw" + T1 + b"Hx"),
    both(exists(5, of=EDGE, ttl=1), b"Hk1\0", b"e", stored=b"\x01\x08" + T1 + SHAPE),
    both(exists(5, of=OUT, ttl=1, **DELETED), KNOWS, b"re", stored=b"\x02\x08" + T1),
    both(exists(5, ended=1, ttl=1), ROW, b"e", stored=b"\x01\x09" + T1 + T1),
    both(
        exists(5, of=EDGE, ended=1, stamp=1, note=""),
        b"Hk1\0",
        b"e",
        stored=b"\x01\x07" + T1 + T1 + b"\x01H" + SHAPE,
    ),
    both(
        value("n", "x", 5, stamp=-1, note=1),
        ROW,
        b"p",
        VALUE,
        b"\x01\x06\x7f\xff\xff\xff\xff\xff\xff\xff\x030\x81\x01Hx",
    ),
]

REFUSED = [
    bad("a row without a mark", b"ann"),
    bad("a row that ends before its mark", b"ann\0"),
    bad("a mark that does not exist", b"ann\0\x05"),
    bad("a mark that does not exist", b"ann\0\0"),
    bad("bytes after the row of a vertex", b"ann\0\x01\0"),
    bad("an id that is not escaped well", b"a\x01\x03\0\x01"),
    bad("an id that is not UTF-8", b"\xff\0\x01"),
    bad("a reference without a label", b"ann\0\x02", b"re"),
    bad("a reference without a neighbour", b"ann\0\x02KNOWS\0", b"re"),
    bad("a reference without an edge id", b"ann\0\x02KNOWS\0bob\0", b"re"),
    bad("an edge id of no type", b"ann\0\x02KNOWS\0bob\0\xff", b"re"),
    bad("bytes after the edge id", KNOWS + b"\0", b"re"),
    bad("a sort key that is not there", b"ann\0\x02RATED\0bob\0Hk1\0", b"re"),
    bad("an edge without an id", b"", stored=SAID + SHAPE, table="edges"),
    bad("a family that does not exist", family=b"z"),
    bad("a family of references", family=b"re"),
    bad("a family of vertices and edges", KNOWS, b"e"),
    bad("a property of a reference", KNOWS, b"p", VALUE, SAID + b"Hx"),
    bad("a label of an edge", b"Hk1\0", b"l", b"x", table="edges"),
    bad("no value", stored=b""),
    bad("no flags", stored=b"\x01"),
    bad("a state that does not exist", stored=b"\0\0"),
    bad("a state that does not exist", stored=b"\x06\0"),
    bad("a state that existences do not have", stored=b"\x05\0"),
    bad("a state that labels do not have", family=b"l", qualifier=b"x", stored=b"\x03\0"),
    bad("a state that values do not have", family=b"p", qualifier=VALUE, stored=b"\x05\0"),
    bad(
        "a state that metadata does not have", family=b"pm", qualifier=META + b"s", stored=b"\x04\0"
    ),
    bad("a state that hides do not have", family=b"h", stored=b"\x02\0"),
    bad("a flag that does not exist", stored=b"\x01\x10"),
    bad("a time to live that is cut", stored=b"\x01\x08\0\0"),
    bad("a time to live of nothing", stored=b"\x01\x08" + T1[:7] + b"\0"),
    bad("a time to live of a delete", stored=b"\x02\x08" + T1),
    bad("a time to live of a hide", family=b"h", stored=b"\x01\x08" + T1),
    bad(
        "a time to live of metadata",
        family=b"pm",
        qualifier=META + b"s",
        stored=b"\x01\x08" + T1 + b"Hb",
    ),
    bad("a time to live of a removal of a reference", KNOWS, b"re", stored=b"\x04\x08" + T1),
    bad("a time that is cut", stored=b"\x01\x02\0\0"),
    bad("fresh with a time that is not before its own", stored=b"\x01\x01" + T1[:7] + b"\x05"),
    bad("fresh, and deleted", stored=b"\x02\x01" + T1),
    bad("a fresh label", family=b"l", qualifier=b"x", stored=b"\x01\x01" + T1),
    bad("a note that is cut", stored=b"\x01\x04\x05H"),
    bad("a note that is null", stored=b"\x01\x04\x01\x10"),
    bad("a note whose length is not in its shortest form", stored=b"\x01\x04\x81\0H"),
    bad("a content of a vertex", stored=SAID + b"Hx"),
    bad("a content of a label", family=b"l", qualifier=b"x", stored=SAID + b"Hx"),
    bad("a content of a delete", family=b"p", qualifier=VALUE, stored=b"\x02\0Hx"),
    bad("a value without a type", family=b"p", qualifier=VALUE),
    bad("a value that is null", family=b"p", qualifier=VALUE, stored=SAID + b"\x10"),
    bad("a value without a name", family=b"p", stored=SAID + b"Hx"),
    bad("a name that is not UTF-8", family=b"p", qualifier=b"\xff\0", stored=SAID + b"Hx"),
    bad("a label that is not UTF-8", family=b"l", qualifier=b"\xff"),
    bad("an existence with a qualifier", qualifier=b"x"),
    bad("metadata without a time", family=b"pm", qualifier=b"n\0\0\0", stored=SAID + b"Hx"),
    bad("a hide without a visibility", family=b"hp", qualifier=b"n\0"),
    bad("a cause that is not an id", family=b"h", qualifier=b"x"),
    bad("a cause that is null", family=b"h", qualifier=b"\x10"),
    bad("an additional visibility under a visibility", family=b"a", visibility="a"),
    bad("an edge without a shape", b"Hk1\0", table="edges"),
    bad("a shape that is text", b"Hk1\0", stored=SAID + b"Hx", table="edges"),
    bad("a shape of two", b"Hk1\0", stored=SAID + b"\x98\x01H\x01H", table="edges"),
    bad(
        "a shape whose label is a number",
        b"Hk1\0",
        stored=SAID + b"\x98\x030\x81\x01\x04Hann\x04Hbob\x02 \x01\x01\x98",
        table="edges",
    ),
    bad(
        "a shape whose names are not in order",
        b"Hk1\0",
        stored=SAID + SHAPE[:-2] + b"\x0f\x98\x06\x98\x02Hb\x01H\x06\x98\x02Ha\x01H",
        table="edges",
    ),
    bad("a signature without properties", KNOWS, b"re", stored=SAID + b"\x98"),
    *(
        bad(f"a streaming value {why}", family=b"p", qualifier=VALUE, stored=SAID + b"\xa0" + data)
        for why, data in (
            ("that is too short", REFERENCE[:-1]),
            ("that is too long", REFERENCE + b"\0"),
            ("in a place that is none", b"\x03" + REFERENCE[1:]),
            ("of chunks that have no size", REFERENCE[:-4] + b"\0" * 4),
            ("in a file that has chunks", b"\x02" + REFERENCE[1:]),
            ("of a negative size", REFERENCE[:17] + b"\x80" + REFERENCE[18:]),
        )
    ),
    bad(
        "a streaming value in a list",
        family=b"p",
        qualifier=VALUE,
        stored=SAID + b"\x99\x1e\xa0" + REFERENCE,
    ),
    bad("a signature that is a list", KNOWS, b"re", stored=SAID + b"\x99"),
]
