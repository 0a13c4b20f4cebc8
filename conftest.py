"""Doctests compare the message of an error, not the notes that a traceback shows below it.

Hints are such notes. An example would otherwise have to repeat the hint of every error it shows.
"""

from __future__ import annotations

import doctest
import traceback
from types import SimpleNamespace
from typing import Any


def _format_without_notes(kind: type[BaseException], error: BaseException) -> list[str]:
    notes: Any = error.__dict__.pop("__notes__", None)
    try:
        return traceback.format_exception_only(kind, error)
    finally:
        if notes is not None:
            error.__dict__["__notes__"] = notes


doctest.traceback = SimpleNamespace(  # type: ignore[attr-defined]
    **{**vars(traceback), "format_exception_only": _format_without_notes}
)
