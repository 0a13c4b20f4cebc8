"""Gaffer's predicates in JSON, turned into ours.

Layer ``functions``. What we give is a predicate in its JSON form, with key forms as bytes: it can
be pushed down like any other. Gaffer's choices are kept: null fails every comparison, and so does
a value of another class.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from lexigraph.codec import codec_for
from lexigraph.errors import InvalidOption, UnsupportedError, nearest, show
from lexigraph.functions.gaffer.names import PREDICATE_CLASSES, short_name
from lexigraph.functions.gaffer.values import JAVA_CODECS, JavaValue, read_java

Json = dict[str, Any]
KeyOf = Callable[[str, Any, bool], bytes]
NEVER: Json = {"op": "or", "of": []}
ALWAYS: Json = {"op": "and", "of": []}
_DAY_MICROS = 86_400_000_000
_DATE = re.compile(
    r"(\d{4})[/-](\d{1,2})(?:[/-](\d{1,2})(?:[ T](\d{2})(?::(\d{2})(?::(\d{2}))?)?)?)?"
)
_OFFSETS = {
    "DAY": _DAY_MICROS,
    "HOUR": 3_600_000_000,
    "MINUTE": 60_000_000,
    "SECOND": 1_000_000,
    "MILLISECOND": 1000,
    "MICROSECOND": 1,
}
_PARENTS: dict[str, tuple[str, ...]] = {
    **{f"java.lang.{name}": ("java.lang.Number",) for name in ("Byte", "Short", "Integer", "Long")},
    **{f"java.lang.{name}": ("java.lang.Number",) for name in ("Float", "Double")},
    **{
        f"java.util.{name}": ("java.util.Collection",)
        for name in ("ArrayList", "HashSet", "LinkedHashSet", "LinkedList", "TreeSet")
    },
}
_COLLECTIONS = {
    *(java for java, parents in _PARENTS.items() if "java.util.Collection" in parents),
    *(f"java.util.{name}" for name in ("HashMap", "LinkedHashMap", "TreeMap")),
}
_UNITS = {"DAY": 86_400_000, "HOUR": 3_600_000, "MINUTE": 60_000, "SECOND": 1000, "MILLISECOND": 1}


def predicate_from_gaffer(
    given: Mapping[str, Any],
    selection: Sequence[str],
    java: Mapping[str, str],
    now: int = 0,
    key: KeyOf | None = None,
) -> Json:
    """Return our predicate for one of Gaffer's over the selected fields.

    ``java`` gives the class of each field that has one value; ``now`` is the clock in microseconds,
    for ranges of time that are relative to it. ``key`` gives the key form of a value for a field,
    or for a member of it, where that is not the one of its class.

    >>> over = {"class": "IsMoreThan", "value": {"java.lang.Long": 5}}
    >>> predicate_from_gaffer(over, ["count"], {"count": "java.lang.Long"})
    {'op': 'gt', 'field': 'count', 'value': b'\\x81\\x05'}
    """
    name = short_name(given.get("class"))
    read = _READERS.get(name)
    if read is None:
        known = [short_name(full) for full in PREDICATE_CLASSES]
        raise InvalidOption(
            f"Gaffer's predicate {name!r} has no equivalent in Lexigraph",
            near=nearest(name, known),
            hint=f"Available: {', '.join(sorted(known))}.",
        )
    return read(_Asked(given, tuple(selection), java, now, key))


class _Asked:
    """One predicate of Gaffer's with what it is asked about."""

    def __init__(
        self,
        given: Mapping[str, Any],
        selection: tuple[str, ...],
        java: Mapping[str, str],
        now: int,
        key: KeyOf | None,
    ) -> None:
        self.given, self.selection, self.java, self.now = given, selection, java, now
        self._key = key

    @property
    def field(self) -> str:
        if not self.selection:
            raise InvalidOption(f"{show(self.given.get('class'))} needs a field")
        return self.selection[0]

    @property
    def pair(self) -> tuple[str, str]:
        if len(self.selection) != 2:
            raise InvalidOption(f"{show(self.given.get('class'))} needs two fields")
        return self.selection[0], self.selection[1]

    def inner(self, given: Any, selection: Sequence[str] | None = None) -> Json:
        chosen = self.selection if selection is None else selection
        return predicate_from_gaffer(given, chosen, self.java, self.now, self._key)

    def key(self, field: str, control: JavaValue, *, member: bool = False) -> bytes:
        """Return the key form of a value for the field, or for a member of it."""
        if self._key is not None:
            return self._key(field, control.value, member)
        codec = JAVA_CODECS.get(str(control.java))
        if codec is None:
            raise self.unsupported(str(control.java))
        return codec_for(codec).encode(control.value)

    def unsupported(self, java: str) -> UnsupportedError:
        """Make the error for a value that has no key form."""
        return UnsupportedError(
            f"{show(self.given.get('class'))} cannot compare with a value of class {java}",
            hint="Ask for one member with CollectionContains or MapContains instead.",
        )

    def compare(self, op: str, field: str, control: Any) -> Json:
        """Compare with a value of the field's own class; no other is equal to it or near it."""
        read, held = read_java(control), self.java.get(field)
        if read.java in _COLLECTIONS and held in _COLLECTIONS:
            # Java finds a HashSet equal to a TreeSet of the same members: "never" would be wrong.
            raise self.unsupported(str(read.java))
        if read.java is None or read.java != held:
            return NEVER
        return {"op": op, "field": field, "value": self.key(field, read)}


def _all(*of: Json) -> Json:
    return of[0] if len(of) == 1 else {"op": "and", "of": list(of)}


def _not(of: Json) -> Json:
    return {"op": "not", "of": of}


def _exists(asked: _Asked) -> Json:
    return {"op": "exists", "field": asked.field}


def _more(asked: _Asked) -> Json:
    op = "ge" if asked.given.get("orEqualTo") else "gt"
    return asked.compare(op, asked.field, asked.given.get("value"))


def _less(asked: _Asked) -> Json:
    op = "le" if asked.given.get("orEqualTo") else "lt"
    return asked.compare(op, asked.field, asked.given.get("value"))


def _equal(asked: _Asked) -> Json:
    control = asked.given.get("value")
    if control is None:
        return _not(_exists(asked))
    return asked.compare("eq", asked.field, control)


def _flag(*, wanted: bool) -> Callable[[_Asked], Json]:
    return lambda asked: asked.compare("eq", asked.field, wanted)


def _is_in(asked: _Asked) -> Json:
    found = [asked.compare("eq", asked.field, item) for item in asked.given.get("values") or ()]
    values = [one["value"] for one in found if one is not NEVER]
    # Only a field of one value can be looked up; nothing else is in an empty list either.
    inside: Json = {"op": "in", "field": asked.field, "values": values} if values else NEVER
    has_null = None in (asked.given.get("values") or ())
    return {"op": "or", "of": [inside, _not(_exists(asked))]} if has_null else inside


def _contains(member: str) -> Callable[[_Asked], Json]:
    def read(asked: _Asked) -> Json:
        read = read_java(asked.given.get(member))
        if read.java is None:
            return NEVER
        key = asked.key(asked.field, read, member=True)
        return {"op": "contains", "field": asked.field, "value": key}

    return read


def _length(op: str, member: str) -> Callable[[_Asked], Json]:
    orderly = {"gt": "ge", "lt": "le"}

    def read(asked: _Asked) -> Json:
        compare = orderly[op] if asked.given.get("orEqualTo") else op
        size = asked.given.get(member, 0)
        test = {"op": "length", "field": asked.field, "compare": compare, "size": size}
        # Gaffer lets null pass, as longer and as shorter than anything.
        return {"op": "or", "of": [test, _not(_exists(asked))]}

    return read


def _pattern(asked: _Asked, data: Any) -> Json:
    text = data.get("java.util.regex.Pattern") if isinstance(data, Mapping) else data
    return {"op": "regex", "field": asked.field, "pattern": text}


def _regex(asked: _Asked) -> Json:
    return _pattern(asked, asked.given.get("value"))


def _regexes(asked: _Asked) -> Json:
    patterns = asked.given.get("value") or ()
    return {"op": "or", "of": [_pattern(asked, item) for item in patterns]}


def _substring(asked: _Asked) -> Json:
    part = asked.given.get("value")
    if part is None:
        return NEVER
    found: Json = {"op": "substring", "field": asked.field, "value": part}
    return {**found, "ignore_case": True} if asked.given.get("ignoreCase") else found


def _two(op: str) -> Callable[[_Asked], Json]:
    def read(asked: _Asked) -> Json:
        left, right = asked.pair
        if asked.java.get(left) != asked.java.get(right):
            return NEVER
        return {"op": op, "field": left, "other": right}

    return read


def _are_equal(asked: _Asked) -> Json:
    left, right = asked.pair
    neither = _all(*(_not({"op": "exists", "field": name}) for name in (left, right)))
    return {"op": "or", "of": [_two("eq")(asked), neither]}


def _several(op: str) -> Callable[[_Asked], Json]:
    return lambda asked: {
        "op": op,
        "of": [asked.inner(item) for item in asked.given.get("predicates") or ()],
    }


def _negation(asked: _Asked) -> Json:
    inner = asked.given.get("predicate")
    return NEVER if inner is None else _not(asked.inner(inner))


def _if(asked: _Asked) -> Json:
    def branch(name: str) -> Json:
        given = asked.given.get(name)
        return NEVER if given is None else asked.inner(given)

    test = asked.given.get("predicate")
    if test is None:
        return branch("then") if asked.given.get("condition") else branch("otherwise")
    holds = asked.inner(test)
    first, second = _all(holds, branch("then")), _all(_not(holds), branch("otherwise"))
    return {"op": "or", "of": [first, second]}


def _is_a(asked: _Asked) -> Json:
    kind, held = asked.given.get("type"), asked.java.get(asked.field)
    fits = held is None or kind in (None, held, *_PARENTS.get(held, ()))
    return ALWAYS if fits else _not(_exists(asked))


def _adapted(asked: _Asked) -> Json:
    chosen = asked.given.get("selection") or ()
    # Numbers count the fields that were selected before; names are fields themselves.
    names = [asked.selection[item] if isinstance(item, int) else item for item in chosen]
    inner = asked.given.get("predicate")
    return ALWAYS if inner is None else asked.inner(inner, names)


GafferBound = Callable[[_Asked, str, str], Json | None]


def _plain_bound(asked: _Asked, member: str, field: str) -> Json | None:
    control = asked.given.get(member)
    return None if control is None else asked.compare("eq", field, control)


def _moment_bound(asked: _Asked, member: str, field: str) -> Json | None:
    text, offset = asked.given.get(member), asked.given.get(f"{member}Offset")
    if text is None and offset is None:
        return None
    micros = asked.now if text is None else _read_moment(str(text), asked.given.get("timeZone"))
    unit = str(asked.given.get("offsetUnit") or "DAY").rstrip("S")
    micros += int(offset or 0) * _OFFSETS[unit]
    return asked.compare("eq", field, _in_class(micros, asked, field))


def _in_class(micros: int, asked: _Asked, field: str) -> Any:
    if asked.java.get(field) == "java.util.Date":
        return {"java.util.Date": micros // 1000}
    unit = str(asked.given.get("timeUnit") or "MILLISECOND").rstrip("S")
    number = micros if unit == "MICROSECOND" else micros // 1000 // _UNITS[unit]
    return {"java.lang.Long": number}


def _read_moment(text: str, zone: Any) -> int:
    if text.isdigit():
        return int(text) * 1000
    found = _DATE.fullmatch(text)
    if found is None:
        raise InvalidOption(f"{text!r} is not a date of the form yyyy/MM/dd HH:mm:ss")
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups())
    moment = datetime(
        year, month, day or 1, hour, minute, second, tzinfo=ZoneInfo(str(zone or "UTC"))
    )
    return int(moment.timestamp()) * 1_000_000


def _range(bound: GafferBound) -> Callable[[_Asked], Json]:
    def read(asked: _Asked) -> Json:
        return _between(asked, bound, asked.field, asked.field)

    return read


def _dual(bound: GafferBound) -> Callable[[_Asked], Json]:
    def read(asked: _Asked) -> Json:
        first, last = asked.pair
        # It is enough that the two spans overlap, unless an end must lie inside too.
        parts = [{"op": "exists", "field": first}, _between(asked, bound, last, first)]
        if asked.given.get("startFullyContained"):
            parts.append(_between(asked, bound, first, first))
        if asked.given.get("endFullyContained"):
            parts.append(_between(asked, bound, last, last))
        return _all(*parts)

    return read


def _between(asked: _Asked, bound: GafferBound, above: str, below: str) -> Json:
    given = asked.given
    parts: list[Json] = [{"op": "exists", "field": above}]
    for member, field, op in (("start", above, "ge"), ("end", below, "le")):
        found = bound(asked, member, field)
        if found is None:
            continue
        strict = given.get(f"{member}Inclusive") is False
        parts.append(found if found is NEVER else {**found, "op": op[0] + "t" if strict else op})
    return _all(*parts)


def _age_off(asked: _Asked) -> Json:
    given = asked.given
    if given.get("ageOffDays") is not None:
        ttl = int(given["ageOffDays"]) * _DAY_MICROS
    elif given.get("ageOffHours") is not None:
        ttl = int(given["ageOffHours"]) * 3_600_000_000
    else:
        ttl = int(given.get("ageOffTime", 365 * 86_400_000)) * 1000
    return {"op": "age-off", "field": asked.field, "ttl": ttl}


def _estimate(asked: _Asked) -> Json:
    op = "le" if asked.given.get("orEqualTo") else "lt"
    control = float(asked.given.get("value", 0))
    return {"op": op, "field": asked.field, "value": codec_for("float").encode(control)}


_READERS: dict[str, Callable[[_Asked], Json]] = {
    "AgeOff": _age_off,
    "And": _several("and"),
    "AreEqual": _are_equal,
    "CollectionContains": _contains("value"),
    "Exists": _exists,
    "HllSketchIsLessThan": _estimate,
    "HyperLogLogPlusIsLessThan": _estimate,
    "If": _if,
    "InDateRange": _range(_moment_bound),
    "InDateRangeDual": _dual(_moment_bound),
    "InRange": _range(_plain_bound),
    "InRangeDual": _dual(_plain_bound),
    "InTimeRange": _range(_moment_bound),
    "InTimeRangeDual": _dual(_moment_bound),
    "IntegerTupleAdaptedPredicate": _adapted,
    "IsA": _is_a,
    "IsEqual": _equal,
    "IsFalse": _flag(wanted=False),
    "IsIn": _is_in,
    "IsLessThan": _less,
    "IsLongerThan": _length("gt", "minLength"),
    "IsMoreThan": _more,
    "IsShorterThan": _length("lt", "maxLength"),
    "IsTrue": _flag(wanted=True),
    "IsXLessThanY": _two("lt"),
    "IsXMoreThanY": _two("gt"),
    "MapContains": _contains("key"),
    "MultiRegex": _regexes,
    "Not": _negation,
    "Or": _several("or"),
    "Regex": _regex,
    "StringContains": _substring,
    "TupleAdaptedPredicate": _adapted,
}
