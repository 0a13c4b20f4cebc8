"""Questions and summaries as text: what is asked, and how to read the answer. Nothing is read.

Layer ``graph``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lexigraph.errors import LexigraphError
from lexigraph.graph.read.nodes import OrderStep
from lexigraph.plan import Elements, Keys, Steps
from lexigraph.plan.logical.elements import Where
from lexigraph.plan.sources.find import finder

_LIMIT = 300
READ_QUESTION = (
    "Nothing is read yet: iterate over it, or use .first(), .to_list(), .count() or .to_polars()."
)
READ_SUMMARY = "Nothing is read yet: iterate over it, or use .first(), .to_list() or .to_polars()."


def asked_text(asked: Elements, keys: Keys, order: Iterable[OrderStep] = ()) -> str:
    """Return what a question asks for, in one line."""
    text = ", ".join([*_parts(asked, keys), *_ordered(order)])
    return text if len(text) <= _LIMIT else text[: _LIMIT - 3] + "..."


def _parts(asked: Elements, keys: Keys) -> Iterator[str]:
    groups, place = " ".join(asked.view) or "nothing", _place(asked, keys)
    yield f"all {groups}" if place == "everything" else f"{groups} {place}"
    if asked.direction != "both":
        yield f"direction {asked.direction}"
    if asked.directed is not None:
        yield "directed" if asked.directed else "undirected"
    # Steps of several groups are mostly the same: each is told once.
    yield from dict.fromkeys(text for steps in asked.view.values() for text in _steps(steps))
    if asked.by_visibility:
        yield "labels apart"
    if asked.limit is not None:
        yield f"limit {asked.limit}"


def _place(asked: Elements, keys: Keys) -> str:
    try:
        return finder(asked, keys).describe()
    except LexigraphError:
        # Seeds that cannot be read are refused when the answer is.
        return type(asked.source).__name__.lower()


def _steps(steps: Steps) -> Iterator[str]:
    yield from _filters(steps.before)
    if steps.by is not None:
        by = [*steps.by, *(name for one in steps.derived_by for name in one.into)]
        yield f"rolled up{' by ' + ' '.join(by) if by else ''}"
    yield from _filters(steps.after)
    for one in steps.transforms:
        yield f"derived {' '.join(one.into)}"
    yield from _filters(steps.last)
    if steps.keep is not None:
        yield f"select {' '.join(steps.keep)}"
    if steps.drop:
        yield f"without {' '.join(steps.drop)}"


def _filters(filters: Iterable[Where]) -> Iterator[str]:
    return (f"where {one.text}" for one in filters)


def _ordered(order: Iterable[OrderStep]) -> Iterator[str]:
    for step in order:
        keys = ", ".join(str(one).replace("element.", "") for one in step.keys)
        yield f"ordered by {keys}"
        if step.count is not None:
            yield f"limit {step.count}"
