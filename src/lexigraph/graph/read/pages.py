"""A page: some elements of an answer, and where the next page begins.

Layer ``graph``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


class Page(list[T]):
    """A list of elements; ``cursor`` is text to ask for the next page with, ``None`` at the end."""

    def __init__(self, elements: Iterable[T] = (), cursor: str | None = None) -> None:
        super().__init__(elements)
        self.cursor = cursor
