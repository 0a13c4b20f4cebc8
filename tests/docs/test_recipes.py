"""The recipes of CONTRIBUTING.md name files that exist, and all in which an example stands."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests.docs.pages import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_TEXT = PAGE.split("\n## Recipes\n")[1].split("\n## ")[0]
RECIPES = {part.split("\n", 1)[0]: part for part in _TEXT.split("\n### ")[1:]}

NOT_BY_HAND = ("docs/reference/", "CHANGELOG.md", "LICENSE", "CONTRIBUTING.md")
FROZEN = ("java/",)
TESTS = (
    *("tests/", "src/lexigraph/testing/", "native/core/tests/"),
    *("spec/functions.json", "spec/stages/"),
)
EXAMPLES = {
    "Add an aggregator": r"[\"`']product[\"`']|\bProduct\b|\bdeclare\.product\b|^ +product,$",
    "Add a predicate": r"\"op\": \"substring\"|[\"`']substring[\"`'] ?(:|=>|\)|\|)|\bSubstring\b",
    "Add a layout": r"\"classic\"|\bClassic\b",
}
"""By recipe: where its example stands."""
ELSEWHERE = {
    # An option of the stage regex has the predicate's name.
    "Add a predicate": {
        *("src/lexigraph/store/stages/accumulo.py", "spec/schema/cell-stages.json"),
    },
    # Gaffer's names for its own two layouts.
    "Add a layout": {
        "src/lexigraph/store/accumulo/gaffer_properties.py",
        # An example in a docstring.
        "src/lexigraph/layout/stored/layouts.py",
    },
}


def files(recipe: str) -> list[str]:
    """Return the files that the list of a recipe names."""
    listed = "\n".join(re.findall(r"^(?:- |  ).*$", RECIPES[recipe], re.MULTILINE))
    return [
        name
        for name in re.findall(r"`([^`]+)`", listed)
        if re.search(r"\.(py|rs|md|json|toml)$", name)
    ]


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return listed.stdout.splitlines()


def test_there_is_a_recipe_for_each_thing_that_people_add() -> None:
    things = ("aggregator", "predicate", "stage", "layout", "engine", "observer", "CLI command")
    assert [name.removeprefix("Add a").removeprefix("n").strip() for name in RECIPES] == [*things]


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_file_of_a_recipe_exists(recipe: str) -> None:
    named = files(recipe)
    assert len(named) >= 3
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_an_aggregator_touches_at_most_twelve_files() -> None:
    assert len(set(files("Add an aggregator"))) <= 12


@pytest.mark.parametrize("recipe", EXAMPLES)
def test_a_recipe_names_every_file_where_its_example_stands(recipe: str) -> None:
    pattern = re.compile(EXAMPLES[recipe], re.MULTILINE)
    found = {
        name
        for name in tracked()
        if not name.startswith((*NOT_BY_HAND, *FROZEN, *TESTS))
        and name.endswith((".py", ".rs", ".md", ".json", ".toml"))
        and (ROOT / name).is_file()
        and pattern.search((ROOT / name).read_text(encoding="utf-8"))
    }
    assert found - ELSEWHERE.get(recipe, set()) - set(files(recipe)) == set()
    if recipe == "Add an aggregator":
        # The file that only computes does not have the name.
        assert set(files(recipe)) - found == {"native/core/src/functions/sums.rs"}
