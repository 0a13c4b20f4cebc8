"""The counting of outside cases: sums over workers, and CI fails when cases went missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.expected import TESTS_ON_CLUSTER, expected, shortfalls
from tests.docs.pages import ROOT

pytest_plugins = "pytester"

CASES = """
    from tests.conformance.expected import expected
    from tests.conformance.outside import count

    def test_one(): count("accumulo.lexicoders", {one})
    def test_two(): count("accumulo.lexicoders", {two})
    def test_rest():
        for system, least in expected().items():
            if system != "accumulo.lexicoders":
                count(system, least)
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A suite of its own that uses the plumbing of this one, in CI with outside cases."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("CI", "true")
    monkeypatch.delenv("LEXIGRAPH_TESTS", raising=False)
    monkeypatch.setenv("LEXIGRAPH_CONFORMANCE", str(pytester.path))
    folder = pytester.mkdir("accumulo")
    (folder / "lexicoders.json").write_text(json.dumps({"vectors": [{}] * 281}))
    pytester.makeini("[pytest]\ntestpaths = .\nmarkers = accumulo")
    pytester.makeconftest("from tests.conftest import *")
    return pytester


def test_counts_of_all_workers_are_added_up(suite: pytest.Pytester) -> None:
    suite.makepyfile(CASES.format(one=200, two=81))
    result = suite.runpytest_subprocess("-p", "xdist", "-n", "2")
    result.stdout.fnmatch_lines(["accumulo.lexicoders: 281 checked, at least 281"])
    assert result.ret == pytest.ExitCode.OK


def test_a_whole_run_in_ci_fails_when_a_case_is_missing(suite: pytest.Pytester) -> None:
    suite.makepyfile(CASES.format(one=200, two=80))
    result = suite.runpytest_subprocess("-p", "xdist", "-n", "2")
    result.stdout.fnmatch_lines(["FAILED accumulo.lexicoders: 280 checked, 281 expected"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("outside", [True, False])
def test_a_whole_run_in_ci_fails_when_too_few_tests_ran_on_a_cluster(
    suite: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    outside: bool,  # noqa: FBT001
) -> None:
    if not outside:
        monkeypatch.delenv("LEXIGRAPH_CONFORMANCE")
    least = TESTS_ON_CLUSTER
    suite.makepyfile(
        """
        from tests.conformance.expected import ON_CLUSTER, expected
        from tests.conformance.outside import count

        def test_all():
            for system, least in expected().items():
                count(system, least - (system == ON_CLUSTER))
        """
    )
    result = suite.runpytest_subprocess()
    result.stdout.fnmatch_lines(
        [
            f"{least - 1} tests passed on a real Accumulo, at least {least} in a whole run",
            f"FAILED tests on a real cluster: {least - 1} checked, {least} expected",
        ]
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("part", [["-k", "one"], ["."]], ids=["by name", "by path"])
def test_a_part_of_the_suite_is_not_asked_for_all_cases(
    suite: pytest.Pytester, part: list[str]
) -> None:
    suite.makepyfile(CASES.format(one=1, two=1))
    assert suite.runpytest_subprocess(*part).ret == pytest.ExitCode.OK


def test_a_check_is_not_asked_for_all_cases(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEXIGRAPH_TESTS", "check")
    suite.makepyfile("def test_nothing(): pass")
    assert suite.runpytest_subprocess().ret == pytest.ExitCode.OK


def test_outside_ci_missing_cases_do_not_fail(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI")
    suite.makepyfile("def test_nothing(): pass")
    assert suite.runpytest_subprocess().ret == pytest.ExitCode.OK


def test_a_part_that_checks_no_case_says_nothing_of_cases(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_nothing(): pass")
    suite.runpytest_subprocess(".").stdout.no_fnmatch_line("*outside cases*")
    suite.runpytest_subprocess().stdout.fnmatch_lines(["*outside cases*"])


def test_a_missing_file_skips_and_says_which(suite: pytest.Pytester) -> None:
    suite.makepyfile(
        """
        from tests.conformance.outside import outside

        def test_reads(): outside("somewhere", "cases.json")
        """
    )
    result = suite.runpytest_subprocess("-rs", ".")
    result.stdout.fnmatch_lines(["*LEXIGRAPH_CONFORMANCE has no file somewhere/cases.json"])
    result.assert_outcomes(skipped=1)


def test_cluster_tests_skip_without_java_and_say_so(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite.makepyfile("import pytest\n@pytest.mark.accumulo\ndef test_cluster(): pass")
    monkeypatch.setenv("PATH", str(suite.path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.delenv("CI", raising=False)
    result = suite.runpytest_subprocess("-rs", ".")
    result.stdout.fnmatch_lines(["*NO CLUSTER: Java was not found*"])
    result.assert_outcomes(skipped=1)


def test_cluster_tests_fail_without_java_in_ci(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite.makepyfile("import pytest\n@pytest.mark.accumulo\ndef test_cluster(): pass")
    monkeypatch.setenv("PATH", str(suite.path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("CI", "true")
    suite.runpytest_subprocess(".").assert_outcomes(errors=1)


def test_enough_cases_are_no_shortfall() -> None:
    assert shortfalls(dict(expected())) == []


def test_the_numbers_follow_from_the_sample_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gaffer" / "graphs").mkdir(parents=True)
    asked = [{"operation": {"operations": [{"class": "x.GetElements"}]}}]
    other = [{"operation": {"operations": [{"class": "x.Count"}]}}, {"operation": "no JSON"}]
    graph = {"batches": [[1, 2], [3]], "questions": [*asked, *asked, *other]}
    (tmp_path / "gaffer" / "graphs" / "any.json").write_text(json.dumps(graph))
    monkeypatch.setenv("LEXIGRAPH_CONFORMANCE", str(tmp_path))
    found = expected.__wrapped__()
    assert (found["gaffer.elements"], found["gaffer.questions.memory"]) == (3, 2)
    assert found["accumulo.stages"] == 1
