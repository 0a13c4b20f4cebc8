"""How the model of Vertexium reads an element of its cells, quirk by quirk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lexigraph.security import Authorizations
from tests.conformance.vertexium.driver import VERTEX, Reader
from tests.conformance.vertexium.given import Hints, Names, read_value, show_value
from tests.conformance.vertexium.loaded import Element, Entry, Reference, Refused, Value
from tests.conformance.vertexium.model.cells import ModelCell, ModelTable

SHOWN = "X"
"""What the value of a marker starts with that undoes."""


class ModelReader:
    """Reads one row as the iterators of Vertexium do; ``fixed`` are the quirks it does not have."""

    def __init__(self, tables: dict[str, ModelTable], fixed: frozenset[str]) -> None:
        self._tables, self._fixed = tables, fixed

    def read(self, kind: str, id_: str, reader: Reader) -> Element | None:
        """Return the element of a row, if the reader sees it."""
        auths = Authorizations(reader.auths)
        cells = self._tables[kind].newest(id_, auths, reader.end)
        nameless = any(one.place.family == "PROP" and not one.place.qualifier[0] for one in cells)
        if nameless and "empty names" not in self._fixed:
            raise Refused("VertexiumAccumuloIteratorException")
        signals = [one for one in cells if one.place.family == ("V" if kind == VERTEX else "E")]
        live = self._live(signals, self._ends(kind, id_, cells), cells)
        if live is None:
            return None
        hides = self._hides(cells, reader.hints)
        if hides and not reader.hints.hidden:
            return None
        shown, covered = live
        shape = None
        if kind != VERTEX:
            shape = (shown.place.qualifier[0], *self._shape(cells, shown))
        return Element(
            id=id_,
            visibility=shown.place.visibility,
            time=shown.time,
            hints=reader.hints,
            shape=shape,
            hides=tuple(sorted(hides)) if reader.hints.hidden else (),
            values=tuple(self._values(cells, covered, reader.hints)),
            held=tuple(self._references(id_, cells, reader)) if kind == VERTEX else (),
        )

    # Existence

    def existences(self, kind: str, id_: str, auths: tuple[str, ...]) -> set[str]:
        """Return the visibilities under which an element exists for somebody."""
        cells = self._tables[kind].newest(id_, Authorizations(auths), None)
        found = set()
        for visibility in {one.place.visibility for one in cells if one.place.family in "VE"}:
            own = [one for one in cells if visibility == one.place.visibility]
            signals = [one for one in own if one.place.family in "VE"]
            if self._live(signals, self._ends(kind, id_, own), own) is not None:
                found.add(visibility)
        return found

    def _ends(self, kind: str, id_: str, cells: list[ModelCell]) -> dict[str, int]:
        removed = self._tables[kind].removed
        ends = {visibility: time for (row, visibility), time in removed.items() if row == id_}
        for one in cells:
            counts = one.value is None or "delete with data" in self._fixed
            if one.place.family == "D" and counts:
                visibility = one.place.visibility
                ends[visibility] = max(one.time, ends.get(visibility, 0))
        return ends

    def _live(
        self, signals: list[ModelCell], ends: dict[str, int], cells: list[ModelCell]
    ) -> tuple[ModelCell, int] | None:
        if "one existence" not in self._fixed:
            shown, time = None, 0
            for one in signals:
                if one.time > time:
                    shown, time = (None, 0) if is_undone(one) else (one, one.time)
            end = max(ends.values(), default=0)
            return None if shown is None or end >= time else (shown, end)
        newest: dict[str, ModelCell] = {}
        for one in signals:
            held = newest.get(one.place.visibility)
            if held is None or (one.time, one.order) > (held.time, held.order):
                newest[one.place.visibility] = one
        live = [
            (one.time, one.step, self._shown_shape(cells, one), one.place.visibility, one)
            for one in newest.values()
            if not is_undone(one) and ends.get(one.place.visibility, 0) < one.time
        ]
        if not live:
            return None
        end = min(ends.get(one.place.visibility, 0) for *_, one in live)
        return max(live, key=lambda found: found[:4])[4], end

    def _shown_shape(self, cells: list[ModelCell], one: ModelCell) -> tuple[str, ...]:
        """Return what decides between existences of one commit and one time."""
        return (*one.place.qualifier, *(end or "" for end in self._shape(cells, one)))

    def _shape(self, cells: list[ModelCell], shown: ModelCell) -> tuple[Any, Any]:
        found: dict[str, ModelCell] = {}
        for one in cells:
            family = one.place.family
            if family not in ("EOUT", "EIN"):
                continue
            if "one existence" in self._fixed:
                # Each existence has its own shape, the newest.
                held = found.get(family)
                if one.place.visibility != shown.place.visibility:
                    continue
                if held is not None and (held.time, held.order) > (one.time, one.order):
                    continue
            found[family] = one
        out, in_ = (found.get(family) for family in ("EOUT", "EIN"))
        return out and out.place.qualifier[0], in_ and in_.place.qualifier[0]

    def _hides(self, cells: list[ModelCell], hints: Hints) -> set[str]:
        marks = [one for one in cells if one.place.family == "H"]
        live = {one.place.visibility for one in marks if not is_undone(one)}
        if hints.hidden or "last hide decides" in self._fixed:
            return live
        return live if marks and not is_undone(marks[-1]) else set()

    # Properties

    def _values(self, cells: list[ModelCell], covered: int, hints: Hints) -> Iterable[Value]:
        hides = self._value_hides(cells)
        deleted: dict[Any, int] = {}
        for one in cells:
            if one.place.family == "PROPD":
                deleted[(*one.place.qualifier, one.place.visibility)] = one.time
        found: dict[Any, ModelCell] = {}
        for one in cells:
            if one.place.family == "PROP":
                found[self._place(one.place.qualifier, one.place.visibility, one.time)] = one
        for place, one in found.items():
            name, key = one.place.qualifier
            named = (name, key, one.place.visibility)
            equal = "equal times survive" not in self._fixed
            if one.time < covered or (one.time == covered and not equal and covered):
                continue
            if deleted.get(named, -1) >= one.time or not _wants(hints.properties, name):
                continue
            if hides.get(named) and not hints.hidden:
                continue
            yield Value(
                name=name,
                key=key,
                visibility=one.place.visibility,
                time=one.time,
                value=show_value(read_value(one.value)),
                metadata=self._metadata(cells, place, one, hints),
                hides=tuple(sorted(hides.get(named, ()))) if hints.hidden else (),
            )

    def _place(self, qualifier: tuple[str, ...], visibility: str, time: int) -> Any:
        name, key = qualifier[:2]
        if "joined names" in self._fixed:
            return name, key, visibility, time
        return name + key + visibility, time

    def _value_hides(self, cells: list[ModelCell]) -> dict[Any, set[str]]:
        found: dict[Any, set[str]] = {}
        for one in cells:
            if one.place.family == "PROPH":
                held = found.setdefault(one.place.qualifier, set())
                if not is_undone(one):
                    held.add(one.place.visibility)
                elif "any show shows" not in self._fixed and held:
                    held.pop()
        return found

    def _metadata(
        self, cells: list[ModelCell], place: Any, value: ModelCell, hints: Hints
    ) -> tuple[Entry, ...] | None:
        if not hints.metadata:
            return None
        found = {}
        for one in cells:
            if one.place.family != "PROPMETA":
                continue
            *named, visibility, entry, time = one.place.qualifier
            if self._place(tuple(named), visibility, int(time)) != place or is_undone(one):
                continue
            if "old metadata" in self._fixed and one.order < value.order:
                continue
            if _wants(hints.metadata, entry):
                shown = show_value(read_value(one.value))
                found[entry, one.place.visibility] = Entry(entry, one.place.visibility, shown)
        return tuple(found.values())

    # References

    def references(self, id_: str, reader: Reader) -> list[Reference]:
        """Return the references of a vertex, whether or not the reader sees the vertex."""
        cells = self._tables[VERTEX].newest(id_, Authorizations(reader.auths), reader.end)
        return self._references(id_, cells, reader)

    def _references(self, id_: str, cells: list[ModelCell], reader: Reader) -> list[Reference]:
        hints = reader.hints
        if "references of their own" in self._fixed:
            return self._by_edges(id_, reader)
        hidden: dict[str, set[str]] = {}
        last: dict[str, bool] = {}
        for one in cells:
            if one.place.family in ("EINH", "EOUTH"):
                edge = one.place.qualifier[0]
                last[edge] = not is_undone(one)
                if not is_undone(one):
                    hidden.setdefault(edge, set()).add(one.place.visibility)
        if "last hide decides" not in self._fixed:
            hidden = {edge: {"any"} for edge, is_hidden in last.items() if is_hidden}
        found: list[Reference] = []
        for family, direction, names in (
            ("EIN", "IN", hints.in_edges or hints.counts),
            ("EOUT", "OUT", hints.out_edges or hints.counts),
        ):
            listed = [
                (one.place.qualifier[0], one)
                for one in cells
                if one.place.family == family and _wants(names, one.value[0])
            ]
            if not hints.hidden:
                for edge in hidden:
                    _remove_first(listed, edge, None)
            for one in cells:
                if one.place.family == family + "D":
                    _remove_first(listed, one.place.qualifier[0], one.time)
            found += [Reference(direction, edge, *one.value) for edge, one in listed]
        return found

    def _by_edges(self, id_: str, reader: Reader) -> list[Reference]:
        """Return the references as the rows of the edges say."""
        auths = Authorizations(reader.auths)
        found: dict[Reference, None] = {}
        hints = reader.hints
        for edge in self._tables["edge"].rows:
            cells = self._tables["edge"].newest(edge, auths, reader.end)
            if not hints.hidden and self._hides(cells, hints):
                continue
            visibilities = {one.place.visibility for one in cells if one.place.family == "E"}
            for visibility in visibilities:
                own = [
                    one
                    for one in cells
                    if one.place.visibility == visibility or one.place.family == "D"
                ]
                signals = [one for one in own if one.place.family == "E"]
                live = self._live(signals, self._ends("edge", edge, own), own)
                if live is None:
                    continue
                label = live[0].place.qualifier[0]
                out, in_ = self._shape(own, live[0])
                if out == id_ and _wants(hints.out_edges or hints.counts, label):
                    found[Reference("OUT", edge, label, in_)] = None
                if in_ == id_ and _wants(hints.in_edges or hints.counts, label):
                    found[Reference("IN", edge, label, out)] = None
        return list(found)


def is_undone(one: ModelCell) -> bool:
    """Return whether a marker undoes."""
    return isinstance(one.value, tuple) and one.value[0] == SHOWN


def data_of(one: ModelCell) -> Any:
    """Return the event data of a marker."""
    return (one.value[1:] or (None,))[0] if is_undone(one) else one.value


def _wants(asked: Names, name: str) -> bool:
    return asked if isinstance(asked, bool) else name in asked


def _remove_first(listed: list[tuple[str, ModelCell]], edge: str, until: int | None) -> None:
    for place, (other, one) in enumerate(listed):
        if other == edge:
            if until is None or until >= one.time:
                del listed[place]
            return
