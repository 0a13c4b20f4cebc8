"""The stored elements that a delete names, under the labels that its caller can read.

Layer ``plan``. What was read to find them goes along: the delete counts only if none of it changes.
"""

from __future__ import annotations

from lexigraph.cells.ranges import Range
from lexigraph.layout.write.changes import Delete
from lexigraph.layout.write.removal.doomed import Doomed
from lexigraph.layout.write.writer import Writer
from lexigraph.plan.scope import Scope
from lexigraph.plan.targets.identities import Identities
from lexigraph.plan.targets.stored import Found, read_place


def find_named(
    wanted: Identities, scope: Scope, writer: Writer, label: bytes | None = None
) -> Found[Doomed]:
    """Give a writer the elements to delete; ``label`` is the one label to delete under."""
    wanted.duplicates.begin()
    read: dict[str, list[Range]] = {}
    for name, place in wanted.places():
        read.setdefault(scope.tables[place.table], []).extend(place.ranges)
        for _, element in read_place(scope, name, place):
            right_label = label is None or element.visibility == label
            if right_label and wanted.match(element):
                writer.take(Delete(element))
                if wanted.duplicates:
                    wanted.see(element)
    merged = [(table, one) for table, ranges in read.items() for one in Range.merge(ranges)]
    return Found(writer.doomed, merged)
