"""Processes that are ended by SIGKILL some time after they say that they have begun."""

from __future__ import annotations

import subprocess
import sys
import threading


def run_killed(module: str, *given: str, begun: str, seconds: float) -> tuple[bool, bool]:
    """Run a module and end it so long after it has printed ``begun``.

    Return whether it was ended before it printed ``done``, and whether it printed that.
    """
    command = [sys.executable, "-m", f"tests.durability.{module}", *given]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told: list[str] = []
        timer = threading.Timer(seconds, process.kill)
        for line in process.stdout:
            told.append(line.strip())
            if told == [begun]:
                timer.start()
        process.wait()
        timer.cancel()
    assert told[:1] == [begun], f"{module} ended before it had {begun}"
    return process.returncode == -9 and "done" not in told, "done" in told
