"""Patterns of English that strangers stumble over, and where texts for users are.

A line that needs one of them (a quotation, a name) ends with ``plain: ok`` in a comment.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from lexigraph import errors

OPT_OUT = "plain: ok"

# Each pattern, and what to write instead.
PATTERNS = {
    r"\b[Mm]end(s|ed|ing)?\b": "fix, repair",
    r"\bwhoever\b": "the user, the caller, who",
    r"\bwhosoever\b|\bwherefore\b|\bthereof\b": "a common word",
    r"(?<!there )(?<!There )\b(is|are|was|were) no (?!longer\b|more\b|less\b|faster\b)[a-z]": (
        "is not a, are not"
    ),
    r"\bthere (is|are) not\b": "does not exist",
    r"\b(says?|tells?|knows?) not\b": "does not say",
    r"\bhas not the\b": "does not have the",
    r"\bnobody may\b|\bmay nobody\b": "nobody can, must not",
    r"\bfor ever\b": "permanently, cannot be undone",
    r"\bbehind (it|its|them|the|that|this|a|an|all|which)\b": "after",
    r"\bcome(s)? by themselves\b|\bcomes by itself\b": "run automatically",
    r"\bit takes (Table|System|Namespace)\b": "it needs",
    r"\b(Known|There) are:": "Available:",
    r"\bkin\b": "similar ones, their names",
    r"\bfigures? (says?|tells?)\b": "what it means",
    r"\b(is|are|was|were) (not )?told\b": "is reported, an error says",
    r"\banew\b": "again, rewritten",
    r"\bof one's own\b": "your own, custom",
    r"\bface of\b|\bboth faces\b": "wrapper, interface",
    r"\bthough they surprise\b": "surprising, but",
}
_FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`]*`")


def problems(text: str) -> Iterator[str]:
    """Yield what is wrong with a text, each with a better word."""
    for pattern, better in PATTERNS.items():
        for match in re.finditer(pattern, text):
            yield f"{match[0]!r}: write {better!r}"


def page_problems(page: Path) -> Iterator[str]:
    """Yield the problems of a page in Markdown, without its code."""
    text = _FENCED.sub(lambda match: "\n" * match[0].count("\n"), page.read_text(encoding="utf-8"))
    for number, line in enumerate(text.splitlines(), 1):
        if OPT_OUT not in line:
            yield from (f"{page.name}:{number}: {one}" for one in problems(_CODE.sub("", line)))


def source_problems(source: str, name: str) -> Iterator[str]:
    """Yield the problems of messages and hints: texts in errors, ``hint=`` and ``help=``."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and _is_error(node.func)):
            texts = _texts(node)
        elif (isinstance(node, ast.keyword) and node.arg in ("hint", "help")) or (
            isinstance(node, ast.Assign) and "hint" in ast.unparse(node.targets[0]).lower()
        ):
            texts = _texts(node.value)
        else:
            continue
        for number, text in texts:
            if OPT_OUT not in lines[number - 1]:
                yield from (f"{name}:{number}: {one}" for one in problems(text))


def _is_error(called: ast.expr) -> bool:
    found = getattr(errors, called.id, None) if isinstance(called, ast.Name) else None
    return isinstance(found, type) and issubclass(found, errors.LexigraphError)


def _texts(node: ast.AST) -> list[tuple[int, str]]:
    found = []
    for part in ast.walk(node):
        if isinstance(part, ast.JoinedStr):
            words = [
                str(one.value) if isinstance(one, ast.Constant) else "X" for one in part.values
            ]
            found.append((part.lineno, "".join(words)))
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            found.append((part.lineno, part.value))
    return found
