"""Embedded engines for tests: each in a directory of its own, and none may leave work to Python.

Every scan counts which stages the core ran. A built-in stage that ran in Python, though it could
run in the core, would go unnoticed otherwise: it is an error here.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from typing import Any

from lexigraph.errors import InternalError
from lexigraph.store import EmbeddedEngine, ScanSpec
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.results import Scan
from lexigraph.store.stages.builtin import BUILT_IN

from ..outside import count

NAMES = frozenset(cls.name for cls in BUILT_IN)
ran: Counter[str] = Counter()
"""How often each stage ran in the core, in this process."""


class Temporary(EmbeddedEngine):
    """An engine whose directory goes with it."""

    def __init__(self, *, home: str | None = None, **options: Any) -> None:
        self.options = options
        self.home = tempfile.mkdtemp(prefix="lexigraph-") if home is None else home
        super().__init__(self.home, **options)

    def scan(self, table: str, spec: ScanSpec | None = None, **how: Any) -> Scan:
        """Scan, and count what ran in the core."""
        scan = super().scan(table, spec, **how)
        plan = ScanPlan(spec or ScanSpec(), self._settings(table, _native(how.get("snapshot"))))
        done = self.count_run(plan)
        ran.update(stage.name for stage in plan.stages[:done])
        count("stages run by the core", done)
        left = plan.stages[done : done + 1]
        asked = [left[0].options, plan.spec.plans] if left else None
        if left and left[0].name in NAMES and not _beyond_the_core(asked):
            raise InternalError(f"stage {left[0].name!r} of the core ran in Python: {left[0]}")
        return scan

    def close(self) -> None:
        """Close, and remove the directory."""
        super().close()
        shutil.rmtree(self.home, ignore_errors=True)

    def reopened(self) -> Temporary:
        """Close, and open what is left behind."""
        EmbeddedEngine.close(self)
        return type(self)(home=self.home, **self.options)


def _native(snapshot: Any) -> Any:
    return None if snapshot is None else snapshot.native


def _beyond_the_core(options: Any) -> bool:
    """Say whether options ask for what only Python knows: patterns and a user's own functions."""
    marks = ("(?=", "(?!", "(?<", "\\\\1", "++", "*+", "testing-")
    return any(mark in str(options) for mark in marks)
