from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.docs.pages import ROOT


def test_mypy_follows_questions() -> None:
    sample = Path(__file__).with_name("typed_sample.py")
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(sample)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,  # where the cache of the last run is
    )
    assert found.returncode == 0, found.stdout
