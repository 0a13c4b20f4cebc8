"""Generated pages say what the code says."""

from __future__ import annotations

from docs.generate import errors_page, stale_pages

from lexigraph import errors


def test_no_generated_page_is_stale() -> None:
    assert list(stale_pages()) == [], "run make docs"


def test_the_errors_page_has_a_row_for_a_leaf_with_its_builtin() -> None:
    row = next(line for line in errors_page().splitlines() if "`store.locked`" in line)
    assert row.split(" | ")[1:3] == ["`Locked`", "`OSError`"]
    assert errors.Locked.hint in row
