"""How a bulk load makes the files that servers take: how many, and what becomes of refused ones.

Layer ``store``. Means something where tables are divided over servers; other engines read it, so
that a mistake in it is one everywhere, and do without.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lexigraph.errors import InvalidOption, InvalidValue, show
from lexigraph.security import All, Authorizations

LOAD_MEMORY_BYTES = 32 << 20
"""How much memory a bulk load takes for sorting, unless told otherwise."""

_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class LoadFiles:
    """Into how many files a load is divided: one for each tablet that it has cells for.

    With ``min_partitions`` tablets are divided further where there are fewer, with
    ``max_partitions`` a file is for several of them. ``failures`` is a directory on the cluster's
    file system, which keeps the files of a load that the table did not take.

    >>> LoadFiles(min_partitions=4, max_partitions=2)
    Traceback (most recent call last):
        ...
    lexigraph.errors.InvalidValue: a load of at least 4 partitions cannot have at most 2
    """

    min_partitions: int = 1
    max_partitions: int = _MOST
    failures: str | os.PathLike[str] | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that do not fit together."""
        for name in ("min_partitions", "max_partitions"):
            given = getattr(self, name)
            if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= _MOST:
                raise InvalidValue(f"{name} is an integer from 1 to {_MOST}, not {show(given)}")
        if self.min_partitions > self.max_partitions:
            raise InvalidValue(
                f"a load of at least {self.min_partitions} partitions cannot have at most "
                f"{self.max_partitions}"
            )
        if self.failures is not None and not isinstance(self.failures, str | os.PathLike):
            raise InvalidValue(f"failures is a path, not {show(self.failures)}")


@dataclass(frozen=True, slots=True)
class Loading:
    """How a load is made, as it was read from what the caller passed."""

    is_sorted: bool
    memory_limit_bytes: int
    files: LoadFiles
    progress: Callable[[int, int], object] | None
    writer: Authorizations | All

    __hash__ = None  # type: ignore[assignment]


def read_files(files: Any) -> LoadFiles:
    """Return how files are made; none given is a file for each tablet.

    >>> read_files(None).failures
    """
    if files is None:
        return LoadFiles()
    if not isinstance(files, LoadFiles):
        raise InvalidOption(
            f"files= takes LoadFiles, not {show(files)}",
            hint="Write LoadFiles(min_partitions=4).",
        )
    return files
