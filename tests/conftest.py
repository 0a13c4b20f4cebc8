"""What holds for the whole suite: one cluster for all tests of a run; what must run is counted.

Under xdist each worker sends its counts home, so the sums below are those of the whole run, and
the process that started the workers ends the cluster that they share. Tests of a cluster go to one
worker, which needs one JVM, and the others have the machine while it waits for servers.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Generator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from lexigraph.cli.cluster.local import LocalCluster
from lexigraph.errors import UnsupportedError
from lexigraph.store.accumulo.bridge.java import accumulo_jars, find_java, own_jar
from tests.conformance.expected import ON_CLUSTER, expected, shortfalls
from tests.conformance.outside import VARIABLE, count, counts
from tests.levels import LEVELS, choose, is_ignored, level

CLUSTER = "LEXIGRAPH_TEST_CLUSTER"
"""Names the directory of the run's cluster. Set beforehand, the cluster in it is used and kept."""

OWN_CLUSTERS = ("test_killed_servers.py", "test_local_cluster.py", "test_deployment.py")
"""Files whose tests start, break and end clusters of their own, one after the other."""

_made = pytest.StashKey[Path]()

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
    if CLUSTER not in os.environ:
        # Short: it is part of many command lines. It is filled by the first test that needs it.
        os.environ[CLUSTER] = mkdtemp(prefix="lexigraph-")
        config.stash[_made] = Path(os.environ[CLUSTER])


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if is_ignored(collection_path, config) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    choose(config, items)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the cluster, whatever became of the tests."""
    home = config.stash.get(_made, None)
    if home is not None:
        LocalCluster(home / "cluster").stop(delete=True)
        shutil.rmtree(home, ignore_errors=True)
        del os.environ[CLUSTER]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each worker whole files, and one of them all that shares the cluster."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    return ByFile(config, log)


def group_of(nodeid: str) -> str:
    """Return what a test is kept together with: tests of the cluster, or those of its file."""
    file, _, name = nodeid.partition("::")
    on_cluster = file.startswith("tests/accumulo/") or "accumulo" in name.partition("[")[2]
    if not on_cluster:
        return file
    return "their own clusters" if file.endswith(OWN_CLUSTERS) else "the cluster"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count what passed on a cluster; a failure that was expected does not count."""
    report = yield
    if report.when == "call" and report.passed and item.get_closest_marker("accumulo"):
        count(ON_CLUSTER)
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("accumulo") and (reason := no_cluster()):
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI must run the tests of a cluster: {reason}")
        pytest.skip(f"NO CLUSTER: {reason}")


@cache
def no_cluster() -> str | None:
    """Say why there can be no cluster here, or None."""
    try:
        find_java()
        accumulo_jars()
        own_jar()
    except UnsupportedError as error:
        return f"{error} {error.hint}"
    return None


@pytest.fixture(scope="session")
def cluster() -> LocalCluster:
    """The one cluster of this run, running; a test must leave it as it found it."""
    shared = LocalCluster(Path(os.environ[CLUSTER]) / "cluster")
    shared.start()
    return shared


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
    elif exitstatus == pytest.ExitCode.OK and missing(config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    config = terminalreporter.config
    sums = counted(config)
    on_cluster = sums.pop(ON_CLUSTER, 0)
    if sums or (whole(config) and os.environ.get(VARIABLE)):
        terminalreporter.section("outside cases")
        for system in sorted((expected().keys() - {ON_CLUSTER}) | sums.keys()):
            least = f", at least {expected()[system]}" if system in expected() else ""
            terminalreporter.line(f"{system}: {sums.get(system, 0)} checked{least}")
    if on_cluster or whole(config):
        terminalreporter.section("real cluster")
        least = f", at least {expected()[ON_CLUSTER]} in a whole run"
        terminalreporter.line(f"{on_cluster} tests passed on a real Accumulo{least}")
    for line in missing(config):
        terminalreporter.line(f"FAILED {line}", red=True)


def counted(config: pytest.Config) -> dict[str, int]:
    return dict(config.stash[_from_workers] + Counter(counts()))


def missing(config: pytest.Config) -> list[str]:
    """Say what ran too little. Only a whole run in CI can be asked, for what is at hand there."""
    if not whole(config) or os.environ.get("CI") != "true":
        return []
    outside = bool(os.environ.get(VARIABLE))
    return shortfalls(counted(config), None if outside else {ON_CLUSTER})


def whole(config: pytest.Config) -> bool:
    """Say whether the whole suite was asked for; a check never is, nor what failed once more."""
    option = config.option
    chosen = option.keyword or option.markexpr or option.collectonly or getattr(option, "lf", False)
    chosen = chosen or level() is LEVELS["check"]
    return config.args_source == pytest.Config.ArgsSource.TESTPATHS and not chosen
