"""Every page keeps its word: examples run, code compiles, links lead somewhere."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tests.docs.links import broken_links
from tests.docs.pages import ROOT, blocks, pages, session

each_page = pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))


@each_page
def test_examples_print_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = session(page.read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    report: list[str] = []
    doctest.DocTestRunner().run(examples, out=report.append)
    assert not report, "".join(report)


@each_page
def test_code_without_a_prompt_compiles(page: Path) -> None:
    for block in blocks(page.read_text(encoding="utf-8")):
        if not block.is_session:
            compile("\n" * (block.line - 1) + block.code, str(page), "exec")


@each_page
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_twelve_lines_of_python_are_twelve() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("## In twelve lines of Python")[1].split("\n## ")[0]
    (block,) = blocks(section)
    assert sum(line.startswith((">>>", "...")) for line in block.code.splitlines()) == 12


def test_a_session_spans_the_blocks_of_a_page_and_keeps_line_numbers() -> None:
    text = "one\n```python\n>>> a = 1\n```\ntwo\n```python\n>>> a\n1\n```\n"
    examples = doctest.DocTestParser().get_examples(session(text))
    assert [(example.source, example.lineno) for example in examples] == [
        ("a = 1\n", 2),
        ("a\n", 6),
    ]


def test_code_without_a_prompt_is_not_part_of_the_session() -> None:
    text = "```python\nlaunch()\n```\n"
    assert [block.is_session for block in blocks(text)] == [False]
    assert session(text).strip() == ""


def test_a_link_to_nothing_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# Here it is\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md#here-it-is) [b](other.md#gone) [c](none.md) [d](https://x.org/)\n"
    )
    assert broken_links(page) == ["other.md#gone", "none.md"]
