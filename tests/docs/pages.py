"""The Markdown pages of the repository and the Python in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_FENCE = re.compile(
    r"^(?P<indent> *)```python[^\n]*\n(?P<code>.*?)^(?P=indent)```[ ]*$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """One fenced Python block; ``line`` is where its code starts, counted from 1."""

    code: str
    line: int

    @property
    def is_session(self) -> bool:
        return any(line.lstrip().startswith(">>>") for line in self.code.splitlines())


def pages() -> list[Path]:
    """All pages at the root and below docs, spec and benchmarks, sorted."""
    folders = ("docs", "spec", "benchmarks")
    return sorted([*ROOT.glob("*.md"), *(p for f in folders for p in ROOT.glob(f"{f}/**/*.md"))])


def blocks(text: str) -> Iterator[Block]:
    for match in _FENCE.finditer(text):
        indent = len(match["indent"])
        code = "".join(line[indent:] for line in match["code"].splitlines(keepends=True))
        yield Block(code, text.count("\n", 0, match.start("code")) + 1)


def session(text: str) -> str:
    """All ``>>>`` blocks as one text that keeps its line numbers, so failures point at the page."""
    lines = [""] * text.count("\n")
    for block in blocks(text):
        if block.is_session:
            code = block.code.splitlines()
            lines[block.line - 1 : block.line - 1 + len(code)] = code
    return "\n".join(lines) + "\n"
