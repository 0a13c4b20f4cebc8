"""Asks records of Lexigraph and tables of its peers the same, and prints ratios beside bars.

``python -m benchmarks.records [--scale small] [--systems lexigraph sqlite] [--out FILE]``. How it
runs, and what an error is, is that of ``benchmarks.graph``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.graph.__main__ import measure_all, report
from benchmarks.graph.systems import OURS, PEERS
from benchmarks.records import data
from benchmarks.records.bars import BARS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", choices=data.SCALES, default="full")
    parser.add_argument("--systems", nargs="+", choices=[OURS, *PEERS], default=[OURS, *PEERS])
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    parser.add_argument("--scratch", type=Path, help="where data and stores are made")
    given = parser.parse_args()
    start, scale = time.perf_counter(), data.SCALES[given.scale]
    print(f"bench: {1 << scale.bits:,} vertices, {scale.edges:,} edges as records", flush=True)
    with tempfile.TemporaryDirectory(dir=given.scratch) as temporary:
        made = Path(temporary)
        data.make(made, scale)
        found = measure_all(given.systems, made, given.scratch, "records")
    seconds = time.perf_counter() - start
    return report(given.scale, found, [], seconds, given.out, "records", BARS)


if __name__ == "__main__":
    sys.exit(main())
