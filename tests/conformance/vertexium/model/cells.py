"""The cells of a small model of Vertexium on Accumulo: what is written, and what a scan gives."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from lexigraph.security import ALL, All, Authorizations, Visibility


class Place(NamedTuple):
    """A column: family, qualifier (its parts), visibility."""

    family: str
    qualifier: tuple[str, ...]
    visibility: str


@dataclass(frozen=True)
class ModelCell:
    """One cell. ``order`` counts writes, ``step`` commits: of equal keys the last one wins."""

    place: Place
    time: int
    value: Any = None
    deleted: bool = False
    order: int = 0
    step: int = 0


_EXISTENCE = ("V", "E", "D", "EOUT", "EIN")


class ModelTable:
    """Rows of cells. ``keeps_one``: only the newest version is there, also for as-of reads."""

    def __init__(self, *, keeps_one: bool) -> None:
        self._keeps_one = keeps_one
        self.rows: dict[str, list[ModelCell]] = {}
        self.removed: dict[tuple[str, str], int] = {}
        """Up to when a row was removed for those who see a visibility."""
        self._dropped: dict[str, int] = {}
        self._writes = 0
        self.step = 0
        """The commit that writes."""

    def put(
        self,
        row: str,
        place: Place,
        time: int,
        value: Any = None,
        *,
        deleted: bool = False,
    ) -> None:
        """Write a cell, or a marker that deletes the versions up to its time."""
        self._writes += 1
        self.rows.setdefault(row, []).append(
            ModelCell(place, time, value, deleted, self._writes, self.step)
        )

    def copied(self) -> ModelTable:
        """Return a copy."""
        other = copy(self)
        other.rows = {row: list(cells) for row, cells in self.rows.items()}
        other.removed, other._dropped = dict(self.removed), dict(self._dropped)
        return other

    def drop(self, row: str, time: int) -> None:
        """Delete all cells of a row up to a time."""
        self._dropped[row] = max(time, self._dropped.get(row, 0))

    def remove(
        self, row: str, families: tuple[str, ...], time: int, auths: Authorizations | All
    ) -> None:
        """Delete up to a time what somebody can read of some families, for good."""
        places = {
            one.place: None
            for one in self.versions(row, auths, None)
            if one.place.family in families
        }
        for place in places:
            self.put(row, place, time, deleted=True)
            if place.family in ("V", "E"):
                self.removed[row, place.visibility] = time

    def versions(self, row: str, auths: Authorizations | All, end: int | None) -> list[ModelCell]:
        """Return the readable versions of each column in key order, newest first."""
        found: list[ModelCell] = []
        cells = [one for one in self.rows.get(row, ()) if can_see(one.place.visibility, auths)]
        cells.sort(key=lambda one: (cell_key(one.place), -one.time, not one.deleted, -one.order))
        for place, column in groupby(cells, key=lambda one: one.place):
            deleted = self._dropped.get(row, -1)
            if place.family in _EXISTENCE:
                deleted = max(deleted, self.removed.get((row, place.visibility), -1))
            kept: dict[int, ModelCell] = {}
            for one in column:
                if one.deleted:
                    deleted = max(deleted, one.time)
                elif one.time > deleted:
                    kept.setdefault(one.time, one)
            listed = list(kept.values())[: 1 if self._keeps_one else None]
            found += [one for one in listed if end is None or one.time <= end]
        return found

    def history(self, row: str, auths: Authorizations | All, end: int | None) -> list[ModelCell]:
        """Return all readable versions of all columns, also those of one time."""
        shown = {(one.place, one.time) for one in self.versions(row, auths, end)}
        return [
            one
            for one in self.rows.get(row, ())
            if not one.deleted and (one.place, one.time) in shown
        ]

    def newest(self, row: str, auths: Authorizations | All, end: int | None) -> list[ModelCell]:
        """Return the newest version of each column in key order."""
        versions = self.versions(row, auths, end)
        return [next(column) for _, column in groupby(versions, key=lambda one: one.place)]

    def left(self, row: str) -> list[ModelCell]:
        """Return the newest version of each column, whoever may read it."""
        return self.newest(row, ALL, None)


@cache
def can_see(visibility: str, auths: Authorizations | All) -> bool:
    """Return whether a visibility is satisfied."""
    return isinstance(auths, All) or Visibility(visibility).evaluate(auths)


def cell_key(place: Place) -> tuple[bytes, bytes, bytes]:
    """Return what cells are ordered by."""
    qualifier = "\x1f".join(place.qualifier)
    return place.family.encode(), qualifier.encode(), place.visibility.encode()
