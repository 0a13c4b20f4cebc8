"""The index of the documentation lists every page, graphs and cells apart."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.pages import ROOT

DOCS = ROOT / "docs"
INDEX = (DOCS / "README.md").read_text(encoding="utf-8")


def linked(text: str) -> set[Path]:
    """Return the pages that a piece of the index links to."""
    targets = re.findall(r"\]\(([^)#\s]+\.md)", text)
    return {(DOCS / target).resolve() for target in targets}


def section(title: str) -> str:
    return INDEX.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_every_page_is_in_the_index() -> None:
    pages = {page.resolve() for page in DOCS.rglob("*.md")} - {(DOCS / "README.md").resolve()}
    decisions = {page for page in pages if page.parent.name == "decisions"}
    assert pages - decisions - linked(INDEX) == set()


def test_how_to_pages_of_graphs_and_cells_are_listed_apart() -> None:
    for title, folder in (("Graphs", "graphs"), ("Cells", "cells")):
        pages = {page.resolve() for page in (DOCS / "how-to" / folder).glob("*.md")}
        assert pages <= linked(section(title)), title
    assert not list((DOCS / "how-to").glob("*.md")), "a how-to page is in graphs/ or in cells/"
