"""Makes spec/facts/*.json: the vectors of facts that Python and Rust test.

``python -m spec.make_facts`` writes the files, ``--check`` only compares. The cases are written by
hand in fact_cases; nothing here runs the code that they test.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from spec.fact_cases import (
    cells,
    deleting,
    edges,
    existence,
    expiring,
    hiding,
    hints,
    history,
    properties,
    protecting,
    retaining,
)

FOLDER = Path(__file__).with_name("facts")


def main() -> None:
    """Write or check, as the command line says."""
    parser = argparse.ArgumentParser(description="Write spec/facts, or check it.")
    parser.add_argument("--check", action="store_true", help="compare only; fail on a difference")
    check = parser.parse_args().check
    for name, text in render().items():
        file = FOLDER / name
        if check and not (file.is_file() and file.read_text(encoding="utf-8") == text):
            sys.exit(f"spec/facts/{name} is stale; run python -m spec.make_facts")
        if not check:
            FOLDER.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
    print(f"spec/facts: {count()} vectors")


def render() -> dict[str, str]:
    """Return the text of each file."""
    return {f"{name}.json": _text(content) for name, content in files().items()}


def files() -> dict[str, dict[str, Any]]:
    """Return what the files hold."""
    found: dict[str, dict[str, Any]] = {
        module.__name__.rpartition(".")[2]: {
            "about": module.ABOUT,
            "plan": "records.json",
            "cases": module.CASES,
        }
        for module in (
            existence,
            deleting,
            hiding,
            protecting,
            properties,
            edges,
            hints,
            history,
            retaining,
            expiring,
        )
    }
    found["cells"] = {
        "about": cells.ABOUT,
        "plan": "records.json",
        "cells": cells.CELLS,
        "refused": cells.REFUSED,
    }
    return found


def count() -> int:
    """Return how many answers there are."""
    every = files().values()
    readings = sum(len(one.get("readings", [0])) for file in every for one in file.get("cases", []))
    return readings + len(cells.CELLS) + len(cells.REFUSED)


def _text(content: dict[str, Any]) -> str:
    # One fact or answer to a line, so that changes can be read.
    lines = [f' "{name}": {json.dumps(one)}' for name, one in content.items() if name not in _LISTS]
    for name in _LISTS:
        if name in content:
            entries = [_entry(one) for one in content[name]]
            lines.append(f' "{name}": [\n' + ",\n".join(entries) + "\n ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _entry(one: dict[str, Any]) -> str:
    if "readings" not in one and "kept" not in one:
        return f"  {json.dumps(one)}"
    parts = []
    for name, given in one.items():
        if name in ("facts", "readings"):
            items = ",\n".join(f"    {json.dumps(item)}" for item in given)
            parts.append(f'   "{name}": [\n{items}\n   ]')
        else:
            parts.append(f'   "{name}": {json.dumps(given)}')
    return "  {\n" + ",\n".join(parts) + "\n  }"


_LISTS = ("cases", "cells", "refused")


if __name__ == "__main__":
    main()
