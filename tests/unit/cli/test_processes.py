"""Processes by id and start: only those that were started here are ever ended."""

from __future__ import annotations

import os
from pathlib import Path

from lexigraph.cli.cluster.processes import Process, start_detached

SLEEP = ["sleep", "600"]
DEAF = ["sh", "-c", "trap '' TERM; echo deaf; while true; do sleep 1; done"]


def test_a_process_is_alive_until_it_is_ended(tmp_path: Path) -> None:
    process = start_detached(SLEEP, tmp_path / "log")
    assert process.alive
    assert process.memory_bytes > 0
    process.end(within_s=10)
    assert not process.alive
    assert process.memory_bytes == 0


def test_it_has_a_session_of_its_own(tmp_path: Path) -> None:
    process = start_detached(SLEEP, tmp_path / "log")
    try:
        assert os.getsid(process.pid) == process.pid
    finally:
        process.kill()


def test_one_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = start_detached(DEAF, log)
    while b"deaf" not in log.read_bytes():
        assert process.alive
    process.end(within_s=0.2)
    assert not process.alive


def test_an_id_that_was_given_out_again_is_not_ours(tmp_path: Path) -> None:
    other = start_detached(SLEEP, tmp_path / "log")
    try:
        stale = Process(other.pid, other.started - 1)
        assert not stale.alive
        stale.end(within_s=0)
        stale.kill()
        assert other.alive
    finally:
        other.kill()


def test_ending_twice_is_fine(tmp_path: Path) -> None:
    process = start_detached(SLEEP, tmp_path / "log")
    process.kill()
    process.end(within_s=0)
    process.kill()
