"""Runs the workloads and prints one JSON object each, with machine and commit.

``python -m benchmarks.run`` runs all of them, ``python -m benchmarks.run import-time`` the named.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from benchmarks import import_time, install_time

WORKLOADS = {"import-time": import_time.measure, "install-time": install_time.measure}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the named workloads; all by default.")
    parser.add_argument("workload", nargs="*", help=", ".join(WORKLOADS))
    names = parser.parse_args().workload or list(WORKLOADS)
    unknown = [name for name in names if name not in WORKLOADS]
    if unknown:
        parser.error(f"no workload {unknown[0]!r}; there are: {', '.join(WORKLOADS)}")
    where = {"machine": machine(), "commit": commit()}
    for name in names:
        print(json.dumps({"workload": name, "result": WORKLOADS[name](), **where}), flush=True)


def machine() -> dict[str, Any]:
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load_1min": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
    }


def commit() -> str:
    """Return the commit measured; ``+changes`` says that the working tree differs from it."""
    root = Path(__file__).parent
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty=+changes", "--exclude=*"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip() or "unknown"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next(
        (x.split(":", 1)[1].strip() for x in lines if x.startswith("model name")), "unknown"
    )


if __name__ == "__main__":
    main()
