"""What a scenario needs of a graph: a few changes, and elements as a caller loads them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from tests.conformance.vertexium.given import Hints
from tests.conformance.vertexium.loaded import Element

Step = dict[str, Any]
VERTEX, EDGE = "vertex", "edge"


@dataclass(frozen=True)
class Reader:
    """Who asks, as of when, for what."""

    auths: tuple[str, ...]
    hints: Hints
    end: int | None = None


class Driver(Protocol):
    """A graph that a scenario runs on. Times are in milliseconds."""

    def change(self, number: int, step: Step, *, dry: bool = False) -> None:
        """Do the step of this number; raise Refused if the graph refuses it.

        If ``dry``, only judge it.
        """
        ...

    def load(self, kind: str, ids: Iterable[str] | None, reader: Reader) -> list[Element]:
        """Return the elements of these ids, or all, that a reader sees, by id."""
        ...

    def past_values(self, id_: str, reader: Reader, start: int | None) -> list[dict[str, Any]]:
        """Return the values that a vertex has had, in canonical form, newest first."""
        ...

    def events(
        self, ids: list[list[str]], reader: Reader, start: int | None
    ) -> list[dict[str, Any]]:
        """Return what happened to elements, in canonical form, oldest first."""
        ...

    def paths(self, ends: tuple[str, str], hops: int, step: Step) -> list[list[str]]:
        """Return the paths between two vertices of at most so many hops, in any order."""
        ...

    def related(self, ids: Iterable[str], reader: Reader) -> list[tuple[str, str, str, str]]:
        """Return the edges between vertices of a set: id, label, source, destination."""
        ...

    def metadata(self, step: Step) -> dict[str, Any]:
        """Return the metadata of the graph, in canonical form."""
        ...

    def guarded(self, kind: str, ids: Iterable[str], step: Step) -> list[str]:
        """Return the elements with something that an authorization guards."""
        ...
