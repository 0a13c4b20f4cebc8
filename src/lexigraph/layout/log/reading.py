"""What a reader is told of an entry: typed changes of what it could read, in order.

Layer ``layout``; section 5 of ``spec/changes.md``. Everything is judged by what the entry says, so
the answer is the same whenever it is asked. The feed of a reader is that of the owner, cut down to
what the reader can read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from lexigraph.codec.selfdescribing import ANY
from lexigraph.layout.log.condition import Shapes
from lexigraph.layout.log.entries import COMMIT, LOAD, LogEntry, SubjectChanges, SummaryKeys
from lexigraph.layout.log.rows import LogPlace
from lexigraph.layout.log.told import ENDS, TOLD, FactName, read_name
from lexigraph.layout.records.facts import EdgeShape, FactState
from lexigraph.layout.records.families import EXISTENCE, HIDE, REQUIRED
from lexigraph.layout.stored.graph import StoredGraph
from lexigraph.schema import plan_field
from lexigraph.security import ALL, All, Authorizations, LabelCache

_SAID, _DELETED, _MOVED, _REMOVED, _UNDONE = (int(one) for one in FactState)


_NOTHING = FactName()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedChange:
    """One change, as a reader is told of it."""

    kind: str
    visible: bool = True
    element: str | None = None
    id: Any = None
    group: str | None = None
    key: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    name: FactName = _NOTHING
    visibility: bytes | None = None
    shape: EdgeShape | None = None
    count: int | None = None

    __hash__ = None  # type: ignore[assignment]


class LogReader:
    """Reads entries as one reader."""

    def __init__(self, stored: StoredGraph, authorizations: Authorizations | All) -> None:
        self._stored, self._labels = stored, LabelCache(authorizations)
        self._owner = authorizations is ALL

    def changes_after(
        self, place: LogPlace, entries: Iterable[tuple[int, LogEntry]]
    ) -> Iterator[tuple[LogPlace, LoggedChange]]:
        """Yield what the reader is told of entries after a place, each with its own place."""
        last, number = place.commit - 1, 0
        for commit, entry in entries:
            last, number = (last, number) if commit == last else (commit, 0)
            for change in self.changes(entry):
                number += 1
                at = LogPlace(commit, number)
                if at > place:
                    yield at, change

    def changes(self, entry: LogEntry) -> Iterator[LoggedChange]:
        """Yield what the reader is told of an entry."""
        if entry.kind != COMMIT:
            yield from self._whole(entry)
            return
        for summary in entry.summaries:
            if summary.group in self._stored.schema.groups:
                yield from self._summaries(summary)
        for subject in entry.subjects:
            yield from self._subject(subject)

    def _whole(self, entry: LogEntry) -> Iterator[LoggedChange]:
        # Who reads none of it is not told that it was.
        if not self._owner and not any(map(self._labels.can_see, entry.labels)):
            return
        if entry.kind != LOAD:
            yield LoggedChange(kind="erased", visible=False)
            return
        for group, count in entry.counts.items():
            known = self._stored.schema.groups.get(group)
            yield LoggedChange(
                kind="loaded",
                element=None if known is None else known.kind,
                group=group,
                count=count if self._owner else None,
            )

    def _summaries(self, held: SummaryKeys) -> Iterator[LoggedChange]:
        group, plan = self._stored.schema.group(held.group), self._stored.plan_of(held.group)
        names = {one: plan_field(group, one) for one in (*group.ids, *group.group_by)}
        seen: set[tuple[bytes, bytes, bytes, bytes]] = set()
        for cell in held.cells:
            place = cell.row, cell.family, cell.qualifier, cell.visibility
            if not self._labels.can_see(cell.visibility) or place in seen:
                continue
            seen.add(place)
            fields = plan.decoder.read_key(cell)
            if fields is not None:
                yield LoggedChange(
                    kind=held.what,
                    visible=held.what != "deleted",
                    element=group.kind,
                    group=held.group,
                    key={one: fields.get(name) for one, name in names.items()},
                    visibility=cell.visibility,
                )

    def _subject(self, one: SubjectChanges) -> Iterator[LoggedChange]:
        before = one.before.readable(self._labels)
        after = one.after.readable(self._labels)
        hidden = one.after.hidden(self._labels)
        was, now = bool(before), bool(after)
        if not self._owner:
            was = was and not one.before.hidden(self._labels)
            now = now and not hidden
        if not was and not now:
            return
        common = self._common(one, before, after)
        if was and not now:
            yield LoggedChange(kind=self._ending(one, after), visible=False, **common)
            return
        common["visible"] = not hidden
        if now and not was:
            kind, visibility = self._beginning(one, before, after), one.after.existences[after[0]]
            yield LoggedChange(kind=kind, visibility=visibility, **common)
        else:
            yield from self._existences(one, before, after, common)
        yield from self._facts(one, common, new=not was)

    def _common(
        self, one: SubjectChanges, before: tuple[int, ...], after: tuple[int, ...]
    ) -> dict[str, Any]:
        if not one.edge:
            vertex = self._records.subject_of("vertices", one.row)
            return {"element": "vertex", "id": getattr(vertex, "id", None)}
        shapes, shown = (one.shapes_after, after) if after else (one.shapes_before, before)
        return {
            "element": "edge",
            "id": ANY.decode(one.row),
            "shape": _shape_of(shapes, shown),
        }

    @property
    def _records(self) -> Any:
        records = self._stored.records
        assert records is not None
        return records.rows

    def _ending(self, one: SubjectChanges, after: tuple[int, ...]) -> str:
        if after:
            return "hidden"
        live = any(map(self._labels.can_see, one.after.existences))
        states = self._states(one, EXISTENCE)
        if not live and _DELETED in states:
            return "deleted"
        return "removed" if not live and _REMOVED in states else "disappeared"

    def _beginning(
        self, one: SubjectChanges, before: tuple[int, ...], after: tuple[int, ...]
    ) -> str:
        if before:
            return "shown"
        if any(map(self._labels.can_see, one.before.existences)):
            return "appeared"
        # Adding under another visibility what others can read looks as if it were new.
        moved = {fact[1] for fact in one.facts if fact[0] == EXISTENCE} & {_MOVED, _REMOVED}
        return "appeared" if moved else "added"

    def _states(self, one: SubjectChanges, family: bytes) -> set[int]:
        return {
            state
            for kind, state, _, visibility in one.facts
            if kind == family and self._labels.can_see(visibility)
        }

    def _existences(
        self,
        one: SubjectChanges,
        before: tuple[int, ...],
        after: tuple[int, ...],
        common: dict[str, Any],
    ) -> Iterator[LoggedChange]:
        old = {one.before.existences[at] for at in before}
        new = {one.after.existences[at] for at in after}
        begun, ended = sorted(new - old), sorted(old - new)
        states = self._states(one, EXISTENCE)
        moved = bool(begun) and bool(ended) and bool(states & {_MOVED, _REMOVED})
        for visibility in begun:
            kind = "moved" if moved else "added"
            yield LoggedChange(kind=kind, visibility=visibility, **common)
        for visibility in () if moved else ended:
            yield LoggedChange(
                kind="deleted"
                if _DELETED in states
                else "removed"
                if _REMOVED in states
                else "disappeared",
                visibility=visibility,
                **common,
            )
        shapes = _shape_of(one.shapes_before, before), _shape_of(one.shapes_after, after)
        if shapes[0] != shapes[1]:
            yield LoggedChange(kind="reshaped", **common)

    def _facts(
        self, one: SubjectChanges, common: dict[str, Any], *, new: bool
    ) -> Iterator[LoggedChange]:
        values = {fact[2] for fact in one.facts if fact[0] == b"p"}
        for family, state, qualifier, visibility in one.facts:
            if not self._labels.can_see(visibility) or family == EXISTENCE:
                continue
            if family in ENDS and (new or (family == HIDE and not self._owner)):
                continue
            kind = TOLD.get((family, state))
            if kind is None:
                continue
            name = read_name(family, qualifier)
            if not self._labels.can_see(name.value_visibility) or name.value in values:
                # Metadata that comes with its value is told with it.
                continue
            said = name.expression if family == REQUIRED else visibility
            yield LoggedChange(kind=kind, name=name, visibility=said, **common)


def _shape_of(shapes: Shapes, shown: Iterable[int]) -> EdgeShape | None:
    return next((shapes[at] for at in shown if at < len(shapes)), None)
