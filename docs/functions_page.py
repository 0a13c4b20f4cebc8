"""The page of all functions: aggregators, predicates and transforms, and what Gaffer calls them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from docs.catalogue import CATALOGUE, describe

from lexigraph.functions.built_in import BUILT_IN_AGGREGATORS, BUILT_IN_PREDICATES
from lexigraph.functions.gaffer.names import AGGREGATOR_CLASSES, PREDICATE_CLASSES, short_name
from lexigraph.functions.transforms.registry import BUILT_IN_TRANSFORMS, GAFFER_TRANSFORMS

INTRO = """\
Functions over values, by name. Aggregators and predicates run in the engine (but for patterns that
only Python reads); transforms run in the client. Their bytes and JSON are in
[spec/scan.md](../../spec/scan.md), sections 6 and 7. Add your own with `AGGREGATORS.register`,
`PREDICATES.register` and `TRANSFORMS.register` of `lexigraph.functions`; they run in the client.

```python
>>> from lexigraph.codec import codec_for
>>> from lexigraph.functions import aggregator_for, transform_for
>>> best = aggregator_for("top-n", codec_for("int"), {"n": 2})
>>> best.finish(best.merge(best.take([3, 9], 1), best.take([7], 2)))
(9, 7)
>>> transform_for("truncate", {"length": 4, "ellipses": True})("Lexigraph")
'Lexi...'

```"""


def functions_page(note: str) -> str:
    """Return the page, with the note that it is made."""
    aggregators = [
        f"| `{one.name}` | {_options(entry)} | {_codecs(entry)} | {_result(entry)} "
        f"| {_first_line(one)} |"
        for one, entry in _entries("aggregators", BUILT_IN_AGGREGATORS)
    ]
    predicates = [
        f"| `{one.name}` | {_members(form)} | {_first_line(cls)} |"
        for one, entry in _entries("predicates", BUILT_IN_PREDICATES)
        for form in entry["forms"]
        for cls in [one.variant(form)]
    ]
    transforms = [
        f"| `{one.name}` | {_options(entry)} | {_first_line(one)} |"
        for one, entry in sorted(
            _entries("transforms", BUILT_IN_TRANSFORMS), key=lambda pair: pair[0].name
        )
    ]
    known = ", ".join(f"`{short_name(name)}`" for name in PREDICATE_CLASSES)
    lines = ["# Functions", "", note, INTRO, "", "## Aggregators", ""]
    lines += ["| name | options | over | finishes to | what it gives |", "|---|---|---|---|---|"]
    lines += aggregators
    lines += [
        "",
        "Sketches and bitmaps need the packages of the extra `sketches` in Python.",
        "",
    ]
    lines += ["## Predicates", "", "| op | members | holds when |", "|---|---|---|", *predicates]
    lines += ["", "## Transforms", "", "| name | options | what it gives |", "|---|---|---|"]
    lines += [*transforms, "", "## Gaffer's names", ""]
    lines += ["Classes are known by short, full and old (`gaffer.function.simple.*`) names.", ""]
    lines += ["| Gaffer's class | ours |", "|---|---|"]
    lines += [f"| `{short_name(full)}` | `{ours}` |" for full, ours in AGGREGATOR_CLASSES.items()]
    lines += [f"| `{short}` | `{ours}` |" for short, (ours, _) in GAFFER_TRANSFORMS.items()]
    lines += ["", f"Predicates that are read: {known}."]
    return "\n".join(lines) + "\n"


def _first_line(cls: type) -> str:
    return inspect.cleandoc(cls.__doc__ or "").splitlines()[0].replace("``", "`")


def _entries(section: str, classes: Iterable[Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    return ((one, CATALOGUE[section][one.name]) for one in classes)


def _options(entry: Mapping[str, Any]) -> str:
    return ", ".join(
        f"`{name}`: {describe(schema)} (`{json.dumps(schema['default'])}`)"
        for name, schema in entry["options"].items()
    )


def _members(form: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}`: {describe(schema)}" for name, schema in form.items())


def _codecs(entry: Mapping[str, Any]) -> str:
    codecs = entry["codecs"]
    if isinstance(codecs, dict):
        return f"any codec but {_words(codecs['except'])}"
    return "any codec" if codecs == "all" else _words(codecs)


def _result(entry: Mapping[str, Any]) -> str:
    return {
        "same": "a value",
        "list": "a list of values",
        "map": "numbers by value",
        "integers": "a list of integers",
        "float": "a float",
        "count": "an integer",
    }[entry["result"]]


def _words(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
