"""Deleting the edges of a vertex in commits of so many: a vertex may have millions.

Layer ``graph``. Edges are read page by page, each page behind the last one, so that what is held
and what is read again do not grow with the number of edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lexigraph.errors import UsageError, show
from lexigraph.graph.read.query import Query
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.records.editing import RecordEditor
from lexigraph.layout.records.subjects import EdgeSubject
from lexigraph.layout.records.write.changes import DeleteElement
from lexigraph.layout.write.record_commit import DELETED
from lexigraph.plan import Cursor, read_page


def delete_pages(
    editor: RecordEditor, question: Query[Any], size: int, how: Mapping[str, Any], *, named: bool
) -> DeleteReport:
    """Delete the record edges of a question; ``named`` if its groups were named one by one."""
    scope, view = question._reading.scope(), question._asked.view
    merging = [name for name in view if not scope.keys.is_record(name)]
    if merging and named:
        raise UsageError(
            f"delete_edges is for records, and edges of {show(merging[0])} merge",
            hint="Delete those with graph.delete(question): it deletes what a question finds.",
        )
    records = {name: steps for name, steps in view.items() if name not in merging}
    asked = replace(question._asked, view=records)
    deleted, timestamp, cursor = 0, None, None
    while records:
        at: Cursor | None = cursor
        found, cursor = read_page(asked, replace(scope, cursor=at), size)
        for one in found:
            editor.take(DeleteElement(subject=EdgeSubject(one.edge), **how))  # type: ignore[attr-defined]
        if found:
            done = editor.store()
            deleted, timestamp = deleted + done.report.deleted, done.timestamp
        if cursor is None:
            break
    return DeleteReport({DELETED: deleted}, timestamp=timestamp)
