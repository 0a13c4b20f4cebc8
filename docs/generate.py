"""Writes the pages of docs/reference that are made from the code, or checks that they are fresh.

``python -m docs.generate`` writes them, ``--check`` only compares and fails when one is stale. A
page here never says anything that the code does not: to change it, change the code.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docs.errors_page import errors_page
from docs.functions_page import functions_page
from docs.python_page import python_page
from docs.settings_page import settings_page
from docs.stages_page import stages_page
from tests.accumulo import test_graph_suite, test_record_suite, test_store_suite
from tests.conformance.graph import test_embedded as embedded_graphs
from tests.conformance.graph import test_memory as memory_graphs
from tests.conformance.records import test_embedded as embedded_records
from tests.conformance.records import test_memory as memory_records
from tests.conformance.store import test_embedded, test_memory

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
        "reference/errors.md": errors_page(NOTE),
        "reference/functions.md": functions_page(NOTE),
        "reference/python.md": python_page(NOTE),
        "reference/settings.md": settings_page(NOTE),
        "reference/stages.md": stages_page(NOTE),
        "reference/support.md": support_page(
            [test_memory.SUITE, test_embedded.SUITE, test_store_suite.SUITE],
            [memory_graphs.SUITE, embedded_graphs.SUITE, test_graph_suite.SUITE],
            [memory_records.SUITE, embedded_records.SUITE, test_record_suite.SUITE],
            note=NOTE,
        ),
    }


def stale_pages() -> dict[str, str]:
    """Return the pages whose file is missing or says something else."""
    return {
        name: text
        for name, text in generated().items()
        if not (ROOT / name).is_file() or (ROOT / name).read_text(encoding="utf-8") != text
    }


if __name__ == "__main__":
    main()
