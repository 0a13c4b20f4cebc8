from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_mypy_follows_questions() -> None:
    sample = Path(__file__).with_name("typed_sample.py")
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(sample)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout
