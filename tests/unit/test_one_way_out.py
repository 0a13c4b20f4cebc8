"""Nobody finds out what an engine can do by trying, or by asking which engine it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import lexigraph

SOURCE = Path(lexigraph.__file__).parent
REFUSALS = {"InvalidOption", "UnsupportedError"}
ENGINES = {"MemoryEngine", "EmbeddedEngine", "AccumuloEngine", "Overlay"}

EXAMPLES = {
    "try: f()\nexcept (InvalidOption, KeyError): return None": 1,
    "try: f()\nexcept errors.UnsupportedError:\n    log()\n    return False": 1,
    "try: f()\nexcept UnsupportedError as error: return {}, str(error)": 0,
    "try: f()\nexcept UnsupportedError: raise": 0,
    "isinstance(one, EmbeddedEngine | None)": 1,
    "isinstance(one, (str, store.Overlay))": 1,
    "isinstance(one, Engine)": 0,
}


def names_in(node: ast.AST | None) -> set[str]:
    walked = [] if node is None else ast.walk(node)
    return {
        one.id if isinstance(one, ast.Name) else one.attr
        for one in walked
        if isinstance(one, ast.Name | ast.Attribute)
    }


def falls_back(handler: ast.ExceptHandler) -> bool:
    """Return whether an error becomes "no": an answer of None or False, or nothing at all."""
    last = handler.body[-1]
    if isinstance(last, ast.Pass):
        return True
    if not isinstance(last, ast.Return):
        return False
    return last.value is None or (
        isinstance(last.value, ast.Constant) and last.value.value in (None, False, 0)
    )


def guesses_in(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            found = bool(names_in(node.type) & REFUSALS) and falls_back(node)
        elif isinstance(node, ast.Call) and names_in(node.func) == {"isinstance"}:
            found = bool(names_in(node.args[1]) & ENGINES)
        else:
            continue
        if found:
            yield node.lineno


@pytest.mark.parametrize("text", EXAMPLES)
def test_guesses_are_found(text: str) -> None:
    inside = "\n".join(f"    {line}" for line in text.splitlines())
    assert len(list(guesses_in(ast.parse(f"def one():\n{inside}")))) == EXAMPLES[text]


def test_nothing_is_found_out_by_trying() -> None:
    folders = ("plan", "layout", "graph", "store/embedded", "store/scan")
    files = [file for folder in folders for file in (SOURCE / folder).rglob("*.py")]
    found = [
        f"{file.relative_to(SOURCE)}:{line}"
        for file in files
        for line in guesses_in(ast.parse(file.read_text()))
    ]
    assert len(files) > 100
    assert found == []
