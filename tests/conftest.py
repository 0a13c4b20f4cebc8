"""What holds for the whole suite: cluster tests need a cluster, outside cases are counted.

Under xdist each worker sends its counts home, so the sums below are those of the whole run.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.conformance.expected import EXPECTED, shortfalls
from tests.conformance.outside import VARIABLE, counts

CLUSTER = "LEXIGRAPH_ACCUMULO"

# No timing decides a test, and a run in CI tries the same examples every time.
settings.register_profile(
    "house",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")

_from_workers = pytest.StashKey[Counter[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_from_workers] = Counter()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("accumulo") and not os.environ.get(CLUSTER):
        pytest.skip(f"needs an Accumulo cluster; {CLUSTER} names none")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Take what a worker counted; a worker that crashed sends nothing and so falls short."""
    sent = getattr(node, "workeroutput", {})
    node.config.stash[_from_workers].update(sent.get("outside", {}))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["outside"] = counts()
    elif exitstatus == pytest.ExitCode.OK and enforced(config) and shortfalls(counted(config)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    config = terminalreporter.config
    sums = counted(config)
    if not sums and not (whole(config) and os.environ.get(VARIABLE)):
        return
    terminalreporter.section("outside cases")
    for system in sorted(EXPECTED.keys() | sums.keys()):
        of = f" of {EXPECTED[system]}" if system in EXPECTED else ""
        terminalreporter.line(f"{system}: {sums.get(system, 0)}{of} checked")
    if enforced(config):
        for line in shortfalls(sums):
            terminalreporter.line(f"FAILED {line}", red=True)


def counted(config: pytest.Config) -> dict[str, int]:
    return dict(config.stash[_from_workers] + Counter(counts()))


def whole(config: pytest.Config) -> bool:
    """Say whether the whole suite was asked for."""
    chosen = config.option.keyword or config.option.markexpr or config.option.collectonly
    return config.args_source == pytest.Config.ArgsSource.TESTPATHS and not chosen


def enforced(config: pytest.Config) -> bool:
    """Only a whole run in CI with the outside cases at hand can be asked for all of them."""
    return whole(config) and os.environ.get("CI") == "true" and bool(os.environ.get(VARIABLE))
