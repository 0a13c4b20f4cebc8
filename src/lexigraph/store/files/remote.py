"""Files anywhere that fsspec reaches: ``s3://bucket/folder``, ``gs://...``, ``memory://...``.

Layer ``store``. ``fsspec`` and the package of the scheme are imported when a URL is opened. An
object is there when all of it was sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from time import time
from typing import Any

from lexigraph.errors import InvalidOption, StoreError, UnsupportedError
from lexigraph.extras import install_hint
from lexigraph.store.files.spi import Files, FoundFile

_TIMES = ("mtime", "LastModified", "last_modified", "created", "modified")


class RemoteFiles(Files):
    """Files below a URL."""

    def __init__(self, url: str) -> None:
        try:
            from fsspec.core import url_to_fs
        except ImportError as error:
            raise UnsupportedError(
                f"streams={url!r} needs the package fsspec, which is not installed",
                hint=f"{install_hint('streams')} A local folder needs no package.",
            ) from error
        try:
            self._files, self._home = url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise InvalidOption(
                f"fsspec does not open streams={url!r}: {error}",
                hint="Install the package of its scheme, such as s3fs for s3://.",
            ) from error
        self._url = url

    def put(self, folder: str, name: str, blocks: Iterable[bytes]) -> int:
        """Send a new file."""
        count = 0
        try:
            self._files.makedirs(self._path(folder), exist_ok=True)
            # It gets its name when it is committed: what ends half-way is not there.
            file = self._files.open(self._path(folder, name), "wb", autocommit=False)
            try:
                for block in blocks:
                    file.write(block)
                    count += len(block)
                file.close()
            except BaseException:
                file.discard()
                # Some places have it from the moment that it was opened.
                self.delete(folder, name)
                raise
            file.commit()
        except OSError as error:
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"a streaming value could not be sent to {self._url}: {error}") from (
                error
            )
        return count

    def open(self, folder: str, name: str) -> Any | None:
        """Return a file object; ``None`` if there is no such file."""
        path = self._path(folder, name)
        return self._files.open(path, "rb") if self._files.exists(path) else None

    def size(self, folder: str, name: str) -> int | None:
        """Return how many bytes a file has; ``None`` if there is no such file."""
        path = self._path(folder, name)
        return int(self._files.size(path)) if self._files.exists(path) else None

    def delete(self, folder: str, name: str) -> None:
        """Remove a file."""
        path = self._path(folder, name)
        if self._files.exists(path):
            self._files.rm_file(path)

    def drop(self, folder: str) -> None:
        """Remove a folder."""
        if self._files.exists(self._path(folder)):
            self._files.rm(self._path(folder), recursive=True)

    def found(self, folder: str) -> Iterator[FoundFile]:
        """Yield the files of a folder."""
        if self._files.exists(self._path(folder)):
            for one in self._files.ls(self._path(folder), detail=True):
                if one["type"] == "file":
                    name = str(one["name"]).rpartition("/")[2]
                    yield FoundFile(name, _age_s(one), int(one["size"] or 0))

    def _path(self, *parts: str) -> str:
        return "/".join((self._home, *parts))

    def __repr__(self) -> str:
        """Show the URL."""
        return f"RemoteFiles({self._url!r})"


def _age_s(told: dict[str, Any]) -> float:
    """Return how old a file is; one whose place does not say it is new for ever."""
    for name in _TIMES:
        when = told.get(name)
        if isinstance(when, datetime):
            aware = when if when.tzinfo else when.replace(tzinfo=UTC)
            return max(0.0, time() - aware.timestamp())
        if isinstance(when, int | float):
            return max(0.0, time() - when)
    return 0.0
