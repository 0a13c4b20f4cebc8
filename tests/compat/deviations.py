"""Where answers differ from real Gaffer's: rules over schema, question and history, with reasons.

A rule says what it is about, never which question: it judges any sample of the same generator. Its
repair makes of Gaffer's own answers, and of what was given, the answer that is right; the question
is then judged to the last property. What may differ in a single property is in ``judging``. Each
rule has its line in ``docs/reference/deviations.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .repairs import (
    Answer,
    Asked,
    Json,
    added_again,
    around,
    as_without_it,
    at_seeds,
    by_size,
    exactly_deleted,
    given_alone,
    without_nulls,
)


class Deviation(NamedTuple):
    """A decided difference: when it can occur, and what Gaffer's answer is without its defect."""

    reason: str
    applies: Callable[[Asked], bool]
    repair: Callable[[Asked, Answer], Answer]


DEVIATIONS = [
    Deviation("group-by may be any subset", lambda a: a.failed and a.has_free_group_by, at_seeds),
    Deviation("all widths of a number are one id", lambda a: a.has_other_width, around),
    Deviation("numbers order as numbers", lambda a: a.has_range_of_floats, by_size),
    Deviation(
        "grants are given by the one who opens a graph",
        lambda a: a.failed and bool(a.unknown_auths),
        as_without_it,
    ),
    Deviation(
        "an edge in a group of vertices is refused",
        lambda a: a.failed and a.has_misplaced_edge,
        at_seeds,
    ),
    Deviation("deletes are exact", lambda a: a.has_deleted_labels, exactly_deleted),
    Deviation("deleted elements can be added again", lambda a: a.has_added_again, added_again),
    Deviation(
        "null ids are refused, and so is what came with them",
        lambda a: a.has_added_nulls,
        without_nulls,
    ),
    Deviation(
        "a missing property is absent, first and last go by time, sketches are others",
        lambda a: True,
        given_alone,
    ),
]
"""Answers that fail in Gaffer come first: the others go on from what replaces them."""


def repaired(asked: Asked, expected: Answer) -> list[tuple[str, Answer]]:
    """Return what the answer may be: with each rule that applies alone, and with all of them."""
    rules = [one for one in DEVIATIONS if one.applies(asked)]
    found = [(one.reason, one.repair(asked, expected)) for one in rules]
    whole = expected
    for one in rules:
        whole = one.repair(asked, whole)
    return [*found, ("; ".join(one.reason for one in rules), whole)]


def names_unknown_property(asked: Asked, operation: Json) -> bool:
    """Say whether a view names a property that its group does not have: ours refuses it."""
    facts = asked.history.facts
    for part in ("entities", "edges"):
        for group, steps in ((operation.get("view") or {}).get(part) or {}).items():
            known = {*facts.group(group)["properties"], *steps.get("transientProperties", {})}
            named = {*(steps.get("properties") or ()), *(steps.get("excludeProperties") or ())}
            for kind in ("preAggregation", "postAggregation", "postTransform"):
                for one in steps.get(f"{kind}FilterFunctions") or ():
                    named |= {name for name in one["selection"] if not name.isupper()}
            if named - known:
                return True
    return False
