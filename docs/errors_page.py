"""The page of all errors, made from the tree and the docstrings of ``lexigraph.errors``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from lexigraph import errors


def errors_page(note: str) -> str:
    """Return the page: the note that it is made, the drawn tree, then a row for each class."""
    raised = raised_errors()
    tree = (errors.__doc__ or "").split("::\n\n", 1)[1].split("\n\n", 1)[0]
    lines = [
        "# Errors",
        "",
        note,
        "Every error is a `lexigraph.errors.LexigraphError`. Its `code` never changes, its `hint`",
        "says what to do next, its `context` holds the facts. Catch a branch or a leaf.",
        "Those marked *planned* have their place and code already, but nothing raises them yet.",
        "",
        "```text",
        *(line.removeprefix("    ") for line in tree.splitlines()),
        "```",
        "",
        "| code | class | also a | when | what to do |",
        "|---|---|---|---|---|",
        *(
            _error_row(cls, raised=not raised.isdisjoint(_names(cls)))
            for cls in _family(errors.LexigraphError)
        ),
    ]
    return "\n".join(lines) + "\n"


def raised_errors() -> set[str]:
    """Return the classes that some module imports or the core has: no other can be raised."""
    home = Path(errors.__file__)
    face = home.parents[2] / "native" / "python" / "src" / "errors.rs"
    # The map of the core's errors names each class as text.
    found = set(re.findall(r'"([A-Z]\w+)"', face.read_text(encoding="utf-8")))
    for path in home.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == errors.__name__:
                found.update(item.name for item in node.names)
    return found


def _names(cls: type[errors.LexigraphError]) -> set[str]:
    """Return the class and everything below it: a branch is there when one of its leaves is."""
    return {item.__name__ for item in _family(cls)}


def _family(cls: type[errors.LexigraphError]) -> Iterator[type[errors.LexigraphError]]:
    yield cls
    for child in cls.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _family(child)


def _error_row(cls: type[errors.LexigraphError], *, raised: bool) -> str:
    builtin = next(
        (base.__name__ for base in cls.__mro__ if base.__module__ == "builtins"), "Exception"
    )
    when = (cls.__doc__ or "").split("\n", 1)[0].replace("``", "`")
    when = when if raised else f"*planned:* {when}"
    cells = (f"`{cls.code}`", f"`{cls.__name__}`", f"`{builtin}`", when, cls.hint)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
