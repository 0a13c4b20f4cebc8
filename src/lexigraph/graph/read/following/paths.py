"""Asking for paths: which edges they may use.

Layer ``graph``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lexigraph.errors import UsageError, show
from lexigraph.graph.read import view
from lexigraph.graph.read.query import Query
from lexigraph.plan import Elements, Steps, Where
from lexigraph.schema import Schema


def path_edges(
    question: Query[Any], edges: tuple[Any, ...], direction: str, exclude: Any, schema: Schema
) -> Elements:
    """Return the edges of paths: of some groups, or what a question about edges says."""
    if any(isinstance(one, Query) for one in edges):
        if len(edges) > 1:
            raise UsageError(
                "paths take groups of edges, or one question about edges",
                hint="Ask for all groups in one question: graph.get().edges(Calls, Knows).",
            )
        [asked] = edges
        if asked._order:
            raise UsageError("the edges of paths cannot be ordered", hint="Leave .order_by out.")
        found = asked._asked
    else:
        found = question.edges(*edges, direction=direction)._asked
    return found if not exclude else _without(found, exclude, schema)


def _without(asked: Elements, exclude: Any, schema: Schema) -> Elements:
    listed = [exclude] if isinstance(exclude, str | type) else exclude
    if isinstance(listed, bytes) or not isinstance(listed, Iterable):
        raise UsageError(f"exclude is a group of edges or a list of them, not {show(exclude)}")
    names = set(view.group_names(listed, schema, "edge"))
    kept = {name: steps for name, steps in asked.view.items() if name not in names}
    unknown = {one for one in listed if isinstance(one, str) and one not in schema.groups}
    if unknown:
        kept = {name: _leave_out(name, steps, unknown, schema) for name, steps in kept.items()}
    if not any(schema.group(name).kind == "edge" for name in kept):
        raise UsageError(f"no edges are left: {show(exclude)} are all that were asked for")
    return replace(asked, view=kept)


def _leave_out(name: str, steps: Steps, labels: set[str], schema: Schema) -> Steps:
    """Leave labels out of those that no class declares."""
    if not schema.group(name).open:
        return steps
    text = f"label is not {', '.join(sorted(labels))}"
    wanted = Where(call=lambda edge: edge.group not in labels, text=text)
    return replace(steps, before=(*steps.before, wanted))
