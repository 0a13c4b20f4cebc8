"""Files in a local directory, for the embedded engine and for paths that users name.

Layer ``store``. A file is written beside its name, made safe on disk, then renamed; so a crash
leaves a part that has another name, and never half a file.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time
from typing import Any, Final
from uuid import uuid4

from lexigraph.errors import StoreError, show
from lexigraph.store.files.spi import Files, FoundFile

PART: Final = ".part"
"""What the name of a file ends with until all of it is there."""
_LINKED: Final = ".backup-"
_SYNC_BYTES: Final = 32 << 20
"""How much is written before the disk is told to begin with it."""


class LocalFiles(Files):
    """Files below a directory, which is made with the first one."""

    def __init__(self, home: str | os.PathLike[str]) -> None:
        self.home = Path(home)

    def put(self, folder: str, name: str, blocks: Iterable[bytes]) -> int:
        """Write a new file; it is on disk when this returns."""
        try:
            return self._put(self.home / folder, name, blocks)
        except OSError as error:
            if isinstance(error, StoreError):
                raise
            raise StoreError(
                f"a streaming value could not be written to {self.home / folder}: {error}",
                hint="Check the space and the permissions there.",
            ) from error

    def _put(self, folder: Path, name: str, blocks: Iterable[bytes]) -> int:
        is_new = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        part, count, unsynced = folder / (name + PART), 0, 0
        try:
            with part.open("xb", buffering=0) as file:
                for block in blocks:
                    _write(file, block)
                    count += len(block)
                    unsynced += len(block)
                    if unsynced >= _SYNC_BYTES:
                        # Spread over the writing: one sync at the end would wait for all of it.
                        _begin_sync(file.fileno(), count - unsynced, unsynced)
                        unsynced = 0
                os.fsync(file.fileno())
            part.rename(folder / name)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        for one in (folder, folder.parent, folder.parent.parent) if is_new else (folder,):
            _sync_directory(one)
        return count

    def open(self, folder: str, name: str) -> Any | None:
        """Return a file object; ``None`` if there is no such file."""
        path = self.home / folder / name
        return path.open("rb", buffering=0) if path.is_file() else None

    def size(self, folder: str, name: str) -> int | None:
        """Return how many bytes a file has; ``None`` if there is no such file."""
        path = self.home / folder / name
        return path.stat().st_size if path.is_file() else None

    def delete(self, folder: str, name: str) -> None:
        """Remove a file, also one that was not written to its end."""
        for one in (name, name + PART):
            (self.home / folder / one).unlink(missing_ok=True)

    def drop(self, folder: str) -> None:
        """Remove a folder."""
        shutil.rmtree(self.home / folder, ignore_errors=True)

    def found(self, folder: str) -> Iterator[FoundFile]:
        """Yield the files of a folder."""
        path = self.home / folder
        for one in sorted(path.iterdir()) if path.is_dir() else ():
            status = one.stat()
            yield FoundFile(
                one.name.removesuffix(PART), max(0.0, time() - status.st_mtime), status.st_size
            )

    @contextmanager
    def linked(self) -> Iterator[LocalFiles]:
        """Yield the same files under names that stay for a while, also if these are deleted."""
        beside = LocalFiles(self.home / f"{_LINKED}{uuid4().hex}")
        try:
            for folder in self._folders():
                for name in _whole(folder):
                    (beside.home / folder.name).mkdir(parents=True, exist_ok=True)
                    with suppress(FileNotFoundError):
                        # It is gone now: nothing refers to it any more.
                        os.link(folder / name, beside.home / folder.name / name)
            yield beside
        finally:
            shutil.rmtree(beside.home, ignore_errors=True)

    def _folders(self) -> list[Path]:
        found = self.home.iterdir() if self.home.is_dir() else ()
        return sorted(one for one in found if one.is_dir() and not one.name.startswith(_LINKED))

    def copy_to(self, target: Path) -> int:
        """Copy all that another directory does not have yet, whole files only; return the bytes."""
        written, into = 0, LocalFiles(target)
        for folder in self._folders():
            for name in _whole(folder):
                if into.size(folder.name, name) is None:
                    written += _copy(self, into, folder.name, name)
        return written

    def __repr__(self) -> str:
        """Show the directory."""
        return f"LocalFiles({show(str(self.home))})"


def _whole(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir() if not one.name.endswith(PART))


def _copy(source: LocalFiles, target: LocalFiles, folder: str, name: str) -> int:
    file = source.open(folder, name)
    if file is None:
        # It was removed meanwhile; what is copied after this does not refer to it.
        return 0
    with file:
        return target.put(folder, name, iter(lambda: file.read(1 << 20), b""))


def _write(file: Any, block: bytes) -> None:
    left = memoryview(block)
    while left:
        left = left[file.write(left) :]


def _begin_sync(descriptor: int, offset: int, length: int) -> None:
    # A hint: where the system does not know it, the sync at the end does all.
    advise = getattr(os, "posix_fadvise", None)
    if advise is not None:
        advise(descriptor, offset, length, os.POSIX_FADV_DONTNEED)


def _sync_directory(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
