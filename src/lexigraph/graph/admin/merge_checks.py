"""What a check of a graph says of its merges: which groups only scans merge, and what to do.

Layer ``graph``.
"""

from __future__ import annotations

from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.store.checks import OK, PROBLEM, Checked

STEP = "groups"
_REMEDY = (
    "Nothing is lost, but every added cell of the group stays stored. Use a codec and an "
    "aggregator that come with Lexigraph; on a cluster, install a jar that has yours."
)


def check_merges(stored: StoredGraph) -> list[Checked]:
    """Return one step for each group that the engine does not merge, or one that all merge."""
    found = stored.unmerged_groups()
    if not found:
        return [Checked(STEP, OK, "the engine merges all groups that aggregate")]
    return [
        Checked(STEP, PROBLEM, f"group {name!r} is merged by scans only: {reason}", _REMEDY)
        for name, reason in found.items()
    ]
