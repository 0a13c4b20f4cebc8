"""Where the suite finds its vectors, and that it never runs without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexigraph.errors import UsageError
from lexigraph.testing.vectors import SPEC, stage_files


def test_a_clone_has_a_file_for_each_stage_with_vectors() -> None:
    assert {"sum", "aggregate", "whole-row"} <= {path.stem for path in stage_files()}


def test_a_suite_without_vectors_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(SPEC, str(tmp_path))
    with pytest.raises(UsageError, match="no stage vectors"):
        stage_files()
