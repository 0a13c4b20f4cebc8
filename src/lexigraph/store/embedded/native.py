"""The native module as the embedded engine calls it: found or explained, batches to and fro.

Layer ``store``, only for ``embedded``. The module is imported when a directory is opened and never
before, so the package works without it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from lexigraph.cells.cell import Key
from lexigraph.cells.encoded import EncodedBatch
from lexigraph.cells.key_sets import KeySet
from lexigraph.cells.mutations import MutationBatch
from lexigraph.cells.native import MODULE
from lexigraph.cells.ranges import Range
from lexigraph.errors import UnsupportedError
from lexigraph.security import All, Authorizations
from lexigraph.store.scan.spec import EVERYTHING, ScanSpec
from lexigraph.store.stages.spec import StageSpec

RangeParts = tuple[Key | None, bool, Key | None, bool]
SetParts = tuple[str, bytes | None, bytes]


def load_native() -> Any:
    """Import the native module, or say what is missing and how to get it."""
    try:
        return import_module(MODULE)
    except ImportError as missing:
        raise UnsupportedError(
            f"a directory needs the native module lexigraph._native, which cannot be imported: "
            f"{missing}",
            hint="Install a wheel of lexigraph for this platform, or run 'make setup' in a clone "
            "(it needs Rust). MemoryEngine works without it, but stores nothing on disk.",
        ) from None


def load_parts(batch: MutationBatch) -> Any:
    """Return a batch as the native module takes it for a load."""
    native = batch.native if isinstance(batch, EncodedBatch) else None
    return batch_parts(batch) if native is None else native


def batch_parts(batch: MutationBatch) -> tuple[Any, ...]:
    """Return the buffers of a batch, as the native module takes them."""
    return (*batch.cells.to_buffers(), batch.timed)


def tokens(authorizations: Authorizations | All) -> list[bytes] | None:
    """Return authorizations as a list, the owner's as None."""
    return None if isinstance(authorizations, All) else list(authorizations)


def range_parts(item: Range) -> RangeParts:
    """Return a range as a tuple."""
    return item.start, item.start_inclusive, item.end, item.end_inclusive


def spec_parts(spec: ScanSpec) -> tuple[str, list[RangeParts], list[SetParts]]:
    """Return a scan as JSON text, and its ranges and sets apart: there may be very many."""
    sets = [(name, *_set_parts(one)) for name, one in spec.sets.items()]
    return spec_text(spec), [range_parts(item) for item in spec.ranges], sets


def spec_text(spec: ScanSpec, *, with_sets: bool = False) -> str:
    """Return a scan as JSON text without its ranges; of its sets only the names, unless asked."""
    plain = _without_ranges(spec).to_json()
    if spec.sets:
        sets = spec.sets.items()
        plain["sets"] = {name: one.to_json() if with_sets else None for name, one in sets}
    return json.dumps(plain)


def _set_parts(one: KeySet) -> tuple[bytes | None, bytes]:
    offsets, data = one.parts
    return None if offsets is None else offsets.tobytes(), bytes(data)


def stages_text(stages: Sequence[StageSpec]) -> str:
    """Return stages as JSON text."""
    return json.dumps([stage.to_json() for stage in stages])


def _without_ranges(spec: ScanSpec) -> ScanSpec:
    return ScanSpec(
        EVERYTHING,
        spec.columns,
        spec.authorizations,
        spec.default_visibility,
        spec.now,
        spec.stages,
        spec.plans,
        spec.after,
    )
