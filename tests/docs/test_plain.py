"""Messages, hints and pages are written in plain English."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.docs.plain import page_problems, problems, source_problems

# Made from the names of tests.
MADE = {ROOT / "docs" / "reference" / "support.md"}
PAGES = sorted(
    {
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "spec").rglob("*.md"),
    }
    - MADE
)


def test_messages_and_hints_are_plain() -> None:
    found = {
        problem
        for path in sorted((ROOT / "src" / "lexigraph").rglob("*.py"))
        for problem in source_problems(
            path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
        )
    }
    assert found == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_plain(page: Path) -> None:
    assert list(page_problems(page)) == []


@pytest.mark.parametrize(
    "text",
    [
        "the figure 's' says not what it is taken of",
        "A path that is no directory makes none",
        "Draws what nobody may foresee",
        "Mend it and add again",
        "a name of a graph that there is not",
        "the key stands behind the end",
        "what each stage removed is not told",
        "Tables (to_arrow and its kin) are decoded by the core",
        "a codec of one's own stops merges",
    ],
)
def test_what_strangers_could_not_parse_is_found(text: str) -> None:
    assert list(problems(text))


@pytest.mark.parametrize(
    "text", ["there is no table 'x'", "it is no longer there", "'day' is not a property of 'Calls'"]
)
def test_plain_sentences_pass(text: str) -> None:
    assert list(problems(text)) == []


def test_only_messages_hints_and_help_are_looked_at() -> None:
    text = '"it is no key"'
    source = f"x = {text}\nraise ValueError({text})\nf(hint={text})\nInvalidKey({text})\n"
    found = sorted(one.split(": ")[0] for one in source_problems(source, "a.py"))
    assert found == ["a.py:2", "a.py:3", "a.py:4"]
    quoted = 'raise ValueError("it is no key")  # plain: ok\n'
    assert list(source_problems(quoted, "a.py")) == []
