"""Sections 3 to 8 of spec/facts.md, sentence by sentence, over facts in their JSON form.

It shares nothing with the assembler: no order of facts, no pass over a row, no state. Every
question looks at all facts again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spec.tagged import from_json

from lexigraph.codec import part_codec
from lexigraph.codec.escape import escape
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import InvalidVisibility
from lexigraph.security import Visibility

Json = dict[str, Any]

COLUMN = (
    *("fact", "of", "visibility", "label", "name", "key"),
    *("value_visibility", "value_time", "entry", "cause", "expression"),
)
STATES = {"said": 1, "deleted": 2, "moved": 3, "removed": 4, "undone": 5}
EVERYTHING = dict.fromkeys(("labels", "properties", "metadata", "out_edges", "in_edges"), True)


def raw(data: Any) -> bytes:
    return bytes.fromhex(data["hex"]) if isinstance(data, dict) else data.encode()


def typed(data: Any) -> Any:
    return from_json(data) if isinstance(data, dict) else data


def time_bytes(time: int) -> bytes:
    return (time + 2**63).to_bytes(8, "big")


def value_bytes(fact: Json) -> bytes:
    """Section 2: state, flags, what they announce, content."""
    note = ANY.encode_value(typed(fact["note"])) if "note" in fact else b""
    flags = ("ended" in fact) + 2 * ("stamp" in fact) + 4 * ("note" in fact) + 8 * ("ttl" in fact)
    announced = b"".join(time_bytes(fact[one]) for one in ("ended", "stamp") if one in fact)
    if note:
        assert len(note) < 128
        announced += bytes([len(note)]) + note
    if "ttl" in fact:
        announced += time_bytes(fact["ttl"])
    content = b""
    if "value" in fact:
        content = ANY.encode_value(typed(fact["value"]))
    if "shape" in fact:
        one = fact["shape"]
        ends = [typed(one[name]) for name in ("source", "destination")]
        content = ANY.encode_value((one["label"], *ends, one["directed"], pairs(one["properties"])))
    if fact.get("signature"):
        content = ANY.encode_value(pairs(fact["signature"]))
    return bytes([STATES[fact["state"]], flags]) + announced + content


def pairs(data: list[list[Any]]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, typed(one)) for name, one in data)


def written(fact: Json) -> int:
    """Section 3: at its stamp, or at its own time if it has none."""
    return int(fact.get("stamp", fact["time"]))


def age(fact: Json) -> tuple[int, int, bytes]:
    """Section 3: the order of versions."""
    return fact["time"], written(fact), value_bytes(fact)


def living(fact: Json, now: int | None) -> Json | None:
    """Section 7: what is left of a fact at a time; a fresh one that has expired is deleted."""
    if now is None or "ttl" not in fact or fact["time"] + fact["ttl"] > now:
        return fact
    if "ended" not in fact:
        return None
    said = ("ended", "ttl", "shape", "signature")
    return {name: one for name, one in fact.items() if name not in said} | {"state": "deleted"}


class World:
    """All facts that a reader can read, and the rules."""

    def __init__(self, facts: Iterable[Json], reader: Json, sort_keys: Json) -> None:
        self.authorizations = reader["authorizations"]
        self.as_of = reader.get("as_of")
        self.hints = reader.get("hints", EVERYTHING)
        self.sort_keys = sort_keys
        self.facts: list[Json] = []
        for fact in facts:
            one = living(fact, reader.get("now"))
            if one is None or not self.satisfies(one.get("visibility", "")):
                continue
            if one not in self.facts:
                self.facts.append(one)

    def satisfies(self, expression: Any) -> bool:
        if self.authorizations == "ALL":
            return True
        try:
            return Visibility(raw(expression)).evaluate(self.authorizations)
        except InvalidVisibility:
            return False

    # Section 3.

    def versions(self, fact: Json) -> list[Json]:
        return [
            one for one in self.facts if all(one.get(name) == fact.get(name) for name in COLUMN)
        ]

    def removed_up_to(self, fact: Json, time: int) -> bool:
        return any(one["state"] == "removed" and one["time"] >= time for one in self.versions(fact))

    def in_time(self, fact: Json) -> bool:
        return self.as_of is None or fact["fact"] == "required" or fact["time"] <= self.as_of

    def left(self, fact: Json) -> list[Json]:
        return [
            one
            for one in self.versions(fact)
            if not self.removed_up_to(fact, one["time"]) and self.in_time(one)
        ]

    def newest(self, fact: Json) -> Json | None:
        return max(self.left(fact), key=age, default=None)

    def columns(self, kind: str, subject: Json) -> list[Json]:
        """Return the newest versions of the facts of a kind that are said, one of each column."""
        found: list[Json] = []
        for one in self.facts:
            if one["fact"] == kind and one["of"] == subject:
                newest = self.newest(one)
                if newest and newest["state"] == "said" and newest not in found:
                    found.append(newest)
        return found

    # Section 4.

    def ends(self, existence: Json, time: int) -> bool:
        """Rule 2: whether an existence ended a fact of a time."""
        for one in self.versions(existence):
            if one["state"] == "removed" and one["time"] >= time:
                return True
            if not self.in_time(one):
                continue
            if one["state"] == "deleted" and one["time"] >= time:
                return True
            if one.get("ended", time - 1) >= time:
                return True
        return False

    def covered(self, fact: Json) -> bool:
        live = self.columns("existence", fact["of"])
        return any(not self.ends(one, fact["time"]) for one in live)

    def protected(self, subject: Json) -> bool:
        return not all(
            self.satisfies(one["expression"]) for one in self.columns("required", subject)
        )

    def hidden(self, subject: Json) -> bool:
        return bool(self.columns("hide", subject))

    def seen(self, subject: Json) -> bool:
        if not self.columns("existence", subject) or self.protected(subject):
            return False
        return not self.hidden(subject) or bool(self.hints.get("hidden"))

    def shown(self, subject: Json) -> Json:
        live = self.columns("existence", subject)
        return max(live, key=lambda one: (age(one), raw(one.get("visibility", ""))))

    # Section 5.

    def value_hidden(self, value: Json) -> bool:
        return any(
            one["name"] == value["name"]
            and one.get("key", "") == value.get("key", "")
            and one.get("value_visibility", "") == value.get("visibility", "")
            for one in self.columns("value-hide", value["of"])
        )

    def wants(self, hint: str, name: str) -> bool:
        asked = self.hints.get(hint, False)
        return bool(asked) if isinstance(asked, bool) else name in asked

    def wants_value(self, name: str) -> bool:
        if self.hints.get("metadata") and not self.hints.get("properties"):
            return True
        return self.wants("properties", name)

    def values(self, subject: Json) -> list[Json]:
        found = [
            one
            for one in self.columns("value", subject)
            if self.covered(one)
            and self.wants_value(one["name"])
            and (not self.value_hidden(one) or self.hints.get("hidden"))
        ]
        return sorted(
            found,
            key=lambda one: (
                one["name"].encode(),
                raw(one.get("key", "")),
                raw(one.get("visibility", "")),
            ),
        )

    def metadata(self, value: Json) -> list[Json]:
        found = [
            one
            for one in self.columns("metadata", value["of"])
            if one["name"] == value["name"]
            and one.get("key", "") == value.get("key", "")
            and one.get("value_visibility", "") == value.get("visibility", "")
            and one["value_time"] == value["time"]
            and written(one) >= written(value)
        ]
        found.sort(key=lambda one: (one["entry"].encode(), raw(one.get("visibility", ""))))
        return found

    # What comes out.

    def row(self, subject: Json) -> tuple[int, bytes]:
        """Section 1."""
        if "edge" in subject:
            return 1, ANY.encode(typed(subject["edge"]))
        if "vertex" in subject:
            return 0, escape(subject["vertex"].encode()) + b"\0\x01"
        one = subject["reference"]
        mark = {"out": b"\x02", "in": b"\x03", "either": b"\x04"}[one["direction"]]
        parts = zip(self.sort_keys.get(one["label"], []), one["sort_key"], strict=True)
        sort_key = b"".join(
            part_codec(
                part["codec"], descending=part.get("descending", False), nulls="last"
            ).encode_part(typed(given))
            for part, given in parts
        )
        label = escape(one["label"].encode()) + b"\0"
        ends = [escape(one[name].encode()) + b"\0" for name in ("vertex", "other")]
        return 0, ends[0] + mark + label + sort_key + ends[1] + ANY.encode(typed(one["edge"]))

    def subjects(self) -> list[Json]:
        found: list[Json] = []
        for one in self.facts:
            if one["of"] not in found:
                found.append(one["of"])
        return sorted(found, key=self.row)

    def wanted(self, subject: Json) -> bool:
        one = subject.get("reference")
        if one is None:
            return True
        hints = {"out": ("out_edges",), "in": ("in_edges",)}
        asked = hints.get(one["direction"], ("out_edges", "in_edges"))
        return any(self.wants(hint, one["label"]) for hint in asked)

    def elements(self) -> list[Json]:
        return [self.element(one) for one in self.subjects() if self.wanted(one) and self.seen(one)]

    def element(self, subject: Json) -> Json:
        shown = self.shown(subject)
        found = {**subject, "time": shown["time"], **some(shown, "visibility")}
        if self.hidden(subject):
            found["hidden"] = True
        if "reference" in subject:
            return {**found, "signature": shown.get("signature", [])}
        if self.hints.get("properties") or self.hints.get("metadata"):
            found["properties"] = [self.property(one) for one in self.values(subject)]
        if "edge" in subject:
            return {**found, "shape": shown["shape"]}
        if self.hints.get("labels"):
            names = {one["label"] for one in self.columns("label", subject) if self.covered(one)}
            found["labels"] = sorted(names, key=str.encode)
        return found

    def property(self, value: Json) -> Json:
        found = {name: value[name] for name in ("name", "value", "time")}
        found |= some(value, "visibility", "key")
        if self.value_hidden(value):
            found["hidden"] = True
        if self.hints.get("metadata"):
            found["metadata"] = [
                entry_json(one)
                for one in self.metadata(value)
                if self.wants("metadata", one["entry"])
            ]
        return found

    # Section 7.

    KINDS = {
        ("existence", "said"): "added",
        ("existence", "moved"): "moved away",
        ("existence", "deleted"): "deleted",
        ("existence", "removed"): "removed",
        ("label", "said"): "label added",
        ("label", "deleted"): "label deleted",
        ("value", "said"): "value set",
        ("value", "deleted"): "value deleted",
        ("value-hide", "said"): "value hidden",
        ("value-hide", "undone"): "value shown",
        ("hide", "said"): "hidden",
        ("hide", "undone"): "shown",
        ("required", "said"): "visibility required",
        ("required", "undone"): "visibility released",
    }
    ORDER = ("existence", "label", "value", "value-hide", "hide", "required")

    def remembered(self, fact: Json) -> list[Json]:
        """Return the versions that have events: those left, and the newest removal."""
        versions = self.versions(fact)
        removals = [one for one in versions if one["state"] == "removed"]
        last = max(removals, key=lambda one: one["time"], default=None)
        return [
            one
            for one in versions
            if (self.as_of is None or one["time"] <= self.as_of)
            and (one is last or not self.removed_up_to(fact, one["time"]))
        ]

    def existences_then(self, fact: Json, state: str) -> list[str]:
        """Return the visibilities of other existences that had a version of this state then."""
        return sorted(
            one.get("visibility", "")
            for one in self.facts
            if one["fact"] == "existence"
            and one["of"] == fact["of"]
            and one["time"] == fact["time"]
            and one["state"] == state
            and one.get("visibility", "") != fact.get("visibility", "")
            and one in self.remembered(one)
        )

    def before(self, fact: Json) -> Json | None:
        older = [one for one in self.remembered(fact) if age(one) < age(fact)]
        return max(older, key=age, default=None)

    def event(self, fact: Json) -> Json | None:
        kind = self.KINDS.get((fact["fact"], fact["state"]))
        if kind is None or ("reference" in fact["of"] and fact["fact"] != "existence"):
            return None
        found: Json = {}
        before = self.before(fact)
        if kind == "moved away" and self.existences_then(fact, "said"):
            return None
        if kind == "added":
            moved = self.existences_then(fact, "moved")
            bare = [
                value_bytes({"state": "said", **some(one, "shape", "signature")})
                for one in (fact, before or fact)
            ]
            if moved:
                kind, found["from"] = "moved", moved
            elif before and before["state"] == "said" and bare[0] != bare[1]:
                kind = "reshaped"
        if fact["fact"] == "value":
            if before and before["state"] == "said":
                found["previous"] = before["value"]
            metadata = self.metadata(fact) if fact["state"] == "said" else []
            if metadata:
                found["metadata"] = [entry_json(one) for one in metadata]
        names = ("visibility", "note", "label", "name", "key", "value", "value_visibility")
        found |= some(fact, *names, "expression", "cause")
        if "reference" in fact["of"]:
            kind = f"edge {kind}"
        return {"event": kind, "of": fact["of"], "time": fact["time"], **found}

    def events(self, since: int | None = None, limit: int | None = None) -> list[Json]:
        found = [
            (self.place(one), event)
            for one in self.facts
            if one["fact"] in self.ORDER
            and not self.protected(one["of"])
            and one in self.remembered(one)
            and (since is None or one["time"] >= since)
            and (event := self.event(one)) is not None
        ]
        found.sort(key=lambda pair: pair[0])
        return [event for _, event in found][: len(found) if limit is None else limit]

    def rank(self, subject: Json) -> list[bytes]:
        one = subject.get("reference")
        if one is None:
            return [ANY.encode(typed(given)) for given in subject.values()]
        direction = ("out", "in", "either").index(one["direction"])
        values = [one["vertex"], direction, one["label"], *one["sort_key"], one["other"]]
        return [ANY.encode(typed(given)) for given in (*values, one["edge"])]

    def place(self, fact: Json) -> tuple[Any, ...]:
        named = [raw(fact[one]) for one in ("expression",) if one in fact]
        named += [fact[one].encode() for one in ("label", "name") if one in fact]
        named += [raw(fact.get("key", "")), raw(fact.get("value_visibility", ""))]
        if "cause" in fact:
            named.append(ANY.encode(typed(fact["cause"])))
        return (
            -fact["time"],
            "reference" in fact["of"],
            self.ORDER.index(fact["fact"]),
            self.rank(fact["of"]),
            named,
            raw(fact.get("visibility", "")),
            -written(fact),
            value_bytes(fact),
        )


def some(data: Json, *names: str) -> Json:
    return {name: data[name] for name in names if name in data}


def entry_json(entry: Json) -> Json:
    return {"key": entry["entry"], "value": entry["value"], **some(entry, "visibility")}
