"""Elements by column of an engine that returns cells: the client decodes each batch natively.

Layer ``store``. For engines whose scans return packed batches. What the native core cannot read is
declined with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lexigraph.arguments import read_count
from lexigraph.errors import InvalidOption, nearest, show
from lexigraph.keyplan import Decoder, KeyPlan
from lexigraph.keyplan.columns.frames import Frame
from lexigraph.store.arguments import read_spec
from lexigraph.store.operators import BATCH_ROWS, Declined, FrameReader, ReadFrames
from lexigraph.store.scan.reading import ScanPlan
from lexigraph.store.scan.spec import ScanSpec
from lexigraph.store.settings import TableSettings
from lexigraph.store.snapshot import Snapshot

if TYPE_CHECKING:
    from lexigraph.store.scan.overlay import Overlay
    from lexigraph.store.spi import Engine


class DecodedFrameReader:
    """Runs a scan and decodes its batches; each run reads what is there then."""

    __slots__ = ("_decoder", "_engine", "_spec", "_table")

    def __init__(
        self, engine: Engine | Overlay, table: str, spec: ScanSpec, decoder: Decoder
    ) -> None:
        self._engine, self._table, self._spec, self._decoder = engine, table, spec, decoder

    def frames(
        self,
        *,
        snapshot: Snapshot | None = None,
        batch_rows: int = BATCH_ROWS,
        timeout_s: float | None = None,
    ) -> Iterator[Frame]:
        """Yield the elements of the scan by column, some rows at a time."""
        scan = self._engine.scan(
            self._table,
            self._spec,
            snapshot=snapshot,
            # No cell makes more than one row.
            batch_cells=read_count(batch_rows, "batch_rows"),
            timeout_s=timeout_s,
        )
        with scan as batches:
            yield from self._decoder.frames(batches)


def prepare_decoded(
    engine: Engine | Overlay,
    operator: ReadFrames,
    settings: TableSettings,
    *,
    native: bool | None = None,
) -> FrameReader | Declined:
    """Prepare a reader of a table of these settings that decodes in the client; mistakes raise.

    ``native`` is for tests: ``False`` decodes in Python, and nothing is declined.
    """
    spec = read_spec(operator.spec)
    engine.check_granted(spec.authorizations)
    plans = ScanPlan(spec, settings).made_plans()
    plan = find_plan(plans, operator.plan)
    decoder = Decoder(plan, operator.columns, operator.ends, native=native)
    if decoder.declined is not None and native is None:
        return Declined(decoder.declined)
    return DecodedFrameReader(engine, operator.table, spec, decoder)


def find_plan(plans: dict[str, object], name: object) -> KeyPlan:
    """Return the key plan of a name."""
    if not isinstance(name, str) or name not in plans:
        raise InvalidOption(f"there is no key plan {show(name)}", near=nearest(name, plans))
    return KeyPlan.parse(plans[name], f"plans.{name}")
