"""What is closed at the end of ``with``: engines, snapshots, scans, graphs.

Above nothing, so that every layer can use it.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Closing:
    """Closes itself at the end of ``with``.

    >>> class Door(Closing):
    ...     def close(self) -> None:
    ...         print("closed")
    >>> with Door():
    ...     print("open")
    open
    closed
    """

    __slots__ = ()

    def close(self) -> None:
        """Release what is held."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        """Return what was opened."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()
