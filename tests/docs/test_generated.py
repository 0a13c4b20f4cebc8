"""Generated pages say what the code says."""

from __future__ import annotations

import pytest
from docs.generate import errors_page, stale_pages
from docs.stage_examples import EXAMPLES
from docs.stages_page import read_cells, run, stages_page

from lexigraph import errors
from lexigraph.store.stages.builtin import BUILT_IN


def test_no_generated_page_is_stale() -> None:
    assert list(stale_pages()) == [], "run make docs"


def test_the_errors_page_has_a_row_for_a_leaf_with_its_builtin() -> None:
    row = next(line for line in errors_page().splitlines() if "`store.locked`" in line)
    assert row.split(" | ")[1:3] == ["`Locked`", "`OSError`"]
    assert errors.Locked.hint in row


def test_every_built_in_stage_has_a_section_and_no_other_has_an_example() -> None:
    headings = [line[3:] for line in stages_page("").splitlines() if line.startswith("## ")]
    assert headings == [cls.name for cls in BUILT_IN]
    assert set(EXAMPLES) == set(headings)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_a_stage_shows_an_effect(name: str) -> None:
    cells = read_cells(EXAMPLES[name])
    assert run(name, EXAMPLES[name], cells) not in ([], cells)


def test_a_required_option_and_a_default_are_told_apart() -> None:
    section = stages_page("").split("## sum\n")[1].split("## ")[0]
    assert "| `encoding` | one of `varlen`, `fixed`, `text` | required |" in section
    assert "| `lossy` | true or false | `false` |" in section
