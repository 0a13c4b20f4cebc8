"""Strict marks: a gap is expected, a closed gap and a gap of the wrong kind fail the build."""

from __future__ import annotations

import pytest

from lexigraph.errors import UsageError
from lexigraph.store import MemoryEngine
from lexigraph.testing import needs, never, notimpl, notyet, store_suite
from lexigraph.testing.backend import Backend
from lexigraph.testing.store.base import StoreTests
from lexigraph.testing.suite import behaviours_of, gap_of
from lexigraph.testing.support import support_page

from . import broken
from .broken import DeletesIgnored

pytest_plugins = ["pytester"]

TEST = "test_a_delete_hides_what_was_written_before"
FILE = """
from lexigraph.testing import never, notimpl, notyet, store_suite
from {module} import {engine} as Engine
globals().update(store_suite(Engine, name="e", gaps={{{gaps}}}))
"""


def outcomes(pytester: pytest.Pytester, engine: str, gap: str, test: str = TEST) -> dict[str, int]:
    gaps = f"{test!r}: {gap}" if gap else ""
    source = FILE.format(module=broken.__name__, engine=engine, gaps=gaps)
    pytester.makepyfile(test_engine=source)
    run = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-q", "-k", test)
    found = run.parseoutcomes()
    return {name: found[name] for name in found if name != "deselected"}


@pytest.mark.parametrize("gap", ["notimpl('no time')", "notyet('below us')"])
def test_a_known_gap_does_not_fail_the_build(pytester: pytest.Pytester, gap: str) -> None:
    assert outcomes(pytester, "DeletesIgnored", gap) == {"xfailed": 1}


@pytest.mark.parametrize("gap", ["notimpl('no time')", "notyet('below us')", "never('no')"])
def test_a_gap_that_closed_fails_the_build(pytester: pytest.Pytester, gap: str) -> None:
    assert outcomes(pytester, "KeepsRuns", gap) == {"failed": 1}


def test_never_means_an_unsupported_error_and_no_wrong_answer(pytester: pytest.Pytester) -> None:
    assert outcomes(pytester, "DeletesIgnored", "never('no')") == {"failed": 1}


def test_a_missing_feature_is_never_without_being_listed(pytester: pytest.Pytester) -> None:
    test = "test_a_partial_merge_keeps_the_marker_for_what_lies_elsewhere"
    assert outcomes(pytester, "KeepsRuns", "", test) == {"xfailed": 1}


def test_a_mark_for_one_engine_does_not_reach_another() -> None:
    marked = store_suite(DeletesIgnored, name="marked", gaps={TEST: notimpl("no time")})
    plain = store_suite(MemoryEngine, name="plain")
    marks = [
        getattr(vars(suite["TestDeletes"]).get(TEST), "pytestmark", []) for suite in (marked, plain)
    ]
    assert [len(found) for found in marks] == [1, 0]


def test_a_gap_for_a_test_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match=TEST):
        store_suite(MemoryEngine, name="e", gaps={TEST + "s": notyet("typing error")})


def test_needs_is_read_from_classes_and_from_tests() -> None:
    @needs("snapshots")
    class Topic(StoreTests):
        @needs("partial-merges")
        def test_both(self) -> None: ...

        def test_one(self) -> None: ...

    backend = Backend("e", MemoryEngine)
    found = [gap_of(backend, Topic, test) for test in behaviours_of(Topic)]
    assert found == [never("it cannot merge only some runs of a table"), None]


def test_the_page_of_support_shows_gaps_with_their_reasons() -> None:
    suites = [
        store_suite(MemoryEngine, name="memory", make_runs=MemoryEngine),
        store_suite(DeletesIgnored, name="other", gaps={TEST: notimpl("markers are dropped")}),
    ]
    page = support_page(suites)
    assert "| a delete hides what was written before | yes | notimpl (1) |" in page
    assert "1. notimpl: markers are dropped" in page
    assert "| a partial merge keeps the marker for what comes later | yes | never (2) |" in page


def test_without_gaps_the_page_says_so() -> None:
    assert "No engine has a gap." in support_page(
        [store_suite(MemoryEngine, name="memory", make_runs=MemoryEngine)]
    )
