"""Batches that show whether they are there whole: for tests that end a writer where it stands.

Batch ``n`` puts ``CELLS`` cells of its own into table ``cells``, spread over all of it, and adds
one to a counter in table ``counts``. So a store holds batch ``n`` whole, not at all, or is broken;
and the counter, which merges combine, must say how many batches there are.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import Any

from lexigraph.security import ALL
from lexigraph.store import Mutations, ScanSpec, TableSettings
from lexigraph.store.embedded.engine import EmbeddedEngine

CELLS = 40
LONG_EVERY = 7
"""Each so many-th batch has a value that stands outside of its block."""


def make_tables(engine: EmbeddedEngine) -> None:
    """Make both tables unless they are there."""
    if not engine.tables():
        engine.create_table("cells")
        adding = TableSettings.with_stages(
            ("sum", {"encoding": "text", "columns": [["n"]]}), max_versions=None
        )
        engine.create_table("counts", adding)


def batch(number: int) -> dict[str, Mutations]:
    """Return what batch ``number`` writes."""
    cells = Mutations()
    for place in range(CELLS):
        digest = blake2b(f"{number}/{place}".encode(), digest_size=4).hexdigest()
        cells.put(f"{digest}-{number}-{place}", "f", "q", _value(number, place))
    return {"cells": cells, "counts": Mutations().put("all", "n", "", "1")}


def _value(number: int, place: int) -> bytes:
    if place == 0 and number % LONG_EVERY == 0:
        return b"%d:" % number + b"long" * 5000
    return b"%d:" % number + b"v" * (place % 50)


def whole_batches(engine: EmbeddedEngine) -> int:
    """Return how many batches are there, from the first on; anything else is an error."""
    found: Counter[int] = Counter()
    with engine.snapshot() as moment:
        for part in engine.scan("cells", ScanSpec(authorizations=ALL), snapshot=moment):
            for cell in part:
                _, number, place = cell.row.decode().split("-")
                assert cell.value == _value(int(number), int(place)), cell.row
                found[int(number)] += 1
        counts = engine.scan("counts", snapshot=moment)
        counted = [cell.value for part in counts for cell in part]
    assert set(found) == set(range(len(found))), "a batch is missing before a later one"
    partial = {number: count for number, count in found.items() if count != CELLS}
    assert not partial, f"batches are there in part: {partial}"
    assert counted == ([str(len(found)).encode()] if found else []), counted
    return len(found)


def open_store(path: Path, **options: object) -> EmbeddedEngine:
    """Open a store whose merges come often."""
    return EmbeddedEngine(path, merge_cells=2_000, **options)  # type: ignore[arg-type]


def note_result(name: str, result: dict[str, Any]) -> None:
    """Leave a result in the folder that ``LEXIGRAPH_RESULTS`` names, if it names one."""
    folder = os.environ.get("LEXIGRAPH_RESULTS")
    if folder is not None:
        path = Path(folder) / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"workload": name, "result": result}, indent=2)
        path.write_text(text + "\n", encoding="utf-8")
