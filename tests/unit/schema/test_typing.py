"""mypy understands classes of elements, without a plugin."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import ROOT

SAMPLE = Path(__file__).with_name("typed_sample.py")


def test_mypy_knows_values_fields_and_mistakes() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(SAMPLE)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    said: dict[int, str] = {}
    for line in ran.stdout.splitlines():
        if found := re.match(r".*typed_sample\.py:(\d+): (?:note|error): (.*)", line):
            said.setdefault(int(found[1]), found[2])
    wanted: dict[int, str] = {}
    for number, line in enumerate(SAMPLE.read_text().splitlines(), 1):
        if found := re.search(r"# (expect|error): (.*)", line):
            wanted[number] = found[2]
    assert said.keys() == wanted.keys(), ran.stdout + ran.stderr
    for number, expected in wanted.items():
        assert expected in said[number], ran.stdout
