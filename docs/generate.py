"""Writes the pages of docs/reference that are made from the code, or checks that they are fresh.

``python -m docs.generate`` writes them, ``--check`` only compares and fails when one is stale. A
page here never says anything that the code does not: to change it, change the code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from docs.stages_page import stages_page
from tests.conformance.store import test_memory

from lexigraph import errors
from lexigraph.testing.support import support_page

ROOT = Path(__file__).parent
NOTE = "<!-- Made by `make docs`; change the code instead. -->\n"


def main() -> None:
    """Write or check, as the command line says."""
    parser = argparse.ArgumentParser(description="Write the generated pages, or check them.")
    parser.add_argument("--check", action="store_true", help="compare only; fail on a difference")
    check = parser.parse_args().check
    stale = stale_pages()
    for name, text in stale.items():
        if not check:
            (ROOT / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}: {'stale; run make docs' if check else 'written'}")
    if check and stale:
        sys.exit(1)
    print(f"{len(generated())} generated pages, {len(stale)} stale")


def generated() -> dict[str, str]:
    """Return every generated page, by its path below docs."""
    return {
        "reference/errors.md": errors_page(),
        "reference/stages.md": stages_page(NOTE),
        "reference/support.md": support_page([test_memory.SUITE], NOTE),
    }


def stale_pages() -> dict[str, str]:
    """Return the pages whose file is missing or says something else."""
    return {
        name: text
        for name, text in generated().items()
        if not (ROOT / name).is_file() or (ROOT / name).read_text(encoding="utf-8") != text
    }


def errors_page() -> str:
    """Return the page of all errors: the drawn tree, then a row for each class."""
    tree = (errors.__doc__ or "").split("::\n\n", 1)[1].split("\n\n", 1)[0]
    lines = [
        "# Errors",
        "",
        NOTE,
        "Every error is a `lexigraph.errors.LexigraphError`. Its `code` never changes, its `hint`",
        "says what to do next, its `context` holds the facts. Catch a branch or a leaf.",
        "",
        "```text",
        *(line.removeprefix("    ") for line in tree.splitlines()),
        "```",
        "",
        "| code | class | also a | when | what to do |",
        "|---|---|---|---|---|",
        *(_error_row(cls) for cls in _family(errors.LexigraphError)),
    ]
    return "\n".join(lines) + "\n"


def _family(cls: type[errors.LexigraphError]) -> Iterator[type[errors.LexigraphError]]:
    yield cls
    for child in cls.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _family(child)


def _error_row(cls: type[errors.LexigraphError]) -> str:
    builtin = next(
        (base.__name__ for base in cls.__mro__ if base.__module__ == "builtins"), "Exception"
    )
    when = (cls.__doc__ or "").split("\n", 1)[0].replace("``", "`")
    cells = (f"`{cls.code}`", f"`{cls.__name__}`", f"`{builtin}`", when, cls.hint)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    main()
