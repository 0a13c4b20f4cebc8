"""What a reader must see after some commits: a brute-force model in plain dicts.

It follows sections 3 to 6 of spec/facts.md and shares nothing with the writer or the assembler: no
cells, no rows of references, no diffs. An element is a dict of columns, a column a list of dicts.
Every question looks at all of them again. References are not stored: they are what the edges say.
"""

from __future__ import annotations

from typing import Any

from lexigraph.codec.escape import escape
from lexigraph.codec.selfdescribing import ANY
from lexigraph.layout.records.write import changes as kinds

SAID, DELETED, MOVED, REMOVED, UNDONE = 1, 2, 3, 4, 5
Version = dict[str, Any]
Element = dict[str, dict[Any, list[Version]]]
Seen = dict[str, Any]

SORT_KEYS = {"PAID": ("day",)}
SIGNATURES = {"PAID": ("sum",)}
UNIDIRECTED = ("FOLLOWS",)
MULTIPLICITIES = {"OWNS": "simple", "BORN": "many2one", "LEADS": "one2many", "WED": "one2one"}


class Refused(Exception):
    """A change that must be refused; names the error."""


class Reader:
    def __init__(
        self, held: set[str] | None, as_of: int | None = None, *, hidden: bool = False
    ) -> None:
        self.held, self.as_of, self.hidden = held, as_of, hidden

    def can(self, visibility: bytes) -> bool:
        """Return whether all terms are held; the model has no other expressions."""
        terms = visibility.decode().split("&") if visibility else []
        return self.held is None or self.held.issuperset(terms)


def newest(column: list[Version], as_of: int | None) -> Version | None:
    removed = max((one["t"] for one in column if one["state"] == REMOVED), default=None)
    left = [
        one
        for one in column
        if one["state"] != REMOVED
        and (removed is None or one["t"] > removed)
        and (as_of is None or one["t"] <= as_of)
    ]
    return max(left, key=rank, default=None)


def rank(one: Version) -> tuple[Any, ...]:
    ended = one.get("ended")
    shape = one.get("shape")
    tie = ANY.encode_value(shape) if shape else b""
    return one["t"], one["w"], one["state"], ended is not None, ended or 0, tie


def said(column: list[Version], as_of: int | None) -> Version | None:
    found = newest(column, as_of)
    return found if found is not None and found["state"] == SAID else None


def end_of(column: list[Version], as_of: int | None) -> int | None:
    ends = [one["t"] for one in column if one["state"] == REMOVED]
    for one in column:
        if as_of is None or one["t"] <= as_of:
            if one["state"] == DELETED:
                ends.append(one["t"])
            if one.get("ended") is not None:
                ends.append(one["ended"])
    return max(ends, default=None)


def references_of(edge: str, shape: tuple[Any, ...]) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """Return the references of a shape with their signatures."""
    label, source, destination, directed, pairs = shape
    key = tuple(dict(pairs).get(name) for name in SORT_KEYS.get(label, ()))
    signature = tuple(pair for pair in pairs if pair[0] in SIGNATURES.get(label, ()))
    if not directed:
        ends = [(source, "either", destination), (destination, "either", source)]
    else:
        ends = [(source, "out", destination), (destination, "in", source)]
        ends = ends[:1] if label in UNIDIRECTED else ends
    return {(one, way, label, key, other, edge): signature for one, way, other in ends}


class Model:
    """All elements, and the commits that made them."""

    def __init__(self) -> None:
        self.elements: dict[tuple[str, str], Element] = {}
        self.commit, self.caller = 0, Reader(None)
        self._floors: dict[int, int] = {}

    def begin(self, commit: int, caller: Reader) -> None:
        self.commit = commit
        self.caller = Reader(caller.held, hidden=True)
        self._floors = {}

    def element(self, place: tuple[str, str]) -> Element:
        empty: Element = {name: {} for name in ("e", "l", "p", "pm", "h", "hp", "a")}
        return self.elements.setdefault(place, empty)

    # -- reading

    def live(self, element: Element, reader: Reader) -> dict[bytes, Version]:
        found = {
            visibility: said(column, reader.as_of)
            for visibility, column in element["e"].items()
            if reader.can(visibility)
        }
        return {visibility: one for visibility, one in found.items() if one is not None}

    def is_allowed(self, element: Element, reader: Reader) -> bool:
        return all(
            reader.can(expression)
            for expression, column in element["a"].items()
            if said(column, None) is not None
        )

    def is_hidden(self, element: Element, reader: Reader) -> bool:
        return any(
            reader.can(visibility) and said(column, reader.as_of) is not None
            for (_, visibility), column in element["h"].items()
        )

    def is_seen(self, element: Element, reader: Reader) -> bool:
        hidden = self.is_hidden(element, reader) and not reader.hidden
        return bool(self.live(element, reader)) and self.is_allowed(element, reader) and not hidden

    def is_covered(self, element: Element, reader: Reader, time: int) -> bool:
        ends = (end_of(element["e"][one], reader.as_of) for one in self.live(element, reader))
        return any(end is None or end < time for end in ends)

    def see(self, place: tuple[str, str], reader: Reader) -> Seen | None:
        """Return what a reader sees of an element."""
        element = self.element(place)
        if not self.is_seen(element, reader):
            return None
        labels = {
            label
            for (label, visibility), column in element["l"].items()
            if reader.can(visibility)
            and (found := said(column, reader.as_of)) is not None
            and self.is_covered(element, reader, found["t"])
        }
        return {
            "shown": shown(self.live(element, reader)),
            "hidden": self.is_hidden(element, reader),
            "labels": sorted(labels),
            "values": self.values(element, reader),
        }

    def values(self, element: Element, reader: Reader) -> dict[Any, Any]:
        found = {}
        for (name, key, visibility), column in element["p"].items():
            value = said(column, reader.as_of)
            if value is None or not reader.can(visibility):
                continue
            hidden = any(
                place[:3] == (name, key, visibility)
                and reader.can(place[3])
                and said(hides, reader.as_of) is not None
                for place, hides in element["hp"].items()
            )
            if self.is_covered(element, reader, value["t"]) and (reader.hidden or not hidden):
                metadata = self.metadata(element, (name, key, visibility), value, reader)
                found[name, key, visibility] = (value["value"], value["t"], hidden, metadata)
        return found

    def metadata(
        self, element: Element, place: tuple[Any, ...], value: Version, reader: Reader
    ) -> dict[Any, Any]:
        found = {}
        for (*of, entry, visibility), column in element["pm"].items():
            one = said(column, reader.as_of)
            if (
                tuple(of) == (*place, value["t"])
                and reader.can(visibility)
                and one is not None
                and one["w"] >= value["w"]
            ):
                found[entry, visibility] = one["value"]
        return found

    def references(self, reader: Reader) -> dict[tuple[Any, ...], Seen]:
        """Return the references that a reader sees."""
        found: dict[tuple[Any, ...], Seen] = {}
        for place, element in self.elements.items():
            if place[0] != "e" or not self.is_seen(element, reader):
                continue
            held: dict[tuple[Any, ...], dict[bytes, Version]] = {}
            for visibility, version in self.live(element, reader).items():
                for reference, signature in references_of(place[1], version["shape"]).items():
                    one = {**version, "shape": signature}
                    held.setdefault(reference, {})[visibility] = one
            for reference, versions in held.items():
                hidden = self.is_hidden(element, reader)
                found[reference] = {"shown": shown(versions), "hidden": hidden}
        return found

    # -- writing

    def say(self, column: list[Version], own: int | None, least: int = 0, **more: Any) -> Version:
        """Write that something holds, and return the version."""
        time = own
        if time is None:
            time = max(self.commit, least, self._floors.get(id(column), 0))
        return self._write(column, {"t": time, "state": SAID, **more}, own)

    def end(
        self, column: list[Version], state: int, own: int | None, least: int = 0, **more: Any
    ) -> Version:
        """Write that something ended, after all that the column has."""
        time = own
        if time is None:
            time = max(self.commit, least, self.after_all(column))
        if state in (DELETED, MOVED, REMOVED):
            self._floors[id(column)] = max(time, self._floors.get(id(column), 0))
        return self._write(column, {"t": time, "state": state, **more}, own)

    def after_all(self, column: list[Version]) -> int:
        return max((one["t"] + (not one["undated"]) for one in column), default=0)

    def _write(self, column: list[Version], version: Version, own: int | None) -> Version:
        version |= {"w": self.commit, "undated": own is None, "now": self.commit}
        time, state = version["t"], version["state"]
        for before in [one for one in column if one["t"] == time and one["now"] == self.commit]:
            ended = time - 1 if before["state"] == DELETED else before.get("ended")
            if before["state"] == REMOVED and state != REMOVED:
                before["t"] = time - 1
                continue
            column.remove(before)
            if state == SAID and ended is not None and "shape" in version:
                version["ended"] = max(ended, version.get("ended") or ended)
            if state == MOVED and ended == time - 1:
                extra = {"t": time - 1, "state": DELETED}
                column.append({**version, **extra})
        column.append(version)
        return version

    def finish(self) -> None:
        """End the commit: what it wrote is stored."""
        for element in self.elements.values():
            for columns in element.values():
                for column in columns.values():
                    for one in column:
                        one["undated"], one["now"] = False, None

    def apply(self, change: kinds.RecordChange) -> None:
        """Do what a change means, or raise Refused and do nothing."""
        getattr(self, f"_{type(change).__name__}")(change)

    def found(self, subject: Any) -> Element:
        place = place_of(subject)
        element = self.element(place)
        if not self.is_seen(element, self.caller):
            raise Refused("VertexNotFound" if place[0] == "v" else "EdgeNotFound")
        return element

    def _AddVertex(self, change: kinds.AddVertex) -> None:  # noqa: N802
        self._add(("v", change.id), change, None)

    def _AddEdge(self, change: kinds.AddEdge) -> None:  # noqa: N802
        shape = change.shape
        ends = (shape.source, shape.destination)
        ends = ends if shape.directed else tuple(sorted(ends))
        pairs = tuple(sorted(pair for pair in shape.properties if pair[1] is not None))
        whole = (shape.label, *ends, shape.directed, pairs)
        self._check_multiplicity(change.id, whole)
        self._add(("e", change.id), change, whole)

    def _add(self, place: tuple[str, str], change: Any, shape: Any) -> None:
        element = self.element(place)
        if change.new and self.is_seen(element, self.caller):
            raise Refused("UniqueViolation")
        given = self._given(change)
        if change.replace and self.is_seen(element, self.caller):
            for key in self.values(element, self.caller):
                if key not in dict(given):
                    self.end(element["p"][key], DELETED, change.time)
        column = element["e"].setdefault(change.visibility, [])
        version = self.say(column, change.time, shape=shape, ended=None)
        least = 0
        if change.time is None:
            least = max(self._floors.get(id(column), 0), 0)
        for label in getattr(change, "labels", ()):
            self.say(element["l"].setdefault((label, change.visibility), []), change.time, least)
        for key, value in given:
            own = change.time if value.time is None else value.time
            self._put(element, key, value.value, own, least, self._entries(value, key[2]))
        assert version in column

    @staticmethod
    def _entries(value: kinds.GivenValue, visibility: bytes) -> dict[Any, Any]:
        return {
            (one.key, visibility if one.visibility is None else one.visibility): one.value
            for one in value.metadata
        }

    @staticmethod
    def _given(change: Any) -> list[tuple[Any, kinds.GivenValue]]:
        found: list[tuple[Any, kinds.GivenValue]] = []
        for value in change.values:
            if value.value is None:
                continue
            visibility = change.visibility if value.visibility is None else value.visibility
            key = b"" if value.cardinality == "single" else ANY.encode(value.value)
            if value.cardinality == "list":
                number = 0
                while (value.name, list_key(key, number), visibility) in dict(found):
                    number += 1
                key = list_key(key, number)
            place = (value.name, key, visibility)
            times = [one.time for held, one in found if held == place]
            if value.cardinality == "single" and value.time in times:
                raise Refused("CardinalityViolation")
            found.append((place, value))
        return found

    def _put(
        self,
        element: Element,
        key: tuple[str, bytes, bytes],
        value: Any,
        own: int | None,
        least: int,
        entries: dict[Any, Any],
    ) -> None:
        version = self.say(element["p"].setdefault(key, []), own, least, value=value)
        place = (*key, version["t"])
        for of, column in element["pm"].items():
            if of[:4] == place:
                # Entries of a value of this commit that is replaced go with it.
                column[:] = [one for one in column if one["now"] != self.commit]
        for entry, given in entries.items():
            column = element["pm"].setdefault((*place, *entry), [])
            self.say(column, version["t"], value=given)

    def _PutValue(self, change: kinds.PutValue) -> None:  # noqa: N802
        element, given = self.found(change.subject), change.value
        if given.value is None:
            return
        visibility = given.visibility
        if visibility is None:
            _, (visibility, *_) = self._shown(element)
        key = b"" if given.cardinality == "single" else ANY.encode(given.value)
        if given.cardinality == "list":
            key = list_key(key, 0)
            if isinstance(change, kinds.AppendValue):
                held = [
                    one
                    for name, one, other in self.values(element, self.caller)
                    if (name, other) == (given.name, visibility)
                ]
                numbers = [
                    number
                    for number in range(30)
                    if list_key(ANY.encode(given.value), number) in held
                ]
                key = list_key(ANY.encode(given.value), max(numbers, default=-1) + 1)
        elif isinstance(change, kinds.AppendValue) and given.cardinality == "single":
            raise Refused("CardinalityViolation")
        place = (given.name, key, visibility)
        entries = self._entries(given, visibility)
        self._put(element, place, given.value, given.time, 0, entries)

    _AppendValue = _PutValue

    def _shown(self, element: Element) -> tuple[Version, list[bytes]]:
        live = self.live(element, self.caller)
        best = max(live, key=lambda one: (*rank(live[one]), one))
        return live[best], [best]

    def _DeleteValues(self, change: kinds.DeleteValues) -> None:  # noqa: N802
        element = self.element(place_of(change.subject))
        if not self.is_allowed(element, self.caller):
            return
        keys = list(element["p"])
        if not change.hard:
            keys = list(self.values(element, self.caller)) if self.live_now(element) else []
        for key in keys:
            if (
                self.caller.can(key[2])
                and key[0] == change.name
                and change.key in (None, key[1])
                and change.visibility in (None, key[2])
            ):
                self._end_value(element, key, change.time, hard=change.hard)

    def live_now(self, element: Element) -> bool:
        return self.is_seen(element, self.caller)

    def _end_value(self, element: Element, key: Any, own: int | None, *, hard: bool) -> None:
        column = element["p"][key]
        if hard and not is_left(column):
            return
        self.end(column, REMOVED if hard else DELETED, own)

    def _SetMetadata(self, change: kinds.SetMetadata) -> None:  # noqa: N802
        place = (change.name, change.key, change.visibility)
        element, value = self._found_value(change.subject, place)
        entry = (*place, value["t"], change.entry, change.entry_visibility)
        column = element["pm"].setdefault(entry, [])
        own = value["t"] if value["now"] == self.commit else None
        if change.value is not None:
            self.say(column, own, value=change.value)
        elif own is not None:
            column[:] = [one for one in column if one["now"] != self.commit]
        elif said(column, None) is not None:
            self.end(column, UNDONE, own)

    def _found_value(self, subject: Any, place: Any) -> tuple[Element, Version]:
        element = self.found(subject)
        if place not in self.values(element, self.caller):
            raise Refused("PropertyNotFound")
        value = said(element["p"][place], None)
        assert value is not None
        return element, value

    def _MoveElement(self, change: kinds.MoveElement) -> None:  # noqa: N802
        if change.past and change.time is not None:
            raise Refused("UsageError")
        element = self.found(change.subject)
        live = self.live(element, self.caller)
        frm = change.frm
        if frm is None:
            _, (frm,) = self._shown(element)
        if frm not in live:
            raise Refused(
                "VertexNotFound" if place_of(change.subject)[0] == "v" else "EdgeNotFound"
            )
        if frm == change.to:
            return
        old, new = element["e"][frm], element["e"].setdefault(change.to, [])
        if change.past:
            self._move_past(old, new)
            return
        ended = None
        if said(new, change.time) is None:
            end, own = end_of(old, change.time), end_of(new, change.time)
            if end is not None and (own is None or own < end):
                ended = end if change.time is None else min(end, change.time - 1)
        least = max(self.after_all(old), self.after_all(new))
        shape = live[frm]["shape"]
        moved = self.end(old, MOVED, change.time, least)
        self.say(new, change.time, moved["t"], shape=shape, ended=ended)

    def _move_past(self, old: list[Version], new: list[Version]) -> None:
        removed = max((one["t"] for one in old if one["state"] == REMOVED), default=None)
        for one in list(old):
            if one["state"] != REMOVED and (removed is None or one["t"] > removed):
                copy = dict(one)
                if one["state"] == SAID and removed is not None:
                    copy["ended"] = max(removed, one.get("ended") or removed)
                new.append(copy)
        self.end(old, REMOVED, None)

    def _MoveValue(self, change: kinds.MoveValue) -> None:  # noqa: N802
        place = (change.name, change.key, change.frm)
        element, value = self._found_value(change.subject, place)
        if change.frm == change.to:
            return
        owner = Reader(None)
        entries = self.metadata(element, place, value, owner)
        target = (change.name, change.key, change.to)
        new = element["p"].setdefault(target, [])
        least = self._floors.get(id(new), 0)
        gone = self.end(element["p"][place], DELETED, change.time, least)
        self._put(element, target, value["value"], change.time, gone["t"], entries)

    def _AddLabel(self, change: kinds.AddLabel) -> None:  # noqa: N802
        element = self.found(change.vertex)
        column = element["l"].setdefault((change.label, change.visibility), [])
        self.say(column, change.time)

    def _DeleteLabel(self, change: kinds.DeleteLabel) -> None:  # noqa: N802
        element = self.element(place_of(change.vertex))
        for (label, visibility), column in element["l"].items():
            if (
                label == change.label
                and change.visibility in (None, visibility)
                and self.caller.can(visibility)
                and self.is_allowed(element, self.caller)
            ):
                self._end_label(element, column, change)

    def _end_label(self, element: Element, column: list[Version], change: Any) -> None:
        if change.hard:
            if is_left(column):
                self.end(column, REMOVED, change.time)
            return
        found = said(column, None)
        if found is not None and self.is_covered(element, self.caller, found["t"]):
            self.end(column, DELETED, change.time)

    def _Relabel(self, change: kinds.Relabel) -> None:  # noqa: N802
        element = self.found(change.edge)
        live = sorted(self.live(element, self.caller).items())
        wanted = []
        for visibility, version in live:
            label, *rest = version["shape"]
            if label == change.label:
                continue
            names = {*SORT_KEYS.get(change.label, ()), *SIGNATURES.get(change.label, ())}
            if not names.issuperset(dict(rest[-1])):
                raise Refused("UsageError")
            self._check_multiplicity(change.edge.id, (change.label, *rest))
            wanted.append((visibility, (change.label, *rest)))
        for visibility, shape in wanted:
            self.say(element["e"][visibility], change.time, shape=shape, ended=None)

    def edges_at(self, vertex: str) -> list[str]:
        """Return the edges that the caller can read at a vertex."""
        found = {one[5]: None for one in self.references(self.caller) if one[0] == vertex}
        return list(found)

    def _Hide(self, change: kinds.Hide) -> None:  # noqa: N802
        element, place = self.found(change.subject), place_of(change.subject)
        edges = self.edges_at(place[1]) if place[0] == "v" else []
        self._switch(element["h"].setdefault((None, change.visibility), []), SAID, change.time)
        for edge in edges:
            columns = self.element(("e", edge))["h"]
            column = columns.setdefault((place[1], change.visibility), [])
            self._switch(column, SAID, change.time)

    def _switch(self, column: list[Version], state: int, own: int | None) -> None:
        time = max(self.commit, self.after_all(column)) if own is None else own
        self._write(column, {"t": time, "state": state}, own)

    def _Show(self, change: kinds.Show) -> None:  # noqa: N802
        element, place = self.found(change.subject), place_of(change.subject)
        columns = [element["h"].get((None, change.visibility), [])]
        if place[0] == "v":
            columns += [
                other["h"][place[1], change.visibility]
                for at, other in self.elements.items()
                if at[0] == "e" and (place[1], change.visibility) in other["h"]
            ]
        for column in columns:
            if said(column, None) is not None:
                self._switch(column, UNDONE, change.time)

    def _HideValue(self, change: Any) -> None:  # noqa: N802
        place = (change.name, change.key, change.value_visibility)
        element, _ = self._found_value(change.subject, place)
        column = element["hp"].setdefault((*place, change.visibility), [])
        hides = isinstance(change, kinds.HideValue)
        if hides or said(column, None) is not None:
            self._switch(column, SAID if hides else UNDONE, change.time)

    _ShowValue = _HideValue

    def _Require(self, change: Any) -> None:  # noqa: N802
        column = self.found(change.subject)["a"].setdefault(change.expression, [])
        requires = isinstance(change, kinds.Require)
        if requires or said(column, None) is not None:
            self._switch(column, SAID if requires else UNDONE, change.time)

    _Release = _Require

    def _DeleteElement(self, change: kinds.DeleteElement) -> None:  # noqa: N802
        place = place_of(change.subject)
        element = self.element(place)
        if not self._end_element(element, change, change.visibility):
            return
        whole = change.visibility is None
        if place[0] == "v" and (whole or not self.is_seen(element, self.caller)):
            for edge in self.edges_at(place[1]):
                self._end_element(self.element(("e", edge)), change, None)

    def _end_element(
        self, element: Element, change: kinds.DeleteElement, only: bytes | None
    ) -> bool:
        if not self.is_allowed(element, self.caller):
            return False
        if not change.hard and not self.is_seen(element, self.caller):
            return False
        ending = []
        for family in "elp":
            for key, column in element[family].items():
                visibility = key if family == "e" else key[-1]
                if not self.caller.can(visibility) or only not in (None, visibility):
                    continue
                found = said(column, None)
                if change.hard:
                    ends = is_left(column)
                elif family == "e":
                    ends = found is not None
                else:
                    ends = found is not None and self.is_covered(element, self.caller, found["t"])
                if ends:
                    ending.append(column)
        for column in ending:
            self.end(column, REMOVED if change.hard else DELETED, change.time)
        if change.hard and ending and not any(map(is_left, element["e"].values())):
            for family in ("h", "hp", "a"):
                for column in element[family].values():
                    if is_left(column):
                        self.end(column, REMOVED, change.time)
        return bool(ending)

    def _check_multiplicity(self, edge: str, shape: tuple[Any, ...]) -> None:
        label, source, destination, directed, _ = shape
        rule = MULTIPLICITIES.get(label)
        if rule is None:
            return
        others = [one for one in self.references(self.caller) if one[2] == label and one[5] != edge]
        between = {(one[0], one[1], one[4]) for one in others}
        wrong = False
        if rule == "simple":
            ways = ("out", "either") if directed else ("out", "in", "either")
            wrong = any((source, way, destination) in between for way in ways)
        if rule in ("many2one", "one2one"):
            ends = {source} if directed else {source, destination}
            wrong |= any(at in ends and way in ("out", "either") for at, way, _ in between)
        if rule in ("one2many", "one2one"):
            ends = {destination} if directed else {source, destination}
            wrong |= any(at in ends and way in ("in", "either") for at, way, _ in between)
        if wrong:
            raise Refused("MultiplicityViolation")


def is_left(column: list[Version]) -> bool:
    return newest(column, None) is not None


def list_key(key: bytes, number: int) -> bytes:
    return escape(key) + b"\x00" + number.to_bytes(4, "big")


def place_of(subject: Any) -> tuple[str, str]:
    return ("v" if type(subject).__name__ == "VertexSubject" else "e", subject.id)


def shown(versions: dict[bytes, Version]) -> tuple[bytes, int, Any]:
    """Return visibility, time and shape of the existence that is shown."""
    best = max(versions, key=lambda one: (*rank(versions[one]), one))
    return best, versions[best]["t"], versions[best].get("shape")
