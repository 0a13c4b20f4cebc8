"""ARCHITECTURE.md is true: its maps name every package, and nothing that does not exist."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import ROOT

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def mapped(title: str) -> set[str]:
    """Return what the first column of the table below a heading names."""
    text = PAGE.split(f"# {title}\n")[1].split("\n#")[0]
    first = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {name.rstrip("/") for cell in first for name in re.findall(r"`([^`]+)`", cell)}


def test_the_code_map_names_every_package() -> None:
    package = ROOT / "src" / "lexigraph"
    found = {str(init.parent.relative_to(ROOT)) for init in package.rglob("__init__.py")}
    missing = found - {"src/lexigraph"} - mapped("Code map")
    assert missing == set()


def test_the_code_map_names_every_module_beside_the_packages() -> None:
    modules = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "src" / "lexigraph").glob("*.py")
        if not path.name.startswith("__")
    }
    assert modules - mapped("Code map") == set()


def test_the_code_map_names_nothing_that_is_gone() -> None:
    assert {name for name in mapped("Code map") if not (ROOT / name).exists()} == set()


def test_the_map_of_the_core_names_every_folder() -> None:
    core = ROOT / "native" / "core" / "src"
    folders = {path.name for path in core.iterdir() if path.is_dir()}
    assert folders == mapped("The native core")


def test_the_drawing_names_every_layer() -> None:
    drawing = PAGE.split("## The layers")[1].split("## Code map")[0]
    layers = {path.parent.name for path in (ROOT / "src" / "lexigraph").glob("*/__init__.py")}
    drawn = set(re.findall(r"\b[a-z]+\b", " ".join(re.findall(r"^  \|.*", drawing, re.MULTILINE))))
    assert layers <= drawn


@pytest.mark.parametrize("of", ["write", "question"])
def test_a_life_fits_in_ten_lines(of: str) -> None:
    lines = PAGE.split(f"## The life of a {of}\n")[1].split("\n#")[0].strip().splitlines()
    assert 5 <= len(lines) <= 10
    assert [line for line in lines if len(line) > 140] == []


def test_the_rooms_to_go_to_exist() -> None:
    text = PAGE.split("### Where to go\n")[1].split("\n#")[0]
    rooms = [row.split("|")[2] for row in text.splitlines() if row.startswith("| ")][1:]
    named = {name for row in rooms for name in re.findall(r"`([^`]+)`", row)}
    package = ROOT / "src" / "lexigraph"
    files = {"classic.py": package / "layout" / "classic.py"}
    assert {name for name in named if not files.get(name, package / name).exists()} == set()
