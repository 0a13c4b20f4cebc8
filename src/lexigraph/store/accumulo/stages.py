"""Stages as iterators of Accumulo: of a scan, and of a table's merges.

Layer ``store``, only for ``accumulo``. The options are those of ``docs/formats/accumulo.md``. A
stage that the servers' jar does not have runs in the client; one of a merge cannot.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from lexigraph.cells.jsonbytes import bytes_to_json
from lexigraph.cells.key_sets import KeySet
from lexigraph.errors import UnsupportedError
from lexigraph.security import All, Authorizations
from lexigraph.store.scan.priorities import resolve_priorities
from lexigraph.store.settings import TableSettings
from lexigraph.store.stages.builtin import BUILT_IN
from lexigraph.store.stages.registry import stage_class
from lexigraph.store.stages.spec import StageSpec

ITERATOR = "org.lexigraph.iterators.StageIterator"
_VERSION = "1"
_ABOVE = 1000
"""How far above its own priority a stage stands: others' iterators keep what is below."""


def scan_iterators(
    stages: Sequence[StageSpec],
    *,
    plans: Mapping[str, Any],
    sets: Mapping[str, KeySet],
    now: int,
    unit: str,
    default_visibility: bytes,
    authorizations: Authorizations | All,
    name: str = "",
    counts: bool = False,
) -> list[dict[str, Any]]:
    """Return the iterators of a scan, as the bridge reads them.

    ``name`` is the scan's, unlike any other's: servers tell their errors under it, and with
    ``counts`` how many cells each stage saw.
    """
    tokens = "ALL" if isinstance(authorizations, All) else list(map(bytes_to_json, authorizations))
    out: list[dict[str, Any]] = []
    for stage in stages:
        options = _options(stage, plans, unit)
        options["now"] = str(now)
        options["authorizations"] = json.dumps(tokens)
        if default_visibility:
            options["default_visibility"] = json.dumps(bytes_to_json(default_visibility))
        # Sets may be large: of our own stages only those get them that name one.
        if sets and (stage_class(stage.name) not in BUILT_IN or '"set"' in options["options"]):
            options["sets"] = json.dumps({name: _set(one) for name, one in sets.items()})
        out.append(
            {
                "priority": (stage.priority or 0) + _ABOVE,
                "name": _name(stage),
                "class": ITERATOR,
                "options": options,
            }
        )
    if out and name:
        # What only the topmost can tell, having seen all below it.
        out[-1]["options"]["errors"] = name
        if counts:
            out[-1]["options"]["counts"] = name
    return out


def equal_keys(name: str) -> dict[str, Any]:
    """Return the iterator above all others of a scan of this name, where keys may be fully equal.

    Servers would lose some of what has one key.
    """
    return {
        "priority": 2**31 - 1,
        "name": "lexigraph-equal-keys",
        "class": "org.lexigraph.iterators.EqualKeys",
        "options": {"name": name},
    }


def can_run(options: Mapping[str, str]) -> bool:
    """Tell whether the jar knows a stage with all that its options name."""
    return _can_run(tuple(sorted(options.items())))


@lru_cache(maxsize=1024)
def _can_run(options: tuple[tuple[str, str], ...]) -> bool:
    import jpype

    given = jpype.JClass("java.util.HashMap")()
    for name, value in options:
        given.put(name, value)
    try:
        return bool(jpype.JClass(ITERATOR)().validateOptions(given))
    except jpype.JException:
        return False


def merge_problem(settings: TableSettings) -> UnsupportedError | None:
    """Return what is wrong with a merge stage that servers cannot run, not raised."""
    for stage in resolve_priorities(settings.stages("merge")) if settings.merge_stages else ():
        if not can_run(_options(stage, settings.plans, settings.time_unit)):
            return UnsupportedError(
                f"stage {stage.name!r} cannot run at merge scope on Accumulo: its options, a codec "
                "of its plan or the stage itself are known in Python only",
                hint="Use it at scan scope (scan_stages), where Python runs it after the servers.",
            )
        if stage_class(stage.name).of_rows and settings.locality_groups:
            return UnsupportedError(
                f"stage {stage.name!r} cannot run at merge scope on Accumulo in a table with "
                "locality groups: a compaction reads each of these separately, not whole rows",
                hint="Use it at scan scope (scan_stages), or leave the locality groups out.",
            )
    return None


def merge_properties(settings: TableSettings, *, marked: bool = False) -> dict[str, str]:
    """Return the iterators of a table's merges, as properties.

    ``marked`` says that there are or were delete markers: one may lie in a file, between the times
    of two cells that a flush sees.
    """
    if not settings.merge_stages:
        return {}
    problem = merge_problem(settings)
    if problem is not None:
        raise problem
    out: dict[str, str] = {}
    combines = whole = False
    for stage in resolve_priorities(settings.stages("merge")):
        options = _options(stage, settings.plans, settings.time_unit)
        kind = stage_class(stage.name)
        # What judges or rewrites combined cells must see them whole, as a full compaction does;
        # and so must all that stands above it.
        whole = whole or not kind.in_parts or (combines and not kind.combines)
        combines = combines or kind.combines
        for scope in ("minc", "majc"):
            name = f"table.iterator.{scope}.{_name(stage)}"
            out[name] = f"{(stage.priority or 0) + _ABOVE},{ITERATOR}"
            # Also stages that do not combine: the versions that a partial one left uncombined
            # must not be counted above it.
            unseen = scope == "majc" or marked
            only = whole or (unseen and not settings.append_only)
            given = {**options, "full_only": "true"} if only else options
            out |= {f"{name}.opt.{option}": value for option, value in given.items()}
    return out


def _name(stage: StageSpec) -> str:
    return f"lexigraph-{stage.priority}-{stage.name}"


def _options(stage: StageSpec, plans: Mapping[str, Any], unit: str) -> dict[str, str]:
    options = {
        "version": _VERSION,
        "stage": stage.name,
        "options": json.dumps(stage.to_json().get("options", {})),
        "unit": unit,
    }
    if plans:
        options["plans"] = json.dumps(plans)
    return options


def _set(one: KeySet) -> dict[str, Any]:
    offsets, data = one.parts
    if offsets is None:
        return {"bits": base64.b64encode(bytes(data)).decode()}
    ends = pairwise(offsets)
    return {"keys": [base64.b64encode(data[start:end]).decode() for start, end in ends]}
