"""Changing one record: what ``session.vertex(id)`` and ``session.edge(id)`` can do to it.

Layer ``graph``. Each call is a commit of its own, or a step of the session's transaction. Only what
the session can read is changed; a record that it does not see is not there. Visibilities are those
of the element, unless others are given.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from lexigraph.arguments import read_bool
from lexigraph.errors import UsageError
from lexigraph.graph.read.arguments import read_most
from lexigraph.graph.write.delete_report import DeleteReport
from lexigraph.graph.write.records.edges import delete_pages
from lexigraph.graph.write.records.given import FREE, fit, read_key, read_note, read_text
from lexigraph.graph.write.records.given import value as given_value
from lexigraph.layout.records.subjects import EdgeSubject, VertexSubject
from lexigraph.layout.records.write import changes
from lexigraph.layout.wanted import BOTH
from lexigraph.layout.write.record_commit import DELETED, RecordsStored
from lexigraph.schema.keys import label_of, time_of
from lexigraph.schema.model import EDGE, VERTEX

Visible = str | bytes


class RecordChanges:
    """The changes that vertices and edges have in common. Methods return the handle itself."""

    _session: Any
    _record: Any
    _kind: ClassVar[str]

    @property
    def _subject(self) -> VertexSubject | EdgeSubject:
        raise NotImplementedError

    def set(
        self,
        name: str,
        value: Any,
        *,
        visibility: Visible | None = None,
        metadata: dict[str, Any] | None = None,
        key: str | None = None,
        time: Any = None,
        note: Any = None,
    ) -> Self:
        """Set a value of a property; earlier values stay in the history.

        Of a list or a set, each value that is given is put beside those that are there; equal ones
        change nothing. ``key`` tells several values of one name apart. ``note`` is kept with the
        event.
        """
        return self._put(changes.PutValue, name, value, visibility, metadata, key, time, note)

    def append(
        self,
        name: str,
        value: Any,
        *,
        visibility: Visible | None = None,
        metadata: dict[str, Any] | None = None,
        time: Any = None,
        note: Any = None,
    ) -> Self:
        """Append a value to a list, or several, also if the list has equal ones.

        It gets the next free key. To give it a key, or to replace the value of a key, use ``set``.
        """
        return self._put(changes.AppendValue, name, value, visibility, metadata, None, time, note)

    def unset(
        self,
        name: str,
        *,
        visibility: Visible | None = None,
        key: str | None = None,
        hard: bool = False,
        time: Any = None,
        note: Any = None,
    ) -> Self:
        """Delete values of a property: all that the session can read, or one key or visibility.

        With ``hard`` they are removed from the history too.
        """
        return self._apply(
            changes.DeleteValues(
                subject=self._subject,
                name=_name(name),
                key=read_key(key),
                visibility=_optional(visibility),
                hard=read_bool(hard, "hard"),
                **_dated(time, note),
            )
        )

    def set_metadata(
        self,
        name: str,
        entry: str,
        value: Any,
        *,
        of: Visible = b"",
        key: str = "",
        visibility: Visible | None = None,
    ) -> Self:
        """Set a metadata entry of a value, or delete it with ``None``.

        ``of`` is the visibility of the value, ``visibility`` that of the entry: by default the
        same.
        """
        return self._apply(
            changes.SetMetadata(
                subject=self._subject,
                name=_name(name),
                key=read_key(key) or b"",
                visibility=label_of(of),
                entry=read_text(entry, "the name of a metadata entry"),
                value=None if value is None else fit(FREE, value),
                entry_visibility=label_of(of if visibility is None else visibility),
            )
        )

    def set_visibility(
        self,
        to: Visible,
        name: str | None = None,
        *,
        of: Visible | None = None,
        key: str = "",
        past: bool = False,
        time: Any = None,
        note: Any = None,
    ) -> Self:
        """Change who may see the element, or one value of ``name``.

        ``of`` is the visibility that it has now; of the element, by default the one that the
        session sees. The past stays with those who saw it, unless ``past`` is true.
        """
        if name is None:
            return self._apply(
                changes.MoveElement(
                    subject=self._subject,
                    to=label_of(to),
                    frm=_optional(of),
                    past=read_bool(past, "past"),
                    **_dated(time, note),
                )
            )
        if past:
            raise UsageError(
                "past=True moves an element with its history, not one value",
                hint="Leave past out, or set the value under the new visibility and unset it with "
                "hard=True under the old one.",
            )
        return self._apply(
            changes.MoveValue(
                subject=self._subject,
                name=_name(name),
                key=read_key(key) or b"",
                frm=label_of(b"" if of is None else of),
                to=label_of(to),
                **_dated(time, note),
            )
        )

    def hide(
        self,
        visibility: Visible,
        name: str | None = None,
        *,
        of: Visible = b"",
        key: str = "",
        time: Any = None,
        note: Any = None,
    ) -> Self:
        """Hide the element from those who can read ``visibility``, or one value of ``name``.

        Hiding a vertex hides its edges too. ``of`` is the visibility of the value.
        """
        own = (changes.Hide, changes.HideValue)
        return self._hide(own, visibility, name, of, key, time, note)

    def show(
        self,
        visibility: Visible,
        name: str | None = None,
        *,
        of: Visible = b"",
        key: str = "",
        time: Any = None,
        note: Any = None,
    ) -> Self:
        """Undo a hide for the same visibility."""
        own = (changes.Show, changes.ShowValue)
        return self._hide(own, visibility, name, of, key, time, note)

    def require(self, expression: Visible, *, time: Any = None, note: Any = None) -> Self:
        """Add an additional visibility: readers must satisfy this expression too."""
        return self._apply(
            changes.Require(
                subject=self._subject, expression=label_of(expression), **_dated(time, note)
            )
        )

    def release(self, expression: Visible, *, time: Any = None, note: Any = None) -> Self:
        """Take an additional visibility back."""
        return self._apply(
            changes.Release(
                subject=self._subject, expression=label_of(expression), **_dated(time, note)
            )
        )

    def delete(
        self,
        *,
        hard: bool = False,
        visibility: Visible | None = None,
        time: Any = None,
        note: Any = None,
    ) -> DeleteReport:
        """Delete the element as far as the session can read it, with the edges at a vertex.

        The history keeps it, unless ``hard`` is true. Returns how many elements were deleted.
        """
        change = changes.DeleteElement(
            subject=self._subject,
            hard=read_bool(hard, "hard"),
            visibility=_optional(visibility),
            **_dated(time, note),
        )
        return delete_report(self._store(change))

    def _put(
        self,
        kind: type[changes.PutValue | changes.AppendValue],
        name: str,
        value: Any,
        visibility: Visible | None,
        metadata: dict[str, Any] | None,
        key: str | None,
        time: Any,
        note: Any,
    ) -> Self:
        if value is None:
            raise UsageError(
                f"None is not a value of {name!r}",
                hint=f"To delete its values, write .unset({name!r}).",
            )
        editor = self._session._records()
        several = isinstance(value, list | tuple | set | frozenset)
        listed = editor.fitter.holds_many(self._kind, name) and several
        extra = {"visibility": visibility, "metadata": metadata, "key": key, "time": time}
        given = [given_value(one, **extra) for one in (value if listed else [value])]
        for one in editor.fitter.values(self._kind, name, given):
            editor.take(kind(subject=self._subject, value=one, note=read_note(note)))
        editor.store()
        return self

    def _hide(
        self,
        kinds: tuple[type[Any], type[Any]],
        visibility: Visible,
        name: str | None,
        of: Visible,
        key: str,
        time: Any,
        note: Any,
    ) -> Self:
        seen_by = {"subject": self._subject, "visibility": label_of(visibility)}
        seen_by |= _dated(time, note)
        if name is None:
            return self._apply(kinds[0](**seen_by))
        named = {"name": _name(name), "key": read_key(key) or b"", "value_visibility": label_of(of)}
        return self._apply(kinds[1](**seen_by, **named))

    def _apply(self, change: changes.RecordChange) -> Self:
        self._store(change)
        return self

    def _store(self, change: changes.RecordChange) -> RecordsStored:
        done: RecordsStored = self._session._records().apply(change)
        return done


class VertexChanges(RecordChanges):
    """The changes of a vertex."""

    _kind = VERTEX

    @property
    def _subject(self) -> VertexSubject:
        return VertexSubject(self._record)

    def add_label(
        self, label: Any, *, visibility: Visible = b"", time: Any = None, note: Any = None
    ) -> Self:
        """Add a label, which is a class or its name."""
        editor = self._session._records()
        named = editor.fitter.label(label, VERTEX)
        editor.apply(
            changes.AddLabel(
                vertex=self._subject,
                label=named,
                visibility=label_of(visibility),
                **_dated(time, note),
            )
        )
        return self

    def remove_label(
        self,
        label: Any,
        *,
        visibility: Visible | None = None,
        hard: bool = False,
        time: Any = None,
        note: Any = None,
    ) -> Self:
        """Delete a label under all visibilities that the session can read, or under one."""
        return self._apply(
            changes.DeleteLabel(
                vertex=self._subject,
                label=_label(label),
                visibility=_optional(visibility),
                hard=read_bool(hard, "hard"),
                **_dated(time, note),
            )
        )

    def delete_edges(
        self,
        *groups: Any,
        direction: str = BOTH,
        every: int = 10_000,
        hard: bool = False,
        time: Any = None,
        note: Any = None,
    ) -> DeleteReport:
        """Delete its edges that the session can read, in commits of so many.

        For a vertex with more edges than one commit holds: ``delete`` refuses such a vertex. If it
        fails on the way, what was deleted stays deleted, and the same call deletes the others.

        >>> import lexigraph as lg
        >>> with lg.open(":memory:") as graph:
        ...     for friend in ("bob", "cid", "dan"):
        ...         _ = graph.add_edge("ann", "KNOWS", friend)
        ...     int(graph.vertex("ann").delete_edges("KNOWS", every=2))
        3
        """
        session: Any = self._session
        session._refuse_in_transaction("a vertex that loses its edges in several commits")
        asked: Any = self.fetch("hidden").edges(*groups, direction=direction)  # type: ignore[attr-defined]
        chosen = {"hard": read_bool(hard, "hard"), **_dated(time, note)}
        size = read_most(every, "every", 1)
        return delete_pages(session._records(), asked, size, chosen, named=bool(groups))


class EdgeChanges(RecordChanges):
    """The changes of an edge."""

    _kind = EDGE

    @property
    def _subject(self) -> EdgeSubject:
        return EdgeSubject(self._record)

    def relabel(self, label: Any, *, time: Any = None, note: Any = None) -> Self:
        """Give the edge another label, which is a class or its name."""
        editor = self._session._records()
        named = editor.fitter.label(label, EDGE)
        editor.apply(changes.Relabel(edge=self._subject, label=named, **_dated(time, note)))
        return self


def delete_report(done: RecordsStored) -> DeleteReport:
    """Return what a delete of records removed."""
    return DeleteReport({DELETED: done.report.deleted}, timestamp=done.timestamp)


def _optional(visibility: Visible | None) -> bytes | None:
    return None if visibility is None else label_of(visibility)


def _dated(time: Any, note: Any) -> dict[str, Any]:
    """Return the time and the note of a change."""
    return {"time": None if time is None else time_of(time), "note": read_note(note)}


def _name(name: Any) -> str:
    return read_text(name, "the name of a property")


def _label(label: Any) -> str:
    return read_text(getattr(label, "group", label), "a label")
