"""Asks Lexigraph and its peers the same questions of the same graph, and prints ratios beside bars.

``python -m benchmarks.graph [--scale small] [--systems lexigraph sqlite] [--out FILE]``. Each
system runs in a process of its own; data and stores live in a temporary directory that goes at the
end. Systems that answer differently are an error. The last line names what falls short. A run in
which a peer is far off its recorded figure is repeated (``steady``); ``--record`` writes that.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.graph import bars, data, steady
from benchmarks.graph.systems import OURS, PEERS
from benchmarks.run import commit, machine
from benchmarks.store.measures import anonymous_now_mb

_ROOT = Path(__file__).parents[2]
_PATIENCE_S = 900


def measure(system: str, made: Path, where: Path, workload: str = "graph") -> dict[str, Any]:
    """Run a system in a process of its own and return what it found, or how it failed."""
    out, log = where / f"{system}.json", where / f"{system}.log"
    command = [sys.executable, "-m", f"benchmarks.{workload}.one", system, "--data", str(made)]
    command += ["--where", str(where / system), "--out", str(out)]
    with log.open("wb") as said:
        running = subprocess.Popen(command, cwd=_ROOT, stdout=said, stderr=said)
    try:
        own_mb, load_mb = _watch(running, out.with_suffix(".loaded"))
    finally:
        running.kill()
        running.wait()
    if running.returncode:
        why = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        return {"failed": why or f"ended with {running.returncode}"}
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    found["figures"].update({"own-memory": own_mb, "load-memory": load_mb})
    return found


def _watch(running: subprocess.Popen[bytes], loaded: Path) -> tuple[float, float]:
    """Wait for a process, and return the most memory of its own that it was seen with.

    First all the time, then before it said that it has loaded. It is looked at from here: a thread
    in it would take time from what is measured.
    """
    most, loading, until = 0.0, 0.0, time.monotonic() + _PATIENCE_S
    while running.poll() is None and time.monotonic() < until:
        is_loading = not loaded.exists()
        most = max(most, anonymous_now_mb(running.pid))
        if is_loading:
            loading = most
        time.sleep(0.05)
    return most, loading


def disagreements(answers: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Name the questions that systems answer differently, with what they say."""
    names = {name: None for given in answers.values() for name in given}
    found = []
    for name in names:
        told = {who: str(given[name])[:80] for who, given in answers.items() if name in given}
        values = [given[name] for given in answers.values() if name in given]
        if any(value != values[0] for value in values):
            found.append(f"{name}: {told}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", choices=data.SCALES, default="full")
    parser.add_argument("--systems", nargs="+", choices=[OURS, *PEERS], default=[OURS, *PEERS])
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    parser.add_argument("--scratch", type=Path, help="where data and stores are made")
    parser.add_argument("--record", action="store_true", help="keep the peers' figures as record")
    given = parser.parse_args()
    start, scale = time.perf_counter(), data.SCALES[given.scale]
    print(
        f"bench: {1 << scale.bits:,} vertices, {scale.edges:,} edges,"
        f" {scale.events:,} events over {scale.keys:,} keys",
        flush=True,
    )
    record = {} if given.record else steady.recorded_for(given.scale, machine())
    with tempfile.TemporaryDirectory(dir=given.scratch) as temporary:
        made = Path(temporary) / "data"
        made.mkdir()
        data.make(made, scale)
        found, off = steady.repeated(
            lambda: measure_all(given.systems, made, given.scratch),
            lambda found: steady.off_record(figures_of(found), record),
            lambda line: print(line, flush=True),
        )
    if given.record:
        steady.record(given.scale, machine(), figures_of(found))
    return report(given.scale, found, off, time.perf_counter() - start, given.out)


def measure_all(
    systems: list[str], made: Path, scratch: Path | None, workload: str = "graph"
) -> dict[str, dict[str, Any]]:
    """Measure one system after the other, each with an empty directory of its own."""
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(dir=scratch) as temporary:
        for system in systems:
            begun = time.perf_counter()
            found[system] = measure(system, made, Path(temporary), workload)
            seconds = time.perf_counter() - begun
            print(f"  {system}: measured in {seconds:.0f} s", flush=True)
    return found


def figures_of(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of the systems that did not fail."""
    return {who: one["figures"] for who, one in found.items() if "failed" not in one}


def report(
    scale: str,
    found: dict[str, dict[str, Any]],
    off: list[steady.Off],
    seconds: float,
    out: Path | None,
    workload: str = "graph",
    wanted: Mapping[str, bars.Bar] = bars.BARS,
) -> int:
    """Print and keep what was found; return 1 if a system failed or answers differ."""
    failed = {who: one["failed"] for who, one in found.items() if "failed" in one}
    told = {who: one for who, one in found.items() if who not in failed}
    differ = disagreements({who: one["answers"] for who, one in told.items()})
    verdicts = bars.judge({who: one["figures"] for who, one in told.items()}, wanted)
    result = {
        "workload": workload,
        "scale": scale,
        "result": {one.name: one.as_json() for one in verdicts},
        "details": {who: one["details"] for who, one in told.items()},
        "failed": failed,
        "answers_differ": differ,
        "unsteady": [str(one) for one in off],
        "seconds": round(seconds, 1),
        "machine": machine(),
        "commit": commit(),
    }
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(bars.table(verdicts, list(found)))
    for who, why in failed.items():
        print(f"{who} FAILED: {why.strip()}")
    for one in differ:
        print(f"ANSWERS DIFFER: {one}")
    if not differ and len(told) > 1:
        print(f"bench: {', '.join(told)} gave the same answers; {seconds:.0f} s")
    if scale != "full":
        print(f"bench: the bars are meant for the full scale, this was {scale}")
    if off:
        print(f"bench: UNSTEADY still: {'; '.join(map(str, off))}. Run it on a quiet machine.")
    print(bars.summary(verdicts))
    return 1 if failed or differ else 0


if __name__ == "__main__":
    sys.exit(main())
