"""Whether a table can run with its settings: asked by every engine before it keeps them.

Layer ``store``. Stages are built once on nothing, so that a misspelt option is told to whoever
configures the table and not to whoever reads it.
"""

from __future__ import annotations

from lexigraph.errors import InvalidOption
from lexigraph.store.merging import merge_stages
from lexigraph.store.priorities import resolve_priorities
from lexigraph.store.reading import ScanPlan
from lexigraph.store.scan import ScanSpec
from lexigraph.store.settings import VERSIONS_PRIORITY, TableSettings


def check_settings(settings: TableSettings) -> None:
    """Refuse settings whose stages cannot run, or would lose what they are to combine."""
    _check_versions(settings)
    ScanPlan(ScanSpec(), settings)
    merge_stages(settings)


def _check_versions(settings: TableSettings) -> None:
    if settings.max_versions is None:
        return
    for scope in ("scan", "merge"):
        for stage in resolve_priorities(settings.stages(scope)):
            if stage.name == "aggregate" and (stage.priority or 0) > VERSIONS_PRIORITY:
                raise InvalidOption(
                    f"'aggregate' stands above the {settings.max_versions} newest versions that "
                    f"the table keeps at scope {scope}, so it would never see the others",
                    hint="Set max_versions=None, or give 'aggregate' a priority below "
                    f"{VERSIONS_PRIORITY}.",
                )
