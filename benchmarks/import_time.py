"""Workload ``import-time``: what ``import lexigraph`` adds to starting Python.

Each sample is a fresh interpreter, taken in turn with one that imports nothing, so that drift of
the machine hits both alike. The first pair only warms the file cache and is not counted.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

SAMPLES = 15


def measure() -> dict[str, float | int]:
    pairs = [(_start_s("pass"), _start_s("import lexigraph")) for _ in range(SAMPLES + 1)][1:]
    bare = statistics.median(bare for bare, _ in pairs)
    added = [with_import - bare for _, with_import in pairs]
    return {
        "samples": SAMPLES,
        "bare_start_median_ms": round(bare * 1000, 1),
        "import_median_ms": round(statistics.median(added) * 1000, 1),
        "import_min_ms": round(min(added) * 1000, 1),
        "import_max_ms": round(max(added) * 1000, 1),
    }


def _start_s(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start
