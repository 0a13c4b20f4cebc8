"""The words that cases of facts are written in. They know the JSON form and no rule.

A reading without ``to`` is the owner's. What is at its default is left out.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
ANN: Json = {"vertex": "ann"}
"""The subject, unless another one is given."""
EDGE: Json = {"edge": "k1"}


def reference(
    vertex: str = "ann",
    other: str = "bob",
    direction: str = "out",
    label: str = "KNOWS",
    sort_key: tuple[Any, ...] = (),
    edge: str = "k1",
) -> Json:
    """Return a reference as a subject."""
    named = {"vertex": vertex, "direction": direction, "label": label}
    return {"reference": {**named, "sort_key": list(sort_key), "other": other, "edge": edge}}


OUT, IN = reference(), reference("bob", "ann", "in")


def shape(
    label: str = "KNOWS",
    source: str = "ann",
    destination: str = "bob",
    properties: tuple[tuple[str, Any], ...] = (),
    *,
    directed: bool = True,
) -> Json:
    """Return the shape of an edge."""
    ends = {"label": label, "source": source, "destination": destination, "directed": directed}
    return {**ends, "properties": [list(pair) for pair in properties]}


def _fact(kind: str, time: int, vis: str, of: Json, more: Json) -> Json:
    found = {"fact": kind, "of": of, "time": time, "state": more.pop("state", "said")}
    if vis:
        found["visibility"] = vis
    return {**found, **{name: one for name, one in more.items() if (name, one) != ("key", "")}}


def exists(time: int, vis: str = "", of: Json = ANN, **more: Any) -> Json:
    """Return an existence; ``ended`` makes it fresh."""
    said = more.get("state", "said") == "said"
    if "edge" in of and said:
        more.setdefault("shape", shape())
    if "signature" in more:
        more["signature"] = [list(pair) for pair in more["signature"]]
    return _fact("existence", time, vis, of, more)


def label(name: str, time: int, vis: str = "", of: Json = ANN, **more: Any) -> Json:
    """Return a label."""
    return _fact("label", time, vis, of, {"label": name, **more})


def value(name: str, given: Any, time: int, vis: str = "", of: Json = ANN, **more: Any) -> Json:
    """Return a value; None stands for a version that has none."""
    content = {} if given is None else {"value": given}
    return _fact("value", time, vis, of, {"name": name, **content, **more})


def meta(
    entry: str, given: Any, time: int, vis: str = "", *, at: int, name: str = "n", **more: Any
) -> Json:
    """Return metadata of the value of time ``at``."""
    content = {} if given is None else {"value": given}
    named = {"name": name, "value_time": at, "entry": entry}
    return _fact("metadata", time, vis, more.pop("of", ANN), {**named, **content, **more})


def hide(time: int, vis: str = "", of: Json = ANN, **more: Any) -> Json:
    """Return a hide of the subject."""
    return _fact("hide", time, vis, of, more)


def hide_value(name: str, time: int, vis: str = "", of: Json = ANN, **more: Any) -> Json:
    """Return a hide of a property."""
    return _fact("value-hide", time, vis, of, {"name": name, **more})


def require(expression: str, time: int, of: Json = ANN, **more: Any) -> Json:
    """Return an additional visibility."""
    return _fact("required", time, "", of, {"expression": expression, **more})


DELETED: Json = {"state": "deleted"}
REMOVED: Json = {"state": "removed"}
MOVED: Json = {"state": "moved"}
UNDONE: Json = {"state": "undone"}


def prop(
    name: str,
    given: Any,
    time: int,
    vis: str = "",
    metadata: tuple[tuple[str, ...], ...] | None = (),
    **more: Any,
) -> Json:
    """Return a property as a reader gets it; metadata as (key, value[, visibility])."""
    found: Json = {"name": name, "value": given, "time": time}
    if vis:
        found["visibility"] = vis
    if metadata is not None:
        found["metadata"] = [
            {"key": one[0], "value": one[1], **({"visibility": one[2]} if one[2:] else {})}
            for one in metadata
        ]
    return {**found, **more}


def _element(time: int, vis: str, more: Json) -> Json:
    return {"time": time, **({"visibility": vis} if vis else {}), **more}


def vertex(
    time: int,
    *properties: Json,
    vis: str = "",
    labels: tuple[str, ...] | None = (),
    id: str = "ann",  # noqa: A002 - the word of the field
    **more: Any,
) -> Json:
    """Return a vertex as a reader gets it."""
    if labels is not None:
        more["labels"] = list(labels)
    return {"vertex": id, **_element(time, vis, {"properties": list(properties), **more})}


def bare(time: int, vis: str = "", **more: Any) -> Json:
    """Return a vertex of which nothing but the existence was fetched."""
    return {"vertex": "ann", **_element(time, vis, more)}


def edge(time: int, *properties: Json, vis: str = "", of: Json | None = None, **more: Any) -> Json:
    """Return an edge as a reader gets it."""
    found = _element(time, vis, {"properties": list(properties), **more})
    return {"edge": "k1", "shape": of or shape(), **found}


def seen(
    of: Json, time: int, vis: str = "", signature: tuple[tuple[str, Any], ...] = (), **more: Any
) -> Json:
    """Return a reference as a reader gets it."""
    pairs = [list(pair) for pair in signature]
    return {**of, **_element(time, vis, {"signature": pairs, **more})}


def _reader(to: str | None, at: int | None, hints: Json | None, now: int | None) -> Json:
    reader: Json = {"authorizations": "ALL" if to is None else to.split()}
    if at is not None:
        reader["as_of"] = at
    if hints is not None:
        reader["hints"] = hints
    if now is not None:
        reader["now"] = now
    return reader


def sees(
    *elements: Json,
    to: str | None = None,
    at: int | None = None,
    hints: Json | None = None,
    newest: Json | None = None,
    now: int | None = None,
) -> Json:
    """Return a reading: to whom, as of when, with which hints, and the elements."""
    found: Json = {"reader": _reader(to, at, hints, now), "elements": list(elements)}
    return found if newest is None else {**found, "newest": newest}


HIDDEN: Json = {
    "labels": True,
    "properties": True,
    "metadata": True,
    "out_edges": True,
    "in_edges": True,
    "hidden": True,
}
"""Everything, also what is hidden."""


def happened(
    *events: Json,
    to: str | None = None,
    at: int | None = None,
    since: int | None = None,
    limit: int | None = None,
) -> Json:
    """Return a reading of the history."""
    found: Json = {"reader": _reader(to, at, None, None), "events": list(events)}
    for name, one in (("since", since), ("limit", limit)):
        if one is not None:
            found[name] = one
    return found


def event(kind: str, time: int, vis: str = "", of: Json = ANN, **more: Any) -> Json:
    """Return an event."""
    found: Json = {"event": kind, "of": of, "time": time}
    if vis:
        found["visibility"] = vis
    return {**found, **more}


def case(name: str, facts: list[Json], *readings: Json) -> Json:
    """Return a case: facts, and what readers get of them."""
    return {"name": name, "facts": facts, "readings": list(readings)}
