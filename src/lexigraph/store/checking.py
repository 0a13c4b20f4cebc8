"""Whether a table can run with its settings: asked by every engine before it keeps them.

Layer ``store``. Stages are built once on nothing, so that a misspelt option is told to whoever
configures the table and not to whoever reads it.
"""

from __future__ import annotations

import logging

from lexigraph.errors import InvalidOption
from lexigraph.keyplan import KeyPlan
from lexigraph.store.capabilities import Capabilities
from lexigraph.store.scan.merging import merge_stages
from lexigraph.store.scan.priorities import resolve_priorities
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import VERSIONS_PRIORITY, TableSettings
from lexigraph.store.stages.registry import stage_class
from lexigraph.store.stages.spec import StageSpec

_LOG = logging.getLogger("lexigraph.store")


def check_settings(settings: TableSettings) -> None:
    """Refuse settings whose stages cannot run, or would lose what they are to combine."""
    _check_versions(settings)
    for name, plan in settings.plans.items():
        KeyPlan.parse(plan, f"plans.{name}")
    ScanPlan(ScanSpec(), settings)
    merge_stages(settings)


def _check_versions(settings: TableSettings) -> None:
    if settings.max_versions is None:
        return
    scopes = {name: _version_combiners(settings, name) for name in ("scan", "merge")}
    for scope, stages in scopes.items():
        for stage in stages:
            if (stage.priority or 0) > VERSIONS_PRIORITY:
                raise InvalidOption(
                    f"{stage.name!r} runs at scope {scope} after all but the newest "
                    f"{settings.max_versions} versions were dropped, so it would miss the others",
                    hint=f"Set max_versions=None, or give {stage.name!r} a priority below "
                    f"{VERSIONS_PRIORITY}.",
                )
    for stage in scopes["merge"]:
        if stage.options.get("full_merge_only") is True:
            raise InvalidOption(
                f"{stage.name!r} combines in full merges only, and every other merge keeps just "
                f"{settings.max_versions} versions, so it would lose versions before combining "
                "them",
                hint="Set max_versions=None, or leave full_merge_only out.",
            )
    merged = [(stage.name, stage.options) for stage in scopes["merge"]]
    for stage in scopes["scan"]:
        if (stage.name, stage.options) not in merged:
            raise InvalidOption(
                f"{stage.name!r} combines versions at scope scan only, and a merge keeps just "
                f"{settings.max_versions} of them, so it would lose versions before combining them",
                hint="Use TableSettings.with_stages(...), which sets it at both scopes, or "
                "max_versions=None.",
            )
    scanned = [(stage.name, stage.options) for stage in scopes["scan"]]
    for stage in scopes["merge"]:
        if (stage.name, stage.options) not in scanned:
            raise InvalidOption(
                f"{stage.name!r} combines versions at scope merge only, and a scan sees just "
                f"{settings.max_versions} of them, so a merge would change its answer",
                hint="Use TableSettings.with_stages(...), which sets it at both scopes, or "
                "max_versions=None.",
            )


def note_unused(table: str, settings: TableSettings, capabilities: Capabilities) -> None:
    """Log which settings an engine keeps without being able to use them."""
    unused = [
        name
        for name, usable in (
            ("bloom", capabilities.bloom),
            ("locality_groups", capabilities.locality_groups),
            ("durability", bool(capabilities.durabilities)),
        )
        if getattr(settings, name) and not usable
    ]
    if unused:
        _LOG.info(
            "table %s: engine %s keeps %s but cannot use it",
            table,
            capabilities.engine,
            ", ".join(unused),
        )


def _version_combiners(settings: TableSettings, scope: str) -> list[StageSpec]:
    stages = resolve_priorities(settings.stages(scope))
    return [stage for stage in stages if stage_class(stage.name).combines_versions]
