"""The page of all table settings, made from the fields of TableSettings and their docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import MISSING, Field, fields
from itertools import pairwise

from lexigraph.store import TableSettings

INTRO = """\
`TableSettings` says how a table behaves. Give it when you make a table, replace it later:

```python
>>> from dataclasses import replace
>>> from lexigraph import MemoryEngine, TableSettings
>>> table = MemoryEngine().create_table("log", TableSettings(max_versions=None))
>>> table.configure(replace(table.settings, append_only=True))
>>> table.settings.max_versions, table.settings.append_only
(None, True)

```

`TableSettings.with_stages(...)` gives the same stages to scans and to merges. `to_json` and
`from_json` write and read all of it. A word that is not listed here is an `InvalidOption`."""


def settings_page(note: str) -> str:
    """Return the page, with the note that it is made."""
    texts = field_docstrings(TableSettings)
    rows = [
        f"| `{item.name}` | `{_type(item)}` | `{_default(item)}` | {_plain(texts[item.name])} |"
        for item in fields(TableSettings)
    ]
    lines = ["# Table settings", "", note, INTRO, ""]
    lines += ["| field | type | default | what it does |", "|---|---|---|---|", *rows]
    return "\n".join(lines) + "\n"


def field_docstrings(cls: type) -> dict[str, str]:
    """Give the text below each field of a class that has one, by the name of the field."""
    (tree,) = ast.parse(inspect.cleandoc(inspect.getsource(cls))).body
    texts: dict[str, str] = {}
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    for statement, below in pairwise(body):
        if not (isinstance(statement, ast.AnnAssign) and isinstance(below, ast.Expr)):
            continue
        if isinstance(statement.target, ast.Name) and isinstance(below.value, ast.Constant):
            texts[statement.target.id] = inspect.cleandoc(str(below.value.value))
    return texts


def _type(item: Field[object]) -> str:
    return str(item.type).replace("|", "\\|")


def _default(item: Field[object]) -> str:
    if item.default_factory is not MISSING:
        return repr(item.default_factory())
    return "required" if item.default is MISSING else repr(item.default)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("``", "`").replace("|", "\\|")
