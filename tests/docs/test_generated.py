"""Generated pages say what the code says."""

from __future__ import annotations

from dataclasses import fields

import pytest
from docs.errors_page import errors_page
from docs.generate import generated, stale_pages
from docs.python_page import members, python_page
from docs.settings_page import field_docstrings, settings_page
from docs.stage_examples import EXAMPLES
from docs.stages_page import read_cells, run, stages_page

from lexigraph import Table, TableSettings, errors, store
from lexigraph.store.stages.builtin import BUILT_IN


def test_no_generated_page_is_stale() -> None:
    assert list(stale_pages()) == [], "run make docs"


def test_the_page_of_support_has_a_column_for_each_engine_that_graphs_are_tested_on() -> None:
    page = generated()["reference/support.md"].partition("## Behaviours of graphs")[2]
    heads = {line for line in page.splitlines() if line.startswith("| behaviour |")}
    assert heads == {"| behaviour | memory | embedded | accumulo |"}


def test_the_errors_page_has_a_row_for_a_leaf_with_its_builtin() -> None:
    row = next(line for line in errors_page("").splitlines() if "`store.locked`" in line)
    assert row.split(" | ")[1:3] == ["`Locked`", "`OSError`"]
    assert errors.Locked.hint in row


def test_errors_that_nothing_raises_are_planned_and_a_branch_is_there_with_its_leaf() -> None:
    rows = [line.split(" | ") for line in errors_page("").splitlines() if line.startswith("| `")]
    planned = {row[1].strip("`") for row in rows if row[3].startswith("*planned:*")}
    assert {"SyntaxProblem", "MigrationError"} <= planned
    assert planned.isdisjoint({"LexigraphError", "TransactionError", "Conflict", "Unreachable"})


def test_every_table_setting_is_explained() -> None:
    assert [*field_docstrings(TableSettings)] == [item.name for item in fields(TableSettings)]
    assert "| `max_versions` | `int \\| None` | `1` | How many versions" in settings_page("")


def test_every_public_name_of_the_store_that_is_a_class_is_on_the_page() -> None:
    headings = {line[4:] for line in python_page("").splitlines() if line.startswith("### ")}
    classes = {name for name in store.__all__ if isinstance(getattr(store, name), type)}
    assert classes <= headings


def test_the_python_page_gives_each_method_its_signature() -> None:
    page = python_page("")
    signature = "compact(*, range: Range | None = None, now: int | None = None) -> MergeReport"
    assert f"- `{signature}`: Merge all cells" in page
    assert all(f"- `{name}" in page for name, _ in members(Table))


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
