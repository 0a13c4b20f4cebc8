"""What a commit writes to a vertex or an edge, as the log keeps it.

Layer ``layout``; section 3 of ``spec/changes.md``. Facts lose their values here.
"""

from __future__ import annotations

from lexigraph.layout.log.condition import NOBODY_SEES, condition_of, condition_of_new
from lexigraph.layout.log.entries import SubjectChanges
from lexigraph.layout.records.subjects import EdgeSubject
from lexigraph.layout.records.write.writer import WrittenRow


def changes_of(written: WrittenRow) -> SubjectChanges:
    """Return the changes of one row; its stored facts are those that decide who sees it."""
    row, facts, cells = written
    known = row.known
    if known:
        before, shapes_before = condition_of(known)
        after, shapes_after = condition_of([*known, *facts])
    else:
        before, shapes_before = NOBODY_SEES, ()
        after, shapes_after = condition_of_new(facts)
    return SubjectChanges(
        isinstance(row.subject, EdgeSubject),
        cells[0].row,
        before,
        after,
        shapes_before,
        shapes_after,
        [(one.family, one.value[0], one.qualifier, one.visibility) for one in cells],
    )
