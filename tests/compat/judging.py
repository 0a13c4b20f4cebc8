"""Whether an answer is real Gaffer's, or differs from it as decided: for tests only."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

Json = Any

_EDGE = "uk.gov.gchq.gaffer.data.element.Edge"
_ENTITY = "uk.gov.gchq.gaffer.data.element.Entity"
_EMPTY: tuple[Json, ...] = (
    "",
    False,
    {"java.util.TreeSet": []},
    {"uk.gov.gchq.gaffer.types.FreqMap": {}},
    {"[B": ""},
    {},
    {"uk.gov.gchq.gaffer.types.TypeSubTypeValue": {}},
)


def _dump(value: Json) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canon(answer: Json) -> list[str]:
    """Give an unordered answer in one order; inside elements nothing is ordered but hash sets."""
    return sorted(_dump(_plain(one)) for one in answer or ())


def _plain(value: Json) -> Json:
    if isinstance(value, Mapping):
        if len(value) == 1:
            [(name, inner)] = value.items()
            if name == "java.util.HashSet":
                return {name: sorted(map(_plain, inner), key=_dump)}
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _properties(change: Callable[[str, Json], Json]) -> Callable[[Json], Json]:
    def normalise(element: Json) -> Json:
        changed = {n: change(n, v) for n, v in element.get("properties", {}).items()}
        kept = {name: value for name, value in changed.items() if value is not None}
        return {**element, "properties": kept}

    return normalise


def _labels(name: str, value: Json) -> Json:
    # Gaffer joins the text of labels: a|b and private become a|b&private, "" and a become &a.
    if name != "visibility":
        return value
    return " ".join(sorted(set(re.findall(r"\w+", value)))) or None


def _absent(name: str, value: Json) -> Json:
    return None if any(value == one and type(value) is type(one) for one in _EMPTY) else value


def _sorted_text(name: str, value: Json) -> Json:
    if not isinstance(value, str):
        return _absent(name, value)
    return sorted(part for part in re.split("[;,|]", value) if part) or None


def _without_first_last(name: str, value: Json) -> Json:
    return None if name in ("first", "last") else value


def _sketches(name: str, value: Json) -> Json:
    # An estimate of another sketch: all that can be compared is that there is one.
    return "a sketch" if "HyperLogLogPlus" in _dump(value) else value


def _empty_parts(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {name: _empty_parts(one) for name, one in value.items() if one != ""}
    return [_empty_parts(one) for one in value] if isinstance(value, list) else value


NORMAL: dict[str, Callable[[Json], Json]] = {
    "labels": _properties(_labels),
    "absent": _properties(_absent),
    "labels and absent": lambda one: _properties(_labels)(_properties(_absent)(one)),
    "order of texts": _properties(_sorted_text),
    "first and last by time": _properties(_without_first_last),
    "empty parts of ids": _empty_parts,
    "sketches": _properties(_sketches),
    "absent, empty parts": lambda one: _properties(_absent)(_empty_parts(one)),
}
"""What is made of an element before it is compared, for each decided deviation."""


def same(expected: Json, found: Json, deviation: str | None = None) -> bool:
    """Compare answers; with a deviation, only what it leaves to compare."""
    normalise = NORMAL.get(deviation or "", lambda one: one)
    return canon(map(normalise, expected)) == canon(map(normalise, found))
