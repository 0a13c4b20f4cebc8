"""Elements as a client has loaded them, whoever answered, and their canonical form."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.conformance.vertexium.given import Hints, Names

NOT_FETCHED = {"error": "not fetched"}


class Refused(Exception):
    """A question or a change that is refused; ``why`` is one of a few words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def dump(data: Any) -> str:
    """Return the canonical text by which lists are ordered."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def ordered(items: Iterable[Any]) -> list[Any]:
    """Return items in canonical order."""
    return sorted(items, key=dump)


@dataclass(frozen=True)
class Entry:
    """A metadata entry."""

    key: str
    visibility: str
    value: Any

    def shown(self) -> dict[str, Any]:
        """Return the canonical form."""
        return {"key": self.key, "visibility": self.visibility, "value": self.value}


@dataclass(frozen=True)
class Value:
    """A property: one value. ``metadata`` is None if it was not fetched."""

    name: str
    key: str
    visibility: str
    time: int
    value: Any
    metadata: tuple[Entry, ...] | None = ()
    hides: tuple[str, ...] = ()

    def shown(self) -> dict[str, Any]:
        """Return the canonical form."""
        found = {
            "name": self.name,
            "key": self.key,
            "visibility": self.visibility,
            "timestamp": self.time,
            "value": self.value,
        }
        if self.metadata is None:
            found["metadata"] = NOT_FETCHED
        elif self.metadata:
            entries = sorted(self.metadata, key=lambda one: (one.key, one.visibility))
            found["metadata"] = [one.shown() for one in entries]
        if self.hides:
            found |= {"hidden": True, "hiddenVisibilities": sorted(self.hides)}
        return found


@dataclass(frozen=True)
class Reference:
    """An edge as its vertex has it."""

    direction: str
    edge: str
    label: str
    other: str

    def shown(self) -> list[str]:
        """Return the canonical form."""
        return [self.direction, self.edge, self.label, self.other]


@dataclass(frozen=True)
class Element:
    """A vertex, or an edge with its shape (label, source, destination)."""

    id: str
    visibility: str
    time: int
    hints: Hints
    shape: tuple[str, str, str] | None = None
    hides: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    held: tuple[Reference, ...] = field(default=())

    def properties(self, name: str | None = None, key: str | None = None) -> list[Value]:
        """Return the properties, of a name and a key if they are given; the order is promised."""
        fetched = self.hints.properties
        if not fetched or (name and fetched is not True and name not in fetched):
            raise Refused("not fetched")
        found = [one for one in self.values if name in (None, one.name) and key in (None, one.key)]
        return sorted(found, key=lambda one: (one.name, one.key, one.visibility))

    def references(
        self, direction: str = "BOTH", labels: list[str] | None = None, *, summary: bool = False
    ) -> list[Reference]:
        """Return the references of a direction and of labels, if they were fetched."""
        hints = self.hints
        for one, fetched in (("OUT", hints.out_edges), ("IN", hints.in_edges)):
            if direction in (one, "BOTH") and not (summary and hints.counts):
                _check(fetched, labels)
        return [
            one
            for one in self.held
            if direction in (one.direction, "BOTH") and (labels is None or one.label in labels)
        ]

    def summary(self) -> Any:
        """Return how many edges of each label there are."""
        found: dict[str, dict[str, int]] = {"out": {}, "in": {}}
        for one in self.references(summary=True):
            side = found[one.direction.lower()]
            side[one.label] = side.get(one.label, 0) + 1
        return found

    def shown(self) -> dict[str, Any]:
        """Return the canonical form; tables under the element are left out."""
        found: dict[str, Any] = {
            "type": "vertex" if self.shape is None else "edge",
            "id": self.id,
            "visibility": self.visibility,
            "timestamp": self.time,
            "properties": _or_error(lambda: [one.shown() for one in self.properties()]),
        }
        if self.shape is not None:
            found |= dict(zip(("label", "out", "in"), self.shape, strict=True))
        else:
            found["edges"] = _or_error(lambda: ordered(one.shown() for one in self.references()))
            if found["edges"]:
                found["edgesSummary"] = _or_error(self.summary)
        if self.hides:
            found |= {"hidden": True, "hiddenVisibilities": sorted(self.hides)}
        return found


def _check(fetched: Names, labels: list[str] | None) -> None:
    if not fetched or (fetched is not True and labels and not fetched.issuperset(labels)):
        raise Refused("not fetched")


def _or_error(get: Any) -> Any:
    try:
        return get()
    except Refused as error:
        return {"error": error.why}
