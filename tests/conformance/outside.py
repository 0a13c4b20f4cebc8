"""Cases made by outside systems: where they are and how many of them ran.

The cases are not part of this repository. The environment variable ``LEXIGRAPH_CONFORMANCE`` names
the directory that holds them, one folder per system; a test whose file is absent skips and says so.
Every test counts the cases it has really checked, and the end of the run prints the sums.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

VARIABLE = "LEXIGRAPH_CONFORMANCE"

_counts: Counter[str] = Counter()


def outside(*parts: str) -> Path:
    """Return the path of an outside file, or skip the calling test or module with the reason."""
    root = os.environ.get(VARIABLE)
    if not root:
        pytest.skip(f"{VARIABLE} names no directory of outside cases", allow_module_level=True)
    path = Path(root, *parts)
    if not path.is_file():
        pytest.skip(f"{VARIABLE} has no file {'/'.join(parts)}", allow_module_level=True)
    return path


def count(system: str, n: int = 1) -> None:
    """Record that ``n`` more cases of ``system`` were checked."""
    _counts[system] += n


def counts() -> dict[str, int]:
    """Return the cases checked so far in this process, by system."""
    return dict(_counts)
