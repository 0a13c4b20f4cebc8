"""Test an engine of your own: suites of store, graphs and records, strict marks, a state machine.

The top layer. Needs ``pytest`` (and ``hypothesis`` for the state machine), which nothing else in
the package imports: they are the extra ``testing``.
"""

import pytest

# Before the modules below are imported: asserts in a library are plain ones otherwise.
pytest.register_assert_rewrite(
    "lexigraph.testing.store", "lexigraph.testing.graph", "lexigraph.testing.records"
)

from lexigraph.testing.backend import Backend  # noqa: E402
from lexigraph.testing.marks import Gap, needs, never, notimpl, notyet, unpromised  # noqa: E402
from lexigraph.testing.suite import graph_suite, record_suite, store_suite  # noqa: E402

__all__ = [
    "Backend",
    "Gap",
    "graph_suite",
    "needs",
    "never",
    "notimpl",
    "notyet",
    "record_suite",
    "store_suite",
    "unpromised",
]
