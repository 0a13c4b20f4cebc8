"""Looking after a directory of the embedded engine: who reads it, and whether it is sound.

Layer ``store``, only for ``embedded``. A damaged page of a memory-mapped file can end the process
that touches it, so a directory is checked in a process of its own.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexigraph import errors
from lexigraph.errors import Corruption, StoreError

CHECK = ["-m", "lexigraph.store.embedded.verify"]
"""What the child process runs, with the directory behind it."""


@dataclass(frozen=True, slots=True)
class OpenReader:
    """Somebody who reads a directory: as long as it does, old pages are not used again."""

    process: int
    behind: int
    """How many commits it has not seen."""
    age_s: float | None
    """For how long; ``None`` in other processes, which do not say."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked and found sound."""

    tables: int
    blocks: int
    cells: int

    def __str__(self) -> str:
        """Return the report in one line."""
        return f"{self.tables} tables, {self.blocks} blocks, {self.cells} cells: all sound"


def verify_directory(path: Path) -> Verified:
    """Check every block in a child process; damage is Corruption, also where it ends the child."""
    ran = subprocess.run(
        [sys.executable, *CHECK, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode < 0:
        name = signal.Signals(-ran.returncode).name
        raise Corruption(
            f"the process that read {path} was ended by {name}: a page of the file is damaged or "
            f"missing{_last_words(ran.stdout)}",
            signal=name,
        )
    answer = _answer(ran.stdout)
    if answer.get("problems"):
        raise _corruption(path, answer["problems"], answer["count"])
    if ran.returncode == 0 and "blocks" in answer:
        return Verified(answer["tables"], answer["blocks"], answer["cells"])
    raise _failure(path, answer, ran.stderr)


def _answer(output: str) -> dict[str, Any]:
    lines = output.splitlines()
    try:
        found = json.loads(lines[-1]) if lines else {}
    except json.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _last_words(output: str) -> str:
    words = _answer(output).get("checking")
    return f", found while checking {words}" if words else ""


def _corruption(path: Path, problems: list[str], count: int) -> Corruption:
    more = f", and {count - 1} more" if count > 1 else ""
    return Corruption(
        f"{path} is damaged: {problems[0]}{more}",
        hint="Restore a backup; context['problems'] lists what was found.",
        problems=problems,
        count=count,
    )


def _failure(path: Path, answer: dict[str, Any], stderr: str) -> StoreError:
    kind = getattr(errors, str(answer.get("error")), None)
    if isinstance(kind, type) and issubclass(kind, StoreError):
        return kind(str(answer.get("message")))
    detail = stderr.strip().splitlines()[-1:] or ["it printed nothing"]
    return StoreError(f"the process that checked {path} failed: {detail[0]}")
