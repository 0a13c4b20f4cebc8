"""Edges by their ids: only records have any.

Layer ``plan``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lexigraph.layout import Place, Wanted
from lexigraph.plan.keys import Keys
from lexigraph.plan.logical.elements import ById, Elements
from lexigraph.plan.sources.finder import Finder, counted


class FindById(Finder):
    """Looks for edges of records; edges that merge have no ids."""

    shows_matched = False

    def __init__(self, asked: Elements, keys: Keys) -> None:
        super().__init__(asked, keys)
        source = asked.source
        assert isinstance(source, ById)
        self.ids = tuple(source.ids)

    def batches(self) -> Iterator[list[Any]]:
        """Yield the ids, some at a time."""
        left = iter(self.ids)
        while batch := list(islice(left, self.batch)):
            yield batch

    def places(self, wanted: Wanted) -> Iterator[list[Place]]:
        """Yield nothing: no key plan has ids of edges."""
        return iter(())

    def describe(self) -> str:
        """Say how many."""
        return f"{counted(len(self.ids), 'edge', 'edges')} by id"
