"""The rooms of the house: packages stay small."""

from __future__ import annotations

import ast
from pathlib import Path

import lexigraph

ROOT = Path(lexigraph.__file__).parent
MOST = 17
"""How many modules a package may have."""
KNOWN = {"plan": 23}
"""Larger ones that are there already: they may shrink, and not grow."""


def test_no_package_has_too_many_modules() -> None:
    sizes = {
        str(init.parent.relative_to(ROOT)): len(list(init.parent.glob("*.py"))) - 1
        for init in ROOT.rglob("__init__.py")
    }
    large = {name: size for name, size in sizes.items() if size > KNOWN.get(name, MOST)}
    assert large == {}


PLAIN = {"Group", "Property", "Aggregate", "Column", "Key", "Place"}
"""Words of the house, each of which is one thing."""


def test_a_word_of_the_house_is_one_class() -> None:
    found = [
        node.name
        for path in ROOT.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name in PLAIN
    ]
    assert sorted(found) == sorted(set(found))
