"""Where the bytes of large values are kept as files, and what is asked of such a place.

Layer ``store``. A file has the name of its folder and one of its own. It is there whole or not at
all, is never changed, and is as safe as the place can make it when ``put`` returns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class FoundFile(NamedTuple):
    """A file of a folder."""

    name: str
    age_s: float
    """For how long nobody has written to it."""
    size: int


class Files(ABC):
    """A place for files."""

    @abstractmethod
    def put(self, folder: str, name: str, blocks: Iterable[bytes]) -> int:
        """Write a new file, block by block, and return how many bytes it has."""

    @abstractmethod
    def open(self, folder: str, name: str) -> Any | None:
        """Return a binary file object to read with ``seek``; ``None`` if there is no such file."""

    @abstractmethod
    def size(self, folder: str, name: str) -> int | None:
        """Return how many bytes a file has; ``None`` if there is no such file."""

    @abstractmethod
    def delete(self, folder: str, name: str) -> None:
        """Remove a file; nothing happens if it is not there."""

    @abstractmethod
    def drop(self, folder: str) -> None:
        """Remove a folder with all its files."""

    @abstractmethod
    def found(self, folder: str) -> Iterator[FoundFile]:
        """Yield the files of a folder, those also that were not written to their end."""
