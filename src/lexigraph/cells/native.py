"""The native module, where it is installed.

Layer ``cells``. The package works without it: without it the same is done in Python.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

MODULE = "lexigraph._native"
ABSENT = "the native module is not installed"
"""Why something runs in Python, if that is why."""


@cache
def find_native() -> Any | None:
    """Return the native module; ``None`` where it is not installed."""
    try:
        return import_module(MODULE)
    except ImportError:
        return None
