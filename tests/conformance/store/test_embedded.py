"""The embedded engine passes the whole suite."""

from __future__ import annotations

import shutil
import tempfile
from typing import Any

from lexigraph.store.embedded import EmbeddedEngine
from lexigraph.testing import store_suite


class Temporary(EmbeddedEngine):
    """An engine in a directory that goes with it."""

    def __init__(self, **options: Any) -> None:
        self._home = tempfile.mkdtemp()
        super().__init__(self._home, **options)

    def close(self) -> None:
        super().close()
        shutil.rmtree(self._home, ignore_errors=True)


SUITE = store_suite(Temporary, name="embedded")
globals().update(SUITE)
