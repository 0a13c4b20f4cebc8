"""Section 7: what a history keeps, and the times that may be asked for."""

from __future__ import annotations

from typing import Any

from spec.fact_cases.words import (
    DELETED,
    MOVED,
    OUT,
    REMOVED,
    UNDONE,
    Json,
    exists,
    hide,
    label,
    meta,
    value,
)

ABOUT = "Retention: which versions a history keeps (section 7)."

DAY = 86_400_000_000
NOW = 100 * DAY
"""With ten days the horizon is day 90."""


def kept(name: str, facts: list[Json], *indices: int, now: int = NOW, **more: Any) -> Json:
    """Return a case: the facts whose numbers are given are kept."""
    return {"name": name, "facts": facts, "now": now, **more, "kept": list(indices)}


def refused(name: str, as_of: int, **more: Any) -> Json:
    """Return a case: the as-of time is refused."""
    return {"name": name, "now": NOW, "as_of": as_of, **more, "error": "usage"}


def allowed(name: str, as_of: int, **more: Any) -> Json:
    """Return a case: the as-of time may be asked for."""
    return {"name": name, "now": NOW, "as_of": as_of, **more}


TEN: Json = {"history": {"days": 10}}
TWO: Json = {"history": {"versions": 2}}
ONE: Json = {"history": {"versions": 1}}


def n(day: float, given: Any = "x", **more: Any) -> Json:
    """Return a value of a day."""
    return value("n", given, int(day * DAY), **more)


CASES = [
    kept("without a history everything is kept", [exists(1), n(1), n(2)], 0, 1, 2),
    # Days: not older than the horizon, or the newest that is not newer.
    kept("what is not older than the horizon is kept", [n(90), n(95), n(99)], 0, 1, 2, **TEN),
    kept("the newest before the horizon is kept", [n(1), n(80), n(89), n(95)], 2, 3, **TEN),
    kept("a version at the horizon is the newest that is not newer", [n(89), n(90)], 1, **TEN),
    kept("each column has its own newest", [n(1), n(2, key="k"), n(3, vis="a")], 0, 1, 2, **TEN),
    kept("a delete before the horizon is the newest", [n(1), n(5, None, **DELETED)], 1, **TEN),
    kept(
        "of equal times the one written last is the newest",
        [n(5, "a", stamp=int(50 * DAY)), n(5, "b", stamp=int(40 * DAY))],
        0,
        **TEN,
    ),
    kept(
        "half days count",
        [n(1), n(99), n(99.6)],
        1,
        2,
        history={"days": 0.5},
    ),
    kept(
        "hides, labels and shows are kept alike",
        [hide(1), hide(2, **UNDONE), label("A", 1), label("A", 2, **DELETED)],
        1,
        3,
        **TEN,
    ),
    # Versions.
    kept("the newest versions are kept", [n(1), n(2), n(3), n(4)], 2, 3, **TWO),
    kept("markers are versions", [n(1), n(2), n(3, None, **DELETED)], 1, 2, **TWO),
    kept("equal versions are one", [n(1), n(2), n(2)], 0, 1, **TWO),
    kept("fewer than that are kept", [n(1)], 0, **TWO),
    # The latest end.
    kept(
        "the delete that ends older facts is kept",
        [exists(1), exists(2, **DELETED), exists(3), exists(4), exists(5)],
        1,
        4,
        **ONE,
    ),
    kept(
        "of several ends the latest is kept",
        [exists(1), exists(2, **DELETED), exists(3), exists(6, ended=5), exists(7)],
        3,
        4,
        **ONE,
    ),
    kept(
        "a move is not an end",
        [exists(1), exists(2, **MOVED), exists(3)],
        2,
        **ONE,
    ),
    kept(
        "with days it is the latest end before the horizon",
        [
            exists(1 * DAY),
            exists(2 * DAY, **DELETED),
            exists(3 * DAY),
            exists(4 * DAY),
            exists(95 * DAY, **DELETED),
            exists(96 * DAY),
        ],
        1,
        3,
        4,
        5,
        **TEN,
    ),
    # Removals.
    kept(
        "the newest removal is kept, and what is newer",
        [n(1), n(2, None, **REMOVED), n(3), n(4, None, **REMOVED), n(5)],
        3,
        4,
    ),
    kept(
        "a removal is kept besides the newest versions",
        [n(1, None, **REMOVED), n(2), n(3)],
        0,
        2,
        **ONE,
    ),
    kept(
        "what is dated like a removal goes with it",
        [n(2, None, **REMOVED), n(2, stamp=9)],
        0,
    ),
    # Metadata goes with its value.
    kept(
        "metadata is kept with its value",
        [
            n(1),
            meta("s", "b", 1 * DAY, at=1 * DAY),
            n(2),
            meta("s", "c", 2 * DAY, at=2 * DAY),
            meta("s", "d", 3 * DAY, at=2 * DAY),
        ],
        2,
        4,
        **ONE,
    ),
    kept("metadata without a value is not kept", [meta("s", "b", 1, at=1)]),
    kept(
        "metadata of a removed value is not kept",
        [n(1), meta("s", "b", 1 * DAY, at=1 * DAY), n(5, None, **REMOVED)],
        2,
    ),
    # Names.
    kept(
        "a name can have a longer history than the rest",
        [n(1), n(2), value("m", 1, 1), value("m", 2, 2), exists(1), exists(2)],
        0,
        1,
        3,
        5,
        names={"n": None},
        **ONE,
    ),
    # Times to live.
    kept("what has expired is not kept", [n(1), n(2, ttl=DAY), n(3, ttl=97 * DAY)], 0),
    kept("it is kept until then", [n(3, ttl=97 * DAY + 1)], 0),
    kept(
        "its metadata goes with it",
        [n(1, ttl=DAY), meta("s", "b", 1 * DAY, at=1 * DAY)],
    ),
    kept(
        "a version is only forgotten if what hides it lives as long",
        [n(1), n(2, ttl=200 * DAY), n(3, ttl=150 * DAY), n(4, ttl=197 * DAY)],
        0,
        1,
        3,
        **ONE,
    ),
    kept(
        "with days too",
        [n(1), n(2), n(3, ttl=200 * DAY), n(4, ttl=198 * DAY)],
        1,
        2,
        3,
        **TEN,
    ),
    kept(
        "a fresh existence is kept for what it ends",
        [exists(1), exists(3, ended=2, ttl=5), exists(4, ttl=5)],
        0,
        1,
    ),
    kept(
        "and hides what is older for ever",
        [exists(1), exists(3, ended=2, ttl=5)],
        1,
        **ONE,
    ),
    kept(
        "what ended a reference for a while is not an end",
        [
            exists(1, of=OUT),
            exists(2, of=OUT, ttl=200 * DAY, **DELETED),
            exists(3, of=OUT, ttl=300 * DAY),
        ],
        0,
        2,
        **ONE,
    ),
    # Times that may be asked for.
    allowed("without a history every as-of time is allowed", 0),
    allowed("the horizon may be asked for", 90 * DAY, **TEN),
    refused("an as-of time before the horizon is refused", 90 * DAY - 1, **TEN),
    refused("with versions every as-of time is refused", NOW, **TWO),
    refused("the horizon of a name counts too", 90 * DAY - 1, names={"n": {"days": 10}}),
]
