"""Stages as iterators of Accumulo: of a scan, and of a table's merges.

Layer ``store``, only for ``accumulo``. The options are those of ``docs/formats/accumulo.md``. A
stage that the servers' jar does not have runs in the client; one of a merge cannot.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from lexigraph.errors import UnsupportedError
from lexigraph.security import All, Authorizations
from lexigraph.store.jsonbytes import bytes_to_json
from lexigraph.store.priorities import resolve_priorities
from lexigraph.store.settings import TableSettings
from lexigraph.store.stages.spec import StageSpec

ITERATOR = "org.lexigraph.iterators.StageIterator"
_VERSION = "1"
_ABOVE = 1000
"""How far above its own priority a stage stands: others' iterators keep what is below."""

# They see a whole scan, which no server does.
WHOLE_SCAN = frozenset({"limit", "summarise"})


def scan_iterators(
    stages: Sequence[StageSpec],
    *,
    plans: Mapping[str, Any],
    sets: Mapping[str, Any],
    now: int,
    unit: str,
    authorizations: Authorizations | All,
) -> str:
    """Return the iterators of a scan, as the bridge reads them."""
    tokens = "ALL" if isinstance(authorizations, All) else list(map(bytes_to_json, authorizations))
    out = []
    for stage in stages:
        options = _options(stage, plans, unit)
        options["now"] = str(now)
        if sets:
            options["sets"] = json.dumps({name: _set(one) for name, one in sets.items()})
        if stage.name == "visibility":
            options["authorizations"] = json.dumps(tokens)
        out.append(
            {
                "priority": (stage.priority or 0) + _ABOVE,
                "name": _name(stage),
                "class": ITERATOR,
                "options": options,
            }
        )
    return json.dumps(out)


def merge_properties(settings: TableSettings, stages: frozenset[str]) -> dict[str, str]:
    """Return the iterators of a table's merges, as properties."""
    if not settings.merge_stages:
        return {}
    wanted = resolve_priorities(settings.stages("merge"))
    missing = [stage.name for stage in wanted if stage.name not in stages]
    if missing:
        if settings.stages("merge") == settings.stages("scan"):
            # Every scan does the same, so it only stays undone for longer.
            return {}
        raise UnsupportedError(
            f"stage {missing[0]!r} cannot run at merge scope on Accumulo: the servers' jar does "
            "not have it",
            hint="Use it at scan scope (scan_stages), where Python runs it behind the servers.",
        )
    out = {}
    for scope in ("minc", "majc"):
        for stage in wanted:
            name = f"table.iterator.{scope}.{_name(stage)}"
            out[name] = f"{(stage.priority or 0) + _ABOVE},{ITERATOR}"
            options = _options(stage, settings.plans, settings.time_unit)
            if scope == "majc" and not settings.append_only:
                options["full_only"] = "true"
            out |= {f"{name}.opt.{option}": value for option, value in options.items()}
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


def _set(one: Any) -> dict[str, str]:
    offsets, data = one.parts
    out = {"data": base64.b64encode(bytes(data)).decode()}
    if offsets is not None:
        out["offsets"] = base64.b64encode(offsets.tobytes()).decode()
    return out
