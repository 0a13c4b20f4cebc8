"""The keys of property values: what tells values of one name apart.

Layer ``layout``. One value has no key. In a set the value is the key. In a list it is the value and
its occurrence among equal ones, so that the same list again gives the same keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from lexigraph.codec.escape import escape
from lexigraph.codec.selfdescribing import ANY
from lexigraph.errors import CardinalityViolation, InvalidOption, InvalidValue, show
from lexigraph.layout.records.groups import RecordGroups
from lexigraph.layout.records.subjects import Subject
from lexigraph.layout.records.write.changes import GivenValue
from lexigraph.schema.model import LIST, ONE, SET
from lexigraph.streaming import GivenStream

_WIDTH: Final = 4


def key_of(cardinality: str, value: Any, occurrence: int = 0) -> bytes:
    """Return the key that a cardinality gives a value.

    >>> key_of("single", "x"), key_of("set", "x"), key_of("list", "x", 2)[-4:]
    (b'', b'Hx\\x00', b'\\x00\\x00\\x00\\x02')
    """
    if cardinality == ONE:
        return b""
    key = ANY.encode(value)
    if cardinality == SET:
        return key
    if cardinality == LIST:
        return escape(key) + b"\x00" + occurrence.to_bytes(_WIDTH, "big")
    raise InvalidOption(f"a cardinality is {ONE}, {LIST} or {SET}, not {show(cardinality)}")


def next_occurrence(value: Any, keys: Iterable[bytes]) -> int:
    """Return the occurrence after those that equal values have in these keys of a list."""
    start = key_of(LIST, value)[:-_WIDTH]
    own = (key for key in keys if key[:-_WIDTH] == start and len(key) == len(start) + _WIDTH)
    return max((int.from_bytes(key[-_WIDTH:], "big") + 1 for key in own), default=0)


class GivenKeys:
    """Gives the values of one add their keys."""

    def __init__(self, subject: Subject, groups: RecordGroups) -> None:
        self._subject, self._groups = subject, groups
        self._counted: dict[tuple[str, bytes, bytes], int] = {}
        self._taken: set[tuple[str, bytes, bytes, int | None]] = set()

    def key(self, given: GivenValue, visibility: bytes) -> bytes:
        """Return the key of a value; refuse a second value where there can be only one.

        Values of different times are versions of one value: the history has them all.
        """
        declared = self._groups.cardinality(self._subject, given.name)
        if given.key is not None:
            if given.key and declared == ONE:
                shown = show(given.key.decode(errors="replace"))
                raise CardinalityViolation(
                    f"{given.name!r} has one value, so it has no key: {shown}",
                    hint="Leave the key out, or declare the property as a list or a set.",
                )
            key = given.key
        elif isinstance(given.value, GivenStream):
            # It has no key form; only where there is one value does it need no key.
            key = key_of(ONE, given.value)
        else:
            place = (given.name, visibility, ANY.encode(given.value))
            occurrence = self._counted.get(place, 0)
            self._counted[place] = occurrence + 1
            key = key_of(given.cardinality, given.value, occurrence)
        taken = (given.name, key, visibility, given.time)
        if taken in self._taken and given.cardinality != SET:
            raise CardinalityViolation(
                f"{given.name!r} has one value, not several under one visibility",
                hint="Give one value, or declare the property as a list or a set.",
            )
        self._taken.add(taken)
        return key


def check_given(given: GivenValue) -> None:
    """Refuse values that cannot be stored, now and not in the commit."""
    if not isinstance(given.value, GivenStream):
        ANY.encode_value(given.value)
    for one in given.metadata:
        if one.value is None:
            raise InvalidValue(
                f"the metadata {one.key!r} of {given.name!r} is None",
                hint="Leave the entry out.",
            )
        ANY.encode_value(one.value)
