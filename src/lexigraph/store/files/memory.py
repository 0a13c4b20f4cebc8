"""Files in memory, for the memory engine: gone with it.

Layer ``store``.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from time import monotonic

from lexigraph.store.files.spi import Files, FoundFile


class MemoryFiles(Files):
    """Files in this process.

    >>> files = MemoryFiles()
    >>> files.put("g", "a", [b"12", b"3"]), files.open("g", "a").read(), files.open("g", "b")
    (3, b'123', None)
    """

    def __init__(self) -> None:
        self._held: dict[str, dict[str, tuple[bytes, float]]] = {}

    def put(self, folder: str, name: str, blocks: Iterable[bytes]) -> int:
        """Hold a file."""
        data = b"".join(blocks)
        self._held.setdefault(folder, {})[name] = data, monotonic()
        return len(data)

    def open(self, folder: str, name: str) -> io.BytesIO | None:
        """Return a file object; ``None`` if there is no such file."""
        found = self._held.get(folder, {}).get(name)
        return None if found is None else io.BytesIO(found[0])

    def size(self, folder: str, name: str) -> int | None:
        """Return how many bytes a file has; ``None`` if there is no such file."""
        found = self._held.get(folder, {}).get(name)
        return None if found is None else len(found[0])

    def delete(self, folder: str, name: str) -> None:
        """Remove a file."""
        self._held.get(folder, {}).pop(name, None)

    def drop(self, folder: str) -> None:
        """Remove a folder."""
        self._held.pop(folder, None)

    def found(self, folder: str) -> Iterator[FoundFile]:
        """Yield the files of a folder."""
        for name, (data, time) in sorted(self._held.get(folder, {}).items()):
            yield FoundFile(name, monotonic() - time, len(data))
