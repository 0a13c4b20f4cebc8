"""On somebody's own cluster, only labels that a run does not ask for at its start skip a test."""

from __future__ import annotations

import pytest

from lexigraph.errors import NotGranted
from lexigraph.security import ALL, All, Authorizations
from lexigraph.testing.cluster import LABELS, pytest_pyfunc_call


def refused(missing: Authorizations | All) -> None:
    """Let a test end in an error about labels."""
    hook = pytest_pyfunc_call()
    next(hook)
    hook.throw(NotGranted("refused", missing=missing))


def test_a_label_that_nobody_checked_skips() -> None:
    with pytest.raises(pytest.skip.Exception, match="lacks labels"):
        refused(Authorizations(["of nobody"]))


@pytest.mark.parametrize("missing", [Authorizations([LABELS[0]]), ALL])
def test_what_the_run_was_granted_fails(missing: Authorizations | All) -> None:
    with pytest.raises(NotGranted):
        refused(missing)
