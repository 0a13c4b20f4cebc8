"""Deleting records that are given as elements, dicts or handles.

Layer ``graph``. All of one call go in one commit. Records and elements of summary groups are
deleted in different ways, so one call has one of the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lexigraph.arguments import read_bool
from lexigraph.errors import UsageError, ValidationError, show
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.record_handle import RecordChanges, delete_report
from lexigraph.graph.write.records.editing import RecordEditor
from lexigraph.graph.write.records.fitting import class_edge_id, found_in
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write.changes import DeleteElement
from lexigraph.schema import ClassElement
from lexigraph.schema.keys import label_of
from lexigraph.schema.model import VERTEX


def record_deletes(
    editor: RecordEditor, elements: Sequence[Any], visibility: Any, *, hard: bool
) -> DeleteReport | None:
    """Delete records; ``None`` if none of the elements is one."""
    records = [one for one in elements if _is_record(editor, one)]
    if not records:
        if read_bool(hard, "hard") and elements:
            raise UsageError("hard=True is for records", hint="Leave hard out.")
        return None
    if len(records) < len(elements):
        raise UsageError(
            "records and elements of summary groups cannot be deleted in one call",
            hint="Delete the records first, then the others.",
        )
    seen_by = None if visibility is None else label_of(visibility)
    for one in records:
        subject = _subject_of(one)
        editor.take(
            DeleteElement(subject=subject, hard=read_bool(hard, "hard"), visibility=seen_by)
        )
    return delete_report(editor.store())


def _is_record(editor: RecordEditor, one: Any) -> bool:
    if isinstance(one, RecordChanges) or found_in(one) is not None:
        return True
    return editor.fitter.is_record(one)


def _subject_of(one: Any) -> VertexSubject | EdgeSubject:
    if isinstance(one, RecordChanges):
        return one._subject
    found = found_in(one)
    if found is not None:
        return VertexSubject(found.vertex) if found.kind == VERTEX else EdgeSubject(found.edge)
    held = one if isinstance(one, Mapping) else getattr(one, "ids", {})
    vertex = held.get("vertex")
    if vertex is not None:
        return VertexSubject(vertex)
    edge = class_edge_id(one) if isinstance(one, ClassElement) else None
    if edge is None:
        edge = held.get("edge", getattr(one, "edge", None))
    if edge is None:
        raise ValidationError(
            f"{show(one)} does not say its id, so it is not known which edge is meant",
            element=one,
            property="edge",
            reason="no id",
            hint="Delete the edge by its id: graph.edge(id).delete().",
        )
    return EdgeSubject(edge)
